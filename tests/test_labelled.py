"""Would catch: a runner that plays what it did not check, or counts other hypotheses than those it released."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import reticent as rt
from reticent.classes import Points, Thresholds
from reticent.errors import InputError, ParameterError
from reticent.learning import NameAndShameLearner, PointLearner, SOALearner
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
    with pytest.raises(ParameterError, match="is no learner with its parameters"):
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
