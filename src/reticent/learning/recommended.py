"""The learner that the library recommends."""

from __future__ import annotations

from reticent.classes import HypothesisClass, Points
from reticent.errors import ParameterError
from reticent.experts.base import is_real
from reticent.learning.base import OnlineLearningAlgorithm
from reticent.learning.hypothesis_experts import HypothesisExperts
from reticent.learning.points import PointLearner

__all__ = ["auto"]


def auto(
    hypothesis_class: HypothesisClass,
    epsilon: float,
    delta: float = 0.0,
    *,
    horizon: int | None = None,
    rounds_per_person: int = 1,
) -> OnlineLearningAlgorithm:
    """The recommended private learner: `PointLearner` for points, `HypothesisExperts` for every other class.

    The rule is public: it looks at the class, and at no record.

    Parameters
    ----------
    hypothesis_class : HypothesisClass
    epsilon, delta, horizon, rounds_per_person
        See `HypothesisExperts`. Points are learned with delta = 0, whatever is allowed.

    Examples
    --------
    >>> from reticent.classes import Thresholds
    >>> auto(Points(1000), epsilon=1.0).name, auto(Thresholds(1000), epsilon=1.0).name
    ('PointLearner', 'HypothesisExperts')
    """
    if not is_real(delta) or not 0 <= delta < 1:  # a PointLearner does not look at it
        raise ParameterError(f"delta is {delta!r}; give a number in [0, 1), far below 1 / rounds.")
    if isinstance(hypothesis_class, Points):
        return PointLearner(hypothesis_class, epsilon, horizon=horizon, rounds_per_person=rounds_per_person)
    return HypothesisExperts(hypothesis_class, epsilon, delta, horizon=horizon, rounds_per_person=rounds_per_person)
