"""Would catch: randomness or state that moves when it should not, and mistakes beyond what is promised."""

from __future__ import annotations

import json
import pickle
from typing import Any

import numpy as np
import pytest
from every_learner import EVERY
from hypothesis import given
from hypothesis import strategies as st

from reticent import learning as ln
from reticent.classes import Conjunctions, HypothesisClass, Intervals, Parities, Points, Sparse, Thresholds
from reticent.errors import InputError, LearnerStateError, ParameterError
from reticent.randomness import SeededSource


class NoSource:
    """Every verb fails the test."""

    private = False
    description = "none"

    def uniform_index(self, n: int) -> int:
        raise AssertionError("uniform_index was asked for")


def examples_of(algorithm: ln.OnlineLearningAlgorithm, rounds: int, seed: int = 0) -> list[tuple[Any, bool]]:
    """Labelled at random, so that everything that can happen does."""
    draws = np.random.default_rng(seed)
    instances = algorithm.hypothesis_class.instances
    return [(instances[int(draws.integers(len(instances)))], bool(draws.integers(2))) for _ in range(rounds)]


def play(learner: ln.OnlineLearner, examples: list[tuple[Any, bool]]) -> list[str]:
    seen = [repr(learner.hypothesis)]
    for x, y in examples:
        learner.update(x, y)
        seen.append(repr(learner.hypothesis))
    return seen


@pytest.mark.parametrize("name", EVERY)
def test_reading_a_hypothesis_draws_nothing(name: str) -> None:
    algorithm = EVERY[name]
    examples = examples_of(algorithm, 40)
    looked_at = algorithm.start(SeededSource(1))
    left_alone = algorithm.start(SeededSource(1))
    for x, y in examples:
        for instance in algorithm.hypothesis_class.instances:
            assert looked_at.hypothesis(instance) in (False, True)
        looked_at.update(x, y)
        left_alone.update(x, y)
    assert play(looked_at, examples) == play(left_alone, examples)


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("times", [0, 1, 2, 7, 60])
def test_many_equal_rounds_are_learned_as_one_by_one(name: str, times: int) -> None:
    """Decision by decision: catches a fast path that draws in another order, counts wrongly or forgets a round."""
    algorithm = EVERY[name]
    examples = examples_of(algorithm, 12, seed=times)
    at_once, one_by_one = algorithm.start(SeededSource(1)), algorithm.start(SeededSource(1))
    for x, y in examples:
        mistakes = 0
        for _ in range(times):
            mistakes += one_by_one.hypothesis(x) != y
            one_by_one.update(x, y)
        assert at_once.repeat(x, y, times) == mistakes
        assert repr(at_once.hypothesis) == repr(one_by_one.hypothesis)
    assert at_once.rounds == one_by_one.rounds == 12 * times
    assert play(at_once, examples) == play(one_by_one, examples)


@pytest.mark.parametrize("times", [-1, 2.0, True, "3"])
def test_a_number_of_rounds_that_is_none_changes_nothing(times: Any) -> None:
    learner = EVERY["points"].start(SeededSource(1))
    with pytest.raises(InputError, match="whole number from 0 on"):
        learner.repeat(1, True, times)
    assert learner.rounds == 0
    learner.update(1, True)


BAD = {
    "a label 2": lambda x: (x, 2),
    "a label of text": lambda x: (x, "1"),
    "a label that is missing": lambda x: (x, None),
    "a label that is no number": lambda x: (x, float("nan")),
    "an instance below": lambda x: (-1, 1),
    "an instance far off": lambda x: (10**30, 1),
    "an instance of another kind": lambda x: (("no", "instance"), 0),
    "an instance that is missing": lambda x: (None, 0),
    "an instance that has no hash": lambda x: ([0], 0),
}


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("fault", BAD)
def test_a_bad_example_changes_nothing(name: str, fault: str) -> None:
    algorithm = EVERY[name]
    learner = algorithm.start(SeededSource(3))
    play(learner, examples_of(algorithm, 15))
    before = pickle.dumps(learner)
    with pytest.raises(InputError, match=r"the instance|instance .*: it is not in the domain|label"):
        learner.update(*BAD[fault](algorithm.hypothesis_class.instances[0]))
    assert pickle.dumps(learner) == before


@pytest.mark.parametrize("name", EVERY)
def test_saved_and_restored_is_uninterrupted(name: str) -> None:
    algorithm = EVERY[name]
    examples = examples_of(algorithm, 60)
    whole = play(algorithm.start(SeededSource(2)), examples)
    for saved_at in (0, 1, 17, 59):
        learner = algorithm.start(SeededSource(2))
        first = play(learner, examples[:saved_at])[:-1]
        assert first + play(pickle.loads(pickle.dumps(learner)), examples[saved_at:]) == whole


@pytest.mark.parametrize("name", EVERY)
def test_an_interrupted_update_ends_the_learner(name: str) -> None:
    """A round that is learned twice is paid twice."""
    algorithm = EVERY[name]
    learner = algorithm.start(SeededSource(2))
    (x, y), *_ = examples_of(algorithm, 1)

    def interrupt(*example: Any) -> None:
        raise KeyboardInterrupt

    learner._observe = interrupt  # type: ignore[method-assign]
    with pytest.raises(KeyboardInterrupt):
        learner.update(x, y)
    del learner._observe
    with pytest.raises(LearnerStateError, match="interrupted"):
        learner.update(x, y)
    assert learner.rounds == 0


@pytest.mark.parametrize("name", EVERY)
def test_what_is_said_about_privacy(name: str) -> None:
    algorithm = EVERY[name]
    private = name != "standard optimal"
    assert algorithm.privacy.private is private
    assert algorithm.start().privacy.private is private
    seeded = algorithm.start(SeededSource(1))
    assert not seeded.privacy.private
    assert "NOT PRIVATE" in repr(seeded)
    assert str(seeded.privacy).startswith("NOT PRIVATE")
    assert json.loads(json.dumps({**algorithm.public_parameters, **algorithm.settings}, allow_nan=False))
    if private:
        assert "hypothesis" in algorithm.privacy.released
        assert "**Guarantee.**" in (type(algorithm).__doc__ or "")


@pytest.mark.parametrize("name", EVERY)
def test_the_same_seed_gives_the_same_run(name: str) -> None:
    examples = examples_of(EVERY[name], 40)
    one, other = (play(EVERY[name].start(SeededSource(5)), examples) for _ in range(2))
    assert one == other


CLASSES: tuple[HypothesisClass, ...] = (
    Points(6),
    Thresholds(40),
    Intervals(12),
    Sparse(9, 2),
    Parities(4),
    Conjunctions(4),
)


@given(data=st.data())
def test_the_optimal_learner_errs_no_more_than_the_dimension(data: st.DataObject) -> None:
    hypotheses = data.draw(st.sampled_from(CLASSES))
    members = list(hypotheses.members())
    target = members[data.draw(st.integers(0, len(members) - 1))]
    algorithm = ln.SOALearner(hypotheses)
    learner = algorithm.start(NoSource())
    mistakes = 0
    for k in data.draw(st.lists(st.integers(0, len(hypotheses.instances) - 1), max_size=50)):
        x = hypotheses.instances[k]
        mistakes += learner.hypothesis(x) != target(x)
        learner.update(x, target(x))
    bound = algorithm.mistake_bound(10**6)
    assert bound == hypotheses.littlestone_dimension()
    assert mistakes <= bound


def test_name_and_shame_with_every_record_is_the_optimal_algorithm() -> None:
    """The largest delta below 1: the coin always falls so in 200 rounds of this seed."""
    shame = ln.NameAndShameLearner(Thresholds(100), 1 - 2**-53).start(SeededSource(1))
    mistakes = 0
    for k in range(200):
        x = (k * 37) % 100
        mistakes += shame.hypothesis(x) != (x >= 61)
        shame.update(x, x >= 61)
    assert mistakes <= 6


def test_experts_find_the_hypothesis() -> None:
    learner = ln.HypothesisExperts(Thresholds(20), 2.0, horizon=3000).start(SeededSource(1))
    for k in range(3000):
        x = (k * 7) % 20
        learner.update(x, x >= 13)
    assert repr(learner.hypothesis) == "threshold at 13"


def test_numpy_and_python_examples_are_the_same() -> None:
    points, other = (ln.PointLearner(Points(5), 8.0, delay=1).start(SeededSource(4)) for _ in range(2))
    for k in range(60):
        points.update(k % 5, k % 5 == 3)
        other.update(np.int64(k % 5), np.bool_(k % 5 == 3))
        assert repr(points.hypothesis) == repr(other.hypothesis)  # a Point at np.int64(3) would tell
    vectors = ln.SOALearner(Conjunctions(2))
    one, two = (vectors.start() for _ in range(2))
    for k in range(8):
        one.update((k % 2, k // 2 % 2), k % 4 == 3)
        two.update(np.array([k % 2, k // 2 % 2]), k % 4 == 3)
        assert one.hypothesis == two.hypothesis


def test_points_on_a_domain_that_no_list_could_hold() -> None:
    learner = ln.PointLearner(Points(10**30), 1.0, horizon=1000).start(SeededSource(1))
    for _ in range(400):
        learner.update(10**29, True)
    assert repr(learner.hypothesis) == f"point at {10**29}"


def test_the_state_does_not_grow_with_the_rounds() -> None:
    learner = ln.PointLearner(Points(1000), 1.0, horizon=1000).start(SeededSource(1))
    sizes = set()
    for k in range(4000):
        learner.update(k % 1000, k % 1000 == 5)
        sizes.add(len(pickle.dumps(learner)))
    assert max(sizes) < min(sizes) + 3000


def test_the_rule_of_auto_is_public() -> None:
    assert isinstance(ln.auto(Points(9), 1.0, 1e-6, horizon=50), ln.PointLearner)
    experts = ln.auto(Thresholds(9), 1.0, 1e-6, horizon=50, rounds_per_person=2)
    assert isinstance(experts, ln.HypothesisExperts)
    assert experts.experts.privacy.neighbours.rounds_per_person == 2
    assert experts.privacy.epsilon == 1.0
    assert experts.privacy.delta <= 1e-6


WRONG = {
    "a class that is none": (lambda: ln.SOALearner([1, 2]), "hypothesis_class is"),
    "thresholds for points": (lambda: ln.PointLearner(Thresholds(3), 1.0), "PointLearner learns points"),
    "epsilon 0": (lambda: ln.PointLearner(Points(3), 0.0), "epsilon is 0.0"),
    "epsilon nan": (lambda: ln.PointLearner(Points(3), float("nan")), "epsilon is nan"),
    "a horizon of 0": (lambda: ln.PointLearner(Points(3), 1.0, horizon=0), "horizon is 0"),
    "a delay of a half": (lambda: ln.PointLearner(Points(3), 1.0, delay=0.5), "delay is 0.5"),
    "a share of 1": (lambda: ln.PointLearner(Points(3), 1.0, watch_share=1.0), "watch_share is 1.0"),
    "a negative loyalty": (lambda: ln.PointLearner(Points(3), 1.0, loyalty=-1), "loyalty is -1"),
    "an epsilon for which noise does not fit": (
        lambda: ln.PointLearner(Points(3), 1e-9, rounds_per_person=10**6),
        "to fit 64 bits",
    ),
    "delta 0 for name and shame": (lambda: ln.NameAndShameLearner(Points(3), 0.0), "delta is 0.0"),
    "delta 1 for name and shame": (lambda: ln.NameAndShameLearner(Points(3), 1.0), "delta is 1.0"),
    "epsilon 0 for experts": (lambda: ln.HypothesisExperts(Points(3), 0.0), "epsilon is 0.0"),
    "a class of too many": (lambda: ln.HypothesisExperts(Sparse(10**6, 3), 1.0), "hypotheses, and HypothesisExperts"),
    "an empty class": (
        lambda: ln.HypothesisExperts(Points(1).restrict(0, False), 1.0),
        "the class has 0 hypotheses",
    ),
    "a source that is none": (lambda: ln.SOALearner(Points(3)).start(7), "source is 7"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_parameters_have_one_clear_sentence(name: str) -> None:
    call, sentence = WRONG[name]
    with pytest.raises(ParameterError, match=sentence):
        call()


@pytest.mark.parametrize("epsilon", [1e-6, 0.01, 1.0, 30.0, 1e6])
@pytest.mark.parametrize("n_points", [1, 3, 10**30])
def test_the_floor_is_what_lemma_3_asks_for(epsilon: float, n_points: int) -> None:
    """With 60 digits, from the fractions that run."""
    from decimal import Decimal, localcontext

    algorithm = ln.PointLearner(Points(n_points), epsilon)
    with localcontext() as context:
        context.prec = 60
        eta = Decimal(algorithm.eta.numerator) / Decimal(algorithm.eta.denominator)
        needed = ((n_points + 1) / (1 - (-eta).exp())).ln() / eta
        assert algorithm.floor_units >= needed * (1 << 20)
        assert algorithm.floor_units <= needed * (1 << 20) * Decimal(1 + 1e-9) + 2
