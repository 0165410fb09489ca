"""Mistakes of the shipped algorithms on a hard stream of three points, simulated: never private."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from reticent.classes import Points
from reticent.learning import NameAndShameLearner, PointLearner
from reticent.learning.long_streams import simulate
from reticent.prediction import PointPredictor
from reticent.randomness import SeededSource

__all__ = ["Measured", "measure", "of_name_and_shame", "of_point_learner", "of_point_predictor"]

_POINT = 1

#: More mistakes in a run are not waited for.
_MOST_MISTAKES = 500_000


@dataclass(frozen=True)
class Measured:
    """The mean mistakes of one algorithm at one delta.

    Attributes
    ----------
    algorithm : str
    releases : {"hypotheses", "labels"}
        A learner or a predictor.
    log_inverse_delta : float
        Of the promise; infinite for delta = 0.
    runs : int
    mean, spread : float
        And the standard deviation of the runs.
    """

    algorithm: str
    releases: str
    log_inverse_delta: float
    runs: int
    mean: float
    spread: float

    def to_dict(self) -> dict[str, Any]:
        """The numbers, ready for JSON."""
        infinite = math.isinf(self.log_inverse_delta)
        return {
            "algorithm": self.algorithm,
            "releases": self.releases,
            "log_inverse_delta": None if infinite else self.log_inverse_delta,
            "runs": self.runs,
            "mean": self.mean,
            "spread": self.spread,
        }


def measure(
    log_horizon: float, epsilon: float, log_inverse_deltas: Iterable[float], runs: int, seed: int
) -> tuple[Measured, ...]:
    """Play every algorithm at every delta at which it can be played to its end.

    The stream: e^log_horizon rounds, label 0 at one of three points in the first half, label 1 at another in the
    second.

    Parameters
    ----------
    log_horizon, epsilon : float
    log_inverse_deltas : iterable of float
        Values of ln(1 / delta).
    runs, seed : int
        Run k has the seed `seed` + k.
    """
    seeds = range(seed, seed + runs)
    points = [
        _summary("PointLearner", "hypotheses", math.inf, [of_point_learner(log_horizon, epsilon, k) for k in seeds])
    ]
    for x in log_inverse_deltas:
        delta = math.exp(-x)
        if x <= math.log(_MOST_MISTAKES):
            shamed = [of_name_and_shame(delta, k) for k in seeds]
            points.append(_summary("NameAndShameLearner", "hypotheses", x, shamed))
        if not 1e-100 <= delta <= 0.5:
            continue
        predictor = PointPredictor(epsilon, delta)
        if predictor.mistake_bound <= _MOST_MISTAKES:
            predicted = [of_point_predictor(predictor, k) for k in seeds]
            points.append(_summary("PointPredictor", "labels", x, predicted))
    return tuple(points)


def of_point_learner(log_horizon: float, epsilon: float, seed: int) -> int:
    """Mistakes of a pure learner on the stream of `measure`."""
    half = 1 << round(log_horizon / math.log(2)) - 1
    algorithm = PointLearner(Points(3), epsilon, horizon=2 * half)
    return simulate(algorithm, [(0, False, half), (_POINT, True, half)], seed).mistakes


def of_name_and_shame(delta: float, seed: int) -> int:
    """Mistakes of name and shame: rounds of label 0 leave its answer at the other point as it is."""
    learner = NameAndShameLearner(Points(3), delta).start(SeededSource(seed))
    mistakes = 0
    while not learner.hypothesis(_POINT):
        learner.update(_POINT, True)
        mistakes += 1
    return mistakes


def of_point_predictor(algorithm: PointPredictor, seed: int) -> int:
    """Mistakes of the predictor: rounds of label 0 change nothing, and so many of label 1 settle it."""
    rounds = algorithm.mistake_bound
    xs, ys = np.full(rounds, _POINT), np.ones(rounds, dtype=np.bool_)
    return int(np.count_nonzero(~algorithm.start(SeededSource(seed)).update_block(xs, ys)))


def _summary(algorithm: str, releases: str, log_inverse_delta: float, mistakes: list[int]) -> Measured:
    spread = float(np.std(mistakes, ddof=1)) if len(mistakes) > 1 else 0.0
    return Measured(algorithm, releases, log_inverse_delta, len(mistakes), float(np.mean(mistakes)), spread)
