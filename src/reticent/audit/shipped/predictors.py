"""The predictors, on all short streams; what is predicted in the changed round is left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from typing import Any

from reticent.audit.joint import exact_joint
from reticent.audit.promise import audited_promise
from reticent.audit.result import ExactAudit
from reticent.audit.shipped.prediction import neighbours
from reticent.audit.shipped.row import ShippedAudit
from reticent.classes import FiniteClass
from reticent.experts import PrivateHedge
from reticent.learning import HypothesisExperts
from reticent.mechanisms import VoteRule
from reticent.prediction import (
    CandidatePredictor,
    Constants,
    HypothesisPredictor,
    LittlestonePredictor,
    MajorityPredictor,
    NameAndShame,
    OnlinePredictionAlgorithm,
    PointPredictor,
)
from reticent.randomness import Source

__all__ = ["predictor_audits"]

_POINTS = FiniteClass([[1, 0, 0], [0, 1, 0], [0, 0, 1]], ["a", "b", "c"])

#: x and y of a round; the first stands for a removed record.
_EXAMPLES = (("a", False), ("a", True), ("b", True))
_Stream = tuple[tuple[str, bool], ...]


def predictor_audits(relation: str) -> Iterator[ShippedAudit]:
    """All of them in one relation."""
    one_candidate = Constants(
        1,
        1,
        3,
        1,
        1,
        1,
        selection=(Fraction(24), Fraction(1, 20)),
        acceptance=(Fraction(4), Fraction(1, 40)),
        mirror=(Fraction(4), Fraction(1, 20)),
    )
    cheaper = Constants(
        1,
        1,
        3,
        1,
        1,
        1,
        selection=(Fraction(14), Fraction(1, 50)),
        acceptance=(Fraction(4), Fraction(1, 40)),
        mirror=(Fraction(3), Fraction(1, 30)),
    )
    experts = HypothesisExperts(_POINTS, 8.0, horizon=3, algorithm=partial(PrivateHedge, grid_bits=0))
    two_copies = VoteRule(2, Fraction(3, 10), cap=2, guard=Fraction(1), slack=2)
    by_majority = MajorityPredictor(_POINTS, 1.2, 0.4, horizon=3, rule=two_copies)
    algorithms: dict[tuple[str, str, int], OnlinePredictionAlgorithm] = {
        ("point-predictor", "batches of two", 6): PointPredictor(40.0, 0.4, failure=0.5),
        ("name-and-shame", "gamma = 1/4", 4): NameAndShame(_POINTS, 0.25),
        ("candidate-predictor", "one candidate", 6): CandidatePredictor(_POINTS, one_candidate),
        ("hypothesis-predictor", "of experts", 3): HypothesisPredictor(experts),
        ("majority-predictor", "two copies", 3): by_majority,
        ("littlestone-predictor", "one candidate", 3): LittlestonePredictor(_POINTS, 99.0, 0.48, cheaper),
    }
    for (name, setting, rounds), algorithm in algorithms.items():
        # Which copy learns is drawn in every round: two examples are as many as can be enumerated soon.
        examples = _EXAMPLES[:2] if algorithm is by_majority else _EXAMPLES
        pairs = partial(neighbours, examples, rounds, relation)
        yield ShippedAudit(name, algorithm.name, setting, relation, partial(_audit, algorithm, pairs))


def _audit(algorithm: OnlinePredictionAlgorithm, pairs: Callable[[], Iterator[Any]]) -> ExactAudit:
    def run(stream: _Stream, source: Source) -> tuple[bool, ...]:
        predictor = algorithm.start(source)
        predictions = []
        for x, y in stream:
            predictions.append(predictor.predict(x))
            predictor.update(y)
        return tuple(predictions)

    statement = algorithm.privacy
    epsilon, delta = audited_promise(statement, statement.epsilon or 1e-9, None)
    return exact_joint(run, pairs(), epsilon, delta)
