"""The private algorithms, on all streams of three or four rounds."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

from reticent.audit.algorithms import exact
from reticent.audit.shipped.row import ShippedAudit
from reticent.experts import (
    Dartboard,
    DartboardParameters,
    Doubling,
    EveryRounds,
    GuardedEpochs,
    LazyParameters,
    LazyToPrivate,
    PrivateExpertsAlgorithm,
    PrivateHedge,
    ScheduledHedge,
    ShrinkingDartboard,
    ShrinkingParameters,
    SparseVectorExperts,
    Subsampled,
    TreeFTPL,
)
from reticent.mechanisms import (
    DecayingRates,
    EqualRates,
    GaussianNodes,
    LaplaceNodes,
    LaplaceNoise,
    OneSidedNoise,
    RedrawRates,
)
from reticent.privacy import Neighbours

__all__ = ["algorithm_audits"]

_ONE = Fraction(1)


def algorithm_audits(relation: str) -> Iterator[ShippedAudit]:
    """All of them in one relation."""
    tiny: dict[str, Any] = {"grid_bits": 0, "relation": relation}
    board = partial(_dartboard, relation)
    few = ((0.0, 0.0), (0.0, 1.0), (1.0, 0.0))
    halves = tuple(product((0.0, 0.5, 1.0), repeat=2))

    early = board(1, 0.5, 0.0, EqualRates(Fraction(2), 2))
    yield _algorithm("dartboard", "early checks", early, rounds=4)
    yield _algorithm("dartboard", "checks after a loss", board(1, 1, 1.0, EqualRates(Fraction(1, 2), 2)))
    yield _algorithm("dartboard", "the cap is reached", board(0.125, 4, -40.0, EqualRates(Fraction(4), 1)))
    yield _algorithm("dartboard", "Laplace noise", board(1, 1, 1.0, EqualRates(_ONE, 2), noise=LaplaceNoise))
    yield _algorithm("dartboard", "rates that decay", board(1, 1, 0.0, DecayingRates(_ONE, Fraction(3, 2))))
    finer = board(1, 1, 0.5, EqualRates(_ONE, 2), grid_bits=1)
    yield _algorithm("dartboard", "a finer grid", finer, halves)
    twice = board(1, 1, 0.0, EqualRates(_ONE, 2), rounds_per_person=2)
    yield _algorithm("dartboard", "two rounds a person", twice)
    loose = board(0.05, 0.05, -400.0, EqualRates(_ONE, 4), delta=0.1)
    yield _algorithm("dartboard", "delta", loose, few, rounds=4, mass=1e-15)
    yield _algorithm("dartboard", "as tuned", Dartboard(2, 1.0, horizon=3, expected_best_loss=1.0, **tiny))

    phases = Doubling(2, 30.0, first_best_loss=0.01, patience=1.0, horizon=3, **tiny)
    yield _algorithm("doubling", "phases that end", phases)

    yield _algorithm("sparse-vector", "cap reached", SparseVectorExperts(2, 3.0, redraws=1, delay=-1.0, **tiny))
    loose_vector = SparseVectorExperts(2, 1.0, 0.05, redraws=4, delay=-60.0, threshold_share=0.05, **tiny)
    yield _algorithm("sparse-vector", "delta", loose_vector, few, rounds=4, mass=1e-15)

    yield _algorithm("shrinking-dartboard", "one round", _shrinking(relation, 1, 1, EqualRates(_ONE, 2)))
    often = _shrinking(relation, 0.05, 1, EqualRates(Fraction(3), 1))
    yield _algorithm("shrinking-dartboard", "the cap", often)
    batches = _shrinking(relation, 0.25, 2, EqualRates(_ONE, 2))
    yield _algorithm("shrinking-dartboard", "batches", batches, rounds=4)
    loose_coin = _shrinking(relation, 0.05, 1, EqualRates(_ONE, 4), delta=0.1)
    yield _algorithm("shrinking-dartboard", "delta", loose_coin, few, rounds=4)

    every = ScheduledHedge(2, 20.0, horizon=4, schedule=EveryRounds(1), **tiny)
    yield _algorithm("scheduled-hedge", "each round", every, rounds=4)
    yield _algorithm("scheduled-hedge", "delta", ScheduledHedge(2, 1.0, 0.05, horizon=4, **tiny), rounds=4)

    yield _algorithm("private-hedge", "large epsilon", PrivateHedge(2, 20.0, horizon=4, **tiny), rounds=4)
    yield _algorithm("private-hedge", "delta", PrivateHedge(2, 1.5, 0.1, horizon=5, **tiny), rounds=4)

    yield _algorithm("lazy-to-private", "each round", _lazy(relation, 0.5, 1, EqualRates(_ONE, 2)), few)
    yield _algorithm("lazy-to-private", "the cap", _lazy(relation, 0.05, 1, EqualRates(_ONE, 1)))
    hiding = _lazy(relation, 0.5, 2, EqualRates(_ONE, 2))
    yield _algorithm("lazy-to-private", "batches", hiding, few, rounds=4)

    sums = TreeFTPL(2, 200.0, horizon=3, noise=LaplaceNodes, **tiny)
    yield _algorithm("tree-ftpl", "Laplace, 2 levels", sums, few)
    finer_sum = TreeFTPL(2, 80.0, horizon=2, noise=LaplaceNodes, relation=relation, grid_bits=1)
    yield _algorithm("tree-ftpl", "a finer grid", finer_sum, halves, rounds=2)
    bell = TreeFTPL(2, 1.0, 0.3, horizon=2, noise=GaussianNodes, **tiny)
    yield _algorithm("tree-ftpl", "Gaussian", bell, rounds=2, mass=1e-13)
    bells = TreeFTPL(2, 80.0, 0.2, horizon=3, noise=GaussianNodes, **tiny)
    yield _algorithm("tree-ftpl", "Gaussian, 2 levels", bells, few)

    shipped = GuardedEpochs(2, 1.0, first_epoch=2, **tiny)
    yield _algorithm("guarded-epochs", "as shipped", shipped, mass=1e-12)
    firing = GuardedEpochs(2, 2.0, guard_share=0.9, first_epoch=8, **tiny)
    yield _algorithm("guarded-epochs", "firing guards", firing)
    sharp = GuardedEpochs(2, 36.0, guard_share=0.5, rate_share=0.4, first_epoch=2, **tiny)
    yield _algorithm("guarded-epochs", "sharp guards", sharp, mass=1e-20)

    # The coins stay secret here: with them in the transcript, nothing is amplified.
    half = Subsampled(ScheduledHedge(2, 4.0, horizon=4, schedule=EveryRounds(1), **tiny), 0.5)
    yield _wrapped("subsampled", "half of the rounds", half, relation)
    most = Subsampled(PrivateHedge(2, 1.5, 0.1, horizon=5, **tiny), 0.875)
    yield _wrapped("subsampled", "most rounds, delta", most, relation, rounds=4)
    guarded_half = Subsampled(GuardedEpochs(2, 2.0, first_epoch=2, **tiny), 0.5)
    yield _wrapped("subsampled", "guarded epochs", guarded_half, relation, mass=1e-12)


def _algorithm(
    name: str,
    setting: str,
    tiny: PrivateExpertsAlgorithm,
    domain: tuple[tuple[float, ...], ...] | None = None,
    *,
    rounds: int = 3,
    mass: float = 1e-40,
) -> ShippedAudit:
    run = partial(exact, tiny, domain, rounds=rounds, seen="transcript", mass=mass)
    return ShippedAudit(name, tiny.name, setting, tiny.relation, run)


def _wrapped(
    name: str, setting: str, tiny: Subsampled, relation: str, *, rounds: int = 3, mass: float = 1e-40
) -> ShippedAudit:
    run = partial(exact, tiny, rounds=rounds, seen="choices", mass=mass)
    return ShippedAudit(name, tiny.name, setting, relation, run)


def _dartboard(
    relation: str,
    eps1: float,
    eps2: float,
    delay: float,
    redraws: RedrawRates,
    *,
    noise: type[OneSidedNoise] | type[LaplaceNoise] = OneSidedNoise,
    delta: float = 0.0,
    grid_bits: int = 0,
    rounds_per_person: int = 1,
) -> Dartboard:
    """One that promises what its parameters cost, and not more."""
    numbers = DartboardParameters(Fraction(eps1), Fraction(eps2), delay, redraws, noise)
    price = math.nextafter(numbers.epsilon(delta, Neighbours(relation, rounds_per_person)), math.inf)
    return Dartboard(
        2,
        price,
        delta,
        parameters=numbers,
        grid_bits=grid_bits,
        relation=relation,
        rounds_per_person=rounds_per_person,
    )


def _lazy(relation: str, coin: float, batch: int, redraws: EqualRates) -> LazyToPrivate:
    """One that promises what its parameters cost, and not more."""
    numbers = LazyParameters(Fraction(coin), batch, redraws)
    price = math.nextafter(numbers.epsilon(0.0, Neighbours(relation)), math.inf)
    return LazyToPrivate(2, price, parameters=numbers, grid_bits=0, relation=relation)


def _shrinking(
    relation: str, coin: float, batch: int, redraws: EqualRates, *, delta: float = 0.0
) -> ShrinkingDartboard:
    """One that promises what its parameters cost, and not more."""
    numbers = ShrinkingParameters(Fraction(coin), batch, redraws)
    price = math.nextafter(numbers.epsilon(delta, Neighbours(relation)), math.inf)
    return ShrinkingDartboard(2, price, delta, parameters=numbers, grid_bits=0, relation=relation)
