"""The predictors by the names that the command line uses."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType

from reticent import learning
from reticent.classes import HypothesisClass, Points
from reticent.errors import ParameterError
from reticent.prediction.base import OnlinePredictionAlgorithm
from reticent.prediction.hypotheses import HypothesisPredictor
from reticent.prediction.littlestone import LittlestonePredictor
from reticent.prediction.majority import MajorityPredictor
from reticent.prediction.name_and_shame import NameAndShame
from reticent.prediction.points import PointPredictor
from reticent.prediction.recommended import HORIZON_GUESS, auto

__all__ = ["make", "predictor_names"]


def _auto(
    hypotheses: HypothesisClass, epsilon: float, delta: float, horizon: int | None, rounds_per_person: int
) -> OnlinePredictionAlgorithm:
    return auto(hypotheses, epsilon, delta, horizon=horizon, rounds_per_person=rounds_per_person)


def _learner(
    hypotheses: HypothesisClass, epsilon: float, delta: float, horizon: int | None, rounds_per_person: int
) -> HypothesisPredictor:
    return HypothesisPredictor(
        learning.auto(hypotheses, epsilon, delta, horizon=horizon, rounds_per_person=rounds_per_person)
    )


def _points(
    hypotheses: HypothesisClass, epsilon: float, delta: float, horizon: int | None, rounds_per_person: int
) -> PointPredictor:
    _check_delta_and_rounds("points", delta, rounds_per_person)
    if not isinstance(hypotheses, Points):
        raise ParameterError(
            f"the predictor 'points' predicts points, and the class is {hypotheses!r}; take another one."
        )
    return PointPredictor(epsilon, delta, domain=hypotheses)


def _littlestone(
    hypotheses: HypothesisClass, epsilon: float, delta: float, horizon: int | None, rounds_per_person: int
) -> LittlestonePredictor:
    _check_delta_and_rounds("littlestone", delta, rounds_per_person)
    return LittlestonePredictor(hypotheses, epsilon, delta)


def _majority(
    hypotheses: HypothesisClass, epsilon: float, delta: float, horizon: int | None, rounds_per_person: int
) -> MajorityPredictor:
    _check_delta_and_rounds("majority", delta, rounds_per_person)
    return MajorityPredictor(hypotheses, epsilon, delta, horizon=horizon or HORIZON_GUESS)


def _shame(
    hypotheses: HypothesisClass, epsilon: float, delta: float, horizon: int | None, rounds_per_person: int
) -> NameAndShame:
    _check_delta_and_rounds("name-and-shame", delta, rounds_per_person)
    return NameAndShame(hypotheses, delta)


def _check_delta_and_rounds(name: str, delta: float, rounds_per_person: int) -> None:
    if delta == 0:
        raise ParameterError(f"the predictor {name!r} has no promise without delta; give a delta above 0.")
    if rounds_per_person != 1:
        raise ParameterError(
            f"the predictor {name!r} promises something to people with one round each, and rounds_per_person is "
            f"{rounds_per_person}; take the predictor 'learner'."
        )


_Maker = Callable[[HypothesisClass, float, float, int | None, int], OnlinePredictionAlgorithm]

#: The recommended one first. A new predictor gets one line here, and nothing else in the command line.
_MAKERS: MappingProxyType[str, _Maker] = MappingProxyType(
    {
        "auto": _auto,
        "points": _points,
        "learner": _learner,
        "majority": _majority,
        "littlestone": _littlestone,
        "name-and-shame": _shame,
    }
)


def predictor_names() -> tuple[str, ...]:
    """All names, the recommended predictor first.

    Examples
    --------
    >>> predictor_names()
    ('auto', 'points', 'learner', 'majority', 'littlestone', 'name-and-shame')
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
) -> OnlinePredictionAlgorithm:
    """The predictor of this name.

    Parameters
    ----------
    name : str
        One of `predictor_names`.
    hypothesis_class, epsilon, delta, horizon, rounds_per_person
        See `auto`. "name-and-shame" has epsilon 0.

    Raises
    ------
    ParameterError
        When there is no such name, or the predictor cannot be built from these parameters.

    Examples
    --------
    >>> make("points", Points(10), 1.0, 1e-6).name
    'PointPredictor'
    """
    if name not in _MAKERS:
        raise ParameterError(f"there is no predictor {name!r}; give one of {', '.join(_MAKERS)}.")
    return _MAKERS[name](hypothesis_class, epsilon, delta, horizon, rounds_per_person)
