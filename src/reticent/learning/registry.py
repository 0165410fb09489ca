"""The learners by the names that the command line uses."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType

from reticent.classes import HypothesisClass, Points
from reticent.errors import ParameterError
from reticent.learning.base import OnlineLearningAlgorithm
from reticent.learning.hypothesis_experts import HypothesisExperts
from reticent.learning.name_and_shame import NameAndShameLearner
from reticent.learning.optimal import SOALearner
from reticent.learning.points import PointLearner
from reticent.learning.recommended import auto

__all__ = ["learner_names", "make"]


def _points(
    hypotheses: HypothesisClass, epsilon: float, delta: float, horizon: int | None, rounds_per_person: int
) -> PointLearner:
    if not isinstance(hypotheses, Points):
        raise ParameterError(
            f"the learner 'points' learns points, and the class is {hypotheses!r}; take another one."
        )
    return PointLearner(hypotheses, epsilon, horizon=horizon, rounds_per_person=rounds_per_person)


def _experts(
    hypotheses: HypothesisClass, epsilon: float, delta: float, horizon: int | None, rounds_per_person: int
) -> HypothesisExperts:
    return HypothesisExperts(hypotheses, epsilon, delta, horizon=horizon, rounds_per_person=rounds_per_person)


def _auto(
    hypotheses: HypothesisClass, epsilon: float, delta: float, horizon: int | None, rounds_per_person: int
) -> OnlineLearningAlgorithm:
    return auto(hypotheses, epsilon, delta, horizon=horizon, rounds_per_person=rounds_per_person)


def _shame(
    hypotheses: HypothesisClass, epsilon: float, delta: float, horizon: int | None, rounds_per_person: int
) -> NameAndShameLearner:
    if delta == 0:
        raise ParameterError(
            "the learner 'name-and-shame' publishes a part delta of the records; give a delta above 0."
        )
    return NameAndShameLearner(hypotheses, delta, rounds_per_person=rounds_per_person)


def _soa(
    hypotheses: HypothesisClass, epsilon: float, delta: float, horizon: int | None, rounds_per_person: int
) -> SOALearner:
    return SOALearner(hypotheses)


_Maker = Callable[[HypothesisClass, float, float, int | None, int], OnlineLearningAlgorithm]

#: The recommended one first. A new learner gets one line here, and nothing else in the command line.
_MAKERS: MappingProxyType[str, _Maker] = MappingProxyType(
    {
        "auto": _auto,
        "points": _points,
        "hypothesis-experts": _experts,
        "name-and-shame": _shame,
        "soa": _soa,
    }
)


def learner_names() -> tuple[str, ...]:
    """All names, the recommended learner first.

    Examples
    --------
    >>> learner_names()
    ('auto', 'points', 'hypothesis-experts', 'name-and-shame', 'soa')
    """
    return tuple(_MAKERS)


def make(
    name: str,
    hypothesis_class: HypothesisClass,
    epsilon: float,
    delta: float = 0.0,
    *,
    horizon: int | None = None,
    rounds_per_person: int = 1,
) -> OnlineLearningAlgorithm:
    """The learner of this name.

    Parameters
    ----------
    name : str
        One of `learner_names`.
    hypothesis_class, epsilon, delta, horizon, rounds_per_person
        See `reticent.learning.HypothesisExperts`. "points" has delta 0, "name-and-shame" has epsilon 0, "soa" has
        neither: it is not private.

    Raises
    ------
    ParameterError
        When there is no such name, or the learner cannot be built from these parameters.

    Examples
    --------
    >>> make("points", Points(10), 1.0).name
    'PointLearner'
    """
    if name not in _MAKERS:
        raise ParameterError(f"there is no learner {name!r}; give one of {', '.join(_MAKERS)}.")
    return _MAKERS[name](hypothesis_class, epsilon, delta, horizon, rounds_per_person)
