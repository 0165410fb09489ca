"""Mistakes of the shipped algorithms when a point has to be found, simulated: never private."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from reticent.classes import Points
from reticent.learning import NameAndShameLearner, OnlineLearningAlgorithm, PointLearner
from reticent.learning.long_streams import simulated
from reticent.prediction import PointPredictor
from reticent.randomness import SeededSource

__all__ = ["Measured", "measure"]

_POINT = 1

#: More mistakes in a run are not waited for, nor drawn.
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

    The stream: e^log_horizon rounds with label 1 at one of three points.

    Parameters
    ----------
    log_horizon, epsilon : float
    log_inverse_deltas : iterable of float
        Values of ln(1 / delta).
    runs, seed : int
        Run k has the seed `seed` + k.
    """
    rounds = 1 << round(log_horizon / math.log(2))
    seeds = range(seed, seed + runs)

    def learner(algorithm: OnlineLearningAlgorithm, log_inverse_delta: float) -> Measured:
        mistakes = [simulated(algorithm, k).repeat(_POINT, True, rounds) for k in seeds]
        return _summary(algorithm.name, "hypotheses", log_inverse_delta, mistakes)

    points = [learner(PointLearner(Points(3), epsilon, horizon=rounds), math.inf)]
    for x in log_inverse_deltas:
        delta = math.exp(-x)
        if x <= math.log(_MOST_MISTAKES):
            points.append(learner(NameAndShameLearner(Points(3), delta), x))
        if not 1e-100 <= delta <= 0.5:
            continue
        predictor = PointPredictor(epsilon, delta)
        if predictor.mistake_bound <= _MOST_MISTAKES:
            points.append(_summary(predictor.name, "labels", x, [_of_predictor(predictor, k) for k in seeds]))
    return tuple(points)


def _of_predictor(algorithm: PointPredictor, seed: int) -> int:
    """So many rounds settle it; in none of the others does it err."""
    rounds = algorithm.mistake_bound
    xs, ys = np.full(rounds, _POINT), np.ones(rounds, dtype=np.bool_)
    return int(np.count_nonzero(~algorithm.start(SeededSource(seed)).update_block(xs, ys)))


def _summary(algorithm: str, releases: str, log_inverse_delta: float, mistakes: list[int]) -> Measured:
    spread = float(np.std(mistakes, ddof=1)) if len(mistakes) > 1 else 0.0
    return Measured(algorithm, releases, log_inverse_delta, len(mistakes), float(np.mean(mistakes)), spread)
