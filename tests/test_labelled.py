"""Would catch: a runner that plays what it did not check, or counts other hypotheses or labels than those it gave."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import reticent as rt
from reticent.classes import Points, Thresholds
from reticent.errors import InputError, ParameterError
from reticent.learning import NameAndShameLearner, PointLearner, SOALearner
from reticent.prediction import HypothesisPredictor, LittlestonePredictor, NameAndShame, PointPredictor, auto
from reticent.randomness import SeededSource


class NoSource:
    """Every verb fails the test: randomness was asked for before the input was checked."""

    private = True
    description = "none"

    def __getattr__(self, verb: str) -> Any:
        raise AssertionError(f"{verb} was asked for")


def stream(rounds: int = 3000, n: int = 9, at: int = 4) -> np.ndarray:
    x = np.arange(rounds) * 7 % n
    return np.column_stack([x, x == at])


@pytest.mark.parametrize("seed", range(5))
def test_the_runner_does_what_a_loop_does(seed: int) -> None:
    algorithm = PointLearner(Points(9), 2.0, delay=2, loyalty=0.0)
    run = rt.classify(algorithm, stream(), source=SeededSource(seed))
    learner = algorithm.start(SeededSource(seed))
    used, mistakes = [], 0
    for x, y in stream().tolist():
        used.append(learner.hypothesis)
        mistakes += learner.hypothesis(x) != y
        learner.update(x, y)
    used.append(learner.hypothesis)
    assert run.mistakes == mistakes == len(run.curator.mistaken_rounds)
    starts = [first for first, _ in run.released.hypotheses] + [len(used) + 1]
    spelled = [
        h for (first, h), end in zip(run.released.hypotheses, starts[1:], strict=True) for _ in range(end - first)
    ]
    assert spelled == used
    assert run.hypothesis == used[-1]
    assert not run.private
    assert repr(run) == f"<run of PointLearner, NOT PRIVATE (seeded with {seed}), 3000 rounds>".replace(
        "3000", "3,000"
    )


def test_an_instance_outside_the_domain_is_found_before_anything_is_drawn() -> None:
    bad = stream()
    bad[2900, 0] = 9
    with pytest.raises(InputError, match=r"row 2901 \(counted from 1\), column 'x': the instance 9 is not"):
        rt.classify(PointLearner(Points(9), 1.0), bad, source=NoSource())


def test_what_is_no_learner() -> None:
    with pytest.raises(ParameterError, match="is no learner or predictor with its parameters"):
        rt.classify(rt.experts.auto(3, 1.0), stream())


def test_the_report_keeps_what_may_be_released_apart() -> None:
    run = rt.classify(PointLearner(Points(9), 2.0, horizon=3000), stream())
    assert run.private
    released, curator = str(run).split("For the curator only: computed from the private examples")
    assert "May be released" in released
    assert "(2, 0)-differential privacy for the hypothesis of every round" in " ".join(released.split())
    assert "mistakes     " not in released
    assert f"mistakes     {run.mistakes}" in curator
    report = json.loads(json.dumps(run.to_dict(), allow_nan=False))
    assert set(report["released"]) == {"switches", "hypothesis", "hypotheses_file"}
    assert report["curator"]["mistakes"] == run.mistakes
    assert "warning" not in report


def test_a_learner_without_privacy_says_so() -> None:
    run = rt.classify(SOALearner(Thresholds(9)), stream())
    assert not run.private
    assert "NOT PRIVATE (no privacy promised)" in str(run)
    assert run.to_dict()["warning"].startswith("NOT PRIVATE")


def test_name_and_shame_promises_epsilon_zero() -> None:
    run = rt.classify(NameAndShameLearner(Points(9), 0.25), stream())
    assert "(0, 0.25)-differential privacy" in str(run)
    assert "at most 4 are to be expected" in str(run)
    assert run.to_dict()["epsilon"] == 0.0


PREDICTORS = {
    "points": PointPredictor(8.0, 1e-3),
    "points of a class": PointPredictor(8.0, 1e-3, domain=Points(9)),
    "a learner's": HypothesisPredictor(PointLearner(Points(9), 2.0, delay=2, loyalty=0.0)),
    "littlestone": LittlestonePredictor(Points(9), 8.0, 1e-3),
    "name and shame": NameAndShame(Points(9), 0.1),
    "recommended": auto(Points(9), 8.0, 1e-3),
}


@pytest.mark.parametrize("name", PREDICTORS)
@pytest.mark.parametrize("seed", range(3))
def test_a_predictor_is_played_as_in_a_loop(name: str, seed: int) -> None:
    """Catches labels of another round, and mistakes that are counted against another label."""
    algorithm = PREDICTORS[name]
    run = rt.classify(algorithm, stream(), source=SeededSource(seed))
    predictor = algorithm.start(SeededSource(seed))
    labels = []
    for x, y in stream().tolist():
        labels.append(predictor.predict(x))
        predictor.update(y)
    assert isinstance(run, rt.PredictedRun)
    assert run.personal.labels.tolist() == labels
    wrong = [t for t, (label, (_, y)) in enumerate(zip(labels, stream().tolist(), strict=True), 1) if label != y]
    assert (run.mistakes, list(run.curator.mistaken_rounds)) == (len(wrong), wrong)
    assert not run.private


@pytest.mark.parametrize("name", [name for name in PREDICTORS if name != "points"])
def test_a_predictor_draws_nothing_before_an_instance_outside_the_domain(name: str) -> None:
    bad = stream()
    bad[2900, 0] = 9
    with pytest.raises(InputError, match=r"row 2901 \(counted from 1\), column 'x': the instance 9 is not"):
        rt.classify(PREDICTORS[name], bad, source=NoSource())


def test_pairs_are_instances_of_a_predictor() -> None:
    """Catches several columns that are taken for an array of numbers."""
    rows = np.array([[k % 3, k % 2, k % 3 == k % 2 == 1] for k in range(600)])
    run = rt.classify(PointPredictor(20.0, 0.01), rows, source=SeededSource(1))
    assert run.mistakes < 70
    assert int(run.personal.labels.sum()) == 100 - run.mistakes


def test_the_report_of_a_predictor_offers_nothing_to_everybody() -> None:
    """Joint privacy leaves out a round's own label: all of them together are not covered."""
    run = rt.classify(PointPredictor(8.0, 1e-3), stream())
    assert run.private
    released, curator = str(run).split("For the curator only: computed from the private examples")
    words = " ".join(released.split())
    assert "May be released, each label to one person" in words
    assert "(8, 0.001)-joint differential privacy for the predicted label of each round, to the person of" in words
    assert "may NOT depend on earlier released labels" in words
    assert "all labels are together for the curator only" in words
    assert f"mistakes     {run.mistakes}" in curator
    assert "makes none, at any length, but for a probability of 0.001" in " ".join(curator.split())
    report = json.loads(json.dumps(run.to_dict(), allow_nan=False))
    assert report["released"] == {}
    assert report["privacy"]["joint"] is True
    assert "to nobody else" in report["personal"]["warning"]
    assert report["curator"]["mistake_bound"] == PointPredictor(8.0, 1e-3).mistake_bound


def test_bounds_of_any_size_are_written() -> None:
    """Catches a bound that fits no float, and one that readers of JSON take for another number."""
    run = rt.classify(LittlestonePredictor(Points(9), 1.0, 1e-6), stream(50))
    assert run.to_dict()["curator"]["mistake_bound"] == "5.02345e+44"
    run = rt.classify(LittlestonePredictor(Points(9), 1.0, 1e-6, constants="paper"), stream(50))
    assert run.to_dict()["curator"]["mistake_bound"] is None
    large = LittlestonePredictor(Thresholds(255), 1.0, 1e-6)
    assert large.mistake_bound > 10**308
    assert "e+363 if some hypothesis makes none" in " ".join(str(rt.classify(large, stream(50))).split())
    run = rt.classify(NameAndShame(Points(9), 0.25), stream(50))
    assert "at most 4 if some hypothesis makes none, on average at any length" in " ".join(str(run).split())
