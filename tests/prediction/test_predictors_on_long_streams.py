"""Would catch: a simulation by events that does not predict as the predictor does, round by round."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from toy_candidates import CLASS, toy

from reticent.classes import Points, Thresholds
from reticent.errors import InputError, ParameterError
from reticent.learning import HypothesisExperts, PointLearner
from reticent.learning import long_streams as long_learning
from reticent.prediction import (
    CandidatePredictor,
    Constants,
    HypothesisPredictor,
    LittlestonePredictor,
    NameAndShame,
    OnlinePredictionAlgorithm,
    PointPredictor,
)
from reticent.prediction.long_streams import rounds_until_drawn, simulate
from reticent.randomness import SeededSource

Repeated = list[tuple[Any, bool, int]]


def round_by_round(algorithm: OnlinePredictionAlgorithm, stream: Repeated, seed: int) -> int:
    predictor = algorithm.start(SeededSource(seed))
    mistakes = 0
    for x, y, times in stream:
        predicted = predictor.update_block(np.array([x] * times) if times else [], [y] * times)
        mistakes += int(np.count_nonzero(predicted != y))
    return mistakes


STREAMS: dict[str, Repeated] = {
    "late": [("no", False, 50_000), ("yes", True, 50_000)],
    "early": [("yes", True, 2000), ("no", False, 98_000)],
    "sparse": [("no", False, 999), ("yes", True, 1)] * 100,
    "the candidate is wrong": [("yes", True, 700), ("yes", False, 40_000), ("no", True, 59_300)],
    "nothing is learned": [(f"n{k % 400}", True, 1) for k in range(1000)] + [("no", False, 99_000)],
}


@pytest.mark.parametrize("name", STREAMS)
@pytest.mark.parametrize("algorithm", [PointPredictor(1.0, 1e-6), PointPredictor(10.0, 1e-3, tolerance=3)], ids=str)
def test_points_by_events_are_points_round_by_round(name: str, algorithm: PointPredictor) -> None:
    """The same draws, and so the same mistakes, over 100,000 rounds."""
    for seed in range(5):
        run = simulate(algorithm, STREAMS[name], seed)
        assert run.mistakes == round_by_round(algorithm, STREAMS[name], seed)
        assert run.rounds == 100_000


#: Stretches of the examples that matter to three points, some of them long.
STRETCHES = st.lists(
    st.tuples(st.sampled_from("abc"), st.booleans(), st.integers(0, 30) | st.integers(0, 3000)), max_size=9
)


@pytest.mark.parametrize(
    "constants",
    [
        toy(groups=4, batch=3),
        toy(2, groups=9, batch=12),
        toy(2, groups=5, batch=6, schedule="paper", first_delay=4),
        toy(3, groups=14, batch=20),
    ],
    ids=["one", "two", "two, the paper's delays", "three"],
)
@given(stream=STRETCHES, seed=st.integers(0, 1000))
@settings(max_examples=50, deadline=None)
def test_candidates_by_events_are_candidates_round_by_round(
    constants: Constants, stream: Repeated, seed: int
) -> None:
    """Catches a stretch that is not quiet, and rounds that a later replacement does not find in the history."""
    algorithm = CandidatePredictor(CLASS, constants)
    assert simulate(algorithm, stream, seed).mistakes == round_by_round(algorithm, stream, seed)


@pytest.mark.parametrize("exponent", [30, 1000])
def test_the_mistakes_of_predictors_do_not_grow_with_the_rounds(exponent: int) -> None:
    """Catches memory or time that grows with the rounds, too."""
    rounds = 1 << round(exponent / math.log(2))
    for algorithm, no, yes in (
        (PointPredictor(1.0, 1e-6), "no", "yes"),
        (CandidatePredictor(CLASS, toy(2, groups=9, batch=12)), "b", "a"),
    ):
        short: Repeated = [(no, False, 5000), (yes, True, 5000)]
        long: Repeated = [(no, False, rounds // 2), (yes, True, rounds // 2)]
        for seed in range(5):
            assert simulate(algorithm, long, seed).mistakes == simulate(algorithm, short, seed).mistakes
            assert 0 < simulate(algorithm, long, seed).mistakes < 1000


@pytest.mark.parametrize("chance", [1e-9, 0.01, 0.5, 0.99])
@pytest.mark.parametrize("k", [1, 2, 5, 1000])
def test_the_waiting_time_exceeds_k_with_probability_1_minus_the_chance_to_the_k(chance: float, k: int) -> None:
    """Z >= -k ln(1 - chance) has that probability; a hair on either side of it decides."""

    class Given:
        def __init__(self, z: float) -> None:
            self.z = z

        def standard_exponential(self) -> float:
            return self.z

    edge = -k * math.log1p(-chance)
    for z, exceeds in ((edge * (1 - 1e-9), False), (edge * (1 + 1e-9), True)):
        assert (rounds_until_drawn(chance, Given(z)) > k) is exceeds  # type: ignore[arg-type]


@pytest.mark.long
@pytest.mark.parametrize(
    ("stream", "rounds"),
    [
        ([(1, False, 50_000), (2, True, 50_000)], 100_000),
        ([(k % 5, k % 5 == 3, 7) for k in range(200)], 1400),
        ([(0, True, 300), (1, True, 300)], 600),
    ],
    ids=["late", "many stretches", "contradictions"],
)
def test_name_and_shame_by_events_and_round_by_round_have_one_law(stream: Repeated, rounds: int) -> None:
    """Two-sample Kolmogorov-Smirnov distance; the seeds are fixed, so it fails always or never.

    0.25 lies above the 0.999 quantile for 80 against 1000 runs, and 0.44 for 20.
    """
    algorithm = NameAndShame(Points(5), 0.01)
    one = np.sort([simulate(algorithm, stream, seed).mistakes for seed in range(1000)])
    two = np.sort([round_by_round(algorithm, stream, 10_000 + seed) for seed in range(80 if rounds < 10**5 else 20)])
    at = np.union1d(one, two)
    gap = np.searchsorted(one, at, "right") / len(one) - np.searchsorted(two, at, "right") / len(two)
    assert np.abs(gap).max() < (0.25 if len(two) == 80 else 0.44)


def test_the_predictor_of_a_point_learner_is_the_learner() -> None:
    learner = PointLearner(Points(3), 1.0, horizon=10**40)
    stream: Repeated = [(0, False, 10**39), (1, True, 10**39)]
    run, other = simulate(HypothesisPredictor(learner), stream, 3), long_learning.simulate(learner, stream, 3)
    assert (run.rounds, run.mistakes) == (other.rounds, other.mistakes)


def test_what_cannot_be_simulated_is_named() -> None:
    points = PointPredictor(1.0, 1e-6, domain=Points(3))
    with pytest.raises(InputError, match="times; give a whole number from 0 on"):
        simulate(points, [(0, False, -1)], 1)
    with pytest.raises(InputError, match="the instance 7 is not"):
        simulate(points, [(7, False, 1)], 1)
    with pytest.raises(InputError, match="label"):
        simulate(points, [(1, 2, 1)], 1)  # type: ignore[list-item]
    for algorithm in (
        LittlestonePredictor(Points(3), 1.0, 1e-6),
        HypothesisPredictor(HypothesisExperts(Thresholds(3), 1.0)),
    ):
        with pytest.raises(ParameterError, match="cannot be simulated event by event"):
            simulate(algorithm, [], 1)


def test_a_gamma_of_any_size_waits() -> None:
    """Catches a chance that is lost in rounding: the mean of 400 waiting times, each with standard error 5 %."""
    algorithm = NameAndShame(Points(2), float(Fraction(1, 10**12)))
    runs = [simulate(algorithm, [(0, True, 10**15)], seed).mistakes for seed in range(400)]
    assert algorithm.hypothesis_class.soa(0)
    assert max(runs) == 0
    runs = [simulate(NameAndShame(Points(3), 1e-12), [(0, True, 10**15)], seed).mistakes for seed in range(400)]
    assert np.mean(runs) == pytest.approx(1e12, rel=0.2)
