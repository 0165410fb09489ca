"""Streams of astronomical length for predictors, simulated event by event: never private."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from reticent.classes import Instance
from reticent.classes.arguments import as_label
from reticent.errors import ParameterError
from reticent.learning import PointLearner
from reticent.learning import long_streams as long_learning
from reticent.learning.base import as_times
from reticent.prediction.base import OnlinePredictionAlgorithm
from reticent.prediction.candidates import CandidatePredictor, RunningCandidates
from reticent.prediction.hypotheses import HypothesisPredictor
from reticent.prediction.name_and_shame import NameAndShame, NameAndShamePredictor
from reticent.prediction.points import PointPredictor, RunningPoints
from reticent.randomness import Generator, SeededSource, simulation_generator

__all__ = ["LongPrediction", "rounds_until_drawn", "simulate"]

Examples = Iterable[tuple[Instance, bool, int]]


@dataclass(frozen=True)
class LongPrediction:
    """What a simulated run did.

    Attributes
    ----------
    rounds, mistakes : int
        Of any size.
    """

    rounds: int
    mistakes: int


def simulate(algorithm: OnlinePredictionAlgorithm, stream: Examples, seed: int) -> LongPrediction:
    """Play a predictor on a stream of repeated examples, in time that does not grow with how often they come.

    `PointPredictor` and `CandidatePredictor` draw nothing in most rounds: here they make the very same draws, and so
    the same predictions, as round by round with `SeededSource(seed)`. For `NameAndShame`, and the predictor of a
    `PointLearner`, one draw tells how long nothing happens; the law of what is returned is that of round by round, up
    to the rounding of doubles in the waiting times.

    Parameters
    ----------
    algorithm : PointPredictor, CandidatePredictor, NameAndShame, or HypothesisPredictor of a PointLearner
    stream : iterable of (x, y, times)
        Examples, each with the number of rounds in which it comes, of any size.
    seed : int

    Returns
    -------
    LongPrediction

    Raises
    ------
    InputError
        For an example that is none, or a number of times that is none.
    ParameterError
        For another algorithm.

    Examples
    --------
    >>> rounds = 10**434  # e^1000
    >>> run = simulate(PointPredictor(1.0, 1e-6), [("no", False, rounds // 2), ("yes", True, rounds // 2)], seed=1)
    >>> run.rounds == rounds, run.mistakes <= 751
    (True, True)
    """
    if isinstance(algorithm, HypothesisPredictor) and isinstance(algorithm.learner, PointLearner):
        run = long_learning.simulate(algorithm.learner, stream, seed)
        return LongPrediction(run.rounds, run.mistakes)
    predictor = _started(algorithm, seed)
    rounds = mistakes = 0
    for x, y, times in stream:
        times = as_times(times)
        algorithm.check(x)
        mistakes += predictor.repeat(x, as_label(y), times)
        rounds += times
    return LongPrediction(rounds, mistakes)


def rounds_until_drawn(chance: float, generator: Generator) -> int:
    """In which round, counted from 1, a coin of this chance falls on heads first.

    It exceeds k with probability (1 - chance)^k, as 1 + floor(Z / -ln(1 - chance)) does for an exponential Z.
    """
    return 1 + math.floor(float(generator.standard_exponential()) / -math.log1p(-chance))


class _Repeating(Protocol):
    def repeat(self, x: Instance, y: bool, times: int) -> int:
        """Predict and learn from this many equal rounds; how many of them were mistakes."""


def _started(algorithm: OnlinePredictionAlgorithm, seed: int) -> _Repeating:
    if isinstance(algorithm, PointPredictor):
        return _LongPoints(algorithm, SeededSource(seed))
    if isinstance(algorithm, CandidatePredictor):
        return _LongCandidates(algorithm, SeededSource(seed))
    if isinstance(algorithm, NameAndShame):
        return _LongPublication(algorithm, seed)
    raise ParameterError(
        f"{algorithm!r} cannot be simulated event by event; give a PointPredictor, a CandidatePredictor, "
        "NameAndShame or the HypothesisPredictor of a PointLearner."
    )


class _LongPoints(RunningPoints):
    def repeat(self, x: Instance, y: bool, times: int) -> int:
        mistakes = 0
        while times and self._is_eventful(x, y):
            mistakes += self._predict(x) != y
            self._observe(x, y)
            times -= 1
        if not self._selected():
            self._occurred[x] += times
        label = self._replacement is not None and x == self._candidate and bool(self._replacement.settled)
        return mistakes + times * (label != y)

    def _is_eventful(self, x: Instance, y: bool) -> bool:
        """Whether the round fills the batch, or meets the candidate while its replacement is not settled."""
        if not self._selected():
            return y
        return self._replacement is not None and x == self._candidate and self._replacement.settled is None


class _LongCandidates(RunningCandidates):
    def repeat(self, x: Instance, y: bool, times: int) -> int:
        mistakes = 0
        while times and (self._counts(x, y) or self._settled_label(x) is None):
            mistakes += self._predict(x) != y
            self._observe(x, y)
            times -= 1
        if times:
            self._prediction = bool(self._settled_label(x))
            self._remember(x, y, times)
        return mistakes + times * (self._prediction != y)

    def _settled_label(self, x: Instance) -> bool | None:
        """The label of a round that draws nothing; None where a replacement that is not settled disagrees."""
        label = self._first(x)
        for candidate, replacement in self._replacements:
            if candidate(x) != label:
                if replacement.settled is None:
                    return None
                label = candidate(x) if replacement.settled else label
        return label


class _LongPublication(NameAndShamePredictor):
    """Of equal examples only the first that is drawn changes anything."""

    def __init__(self, algorithm: NameAndShame, seed: int) -> None:
        super().__init__(algorithm, SeededSource(seed))
        self._waiting = simulation_generator(seed)
        self._chance = float(algorithm.gamma)

    def repeat(self, x: Instance, y: bool, times: int) -> int:
        wrong = self._label(x) != y
        restricted = self._space.restrict(x, y)
        if restricted == self._space:
            return times * wrong
        until = rounds_until_drawn(self._chance, self._waiting)
        if until > times:
            return times * wrong
        self._space, self._labels = restricted, {}
        return until * wrong + (times - until) * (self._label(x) != y)
