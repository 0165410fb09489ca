"""ComposedConstants: proved, least, within the budget, and private as exact oracles say."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from toy_candidates import CLASS, EXAMPLES, Stream, offline, online

from reticent.audit import exact_joint
from reticent.errors import ParameterError
from reticent.mechanisms import TruncatedLaplace
from reticent.prediction import CandidatePredictor, ComposedConstants, Constants
from reticent.privacy import coins_delta, zcdp_epsilon
from reticent.randomness import enumerate_outcomes


@pytest.mark.parametrize("dimension", [0, 1, 2, 3, 4, 9])
@pytest.mark.parametrize(("epsilon", "delta"), [(1.0, 1e-6), (0.001, 1e-9), (99.0, 0.4)])
def test_the_least_numbers_have_a_proved_bound_within_the_budget(
    dimension: int, epsilon: float, delta: float
) -> None:
    """Catches numbers that overflow, cost more than their share, or miss a lemma by rounding."""
    constants = ComposedConstants.least(dimension, epsilon, delta)
    assert constants.unmet is None
    assert isinstance(constants.mistake_bound, int)
    assert constants.epsilon <= Fraction(epsilon) / 2
    assert constants.delta <= Fraction(delta) / 4
    assert sum(Fraction(c.epsilon) for c in constants.components) >= constants.epsilon
    assert constants.mistake_bound > constants.candidates * 2 * constants.batch


def test_no_fewer_samples_or_groups_are_proved_to_be_enough() -> None:
    """Catches numbers that are larger than need be."""
    constants = ComposedConstants.least(1, 1.0, 1e-6)
    n, k = constants.samples, constants.groups
    assert "Lemma 6" in str(replace(constants, samples=n - 1).unmet)
    fewer = replace(constants, groups=k - 1, batch=2 * (k - 1) * n)
    assert "Lemma" in str(fewer.unmet)


def test_how_much_smaller_the_bounds_are() -> None:
    """Digits of the proved bounds: 44, 75 and 112, where the paper's schedule has tens of millions and more."""
    assert [len(str(ComposedConstants.least(d, 1.0, 1e-6).mistake_bound)) - 1 for d in (1, 2, 3)] == [44, 75, 112]


def test_a_dimension_beyond_doubles_is_refused() -> None:
    """Catches a share of delta that no bound can handle, found late and in other words."""
    for dimension in (10, 40):
        with pytest.raises(ParameterError, match="take another predictor"):
            ComposedConstants.least(dimension, 1.0, 1e-6)


def shares(**changes: object) -> dict[str, object]:
    return {
        "selection": (Fraction(1, 50), Fraction(1, 10**9)),
        "acceptance": (Fraction(1, 100), Fraction(1, 10**9)),
        "mirror": (Fraction(1), Fraction(1, 10**6)),
        "conversion": Fraction(1, 10**6),
        **changes,
    }


def test_many_selections_cost_the_square_root() -> None:
    """Catches a composition that adds up, and one that forgets a part."""
    composed = ComposedConstants(1, 1, 3, 400, 1, 1, **shares())
    basic = {name: part for name, part in shares().items() if name != "conversion"}
    added = Constants(1, 1, 3, 400, 1, 1, **{**basic, "mirror": (Fraction(1, 400), Fraction(1, 4 * 10**8))})
    assert composed.epsilon < added.epsilon / 4
    assert composed.rho == 402 * Fraction(1, 50) ** 2 / 8 + 400 * Fraction(1, 100) ** 2 / 2
    assert composed.delta == Fraction(2, 10**6) + Fraction(802, 10**9)
    assert composed.mirror_rounds < added.mirror_rounds / 50


def test_acceptances_are_no_dearer_than_accounted() -> None:
    """An exact oracle: each acceptance is a coin; 60 of the worst ones, convolved, against their zCDP cost."""
    noise, times, delta = TruncatedLaplace.calibrated(Fraction(1, 10), Fraction(1, 10**9)), 60, 1e-5
    weights = np.exp(-0.1 * np.abs(np.arange(-noise.bound, noise.bound + 1)))
    tail = np.cumsum(weights[::-1])[::-1] / weights.sum()
    epsilon = zcdp_epsilon(times * 0.1**2 / 2, delta)
    for place in (1, 20, noise.bound, noise.bound + 1, 2 * noise.bound - 20):
        p, q = (np.full(times, tail[place + shift]) for shift in (0, 1))
        for one, other in ((p, q), (q, p)):
            assert coins_delta(one, 1 - one, other, 1 - other, epsilon) <= delta + times * float(noise.delta)


TOY = {
    "selection": (Fraction(9), Fraction(1, 5)),
    "acceptance": (Fraction(4), Fraction(1, 40)),
    "mirror": (Fraction(6), Fraction(1, 10)),
    "conversion": Fraction(1, 100),
}


def test_composed_candidates_are_online_as_offline_and_keep_their_promise() -> None:
    """Claim 1 and Lemma 12 with Mirrors whose zone is priced for the whole chain."""
    algorithm = CandidatePredictor(CLASS, ComposedConstants(1, 1, 3, 2, 1, 1, **TOY))
    assert algorithm.constants.mirror_schedule.mirrors == 2
    order, pairs, switched = random.Random(5), [], 0
    for _ in range(12):
        stream: Stream = tuple(order.choices(EXAMPLES, weights=(1, 6, 2), k=9))
        one = enumerate_outcomes(partial(online, algorithm, stream)).probabilities
        other = enumerate_outcomes(partial(offline, algorithm, stream)).probabilities
        for outputs in {*one, *other}:
            assert one.get(outputs, 0.0) == pytest.approx(other.get(outputs, 0.0), abs=1e-12)
        switched += len(one) > 1
        place = order.randrange(9)
        changed = order.choice([e for e in EXAMPLES if e != stream[place]])
        pairs.append((stream, (*stream[:place], changed, *stream[place + 1 :])))
    assert switched > 6
    promise = algorithm.privacy
    found = exact_joint(partial(online, algorithm), pairs, promise.epsilon, promise.delta)
    assert found.passed, found
