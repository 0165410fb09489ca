"""Events that tell two streams apart, chosen on some runs so that they can be tested on others."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from reticent.randomness import IntArray
from reticent.randomness.laws import FloatArray

__all__ = ["Event", "choose_event"]

#: Values of a number that are tried by themselves, and as thresholds.
_MOST_VALUES = 48

#: Bins of a number in the score that puts all numbers together.
_BINS = 16


@dataclass(frozen=True)
class Event:
    """Something that a run shows or does not.

    Parameters
    ----------
    text : str
        What it is.
    holds : callable (features of shape (runs, numbers)) -> bool array of shape (runs,)
    likelier_on_one : bool
        On which of the two streams the event was found to be the likelier.
    """

    text: str
    holds: Callable[[IntArray], npt.NDArray[np.bool_]]
    likelier_on_one: bool = True


def choose_event(one: IntArray, other: IntArray, names: Sequence[str], delta: float, alpha: float) -> Event:
    """The event for which log((P - delta) / Q) seems largest, with P and Q taken pessimistically.

    Parameters
    ----------
    one, other : int64 arrays of shape (runs, numbers)
        Features of runs on the two streams.
    names : sequence of str
        What the numbers are.
    delta : float
    alpha : float
        How pessimistic: the chance of error of the bounds that will be tested.

    Returns
    -------
    Event
        Any choice is valid, because it is tested on other runs.
    """
    z = NormalDist().inv_cdf(1 - alpha)
    best, chosen = -math.inf, Event("any output at all", _anything)
    for event in _candidates(one, other, names):
        here, there = float(event.holds(one).mean()), float(event.holds(other).mean())
        if here == there and here in (0.0, 1.0):
            continue  # what always holds tells nothing apart
        for p, q, likelier_on_one in ((here, there, True), (there, here, False)):
            low, high = _wilson(p, len(one), -z), _wilson(q, len(one), z)
            found = math.log((low - delta) / high) if low > delta else -math.inf
            if found > best:
                best, chosen = found, Event(event.text, event.holds, likelier_on_one)
    return chosen


def _candidates(one: IntArray, other: IntArray, names: Sequence[str]) -> Iterator[Event]:
    both = np.concatenate((one, other))
    for column, name in enumerate(names):
        values, counts = np.unique(both[:, column], return_counts=True)
        for value in values[np.argsort(counts)[::-1][:_MOST_VALUES]].tolist():
            yield Event(f"{name} is {value}", _Compared(column, np.equal, value))
        thresholds = np.unique(np.quantile(both[:, column], np.linspace(0, 1, _MOST_VALUES), method="nearest"))
        for value in thresholds.tolist():
            yield Event(f"{name} is at most {value}", _Compared(column, np.less_equal, value))
            yield Event(f"{name} is at least {value}", _Compared(column, np.greater_equal, value))
    score = _Score(one, other)
    for value in np.unique(np.quantile(score(both), np.linspace(0, 1, _MOST_VALUES), method="nearest")).tolist():
        yield Event(f"the likelihood score of all numbers is at least {value:.4g}", _Scored(score, value, above=True))
        yield Event(f"the likelihood score of all numbers is at most {value:.4g}", _Scored(score, value, above=False))


def _anything(features: IntArray) -> npt.NDArray[np.bool_]:
    return np.ones(len(features), dtype=bool)


@dataclass(frozen=True)
class _Compared:
    column: int
    comparison: np.ufunc
    value: int

    def __call__(self, features: IntArray) -> npt.NDArray[np.bool_]:
        holds: npt.NDArray[np.bool_] = self.comparison(features[:, self.column], self.value)
        return holds


class _Score:
    """The log-likelihood ratio of the two streams, as if the numbers of a run were independent."""

    def __init__(self, one: IntArray, other: IntArray) -> None:
        both = np.concatenate((one, other))
        self._edges, self._weights = [], []
        for column in range(both.shape[1]):
            edges = np.unique(np.quantile(both[:, column], np.linspace(0, 1, _BINS), method="nearest"))
            here, there = (
                np.bincount(np.searchsorted(edges, side[:, column]), minlength=len(edges) + 1) + 1.0
                for side in (one, other)
            )
            self._edges.append(edges)
            self._weights.append(np.log(here / here.sum()) - np.log(there / there.sum()))

    def __call__(self, features: IntArray) -> FloatArray:
        score = np.zeros(len(features))
        for column, (edges, weights) in enumerate(zip(self._edges, self._weights, strict=True)):
            score += weights[np.searchsorted(edges, features[:, column])]
        return score


@dataclass(frozen=True)
class _Scored:
    score: _Score
    value: float
    above: bool

    def __call__(self, features: IntArray) -> npt.NDArray[np.bool_]:
        score = self.score(features)
        holds: npt.NDArray[np.bool_] = score >= self.value if self.above else score <= self.value
        return holds


def _wilson(p: float, n: int, z: float) -> float:
    """Wilson's bound on a probability that was seen as p in n runs; near the exact one, and quick."""
    centre, spread = p + z * z / (2 * n), z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return (centre + spread) / (1 + z * z / n)
