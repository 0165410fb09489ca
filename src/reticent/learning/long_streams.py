"""Streams of astronomical length, simulated event by event: never private."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from reticent.classes import Hypothesis, Instance
from reticent.learning.base import OnlineLearner, OnlineLearningAlgorithm
from reticent.learning.name_and_shame import NameAndShameLearner, NameAndShameState
from reticent.learning.optimal import OptimalHypothesis
from reticent.learning.points import PointLearner, PointLearnerState
from reticent.mechanisms import RunningSumAboveThreshold
from reticent.randomness import Generator, SeededSource, simulation_generator

__all__ = ["LongRun", "rounds_until_above", "simulate", "simulated"]

#: Below, a float holds the waiting time to the last digit.
_EXACT = 30.0


@dataclass(frozen=True)
class LongRun:
    """What a simulated run did.

    Attributes
    ----------
    rounds, mistakes, phases : int
        Of any size.
    hypothesis : Hypothesis
        After the last round.
    """

    rounds: int
    mistakes: int
    phases: int
    hypothesis: Hypothesis


def simulate(algorithm: PointLearner, stream: Iterable[tuple[Instance, bool, int]], seed: int) -> LongRun:
    """Play a learner on a stream of repeated examples, in time that grows with the mistakes and the phases.

    In rounds without a mistake nothing happens but that AboveThreshold may fire, and then the phase ends as usual.
    The chance that it fires within such a stretch depends on the length of the stretch only, so one draw tells when.
    The law of everything that is returned is that of the learner, round by round, up to the rounding of doubles in
    the waiting times.

    Parameters
    ----------
    algorithm : PointLearner
        Its horizon should be about the length of the stream, or phases without a mistake follow each other.
    stream : iterable of (x, y, times)
        Examples, each with the number of rounds in which it comes, of any size.
    seed : int

    Returns
    -------
    LongRun

    Raises
    ------
    InputError
        For an example that is none, or a number of times that is none.

    Examples
    --------
    >>> from reticent.classes import Points
    >>> rounds = 10**434
    >>> algorithm = PointLearner(Points(3), epsilon=1.0, horizon=rounds)
    >>> run = simulate(algorithm, [(0, False, rounds // 2), (1, True, rounds // 2)], seed=1)
    >>> run.hypothesis, 1900 < run.mistakes < 2200
    (point at 1, True)
    """
    learner = _LongStreamPoints(algorithm, seed)
    mistakes = 0
    for x, y, times in stream:
        mistakes += learner.repeat(x, y, times)
    return LongRun(learner.rounds, mistakes, learner.phases, learner.hypothesis)


def simulated(algorithm: OnlineLearningAlgorithm, seed: int) -> OnlineLearner:
    """Start a simulated run that takes many equal rounds (`OnlineLearner.repeat`) as fast as its law allows.

    For a `PointLearner` and a `NameAndShameLearner` time grows with the events of the run and not with its rounds, as
    in `simulate`; others run as they are.

    Parameters
    ----------
    algorithm : OnlineLearningAlgorithm
    seed : int

    Examples
    --------
    >>> from reticent.classes import Points
    >>> learner = simulated(NameAndShameLearner(Points(3), delta=1e-9), seed=1)
    >>> 10**8 < learner.repeat(1, True, 10**12) < 10**10
    True
    """
    if type(algorithm) is PointLearner:
        return _LongStreamPoints(algorithm, seed)
    if type(algorithm) is NameAndShameLearner:
        return _LongStreamShame(algorithm, seed)
    return algorithm.start(SeededSource(seed))


def rounds_until_above(watch: RunningSumAboveThreshold, scale: float, generator: Generator) -> int:
    """In which round without a loss, counted from 1, AboveThreshold with one-sided noise fires.

    Each round fires with probability p = exp(-remaining / scale), independently, so the number exceeds k with
    probability (1 - p)^k, as 1 + floor(Z / -ln(1 - p)) does for an exponential Z.
    """
    exponent = max(watch.remaining, 0) / scale
    waited = float(generator.standard_exponential())
    if exponent == 0:
        return 1
    if exponent < _EXACT:
        return 1 + math.floor(waited / -math.log1p(-math.exp(-exponent)))
    return 1 + _whole_exp(exponent + math.log(waited)) if waited > 0 else 1  # -ln(1 - p) is p


def _whole_exp(x: float) -> int:
    """exp(x), rounded down; to 53 bits where it is larger."""
    shift = max(0, math.floor(x / math.log(2)) - 53)
    return math.floor(math.exp(x - shift * math.log(2))) << shift


class _LongStreamPoints(PointLearnerState):
    """A `PointLearner` that learns from many equal rounds in time that grows with its mistakes and phases."""

    def __init__(self, algorithm: PointLearner, seed: int) -> None:
        super().__init__(algorithm, SeededSource(seed))
        self._waiting = simulation_generator(seed)
        self._scale = float(self._noise.query_scale)

    def _observe_many(self, x: Instance, y: bool, times: int) -> int:
        mistakes = 0
        while times:
            if self._hypothesis(x) != y:
                self._observe(x, y)
                mistakes += 1
                times -= 1
                continue
            until = rounds_until_above(self._watch, self._scale, self._waiting)
            quiet = min(until, times)
            times -= quiet
            if until == quiet:
                self._end()
        return mistakes


class _LongStreamShame(NameAndShameState):
    """A `NameAndShameLearner` that learns from many equal rounds with one draw: when one is published."""

    def __init__(self, algorithm: NameAndShameLearner, seed: int) -> None:
        super().__init__(algorithm, SeededSource(seed))
        self._waiting = simulation_generator(seed)

    def _observe_many(self, x: Instance, y: bool, times: int) -> int:
        before = self._hypothesis
        after = OptimalHypothesis(before.version_space.restrict(x, y))
        until = int(self._waiting.geometric(float(self._gamma)))
        if until > times:
            return times * (before(x) != y)
        self._hypothesis = after  # further publications of this example change nothing
        return until * (before(x) != y) + (times - until) * (after(x) != y)
