"""Name and shame: (0, delta)-private in name only."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from fractions import Fraction
from typing import Any, ClassVar

from reticent.classes import Instance
from reticent.errors import ParameterError
from reticent.experts.base import is_real, set_whole
from reticent.learning.base import ONE_RECORD_A_ROUND, RELEASED, OnlineLearner, OnlineLearningAlgorithm
from reticent.learning.optimal import OptimalHypothesis
from reticent.privacy import Component, Neighbours, PrivacyStatement
from reticent.randomness import Source

__all__ = ["NameAndShameLearner"]


@dataclass(frozen=True)
class NameAndShameLearner(OnlineLearningAlgorithm):
    """Publish a part delta of all records, and learn from nothing else.

    This is what (0, delta)-differential privacy allows, and it protects nobody whose record is drawn: each is drawn
    with probability delta, and shows in the hypotheses from then on, in full. It is here as a warning against large
    deltas, as a yardstick, and as a part of other algorithms, whose delta is tiny.

    ::

        V = the class
        for t = 1..T:
            release the standard optimal algorithm's hypothesis for V; see (x, y)
            with probability gamma: V = the hypotheses of V that give x the label y

    Parameters
    ----------
    hypothesis_class : HypothesisClass
    delta : float
        In (0, 1): the part of the records that is published, times rounds_per_person.
    rounds_per_person : int
        m, in how many rounds neighbouring streams may differ; gamma = delta / m.

    Notes
    -----
    **Guarantee.** The whole sequence of hypotheses is (0, delta)-DP (replace-one), at any length, also on adaptive
    streams: a record that is not drawn is not looked at (docs/proofs/learning.md; Dmitriev, Szabo and Sanyal 2024,
    after Theorem 1). Assumption: the example of a round is a function of that round's record and of public things
    only. On oblivious streams that the class labels: at most littlestone_dimension / gamma mistakes on average.
    Once no hypothesis agrees with what was published, it says 0 everywhere.

    Examples
    --------
    >>> from reticent.classes import Points
    >>> algorithm = NameAndShameLearner(Points(10), delta=0.125)
    >>> algorithm.privacy.epsilon, algorithm.privacy.delta, algorithm.mistake_bound(1000)
    (0.0, 0.125, 8.0)
    """

    name: ClassVar[str] = "NameAndShameLearner"

    delta: float
    _: KW_ONLY
    rounds_per_person: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        if not is_real(self.delta) or not 0 < self.delta < 1:
            raise ParameterError(f"delta is {self.delta!r}; give a number in (0, 1): the part that is published.")
        object.__setattr__(self, "delta", float(self.delta))
        set_whole(self, "rounds_per_person")

    @property
    def gamma(self) -> Fraction:
        """The probability with which a record is published."""
        return Fraction(self.delta) / self.rounds_per_person

    @property
    def privacy(self) -> PrivacyStatement:
        """See `OnlineLearningAlgorithm`."""
        return PrivacyStatement(
            epsilon=0.0,
            delta=self.delta,
            neighbours=Neighbours("replace-one", self.rounds_per_person),
            components=(
                Component("publication", 0.0, self.delta, f"the part {self.delta:g} of the records is published"),
            ),
            adaptive=True,
            released=RELEASED,
            assumption=ONE_RECORD_A_ROUND,
        )

    @property
    def settings(self) -> dict[str, Any]:
        """See `OnlineLearningAlgorithm`."""
        return {"gamma": float(self.gamma)}

    def mistake_bound(self, rounds: int) -> float | None:
        """See `OnlineLearningAlgorithm`: the records that are drawn among the mistakes are the SOA's mistakes."""
        return min(float(rounds), self.hypothesis_class.littlestone_dimension() / float(self.gamma))

    def _start(self, source: Source) -> NameAndShameState:
        return NameAndShameState(self, source)


class NameAndShameState(OnlineLearner):
    """A running `NameAndShameLearner`."""

    _hypothesis: OptimalHypothesis

    def __init__(self, algorithm: NameAndShameLearner, source: Source) -> None:
        super().__init__(algorithm, source)
        self._gamma = algorithm.gamma
        self._hypothesis = OptimalHypothesis(algorithm.hypothesis_class)

    def _observe(self, x: Instance, y: bool) -> None:
        if self._source.bernoulli(self._gamma):
            self._hypothesis = OptimalHypothesis(self._hypothesis.version_space.restrict(x, y))
