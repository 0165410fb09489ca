"""The grid of settings of every private algorithm, for those who may choose in hindsight."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from reticent.experts import (
    Dartboard,
    DartboardParameters,
    Doubling,
    EveryRounds,
    ExpertsAlgorithm,
    GeometricTimes,
    GuardedEpochs,
    LazyParameters,
    LazyToPrivate,
    ScheduledHedge,
    ShrinkingDartboard,
    ShrinkingParameters,
    SparseVectorExperts,
    TreeFTPL,
)
from reticent.mechanisms import DecayingRates, EqualRates, LaplaceNodes
from reticent.privacy import Neighbours

__all__ = ["Settings", "settings_in_hindsight"]

Settings = dict[str, list[ExpertsAlgorithm]]


def settings_in_hindsight(n_experts: int, horizon: int, epsilon: float, delta: float) -> Settings:
    """The grid of settings that hindsight may choose from, for each private algorithm."""
    grids = {
        "Dartboard, capped": _capped_dartboards,
        "Dartboard, decaying": _decaying_dartboards,
        "SparseVectorExperts": _sparse_vectors,
        "ShrinkingDartboard": _shrinking_dartboards,
        "ScheduledHedge": _schedules,
        "Doubling": _doublings,
        "LazyToPrivate": _lazy_to_privates,
        "TreeFTPL": _trees,
        "GuardedEpochs": _guarded_epochs,
    }
    return {name: list(grid(n_experts, horizon, epsilon, delta)) for name, grid in grids.items()}


def _capped_dartboards(n: int, horizon: int, epsilon: float, delta: float) -> Iterator[Dartboard]:
    for share1 in (0.15, 0.3, 0.5):
        for cap in (3, 6, 12, 25, 60, 150, 400):
            share2 = 0.15 if cap <= 12 else 0.05  # the coin costs at least eta, and few draws have a large one
            left = epsilon * (1 - share1 - share2) * (1 - 1e-9)
            rates = EqualRates.calibrated(cap, left, delta, Neighbours())
            eta = min(rates.learning_rate, Fraction(epsilon) * Fraction(share2))
            for delay in (15, 40, 100):
                yield _dartboard(n, epsilon, delta, share1, share2, delay / epsilon, EqualRates(eta, cap))


def _decaying_dartboards(n: int, horizon: int, epsilon: float, delta: float) -> Iterator[Dartboard]:
    for share1, share2 in ((0.2, 0.05), (0.4, 0.05)):
        for exponent in (1.5, 2.0, 3.0):
            for offset in (0, 5, 20):
                power = Fraction(exponent) / (1 if delta == 0 else 2)
                left = epsilon * (1 - share1 - share2) * (1 - 1e-9)
                rates = DecayingRates.calibrated(power, offset, left, delta, Neighbours())
                for delay in (15, 40, 100):
                    yield _dartboard(n, epsilon, delta, share1, share2, delay / epsilon, rates)


def _dartboard(
    n: int,
    epsilon: float,
    delta: float,
    share1: float,
    share2: float,
    delay: float,
    rates: EqualRates | DecayingRates,
) -> Dartboard:
    eps1, eps2 = Fraction(epsilon) * Fraction(share1), Fraction(epsilon) * Fraction(share2)
    return Dartboard(n, epsilon, delta, parameters=DartboardParameters(eps1, eps2, delay, rates))


def _sparse_vectors(n: int, horizon: int, epsilon: float, delta: float) -> Iterator[SparseVectorExperts]:
    for share in (0.15, 0.4):
        for redraws in (2, 3, 6, 12, 25, 60, 150):
            for delay in (20, 40, 80, 160):
                yield SparseVectorExperts(
                    n, epsilon, delta, redraws=redraws, delay=delay / epsilon, threshold_share=share
                )


def _shrinking_dartboards(n: int, horizon: int, epsilon: float, delta: float) -> Iterator[ShrinkingDartboard]:
    yield ShrinkingDartboard(n, epsilon, delta, horizon=horizon)
    for share, cap in product((0.1, 0.3), (12, 25, 60, 150, 400)):
        coin, rates = _coin_and_rates(share, cap, epsilon, delta, coin_range=1)
        for batch in (1, 8, 64, 512):
            parameters = ShrinkingParameters(coin, batch, rates)
            yield ShrinkingDartboard(n, epsilon, delta, horizon=horizon, parameters=parameters)


def _lazy_to_privates(n: int, horizon: int, epsilon: float, delta: float) -> Iterator[LazyToPrivate]:
    yield LazyToPrivate(n, epsilon, delta, horizon=horizon)
    for share, cap in product((0.1, 0.3), (60, 200, 600)):
        coin, rates = _coin_and_rates(share, cap, epsilon, delta, coin_range=2)
        for batch in (64, 512, 2048):  # x may leave after each
            parameters = LazyParameters(coin, batch, rates)
            yield LazyToPrivate(n, epsilon, delta, horizon=horizon, parameters=parameters)


def _coin_and_rates(
    share: float, cap: int, epsilon: float, delta: float, *, coin_range: int
) -> tuple[Fraction, EqualRates]:
    coin = Fraction(epsilon) * Fraction(share)
    rates = EqualRates.calibrated(cap, epsilon * (1 - share) * (1 - 1e-9), delta, Neighbours())
    return coin, EqualRates(min(rates.learning_rate, coin / coin_range), cap)


def _schedules(n: int, horizon: int, epsilon: float, delta: float) -> Iterator[ScheduledHedge]:
    for growth in (1.25, 2.0, 4.0, 16.0):
        for first in (16, 64, 256):
            schedule = GeometricTimes(growth, math.ceil(first / epsilon))
            yield ScheduledHedge(n, epsilon, delta, horizon=horizon, schedule=schedule)
    for draws in (5, 50, 500):
        yield ScheduledHedge(n, epsilon, delta, horizon=horizon, schedule=EveryRounds(max(1, horizon // draws)))


def _doublings(n: int, horizon: int, epsilon: float, delta: float) -> Iterator[Doubling]:
    for first in (16.0, 128.0, 1024.0):
        for patience in (1.0, 2.0):
            yield Doubling(n, epsilon, delta, horizon=horizon, first_best_loss=first, patience=patience)


def _guarded_epochs(n: int, horizon: int, epsilon: float, delta: float) -> Iterator[GuardedEpochs]:
    default = GuardedEpochs(n, epsilon).first_epoch_rounds
    for guard in (0.1, 0.2, 0.3):
        for stretch in (0.5, 1.0, 2.0):
            yield GuardedEpochs(n, epsilon, delta, guard_share=guard, first_epoch=math.ceil(stretch * default))


def _trees(n: int, horizon: int, epsilon: float, delta: float) -> Iterator[TreeFTPL]:
    yield TreeFTPL(n, epsilon, delta, horizon=horizon)
    if delta > 0:
        yield TreeFTPL(n, epsilon, delta, horizon=horizon, noise=LaplaceNodes)
