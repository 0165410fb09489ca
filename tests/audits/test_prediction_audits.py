"""The mechanisms of private prediction, audited exactly, and faults in them, each rejected.

Joint differential privacy: the output of the changed round is left out, for every place of it. Every mechanism is
run on all short streams of its records, with parameters for which everything happens within them.
"""

from __future__ import annotations

import itertools
import sys
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

import pytest

from reticent.audit import exact_joint, exact_mechanism, shipped_audits
from reticent.audit.shipped.prediction import neighbours, prediction_audits
from reticent.errors import ParameterError
from reticent.mechanisms import (
    Combine,
    IndependentCoins,
    LogisticCoins,
    Mirror,
    Replacement,
    ReplacementRule,
    SingleSwitch,
    SparseSelection,
    TruncatedLaplace,
    shaped_coins,
)

ONE, TENTH = Fraction(1), Fraction(1, 10)
#: u, v and y of a round: agreement, v right, u right.
RECORDS = [(0, 0, 0), (0, 1, 1), (0, 1, 0)]


def assert_rejected(audit):
    sys.stdout.write(f"{audit}\n")
    assert not audit.passed, str(audit)


def mirror_run(schedule, delay):
    def run(stream, source):
        mirror = Mirror(schedule, delay, source)
        return tuple(mirror.respond(active) for active in stream)

    return run


def mirror_audit(schedule, delay, rounds):
    pairs = neighbours((False, True), rounds, "replace-one")
    return exact_joint(mirror_run(schedule, delay), pairs, float(schedule.epsilon), float(schedule.delta))


def predictor_run(start, stream, source):
    predictor, predictions = start(source), []
    for u, v, y in stream:
        predictions.append(predictor.predict(u, v))
        predictor.update(y)
    return tuple(predictions)


def predictor_audit(start, rounds, epsilon, delta, records=RECORDS):
    pairs = neighbours(records, rounds, "replace-one")
    return exact_joint(partial(predictor_run, start), pairs, float(epsilon), min(float(delta), 1.0))


# Sound.


@pytest.mark.parametrize("row", list(prediction_audits("replace-one")), ids=lambda row: f"{row.name}: {row.setting}")
def test_the_shipped_rows_pass(row):
    audit = row.run()
    assert audit.passed, str(audit)


def test_both_relations_have_these_rows():
    names = {"sparse-selection", "truncated-laplace", "mirror", "replacement", "combine"}
    for relation in ("replace-one", "add-remove"):
        assert names <= {row.name for row in shipped_audits() if row.relation == relation}


@pytest.mark.parametrize("delay", [0, 2])
@pytest.mark.parametrize(
    "schedule",
    [
        SingleSwitch.calibrated(ONE, Fraction(1, 4)),
        SingleSwitch((1,), ONE),
        shaped_coins(3 * ONE, Fraction(1, 5)),
        LogisticCoins(6 * ONE, Fraction(9, 10)),
        IndependentCoins((Fraction(1, 10), Fraction(2, 3), Fraction(3, 4)), Fraction(1, 2)),
        IndependentCoins((Fraction(9, 10), Fraction(1, 3)), Fraction(1, 2)),
        IndependentCoins((), ONE),
    ],
    ids=["switch", "switch at once", "shaped", "logistic", "uneven coins", "falling coins", "no zone"],
)
def test_mirror_costs_what_its_schedule_says(schedule, delay):
    """Every place of the changed round, both directions, before, in and after the zone; and no less, where exact."""
    audit = mirror_audit(schedule, delay, min(8, schedule.rounds + delay + 2))
    assert audit.passed, str(audit)
    assert isinstance(schedule, LogisticCoins) or delay == 0 or audit.slack < 0.03


def test_two_mirrors_in_a_chain_cost_what_their_schedule_says_together():
    """Lemma 12 and R9: whether the second is active depends on what the first answers in the same round."""

    def run(schedule, stream, source):
        first, second = Mirror(schedule, 1, source), Mirror(schedule, 1, source)
        answers = []
        for record in stream:
            now = first.respond(record % 2 == 1)
            answers.append((now, second.respond((record >= 2) != now)))
        return tuple(answers)

    two = IndependentCoins((Fraction(1, 5), Fraction(1, 2), Fraction(4, 5)), ONE, mirrors=2)
    one = IndependentCoins(two.chances, ONE)
    pairs = list(neighbours(range(4), 5, "replace-one"))
    audit = exact_joint(partial(run, two), pairs, 1.0, float(two.delta))
    assert audit.passed, str(audit)
    assert_rejected(exact_joint(partial(run, one), pairs, 1.0, float(one.delta)))


@pytest.mark.parametrize("length", [1, 2])
@pytest.mark.parametrize(
    ("epsilon", "delta"), [(ONE, Fraction(1, 4)), (4 * ONE, Fraction(1, 50)), (ONE / 10, ONE / 2)]
)
def test_sparse_selection_costs_what_it_says_when_one_list_changes(length, epsilon, delta):
    selection = SparseSelection.calibrated(epsilon, delta, length)
    lists = [(), ("x",), ("y",), ("z", "x"), ("x", "y"), ("y", "w")]
    audit = exact_mechanism(selection.select, neighbours(lists, 3, "replace-one"), float(epsilon), float(delta))
    assert audit.passed, str(audit)


def test_sparse_selection_spends_its_delta():
    """One list of new elements and no other: the bound on what vanishes is attained up to the total weight."""
    selection = SparseSelection.calibrated(ONE, Fraction(1, 100), 2)
    audit = exact_mechanism(selection.select, [(((),), (("x", "y"),))], 1.0, 0.01)
    assert audit.passed, str(audit)
    assert audit.slack < 0.02


@pytest.mark.parametrize("changed", [2, 3])
def test_sparse_selection_costs_what_it_says_when_several_lists_change(changed):
    """90-proofs 4, g lists: (2 a' g, g s e^{a' (g - tau)}), enforced."""
    selection = SparseSelection.calibrated(2 * ONE, Fraction(1, 4), 1, changed)
    choices = list(itertools.product([(), ("x",), ("y",), ("z",)], repeat=changed))
    pairs = [((*one, ("x",)), (*other, ("x",))) for one, other in itertools.combinations(choices, 2)]
    audit = exact_mechanism(selection.select, pairs, 2.0, 0.25)
    assert audit.passed, str(audit)


@pytest.mark.parametrize(("delay", "tolerance", "bound"), [(1, 1, 0), (1, 1, 1), (2, 1, 1), (2, 4, 1), (3, 1, 2)])
def test_replacement_costs_what_its_rule_says(delay, tolerance, bound):
    """For every delay and tolerance, also where the threshold is negative."""
    rule = ReplacementRule(
        delay, tolerance, TruncatedLaplace(ONE, bound), SingleSwitch.calibrated(ONE, Fraction(3, 10))
    )
    start = partial(Replacement, rule)
    audit = predictor_audit(start, 5, rule.epsilon, rule.delta)
    assert audit.passed, str(audit)


@pytest.mark.parametrize("delay", [6, 20])
def test_combine_costs_what_it_says(delay):
    delta = Fraction(1, 5)
    epsilon = Combine.epsilon_at(delay, delta)
    assert epsilon < 3
    audit = predictor_audit(partial(Combine, delay), 5, epsilon, delta)
    assert audit.passed, str(audit)


def test_neighbours_differ_in_one_round():
    for one, other in [((0, 1), (1, 0)), ((0,), (0,)), ((0, 0), (1,))]:
        with pytest.raises(ParameterError, match="other than one round"):
            exact_joint(lambda stream, source: stream, [(one, other)], 1.0)


# Faults.


def tampered(selection, **changes):
    for name, value in changes.items():
        object.__setattr__(selection, name, value)
    return selection


@pytest.mark.parametrize(
    "changes",
    [{"threshold": ONE}, {"length": 3}, {"epsilon": Fraction(5)}],
    ids=["bottom too light", "lists not cut", "rate too large"],
)
def test_sparse_selection_without_its_conditions_is_rejected(changes):
    """90-proofs 4: the weight of bottom must hide s vanishing elements, lists are cut to s, and a' is a / 2."""
    selection = SparseSelection.calibrated(2 * ONE, TENTH, 1)
    lists = [(), ("x",), ("y", "z", "w"), ("z",)]
    pairs = list(neighbours(lists, 3, "replace-one"))
    pairs.append(((("x",),) * 10 + (("y",),) * 10, (("x",),) * 9 + (("y",),) * 11))
    assert exact_mechanism(selection.select, pairs, 2.0, 0.1).passed
    assert_rejected(exact_mechanism(tampered(selection, **changes).select, pairs, 2.0, 0.1))


def test_several_lists_at_the_price_of_one_are_rejected():
    """90-proofs 4, g lists: a selection for one changed list, when two change."""
    pairs = [((("x",),) * 4, (("x",),) * 2 + (("y",),) * 2), (((),) * 2, (("x",),) * 2)]
    sound, faulty = (SparseSelection.calibrated(ONE, TENTH, 1, changed) for changed in (2, 1))
    assert exact_mechanism(sound.select, pairs, 1.0, 0.1).passed
    assert_rejected(exact_mechanism(faulty.select, pairs, 1.0, 0.1))


@dataclass(frozen=True)
class OneThreshold:
    """The fault: "now" from a place on that is uniform on 1, .., m, at the claim of the schedule that it replaces."""

    rounds: int
    epsilon: Fraction
    delta: Fraction

    def says_now(self, n, before, source):
        return before or source.bernoulli(Fraction(1, self.rounds - n + 1))


@pytest.mark.parametrize("epsilon", [ONE, Fraction(1, 2)])
def test_mirror_with_one_threshold_and_uniform_noise_is_rejected(epsilon):
    """90-proofs 3.4: the ends need masses below b; and below ln 2 no single switch hides the round it skips."""
    assert_rejected(mirror_audit(OneThreshold(6, epsilon, TENTH), 0, 8))


def test_a_switch_that_doubles_too_fast_is_rejected():
    """90-proofs 3.4: p_{j+1} <= (e^a - 1) p_j, not e^a p_j: the round that is skipped adds its mass to the next."""
    switch = SingleSwitch.calibrated(ONE, Fraction(1, 20))
    weights = [1, 2, 5, 13, 35, 13, 5, 2, 1]  # ratios up to e
    fast = OneThreshold(9, ONE, Fraction(1, 20))
    left = list(itertools.accumulate(reversed(weights)))[::-1]
    object.__setattr__(
        fast, "says_now", lambda n, before, source: before or source.bernoulli(Fraction(weights[n - 1], left[n - 1]))
    )
    assert mirror_audit(switch, 0, 8).passed
    assert_rejected(mirror_audit(fast, 0, 11))


def test_coins_with_a_step_that_is_too_large_are_rejected():
    """90-proofs 3.3: only certified sequences; here the middle coin is left out of a certified one."""
    coins = shaped_coins(2 * ONE, TENTH)
    fewer = IndependentCoins((*coins.chances[:2], *coins.chances[-2:]), coins.epsilon)
    assert fewer.delta > coins.delta
    object.__setattr__(fewer, "delta", coins.delta)
    assert_rejected(mirror_audit(fewer, 0, 6))


def test_joint_privacy_does_not_cover_the_answer_of_the_changed_round():
    """Definition of joint DP: with the changed round's own output left in, Mirror shows its activity bit."""
    schedule = SingleSwitch.calibrated(ONE, Fraction(1, 4))
    run, rounds = mirror_run(schedule, 0), schedule.rounds + 2
    pairs = list(neighbours((False, True), rounds, "replace-one"))
    assert exact_joint(run, pairs, 1.0, float(schedule.delta)).passed
    assert_rejected(exact_mechanism(run, pairs, 1.0, float(schedule.delta)))


@dataclass(frozen=True)
class AtOnce:
    """The fault: no delay at all, at the claim of the schedule that it replaces."""

    epsilon: Fraction
    delta: Fraction
    rounds: int = 0

    def says_now(self, n, before, source):
        raise AssertionError


def test_a_replacement_that_switches_at_once_is_rejected():
    """Lemma 12: without Mirror the round of the switch shows how many disagreements there were."""
    noise, schedule = TruncatedLaplace(ONE, 2), SingleSwitch.calibrated(ONE, Fraction(1, 4))
    sound, faulty = (
        ReplacementRule(2, 3, noise, chosen) for chosen in (schedule, AtOnce(schedule.epsilon, schedule.delta))
    )
    assert predictor_audit(partial(Replacement, sound), 5, sound.epsilon, sound.delta).passed
    assert_rejected(predictor_audit(partial(Replacement, faulty), 5, faulty.epsilon, faulty.delta))


@dataclass(frozen=True)
class NoNoise(TruncatedLaplace):
    """The fault: the threshold is compared with the count itself."""

    def draw(self, source):
        return 0


def test_a_replacement_without_acceptance_noise_is_rejected():
    """Lemma 12: acceptance is a released bit, and c changes by one."""
    schedule = SingleSwitch.calibrated(ONE, Fraction(1, 20))
    sound, faulty = (ReplacementRule(8, 4, noise, schedule) for noise in (TruncatedLaplace(ONE, 3), NoNoise(ONE, 3)))
    assert sound.threshold == 2
    # V is right once or twice while it is watched. The activity is the same, so that Mirror costs nothing.
    _, right, wrong = RECORDS
    rest = (*(wrong,) * 6, *(right,) * (schedule.rounds + 1))
    pairs = [((right, right, *rest), (wrong, right, *rest))]
    run = [partial(predictor_run, partial(Replacement, rule)) for rule in (sound, faulty)]
    epsilon, delta = float(sound.noise.epsilon), float(sound.noise.delta)
    assert exact_joint(run[0], pairs, epsilon, delta).passed
    assert_rejected(exact_joint(run[1], pairs, epsilon, delta))


def test_combine_with_a_delay_of_one_is_rejected():
    """Lemma 13: D keeps the chances of two neighbouring streams together."""
    delta = TENTH
    epsilon = Combine.epsilon_at(60, delta)
    assert epsilon < 0.6
    assert predictor_audit(partial(Combine, 60), 5, epsilon, delta).passed
    assert_rejected(predictor_audit(partial(Combine, 1), 5, epsilon, delta))
