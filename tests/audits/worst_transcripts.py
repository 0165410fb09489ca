"""A greedy search for the transcript that tells two long streams apart, with its exact likelihood ratio.

What enumeration cannot reach (many rounds, many selections) is reached along one path: both learners are led through
the same answers, each chosen to raise the ratio of their probabilities. Under pure differential privacy the ratio of
any transcript is at most e^epsilon, so each search is an exact check, and a good one shows how tight epsilon is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from reticent.audit.snapshots import Snapshots
from reticent.audit.stream_laws import Losses
from reticent.experts import ExpertsAlgorithm, ExpertsLearner
from reticent.randomness import EnumeratedSource
from reticent.randomness.laws import FloatArray

__all__ = ["search_log_ratio"]


#: A decision has at most so many outcomes; the values of a noise are more.
_MOST_ANSWERS = 4

#: What a learner adds its noise to, in grid units: both worlds must see the same sum, not the same noise.
Noised = Callable[[Any], int]


class _Question(Exception):  # noqa: N818 - it is no error
    """The law of the next answer; values are noise or else numbered from 0 on."""

    def __init__(self, probabilities: FloatArray, *, noise: bool) -> None:
        super().__init__()
        self.probabilities = probabilities
        self.noise = noise


class _LedSource(EnumeratedSource):
    """Gives the answers that it is told, and raises a question when it needs another."""

    def __init__(self, mass: float) -> None:
        super().__init__((), mass)
        self.answers: list[int] = []
        self._given = 0

    def lead(self, answers: list[int]) -> None:
        """From here on give these answers."""
        self.answers, self._given = answers, 0

    def _choose(self, probabilities: Sequence[float] | FloatArray) -> int:
        if self._given == len(self.answers):
            raise _Question(np.array(probabilities), noise=len(probabilities) > _MOST_ANSWERS)
        self._given += 1
        return self.answers[self._given - 1]


class _Follower:
    """A learner on one stream, which takes a round back as often as one likes."""

    def __init__(self, algorithm: ExpertsAlgorithm, stream: Sequence[Losses], noised: Noised, mass: float) -> None:
        self._algorithm = algorithm
        self._stream = stream
        self._noised = noised
        self._mass = mass
        self._snapshots = Snapshots()
        self._saved = b""
        self._answers: list[int] = []

    def play(self, round_: int) -> tuple[FloatArray, int] | None:
        """Play the round (0 is the start) with the answers so far: None, or the next answer's law and origin."""
        if round_ == 0:
            source = _LedSource(self._mass)
            source.lead(self._answers)
            try:
                learner: ExpertsLearner = self._algorithm.start(source)
            except _Question as question:
                return question.probabilities, 0
        else:
            learner, source = self._snapshots.restore(self._saved)
            source.lead(self._answers)
            try:
                learner.update(self._stream[round_ - 1])
            except _Question as question:
                return question.probabilities, self._noised(learner) if question.noise else 0
        source.lead([])
        self._answers = []
        self._saved = self._snapshots.save((learner, source))
        return None

    def answer(self, number: int) -> None:
        """Give this answer next."""
        self._answers.append(number)


def search_log_ratio(
    algorithm: ExpertsAlgorithm,
    one: Sequence[Losses],
    other: Sequence[Losses],
    seed: int,
    *,
    greed: float = 1.0,
    noised: Noised = lambda learner: 0,
    mass: float = 1e-40,
) -> float:
    """log of P(transcript on `one`) / P(transcript on `other`) for a transcript that makes it large.

    Parameters
    ----------
    algorithm : ExpertsAlgorithm
    one, other : streams of equal length
    seed : int
        Breaks ties, in proportion to the probabilities on `one`.
    greed : float
        The chance of the answer with the largest ratio; otherwise the answer is drawn on `one`.
    noised : callable
        What the learner adds a noise to when it looks at its value.
    mass : float
        The most that one draw's support may leave out.
    """
    chance = np.random.default_rng(seed)
    here, there = (_Follower(algorithm, stream, noised, mass) for stream in (one, other))
    total = 0.0
    for round_ in range(len(one) + 1):
        while True:
            question, same = here.play(round_), there.play(round_)
            if question is None or same is None:
                assert question is same, "one learner asks for an answer and the other does not"
                break
            p, q, shift = question[0], same[0], question[1] - same[1]
            matched = np.zeros_like(p)
            matched[max(0, -shift) : len(p) - max(0, shift)] = q[max(0, shift) : len(p) - max(0, -shift)]
            with np.errstate(divide="ignore", invalid="ignore"):
                ratios = np.where(p > mass**0.5, np.log(p) - np.log(matched), -math.inf)
            best = ratios >= ratios.max() - 1e-9 if chance.random() < greed else ratios > -math.inf
            weights = np.where(best, p, 0.0)
            answer = int(chance.choice(len(p), p=weights / weights.sum()))
            total += float(ratios[answer])
            if math.isinf(total):
                return total
            here.answer(answer)
            there.answer(answer + shift)
    return total
