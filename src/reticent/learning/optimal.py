"""The standard optimal algorithm without privacy: the yardstick."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from reticent.classes import HypothesisClass, Instance
from reticent.learning.base import OnlineLearner, OnlineLearningAlgorithm
from reticent.privacy import PrivacyStatement
from reticent.randomness import Source

__all__ = ["OptimalHypothesis", "SOALearner"]


@dataclass(frozen=True, slots=True)
class OptimalHypothesis:
    """What the standard optimal algorithm predicts with a version space; it need not lie in the class.

    Parameters
    ----------
    version_space : HypothesisClass
    """

    version_space: HypothesisClass

    def __call__(self, x: Instance) -> bool:
        """The label of x."""
        return self.version_space.soa(x)

    def __repr__(self) -> str:
        return f"standard optimal algorithm on {self.version_space!r}"


@dataclass(frozen=True)
class SOALearner(OnlineLearningAlgorithm):
    """Littlestone's standard optimal algorithm, NOT private: it restricts the class after each mistake.

    Parameters
    ----------
    hypothesis_class : HypothesisClass

    Notes
    -----
    **Guarantee.** None: a hypothesis reveals the examples before it. At most `littlestone_dimension` mistakes on any
    stream that the class labels, and no algorithm has fewer in the worst case (Littlestone 1988, Theorem 3). Once no
    hypothesis agrees with the mistakes, it says 0 everywhere.

    Examples
    --------
    >>> from reticent.classes import Thresholds
    >>> algorithm = SOALearner(Thresholds(1000))
    >>> algorithm.mistake_bound(100)
    9.0
    >>> print(algorithm.privacy)  # doctest: +ELLIPSIS
    NOT PRIVATE...
    """

    name: ClassVar[str] = "SOALearner"

    @property
    def privacy(self) -> PrivacyStatement:
        """See `OnlineLearningAlgorithm`."""
        return PrivacyStatement.none()

    def mistake_bound(self, rounds: int) -> float | None:
        """See `OnlineLearningAlgorithm`; it holds for every stream, and not only on average."""
        return float(min(rounds, self.hypothesis_class.littlestone_dimension()))

    def _start(self, source: Source) -> SOALearnerState:
        return SOALearnerState(self, source)


class SOALearnerState(OnlineLearner):
    """A running `SOALearner`."""

    _hypothesis: OptimalHypothesis

    def __init__(self, algorithm: SOALearner, source: Source) -> None:
        super().__init__(algorithm, source)
        self._hypothesis = OptimalHypothesis(algorithm.hypothesis_class)

    def _observe(self, x: Instance, y: bool) -> None:
        if self._hypothesis(x) != y:
            self._hypothesis = OptimalHypothesis(self._hypothesis.version_space.restrict(x, y))

    def _observe_many(self, x: Instance, y: bool, times: int) -> int:
        mistakes = 0
        while mistakes < times and self._hypothesis(x) != y:
            self._observe(x, y)
            mistakes += 1
        return mistakes  # where the hypothesis is right, it stays
