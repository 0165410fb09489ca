"""Would catch: a simulation by events whose law is not that of the learner, round by round."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import accumulate

import numpy as np
import pytest

from reticent.classes import Points
from reticent.errors import InputError
from reticent.learning import NameAndShameLearner, PointLearner, SOALearner
from reticent.learning.long_streams import rounds_until_above, simulate, simulated
from reticent.mechanisms import OneSidedNoise, RunningSumAboveThreshold
from reticent.randomness import SeededSource, enumerate_outcomes


class Given:
    """A generator that gives this number."""

    def __init__(self, z: float) -> None:
        self.z = z

    def standard_exponential(self) -> float:
        return self.z


class Watch:
    def __init__(self, remaining: int) -> None:
        self.remaining = remaining


@pytest.mark.parametrize("scale", [0.5, 2.0, 40.0])
@pytest.mark.parametrize("remaining", [1, 3, 20, 50])
@pytest.mark.parametrize("k", [1, 2, 5, 1000])
def test_the_waiting_time_exceeds_k_with_probability_1_minus_p_to_the_k(scale, remaining, k):
    """Z >= -k ln(1 - p) has that probability; a hair on either side of it decides."""
    edge = -k * math.log1p(-math.exp(-remaining / scale))
    for z, exceeds in ((edge * (1 - 1e-9), False), (edge * (1 + 1e-9), True)):
        assert (rounds_until_above(Watch(remaining), scale, Given(z)) > k) is exceeds


@pytest.mark.parametrize("exponent", [29.0, 31.0, 60.0, 700.0, 2000.0])
def test_waiting_times_of_any_size(exponent):
    """ln of the waiting time is the exponent plus ln Z; there is no jump where big integers take over."""
    waited = rounds_until_above(Watch(int(exponent * 100)), 100.0, Given(0.7))
    assert math.log(waited) == pytest.approx(exponent + math.log(0.7), abs=1e-12 * exponent)


def test_a_watch_that_lacks_nothing_fires_at_once():
    assert rounds_until_above(Watch(0), 2.0, Given(5.0)) == 1
    assert rounds_until_above(Watch(-7), 2.0, Given(5.0)) == 1
    assert rounds_until_above(Watch(4000), 2.0, Given(0.0)) == 1


def test_the_learner_fires_in_quiet_rounds_as_the_formula_says():
    """The exact law, by enumeration of the code that ships, against the mixture over the threshold noise."""
    algorithm = PointLearner(Points(2), 1.0, delay=2)
    rounds, scale = 6, 2.0

    def first_end(source):
        learner = algorithm.start(source)
        for k in range(rounds):
            learner.update(0, False)
            if learner.phases > 1:
                return k
        return rounds

    law = enumerate_outcomes(first_end, mass=1e-18).probabilities
    masses = [math.exp(-rho / scale) * -math.expm1(-1 / scale) for rho in range(200)]
    below = [1 - math.exp(-(2 + rho) / scale) for rho in range(200)]
    for k in range(rounds):
        exact = math.fsum(m * b**k * (1 - b) for m, b in zip(masses, below, strict=True))
        assert law[k] == pytest.approx(exact, rel=1e-10)


@pytest.mark.parametrize(("gamma", "times"), [(0.5, 3), (0.1, 20), (0.01, 100)])
def test_name_and_shame_waits_for_a_publication_as_long_as_round_by_round(gamma, times):
    """P(k mistakes) = gamma (1 - gamma)^(k - 1), cut off at the end of the stretch."""
    algorithm = NameAndShameLearner(Points(9), gamma)
    runs = 2000
    made = np.bincount([simulated(algorithm, seed).repeat(4, True, times) for seed in range(runs)], minlength=times)
    exact = [0.0, *(gamma * (1 - gamma) ** (k - 1) for k in range(1, times)), (1 - gamma) ** (times - 1)]
    assert len(made) == len(exact)
    # Massart: exceeded with probability below 1e-9.
    assert np.abs(np.cumsum(made / runs - exact)).max() < math.sqrt(math.log(2e9) / (2 * runs))


def test_other_learners_are_simulated_as_they_are():
    """A subclass may have another law."""

    class Mine(PointLearner):
        pass

    for algorithm in (Mine(Points(3), 1.0), SOALearner(Points(3))):
        assert type(simulated(algorithm, 1)) is type(algorithm.start(SeededSource(1)))


STREAMS = {
    "late": [(0, False, 50_000), (1, True, 50_000)],
    "sparse": [(0, False, 1999), (2, True, 1)] * 50,
    "quiet": [(0, False, 100_000)],
    "the point moves": [(0, True, 30_000), (1, True, 30_000), (1, False, 40_000)],
}


@pytest.mark.long
@pytest.mark.parametrize("name", STREAMS)
def test_by_events_and_round_by_round_have_one_law(name):
    """Mistakes and phases over 10**5 rounds, from fixed seeds: two-sample Kolmogorov-Smirnov distances.

    0.25 lies above the 0.999 quantile for 60 against 1000 runs (1.95 * sqrt(1/60 + 1/1000) = 0.26 for continuous
    laws, less for these); the seeds are fixed, so it fails always or never.
    """
    stream = STREAMS[name]
    algorithm = PointLearner(Points(3), 1.0, delay=18, loyalty=8.0)
    blocks = 60
    by_events = [simulate(algorithm, stream, seed) for seed in range(1000)]
    by_rounds = [simulate_rounds(algorithm, stream, 10_000 + seed) for seed in range(blocks)]
    for figure in ("mistakes", "phases"):
        one = np.sort([getattr(run, figure) for run in by_events])
        two = np.sort([run[figure] for run in by_rounds])
        at = np.union1d(one, two)
        gap = np.searchsorted(one, at, "right") / len(one) - np.searchsorted(two, at, "right") / len(two)
        assert np.abs(gap).max() < 0.25


def simulate_rounds(algorithm, stream, seed):
    """The learner itself, in the rounds in which anything can happen; the watch asks in blocks in the others."""
    learner = algorithm.start(SeededSource(seed))
    mistakes = 0
    for x, y, times in stream:
        while times:
            if learner.hypothesis(x) != y:
                mistakes += 1
                learner.update(x, y)
                times -= 1
                continue
            fired = learner._watch.add_block(np.zeros(times + 1, dtype=np.int64))
            if fired < times:
                learner._end()
            times -= min(fired + 1, times)
    return {"mistakes": mistakes, "phases": learner.phases}


def test_blocks_of_the_watch_are_rounds():
    """What the test above leans on."""
    noise = OneSidedNoise(Fraction(1, 2), 1, 1)
    for seed in range(50):
        one, other = (RunningSumAboveThreshold(6, noise, SeededSource(seed)) for _ in range(2))
        singly = next((k for k in range(200) if one.add(0)), 200)
        assert other.add_block(np.zeros(201, dtype=np.int64)) == singly


def test_mistakes_grow_with_the_logarithm_of_the_rounds():
    means = []
    for exponent in (10, 100, 1000):
        rounds = 1 << round(exponent / math.log(2))
        algorithm = PointLearner(Points(3), 1.0, horizon=rounds)
        stream = [(0, False, rounds // 2), (1, True, rounds // 2)]
        means.append(np.mean([simulate(algorithm, stream, seed).mistakes for seed in range(20)]))
    for exponent, mean in zip((10, 100, 1000), means, strict=True):
        assert 0.9 * 2 * exponent <= mean <= 2 * exponent + 12


def test_rounds_are_counted():
    stream = [(0, False, 10**40), (1, True, 77), (0, False, 0)]
    assert simulate(PointLearner(Points(2), 1.0, horizon=10**40), stream, 3).rounds == sum(
        list(accumulate(times for *_, times in stream))[-1:]
    )


@pytest.mark.parametrize("times", [-1, 1.5, True, None])
def test_a_number_of_times_that_is_none(times):
    with pytest.raises(InputError, match="times; give a whole number from 0 on"):
        simulate(PointLearner(Points(2), 1.0), [(0, False, times)], 1)
