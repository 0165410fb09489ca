"""What a private learner's hypothesis says: every private learner is a private predictor."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from reticent.classes import Instance
from reticent.errors import ParameterError
from reticent.learning import OnlineLearningAlgorithm
from reticent.prediction.base import OBLIVIOUS, PERSONAL, OnlinePredictionAlgorithm, OnlinePredictor
from reticent.privacy import PrivacyStatement
from reticent.randomness import Source

__all__ = ["HypothesisPredictor"]


@dataclass(frozen=True)
class HypothesisPredictor(OnlinePredictionAlgorithm):
    """Predict as the current hypothesis of a private learner, and keep the hypothesis to yourself.

    Parameters
    ----------
    learner : OnlineLearningAlgorithm
        Such as `reticent.learning.auto(cls, epsilon)`.

    Notes
    -----
    **Guarantee.** Jointly as private as the hypotheses are, on streams that are fixed in advance, when the example of
    one round is replaced (of up to as many rounds as the learner's neighbours differ in): the label of every other
    round is a function of that round's hypothesis and of its instance, which is the same on both streams. Its
    mistakes are the learner's, and so they grow with the number of rounds (Sanyal, Theorem B), but slowly.

    >>> from reticent.classes import Thresholds
    >>> from reticent.learning import auto
    >>> print(HypothesisPredictor(auto(Thresholds(1000), epsilon=1.0)).privacy.promise)
    (1, 0)-joint differential privacy
    """

    name: ClassVar[str] = "HypothesisPredictor"

    learner: OnlineLearningAlgorithm

    def __post_init__(self) -> None:
        if not isinstance(self.learner, OnlineLearningAlgorithm):
            raise ParameterError(
                f"learner is {self.learner!r}; give a learner with its parameters, such as "
                "learning.auto(classes.Points(9), epsilon=1.0)."
            )

    @property
    def privacy(self) -> PrivacyStatement:
        """See `OnlinePredictionAlgorithm`."""
        statement = self.learner.privacy
        if math.isinf(statement.epsilon):
            return statement
        return replace(statement, adaptive=False, joint=True, released=PERSONAL, assumption=OBLIVIOUS)

    @property
    def settings(self) -> dict[str, Any]:
        """See `OnlinePredictionAlgorithm`: those of the learner."""
        return self.learner.settings

    def check(self, x: Instance) -> None:
        """See `OnlinePredictionAlgorithm`."""
        self.learner.example(x, False)

    def _start(self, source: Source) -> OnlinePredictor:
        return _Running(self, source)


class _Running(OnlinePredictor):
    def __init__(self, algorithm: HypothesisPredictor, source: Source) -> None:
        super().__init__(algorithm, source)
        self._learner = algorithm.learner.start(source)

    def _predict(self, x: Instance) -> bool:
        return bool(self._learner.hypothesis(x))

    def _observe(self, x: Instance, y: bool) -> None:
        self._learner.update(x, y)
