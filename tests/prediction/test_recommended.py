"""Would catch: a rule that looks at more than the class and the numbers, and names that build something else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any

import pytest

import reticent as rt
from reticent import learning
from reticent.audit import exact_joint
from reticent.classes import FiniteClass, HypothesisClass, Intervals, OracleClass, Points, Sparse, Thresholds
from reticent.errors import ParameterError
from reticent.experts import PrivateHedge
from reticent.learning import HypothesisExperts, PointLearner, SOALearner
from reticent.prediction import HypothesisPredictor, OnlinePredictor, registry
from reticent.randomness import SeededSource, Source

Stream = tuple[tuple[int, bool], ...]

ORACLE = OracleClass(range(2**62), lambda seen: 1 if not seen else 0)


@pytest.mark.parametrize(
    ("cls", "delta", "horizon", "rounds_per_person", "name"),
    [
        (Points(9), 1e-6, None, 1, "PointPredictor"),
        (Points(9), 1e-6, 10**500, 1, "PointPredictor"),
        (Points(9), 1e-6, 100_000, 1, "PointLearner"),
        (Points(9), 0.0, None, 1, "PointLearner"),
        (Points(9), 1e-6, None, 2, "PointLearner"),
        (FiniteClass([[0, 1]]), 0.0, None, 1, "HypothesisExperts"),
        (Thresholds(1000), 1e-6, 1000, 1, "HypothesisExperts"),
        (Intervals(1000), 0.0, None, 3, "HypothesisExperts"),
        (Sparse(1000, 3), 1e-6, 1000, 1, "MajorityPredictor"),
        (ORACLE, 1e-6, None, 1, "MajorityPredictor"),
    ],
    ids=str,
)
def test_the_rule(cls: HypothesisClass, delta: float, horizon: int | None, rounds_per_person: int, name: str) -> None:
    algorithm = rt.prediction.auto(cls, 1.0, delta, horizon=horizon, rounds_per_person=rounds_per_person)
    assert (algorithm.learner.name if isinstance(algorithm, HypothesisPredictor) else algorithm.name) == name
    statement = algorithm.privacy
    assert statement.joint
    assert statement.epsilon <= 1.0
    assert statement.delta <= delta
    assert statement.neighbours.rounds_per_person == rounds_per_person
    assert str(statement).startswith(statement.promise)
    assert "-joint differential privacy at any length" in str(statement)
    assert "to the person of that round and to nobody else" in " ".join(str(statement).split())


@pytest.mark.parametrize(("delta", "rounds_per_person"), [(0.0, 1), (1e-6, 2)])
def test_a_class_that_nothing_can_predict_is_refused(delta: float, rounds_per_person: int) -> None:
    """Catches a list of hypotheses that never ends."""
    with pytest.raises(ParameterError, match="no learner can list its hypotheses"):
        rt.prediction.auto(ORACLE, 1.0, delta, rounds_per_person=rounds_per_person)


@pytest.mark.parametrize("name", registry.predictor_names())
def test_parameters_reach_every_predictor(name: str) -> None:
    algorithm = registry.make(name, Points(7), 0.5, 1e-5, horizon=10**300)
    statement = algorithm.privacy
    assert (statement.epsilon, statement.delta) == {
        "name-and-shame": (0.0, 1e-5),
        "learner": (0.5, 0.0),
    }.get(name, (0.5, 1e-5))
    if isinstance(algorithm, HypothesisPredictor):
        assert isinstance(algorithm.learner, PointLearner)
        assert algorithm.learner.horizon == 10**300


def test_only_auto_stands_for_another() -> None:
    algorithms = {name: registry.make(name, Points(7), 1.0, 1e-6) for name in registry.predictor_names()}
    algorithms.pop("auto")
    assert len(set(algorithms.values())) == len(algorithms)


@pytest.mark.parametrize(
    ("name", "cls", "delta", "rounds_per_person", "sentence"),
    [
        ("newton", Points(7), 0.1, 1, "littlestone"),
        ("points", Thresholds(7), 0.1, 1, "predicts points"),
        ("points", Points(7), 0.0, 1, "delta above 0"),
        ("littlestone", Points(7), 0.0, 1, "delta above 0"),
        ("name-and-shame", Points(7), 0.1, 2, "rounds_per_person is 2"),
    ],
)
def test_what_cannot_be_built_is_named(
    name: str, cls: HypothesisClass, delta: float, rounds_per_person: int, sentence: str
) -> None:
    with pytest.raises(ParameterError, match=sentence):
        registry.make(name, cls, 1.0, delta, rounds_per_person=rounds_per_person)


def test_a_learner_predicts_what_its_hypotheses_say() -> None:
    """Catches a hypothesis that is asked a round late."""
    learner_algorithm = PointLearner(Points(5), 4.0, delay=1, loyalty=0.0)
    stream = [(k * 3 % 5, k * 3 % 5 == 2) for k in range(200)]
    predictor = HypothesisPredictor(learner_algorithm).start(SeededSource(3))
    learner = learner_algorithm.start(SeededSource(3))
    for x, y in stream:
        assert predictor.predict(x) == learner.hypothesis(x)
        predictor.update(y)
        learner.update(x, y)


TINY = HypothesisExperts(Points(2), 6.0, horizon=3, algorithm=partial(PrivateHedge, grid_bits=0))


@dataclass(frozen=True)
class Unprotected(HypothesisPredictor):
    """A planted fault: it promises what one learner does, and asks another one, which is not private."""

    def _start(self, source: Source) -> OnlinePredictor:
        return HypothesisPredictor(SOALearner(self.learner.hypothesis_class)).start(source)


def neighbours() -> Iterator[tuple[Stream, Stream]]:
    examples = list(product((0, 1), (False, True)))
    for stream in product(examples, repeat=3):
        for t, example in product(range(3), examples):
            if example > stream[t]:
                yield stream, (*stream[:t], example, *stream[t + 1 :])


@pytest.mark.parametrize(("kind", "passes"), [(HypothesisPredictor, True), (Unprotected, False)])
def test_the_labels_keep_the_learners_promise(kind: type[HypothesisPredictor], passes: bool) -> None:
    """Catches a promise that is not the learner's own."""
    algorithm = kind(TINY)

    def run(stream: Stream, source: Source) -> tuple[bool, ...]:
        predictor = algorithm.start(source)
        predictions = []
        for x, y in stream:
            predictions.append(predictor.predict(x))
            predictor.update(y)
        return tuple(predictions)

    found = exact_joint(run, neighbours(), algorithm.privacy.epsilon, algorithm.privacy.delta)
    assert found.passed == passes, found


def test_a_learner_without_a_promise_makes_a_predictor_without_one() -> None:
    predictor = HypothesisPredictor(SOALearner(Thresholds(9)))
    assert not predictor.privacy.private
    with pytest.raises(ParameterError, match="give a learner with its parameters"):
        HypothesisPredictor(learning.auto)  # type: ignore[arg-type]


@pytest.mark.parametrize("auto", [rt.learning.auto, rt.prediction.auto])
@pytest.mark.parametrize("delta", [-1.0, float("nan"), 1.0, "1e-6", None, True])
def test_a_delta_that_is_none_is_refused_even_where_it_is_not_needed(auto: Any, delta: Any) -> None:
    with pytest.raises(ParameterError, match="delta is "):
        auto(Points(5), 1.0, delta)
