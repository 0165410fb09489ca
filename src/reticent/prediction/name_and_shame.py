"""Name and shame: the standard optimal algorithm on a few examples, which it gives away."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from reticent.classes import HypothesisClass, Instance
from reticent.errors import InputError, ParameterError
from reticent.prediction.base import OnlinePredictionAlgorithm, OnlinePredictor, check_number, joint_statement
from reticent.privacy import Component, PrivacyStatement
from reticent.randomness import Source

__all__ = ["NameAndShame", "NameAndShamePredictor", "check_class"]

#: So many labels of the current version space are remembered.
_REMEMBERED = 1 << 16


@dataclass(frozen=True)
class NameAndShame(OnlinePredictionAlgorithm):
    """Publish a part gamma of all examples, and predict from them alone.

    ::

        V = the class
        predict the standard optimal algorithm's label for V
        with probability gamma: V = the hypotheses of V that give x the label y

    It protects nobody whose example is drawn: each is drawn with probability gamma, and may be read off the later
    predictions in full. It is here as a part of `LittlestonePredictor`, with a tiny gamma, and as a yardstick.

    Parameters
    ----------
    hypothesis_class : HypothesisClass
    gamma : float
        In (0, 1): the part of the examples that is published.

    Notes
    -----
    **Guarantee.** Jointly (0, gamma)-DP when the example of one round is replaced: an example that is not drawn is
    not looked at. On every realisable stream fixed in advance at most d / gamma mistakes on average: each mistake is
    drawn with probability gamma, and d of those drawn leave no dimension. When no hypothesis of the class agrees with
    what was drawn, it says 0. Source: Sanyal, Fact 5; Dmitriev, Szabo and Sanyal 2024, after Theorem 1.

    >>> from reticent.classes import Points
    >>> NameAndShame(Points(10), 0.125).mistake_bound
    8.0
    """

    name: ClassVar[str] = "NameAndShame"

    hypothesis_class: HypothesisClass
    gamma: float

    def __post_init__(self) -> None:
        check_class(self.hypothesis_class)
        object.__setattr__(self, "gamma", check_number("gamma", self.gamma, 0, 1))

    def check(self, x: Instance) -> None:
        """See `OnlinePredictionAlgorithm`."""
        self.hypothesis_class.restrict(x, False)

    @property
    def privacy(self) -> PrivacyStatement:
        """See `OnlinePredictionAlgorithm`."""
        published = f"the part {self.gamma:g} of the examples is published"
        return joint_statement(0.0, self.gamma, (Component("publication", 0.0, self.gamma, published),))

    @property
    def mistake_bound(self) -> float:
        """D / gamma, on average."""
        return self.hypothesis_class.littlestone_dimension() / self.gamma

    def _start(self, source: Source) -> NameAndShamePredictor:
        return NameAndShamePredictor(self, source)


class NameAndShamePredictor(OnlinePredictor):
    """A running `NameAndShame`."""

    def __init__(self, algorithm: NameAndShame, source: Source) -> None:
        super().__init__(algorithm, source)
        self._gamma = Fraction(algorithm.gamma)
        self._space = algorithm.hypothesis_class
        self._labels: dict[Instance, bool] = {}

    def _check(self, x: Any) -> None:
        self._label(x)

    def _label(self, x: Any) -> bool:
        try:
            label = self._labels.get(x)
        except TypeError:
            raise InputError(f"the instance {x!r} is not in the domain.") from None
        if label is None:
            self._space.restrict(x, False)  # refuses what is no instance
            label = self._space.soa(x)
            if len(self._labels) >= _REMEMBERED:
                self._labels.clear()
            self._labels[x] = label
        return label

    def _predict(self, x: Instance) -> bool:
        return self._label(x)

    def _observe(self, x: Instance, y: bool) -> None:
        if self._source.bernoulli(self._gamma):
            self._space = self._space.restrict(x, y)
            self._labels = {}


def check_class(hypothesis_class: object) -> None:
    """A class of hypotheses, and not an empty one."""
    if not isinstance(hypothesis_class, HypothesisClass):
        raise ParameterError(
            f"hypothesis_class is {hypothesis_class!r}; give a class such as reticent.classes.Points(10)."
        )
    if hypothesis_class.is_empty():
        raise ParameterError("hypothesis_class has no hypothesis; give one with at least one.")
