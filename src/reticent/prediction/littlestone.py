"""Theorem 3: a private predictor for every Littlestone class."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

from reticent.classes import HypothesisClass, Instance
from reticent.errors import ParameterError
from reticent.mechanisms import Combine
from reticent.prediction.base import OnlinePredictionAlgorithm, OnlinePredictor, check_number, joint_statement
from reticent.prediction.candidates import CandidatePredictor, RunningCandidates
from reticent.prediction.composed_constants import ComposedConstants
from reticent.prediction.constants import Constants, PowerOfTen
from reticent.prediction.name_and_shame import NameAndShame, NameAndShamePredictor, check_class
from reticent.privacy import Component, PrivacyStatement
from reticent.randomness import Source

__all__ = ["LittlestonePredictor"]


@dataclass(frozen=True)
class LittlestonePredictor(OnlinePredictionAlgorithm):
    """`Combine` of a `CandidatePredictor` and of `NameAndShame`, the way the paper proves Theorem C.

    Parameters
    ----------
    hypothesis_class : HypothesisClass
        Any; with constants of your own see `CandidatePredictor`.
    epsilon, delta : float
        In (0, 100) and (0, 1/2).
    constants : Constants or "paper", optional
        Of cost (epsilon / 2, delta / 4) at most; `ComposedConstants.least` unless given, "paper" for
        `Constants.paper`.

    Notes
    -----
    **Guarantee.** Jointly (epsilon, delta)-DP on streams that are fixed in advance, when the example of one round is
    replaced: candidates (epsilon / 2, delta / 4), name and shame (0, delta / 4), Combine (epsilon / 2, delta / 2). On
    every realisable stream at most `mistake_bound` mistakes on average, where that is not None, and always at most
    12 d / delta + 2 D on average. Source: Sanyal, Lemmas 13, 14 and Section 7.3.

    It is a theorem and no tool: the first candidate comes after `constants.batch` mistakes (3.4e10 at d = 1 with the
    paper's constants, which have no proved bound on mistakes; many more with the least that have one). Until then it
    is the standard optimal algorithm before any example, beside name and shame.
    """

    name: ClassVar[str] = "LittlestonePredictor"

    hypothesis_class: HypothesisClass
    epsilon: float
    delta: float
    constants: Constants | str | None = None

    def __post_init__(self) -> None:
        check_class(self.hypothesis_class)
        object.__setattr__(self, "epsilon", check_number("epsilon", self.epsilon, 0, 100))
        object.__setattr__(self, "delta", check_number("delta", self.delta, 0, 0.5))
        if self.constants is None or self.constants == "paper":
            found = Constants.paper if self.constants else ComposedConstants.least
            dimension = self.hypothesis_class.littlestone_dimension()
            object.__setattr__(self, "constants", found(dimension, self.epsilon, self.delta))
        c = self.candidates.constants
        if c.epsilon > Fraction(self.epsilon) / 2 or c.delta > Fraction(self.delta) / 4:
            raise ParameterError(
                f"constants cost ({float(c.epsilon):g}, {float(c.delta):g}), more than epsilon / 2 or delta / 4; "
                "give others, or a larger budget."
            )

        _ = self.candidates  # so that a class that is too large is found now

    def check(self, x: Instance) -> None:
        """See `OnlinePredictionAlgorithm`."""
        self.hypothesis_class.restrict(x, False)

    @cached_property
    def candidates(self) -> CandidatePredictor:
        """The first predictor."""
        if not isinstance(self.constants, Constants):
            raise ParameterError(f"constants is {self.constants!r}; give Constants(..), or 'paper'.")
        return CandidatePredictor(self.hypothesis_class, self.constants)

    @cached_property
    def subsampled(self) -> NameAndShame:
        """The second predictor."""
        return NameAndShame(self.hypothesis_class, self.delta / 4)

    @cached_property
    def combine_delay(self) -> int:
        """D of `Combine`."""
        return Combine.smallest_delay(Fraction(self.epsilon) / 2, Fraction(self.delta) / 2)

    @cached_property
    def privacy(self) -> PrivacyStatement:
        """See `OnlinePredictionAlgorithm`."""
        combined = f"D = {self.combine_delay}"
        components = (
            *self.candidates.privacy.components,
            *self.subsampled.privacy.components,
            Component("combine", self.epsilon / 2, self.delta / 2, combined),
        )
        return joint_statement(self.epsilon, self.delta, components)

    @property
    def mistake_bound(self) -> int | PowerOfTen | None:
        """3 B + 12 d + 2 D, on average; None where the constants do not meet a lemma."""
        bound = self.candidates.mistake_bound
        if isinstance(bound, int):
            return 3 * bound + 12 * self.candidates.constants.dimension + 2 * self.combine_delay
        return bound

    @property
    def settings(self) -> dict[str, Any]:
        """See `OnlinePredictionAlgorithm`."""
        c = self.candidates.constants
        return {
            "candidates": c.candidates,
            "groups": c.groups,
            "batch": c.batch,
            "first_delay": c.delay(1),
            "bound": str(c.bound),
            "unmet": c.unmet,
            "combine_delay": self.combine_delay,
        }

    def _start(self, source: Source) -> OnlinePredictor:
        return _Running(self, source)


class _Running(OnlinePredictor):
    def __init__(self, algorithm: LittlestonePredictor, source: Source) -> None:
        super().__init__(algorithm, source)
        self._first = RunningCandidates(algorithm.candidates, source)
        self._second = NameAndShamePredictor(algorithm.subsampled, source)
        self._combine = Combine(algorithm.combine_delay, source)

    def _check(self, x: Any) -> None:
        self._second._check(x)

    def _predict(self, x: Instance) -> bool:
        return bool(self._combine.predict(self._first._predict(x), self._second._predict(x)))

    def _observe(self, x: Instance, y: bool) -> None:
        self._first._observe(x, y)
        self._second._observe(x, y)
        self._combine.update(y)
