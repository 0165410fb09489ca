"""MajorityPredictor: audited as a whole, faults that the audit rejects, its bound against adversaries, refusals."""

from __future__ import annotations

import pickle
import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from reticent.audit import exact_joint
from reticent.audit.shipped.predictors import predictor_audits
from reticent.classes import FiniteClass, HypothesisClass, Points, Thresholds
from reticent.errors import InputError, ParameterError
from reticent.mechanisms import VoteRule
from reticent.prediction import MajorityPredictor, OnlinePredictor
from reticent.prediction.majority import RunningMajority
from reticent.prediction.vote_rules import VoteBounds, best_vote_rule
from reticent.randomness import SeededSource, Source, enumerate_outcomes

CLASS = FiniteClass([[1, 0, 0], [0, 1, 0], [0, 0, 1]], ["a", "b", "c"])
Stream = tuple[tuple[str, bool], ...]


def small(voters: int = 30, cap: int = 4) -> MajorityPredictor:
    rule = VoteRule(voters, Fraction(3, 10), cap, Fraction(3), 1)
    return MajorityPredictor(CLASS, rule.epsilon_at(Fraction(0.4)), 0.4, horizon=3, rule=rule)


def predictions(predictor: OnlinePredictor, stream: Stream) -> tuple[bool, ...]:
    made = []
    for x, y in stream:
        made.append(predictor.predict(x))
        predictor.update(y)
    return tuple(made)


# Audits.


@pytest.mark.parametrize("relation", ["replace-one", "add-remove"])
def test_the_shipped_row_passes(relation: str) -> None:
    """Catches every fault of the composition, on all streams of three rounds."""
    (row,) = [row for row in predictor_audits(relation) if row.name == "majority-predictor"]
    found = row.run()
    assert found.passed, found


PAIRS = [((("a", True), ("a", True)), (("a", False), ("a", True)))]


class Tutored(RunningMajority):
    """A planted fault: an example teaches all copies."""

    def _observe(self, x: Any, y: bool) -> None:
        if not self._vote.ended:
            for space, number in list(self._alike.items()):
                if space.soa(x) != y:
                    self._alike[space.restrict(x, y)] += self._alike.pop(space)


def until_the_last(predictor: OnlinePredictor, stream: Stream) -> tuple[bool, ...]:
    """What the last example teaches shows in no prediction."""
    return (*predictions(predictor, stream[:-1]), predictor.predict(stream[-1][0]))


def test_an_example_for_all_copies_is_rejected() -> None:
    """The price is that of one vote: when all copies learn the example, it moves all of them."""
    sound, epsilon, delta = small(), small().privacy.epsilon, small().privacy.delta

    def faulty(stream: Stream, source: Source) -> tuple[bool, ...]:
        return until_the_last(Tutored(sound, source), stream)

    def honest(stream: Stream, source: Source) -> tuple[bool, ...]:
        return until_the_last(sound.start(source), stream)

    assert exact_joint(honest, PAIRS, epsilon, delta).passed
    found = exact_joint(faulty, PAIRS, epsilon, delta)
    assert not found.passed, found


def test_own_output_left_in_is_rejected() -> None:
    """Joint privacy leaves out the changed round's prediction: it tells which instance came."""
    sound = small(voters=60)
    learned = sound.start(SeededSource(1))
    learned._alike = type(learned._alike)({CLASS.restrict("a", True): 60})  # as after many rounds

    def first(x: str) -> float:
        predictor = pickle.loads(pickle.dumps(learned))

        def run(source: Source) -> bool:
            predictor_of_this_walk = pickle.loads(pickle.dumps(predictor))
            predictor_of_this_walk._vote._source = source
            return bool(predictor_of_this_walk.predict(x))

        return enumerate_outcomes(run).probabilities.get(True, 0.0)

    assert first("a") > 0.99
    assert first("b") < 0.01


# Utility.


def adversary(space: HypothesisClass, domain: list[Any], draw: random.Random, predictor: Any, rounds: int) -> int:
    """Instances that split the version space, and the label that was not predicted wherever it is still possible."""
    mistakes, alive = 0, space
    for _ in range(rounds):
        x = draw.choice(domain)
        predicted = predictor.predict(x)
        possible = [y for y in (False, True) if not alive.restrict(x, y).is_empty()]
        y = (not predicted) if (not predicted) in possible and draw.random() < 0.7 else possible[0]
        alive = alive.restrict(x, y)
        predictor.update(y)
        mistakes += predicted != y
    return mistakes


@pytest.mark.parametrize(
    ("space", "domain"),
    [(Points(6), list(range(6))), (Thresholds(9), None), (CLASS, ["a", "b", "c"])],
    ids=["points", "thresholds", "finite"],
)
def test_adversaries_stay_within_the_bound(space: HypothesisClass, domain: list[Any] | None) -> None:
    """Catches a bound that some stream exceeds, copies that learn twice, and votes that end too early."""
    algorithm = MajorityPredictor(space, 30.0, 1e-3, horizon=2000)
    assert algorithm.unmet is None
    assert algorithm.mistake_bound is not None
    assert algorithm.mistake_bound < 1000
    worst = 0
    for seed in range(12):
        predictor = algorithm.start(SeededSource(seed))
        assert isinstance(predictor, RunningMajority)
        made = adversary(space, domain or list(space.instances), random.Random(seed), predictor, 2000)
        worst = max(worst, made)
        assert not predictor._vote.ended
        assert predictor._vote._close <= algorithm.bounds.close_votes(algorithm.votes)
        assert sum(predictor._alike.values()) == algorithm.votes.voters
    assert algorithm.votes.voters / 2 < worst <= algorithm.mistake_bound


def test_a_hard_stream_of_points_at_the_usual_budget() -> None:
    """Catches a rule that works at large budgets only."""
    algorithm = MajorityPredictor(Points(50), 1.0, 1e-6, horizon=20_000)
    xs = np.arange(20_000) % 2
    wrong = algorithm.start(SeededSource(2)).update_block(xs, xs == 1) != (xs == 1)
    assert algorithm.votes.voters / 3 < int(wrong.sum()) <= algorithm.mistake_bound
    assert wrong[-2000:].mean() < 0.1


def test_streams_that_no_hypothesis_labels_are_no_error() -> None:
    """Catches copies without a hypothesis: they stop learning, and the votes go on or end."""
    algorithm = small(voters=9, cap=400)
    predictor = algorithm.start(SeededSource(5))
    draw = random.Random(5)
    for _ in range(600):
        predictor.predict(draw.choice("abc"))
        predictor.update(draw.random() < 0.5)
    assert predictor.rounds == 600


def test_after_the_end_it_predicts_as_an_untaught_copy() -> None:
    """Catches predictions that go on from records when nothing may be paid any more."""
    algorithm = small(cap=2)
    predictor = algorithm.start(SeededSource(1))
    while not predictor._vote.ended:  # type: ignore[attr-defined]
        predictor.predict("a")
        predictor.update(True)
    taught = dict(predictor._alike)  # type: ignore[attr-defined]
    for x in "abc" * 5:
        assert predictor.predict(x) == CLASS.soa(x)
        predictor.update(True)
    assert dict(predictor._alike) == taught  # type: ignore[attr-defined]


@pytest.mark.parametrize(("epsilon", "delta"), [(0.1, 1e-9), (1.0, 1e-6), (10.0, 1e-3), (90.0, 0.4)])
@pytest.mark.parametrize("dimension", [0, 1, 5])
def test_every_budget_has_a_rule_that_costs_no_more(epsilon: float, delta: float, dimension: int) -> None:
    """Catches a search that overspends, or that leaves no room for the close votes."""
    bounds = VoteBounds(dimension, 10**5, delta)
    rule = best_vote_rule(Fraction(epsilon), Fraction(delta), bounds)
    assert rule.epsilon_at(Fraction(delta)) <= epsilon
    assert bounds.close_votes(rule) <= bounds.early_end(rule)


def test_bounds_do_not_rise_with_fewer_rounds_or_dimensions() -> None:
    """Catches a search that stops in the wrong place."""
    made = [
        [MajorityPredictor(Thresholds(n), 1.0, 1e-6, horizon=rounds).mistake_bound or 0 for n in (2, 4, 8)]
        for rounds in (10**4, 10**5, 10**6)
    ]
    for row in made:
        assert row == sorted(row)
    for column in zip(*made, strict=True):
        assert list(column) == sorted(column)


def test_an_astronomical_horizon_has_a_bound_that_grows_with_its_logarithm() -> None:
    """Catches a number of rounds that does not fit into a double, and chances that underflow."""
    short, long = (MajorityPredictor(Points(9), 1.0, 1e-6, horizon=10**n).mistake_bound for n in (50, 500))
    assert short is not None
    assert long is not None
    assert 50 < long / short < 150
    predictor = MajorityPredictor(Points(9), 1.0, 1e-6, horizon=10**500).start(SeededSource(1))
    assert not predictor.update_block([3] * 50, [False] * 50).any()


def test_a_small_cap_has_no_bound_and_says_why() -> None:
    """Catches a promise of utility that nobody has proved."""
    algorithm = MajorityPredictor(
        Points(9), 1.0, 1e-6, horizon=10**5, rule=VoteRule(2400, Fraction(5, 1000), 1360, Fraction(1, 16), 270)
    )
    assert algorithm.mistake_bound is None
    assert "close votes" in str(algorithm.unmet)


# The interface.


def test_a_saved_predictor_goes_on() -> None:
    """Catches state that is not saved."""
    algorithm = small(voters=8, cap=300)
    xs, ys = list("abc" * 60), [x == "b" for x in "abc" * 60]
    whole = algorithm.start(SeededSource(2)).update_block(xs, ys)
    predictor = algorithm.start(SeededSource(2))
    first = predictor.update_block(xs[:71], ys[:71])
    rest = pickle.loads(pickle.dumps(predictor)).update_block(xs[71:], ys[71:])
    assert np.concatenate([first, rest]).tolist() == whole.tolist()


def test_the_statement_adds_up_and_names_its_parts() -> None:
    """Catches components that are worth more than the promise."""
    statement = MajorityPredictor(Points(9), 1.0, 1e-6, horizon=1000).privacy
    assert [c.name for c in statement.components] == ["votes", "guard"]
    assert sum(c.epsilon for c in statement.components) <= 1.0
    assert sum(c.delta for c in statement.components) <= 1e-6 * (1 + 1e-12)
    assert not statement.adaptive


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"hypothesis_class": [1]}, "hypothesis_class"),
        ({"epsilon": 0.0}, "epsilon"),
        ({"delta": 1.0}, "delta"),
        ({"horizon": 0}, "horizon"),
        ({"failure": 2.0}, "failure"),
        ({"rule": 3}, "give a VoteRule"),
        ({"rule": VoteRule(9, Fraction(1, 2), 900, Fraction(1), 20)}, "rule costs"),
    ],
)
def test_bad_parameters_are_named(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        MajorityPredictor(**{"hypothesis_class": CLASS, "epsilon": 1.0, "delta": 1e-6, "horizon": 9, **arguments})


@pytest.mark.parametrize("x", ["z", ["a"]])
def test_foreign_instances_are_refused(x: Any) -> None:
    """Catches a check that comes after a draw: the next predictions are those of a predictor that saw none."""
    one, other = (small(voters=8, cap=300).start(SeededSource(2)) for _ in range(2))
    with pytest.raises(InputError):
        one.predict(x)
    assert predictions(one, (("a", True),) * 20) == predictions(other, (("a", True),) * 20)
