"""Privacy amplified by dummies: each example enters the learner with a small probability only."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

from reticent.classes import HypothesisClass, Instance
from reticent.errors import ParameterError
from reticent.experts.base import is_real
from reticent.learning import OnlineLearner, OnlineLearningAlgorithm
from reticent.privacy import Component, PrivacyStatement, amplify
from reticent.randomness import Source

__all__ = ["AmplifiedByDummies", "amplify_by_dummies"]


def amplify_by_dummies(
    learner: OnlineLearningAlgorithm, gamma: float | Fraction, z: tuple[Instance, bool]
) -> AmplifiedByDummies:
    """The learner that sees each example with probability gamma only, and the dummy z otherwise.

    Parameters
    ----------
    learner : OnlineLearningAlgorithm
        (epsilon, delta)-private.
    gamma : float or Fraction
        In (0, 1].
    z : pair (instance, label)
        A public example.

    Returns
    -------
    AmplifiedByDummies
        (ln(1 + gamma (e^epsilon - 1)), gamma delta)-private.

    Examples
    --------
    >>> from reticent.classes import Points
    >>> from reticent.learning import PointLearner
    >>> algorithm = amplify_by_dummies(PointLearner(Points(3), epsilon=1.0), 0.1, (2, False))
    >>> round(algorithm.privacy.epsilon, 4), algorithm.privacy.delta
    (0.1586, 0.0)
    """
    return AmplifiedByDummies(learner, gamma, z)


@dataclass(frozen=True)
class AmplifiedByDummies(OnlineLearningAlgorithm):
    """A learner that sees a part of the examples, and a public dummy in the place of the others.

    ::

        each round: release the inner learner's hypothesis; see (x, y)
            with probability gamma feed (x, y) to the inner learner, otherwise feed it z

    Parameters
    ----------
    inner : OnlineLearningAlgorithm
        The learner that is fed.
    gamma : float or Fraction
        In (0, 1]: the probability with which an example is kept.
    dummy : pair (instance, label)
        z, a public example.

    Notes
    -----
    **Guarantee.** If the inner learner is (epsilon, delta)-private (replace-one), the whole sequence of hypotheses is
    (ln(1 + gamma (e^epsilon - 1)), gamma delta)-private, also on adaptive streams where the inner one is (Sanyal
    2026, Proposition 1; docs/proofs/learning.md). Where m rounds may differ, gamma is replaced by 1 - (1 - gamma)^m.
    Assumption: that of the inner learner, and z is fixed without looking at the records. Mistakes: a learner of
    this kind sees fewer informative examples; the lower bounds of `BlockAdversary` use it, and it is rarely a good
    way to learn.
    """

    name: ClassVar[str] = "AmplifiedByDummies"

    hypothesis_class: HypothesisClass = field(init=False, repr=False)
    inner: OnlineLearningAlgorithm
    gamma: float | Fraction
    dummy: tuple[Instance, bool]

    def __post_init__(self) -> None:
        if not isinstance(self.inner, OnlineLearningAlgorithm):
            raise ParameterError(f"{self.inner!r} is no learner with its parameters; give one, such as PointLearner.")
        if not is_real(self.gamma) or not 0 < self.gamma <= 1:
            raise ParameterError(f"gamma is {self.gamma!r}; give a number in (0, 1].")
        if not isinstance(self.gamma, Fraction):
            object.__setattr__(self, "gamma", float(self.gamma))
        if not isinstance(self.dummy, tuple) or len(self.dummy) != 2:
            raise ParameterError(f"the dummy is {self.dummy!r}; give a pair (instance, label).")
        object.__setattr__(self, "hypothesis_class", self.inner.hypothesis_class)
        object.__setattr__(self, "dummy", self.inner.example(*self.dummy))
        relation = self.inner.privacy.neighbours.relation
        if relation != "replace-one":  # the dummy must be a record that may replace another
            raise ParameterError(f"the inner learner's relation is {relation}; give one that promises replace-one.")

    @cached_property
    def privacy(self) -> PrivacyStatement:
        """See `OnlineLearningAlgorithm`; rounded up."""
        inner = self.inner.privacy
        if math.isinf(inner.epsilon):
            return inner
        m = inner.neighbours.rounds_per_person
        epsilon, delta = amplify(inner.epsilon, inner.delta, Fraction(self.gamma), m)
        explanation = f"an example enters the inner learner with probability {float(self.gamma):g}"
        return replace(
            inner, epsilon=epsilon, delta=delta, components=(Component("kept", epsilon, delta, explanation),)
        )

    @property
    def settings(self) -> dict[str, Any]:
        """See `OnlineLearningAlgorithm`."""
        return {"inner_learner": self.inner.name, **self.inner.settings}

    def _start(self, source: Source) -> AmplifiedByDummiesState:
        return AmplifiedByDummiesState(self, source)


class AmplifiedByDummiesState(OnlineLearner):
    """A running `AmplifiedByDummies`."""

    def __init__(self, algorithm: AmplifiedByDummies, source: Source) -> None:
        super().__init__(algorithm, source)
        self._gamma = Fraction(algorithm.gamma)
        self._dummy = algorithm.dummy
        self._inner = algorithm.inner.start(source)
        self._hypothesis = self._inner.hypothesis

    def _observe(self, x: Instance, y: bool) -> None:
        kept = self._source.bernoulli(self._gamma)
        self._inner.update(*((x, y) if kept else self._dummy))
        self._hypothesis = self._inner.hypothesis
