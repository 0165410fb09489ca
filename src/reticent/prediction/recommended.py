"""The predictor that the library recommends."""

from __future__ import annotations

from reticent import learning
from reticent.classes import HypothesisClass, OracleClass, Points
from reticent.errors import ParameterError
from reticent.experts.base import is_real
from reticent.learning import PointLearner
from reticent.prediction.base import OnlinePredictionAlgorithm
from reticent.prediction.hypotheses import HypothesisPredictor
from reticent.prediction.majority import MajorityPredictor
from reticent.prediction.name_and_shame import check_class
from reticent.prediction.points import PointPredictor

__all__ = ["HORIZON_GUESS", "auto"]

#: What `MajorityPredictor` is made for when no horizon is given.
HORIZON_GUESS = 1 << 17

#: Of larger classes no learner can list the hypotheses.
_MOST_HYPOTHESES = 1 << 20


def auto(
    hypothesis_class: HypothesisClass,
    epsilon: float,
    delta: float = 0.0,
    *,
    horizon: int | None = None,
    rounds_per_person: int = 1,
) -> OnlinePredictionAlgorithm:
    """The recommended private predictor. The rule is public: it looks at the class and the numbers, at no record.

    ==================================================  ======================================================
    points, delta > 0, and no horizon, or one so long   `PointPredictor`: no horizon moves its bound
    that the learner's delay is above the bound
    at most 2**20 hypotheses                            `HypothesisPredictor` of `learning.auto`
    any other class, which needs delta > 0              `MajorityPredictor`, which needs no list
    ==================================================  ======================================================

    `LittlestonePredictor` and `NameAndShame` have bounds at any length for every class, 12 d / delta + 2 D and
    d / delta, which say nothing at a delta far below one over the number of rounds. A learner's hypotheses are then
    worth more, though no bound on their mistakes is proved, and so is a majority.

    Parameters
    ----------
    hypothesis_class : HypothesisClass
    epsilon, delta : float
    horizon : int, optional
        The public number of rounds, for this choice and for tuning; any length is private.
    rounds_per_person : int
        In how many rounds neighbouring streams may differ; above 1 a learner does it.

    Examples
    --------
    >>> from reticent.classes import Sparse, Thresholds
    >>> [auto(Points(9), 1.0, 1e-6, horizon=horizon).name for horizon in (None, 10**5, 10**500)]
    ['PointPredictor', 'HypothesisPredictor', 'PointPredictor']
    >>> auto(Thresholds(1000), 1.0).name, auto(Sparse(1000, 3), 1.0, 1e-6).name
    ('HypothesisPredictor', 'MajorityPredictor')
    """
    check_class(hypothesis_class)
    if not is_real(delta) or not 0 <= delta < 1:  # pure predictors do not look at it
        raise ParameterError(f"delta is {delta!r}; give a number in [0, 1), far below 1 / rounds.")
    if isinstance(hypothesis_class, Points):
        learner = PointLearner(hypothesis_class, epsilon, horizon=horizon, rounds_per_person=rounds_per_person)
        if delta > 0 and rounds_per_person == 1:
            predictor = PointPredictor(epsilon, delta, domain=hypothesis_class)
            if horizon is None or predictor.mistake_bound <= learner.delay_used:
                return predictor
        return HypothesisPredictor(learner)
    if not _can_be_listed(hypothesis_class):
        if delta == 0 or rounds_per_person != 1:
            raise ParameterError(
                f"the class is {hypothesis_class!r}, and no learner can list its hypotheses; give a delta above 0 "
                "and rounds_per_person=1, for a predictor that needs no list."
            )
        return MajorityPredictor(hypothesis_class, epsilon, delta, horizon=horizon or HORIZON_GUESS)
    return HypothesisPredictor(
        learning.auto(hypothesis_class, epsilon, delta, horizon=horizon, rounds_per_person=rounds_per_person)
    )


def _can_be_listed(hypothesis_class: HypothesisClass) -> bool:
    # Of a class that only its owner knows, the size is found by listing, which may never end.
    return not isinstance(hypothesis_class, OracleClass) and hypothesis_class.size() <= _MOST_HYPOTHESES
