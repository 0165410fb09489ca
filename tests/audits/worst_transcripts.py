"""A greedy search for the transcript that tells two long streams apart, with its exact likelihood ratio.

What enumeration cannot reach (many rounds, many selections) is reached along one path: both learners are led through
the same answers, each chosen to raise the ratio of their probabilities. Under pure differential privacy the ratio of
any transcript is at most e^epsilon, so each search is an exact check, and a good one shows how tight epsilon is.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from snapshots import Snapshots
from stream_laws import Losses

from reticent.experts import ExpertsAlgorithm, ExpertsLearner
from reticent.randomness import EnumeratedSource
from reticent.randomness.laws import FloatArray

__all__ = ["search_log_ratio"]


class _Asked(Exception):
    def __init__(self, probabilities: FloatArray) -> None:
        super().__init__()
        self.probabilities = probabilities


class _LedSource(EnumeratedSource):
    """Gives the answers that it is told, and raises `_Asked` when it needs another."""

    def __init__(self, mass: float) -> None:
        super().__init__((), mass)
        self.answers: list[int] = []
        self._given = 0

    def lead(self, answers: list[int]) -> None:
        """From here on give these answers."""
        self.answers, self._given = answers, 0

    def _choose(self, probabilities: Sequence[float] | FloatArray) -> int:
        if self._given == len(self.answers):
            raise _Asked(np.array(probabilities))
        self._given += 1
        return self.answers[self._given - 1]


class _Follower:
    """A learner on one stream, which takes a round back as often as one likes."""

    def __init__(self, algorithm: ExpertsAlgorithm, stream: Sequence[Losses], mass: float) -> None:
        self._algorithm = algorithm
        self._stream = stream
        self._mass = mass
        self._snapshots = Snapshots()
        self._saved = b""

    def play(self, round_: int, answers: list[int]) -> FloatArray | None:
        """Play the round (0 is the start) with these answers: None, or what the next answer's law is."""
        if round_ == 0:
            source = _LedSource(self._mass)
            source.lead(answers)
            try:
                learner: ExpertsLearner = self._algorithm.start(source)
            except _Asked as question:
                return question.probabilities
        else:
            learner, source = self._snapshots.restore(self._saved)
            source.lead(answers)
            try:
                learner.update(self._stream[round_ - 1])
            except _Asked as question:
                return question.probabilities
        source.lead([])
        self._saved = self._snapshots.save((learner, source))
        return None


def search_log_ratio(
    algorithm: ExpertsAlgorithm,
    one: Sequence[Losses],
    other: Sequence[Losses],
    seed: int,
    *,
    greed: float = 1.0,
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
    mass : float
        The most that one draw's support may leave out.
    """
    chance = np.random.default_rng(seed)
    followers = [_Follower(algorithm, stream, mass) for stream in (one, other)]
    total = 0.0
    for round_ in range(len(one) + 1):
        answers: list[int] = []
        while True:
            p, q = (follower.play(round_, answers) for follower in followers)
            if p is None or q is None:
                assert p is q, "one learner asks for an answer and the other does not"
                break
            assert p.shape == q.shape
            with np.errstate(divide="ignore", invalid="ignore"):
                ratios = np.where(p > 0, np.log(p) - np.log(q), -math.inf)
            best = ratios >= ratios.max() - 1e-9 if chance.random() < greed else p > 0
            weights = np.where(best, p, 0.0)
            answer = int(chance.choice(len(p), p=weights / weights.sum()))
            total += float(ratios[answer])
            if math.isinf(total):
                return total
            answers.append(answer)
    return total
