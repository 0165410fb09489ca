"""Learners with one hypothesis of their proof broken: each must be rejected, or the audit would not see it either."""

import math
from fractions import Fraction
from functools import partial

import pytest

from reticent.audit import exact_mechanism
from reticent.audit.shipped.learners import audit_learner, learner_audits, seen_of
from reticent.classes import Points, Thresholds
from reticent.experts import PrivateHedge
from reticent.learning import HypothesisExperts, NameAndShameLearner, PointLearner
from reticent.learning.hypothesis_experts import HypothesisExpertsState
from reticent.learning.points import ALL_ZERO, PointLearnerState, _hypothesis
from reticent.mechanisms import OneSidedNoise, exponential_mechanism

ROWS = {(row.name, row.setting): row for row in learner_audits()}


@pytest.mark.parametrize("row", ROWS.values(), ids=[f"{name}: {setting}" for name, setting in ROWS])
def test_the_learners_that_ship_pass(row):
    assert row.run().passed


@pytest.mark.parametrize(
    ("setting", "least"),
    [("as shipped", 0.94), ("sharp", 0.999), ("watchful", 0.98), ("drawing", 0.97)],
)
def test_the_theorem_is_nearly_attained(setting, least):
    """Catches a proof that gives too much away, and an audit whose parameters test nothing."""
    audit = ROWS["point-learner", setting].run()
    assert audit.log_ratio >= least * audit.epsilon


def sharp(**changes):
    return PointLearner(Points(2), 16.0, **{"delay": 1, "loyalty": 0.0, **changes})


def rejected(algorithm, rounds=3, changed=1):
    return not audit_learner(algorithm, rounds, changed).passed


def test_lemma_2_needs_noise_on_the_queries(monkeypatch):
    monkeypatch.setattr(OneSidedNoise, "exceeds", lambda self, source, gap: gap <= 0)
    assert rejected(PointLearner(Points(2), 1.0, delay=1))


def test_lemma_2_needs_noise_on_the_threshold(monkeypatch):
    monkeypatch.setattr(OneSidedNoise, "draw_threshold", lambda self, source: 0)
    assert rejected(sharp())


def test_lemma_3_needs_the_floor(monkeypatch):
    """A first vote would lift a point from nothing."""
    monkeypatch.setattr(PointLearner, "floor_units", 0)
    assert rejected(PointLearner(Points(2), 2.0, delay=0, loyalty=0.0))


def test_lemma_3_needs_all_of_the_floor(monkeypatch):
    """A hundredth of the least weight less already shows."""
    floor = sharp().floor_units / (1 << 20)
    less = floor - math.log(1 / 0.9) / 8.0
    monkeypatch.setattr(PointLearner, "floor_units", math.ceil(less * (1 << 20)))
    assert rejected(PointLearner(Points(2), 16.0, delay=-60, loyalty=0.0, watch_share=0.001))


def test_lemma_4_doubled_rate(monkeypatch):
    def draw(source, losses, rate, units):
        return exponential_mechanism(source, losses, 2 * rate, units)

    monkeypatch.setattr("reticent.learning.points.exponential_mechanism", draw)
    assert rejected(sharp())


def test_the_theorem_does_not_allow_the_whole_rest_for_the_draw(monkeypatch):
    """The price is max(2 eta, eps1 + eta), not eps1 + eta."""
    monkeypatch.setattr(PointLearner, "eta", property(lambda self: Fraction(self.epsilon) - self.watch_epsilon))
    assert rejected(PointLearner(Points(2), 24.0, watch_share=0.125, delay=2, loyalty=0.0))


def test_lemma_1_needs_phases_that_forget_their_votes(monkeypatch):
    """A second guard without a budget: the record is seen by two draws."""

    def begin(self):
        kept = getattr(self, "_votes", {})
        original(self)
        self._votes = kept

    original = PointLearnerState._begin
    monkeypatch.setattr(PointLearnerState, "_begin", begin)
    assert rejected(PointLearner(Points(2), 4.0, delay=-60, loyalty=0.0))


def test_votes_only_with_mistakes(monkeypatch):
    """A positive example that the hypothesis gets right has no vote: it would move a vote and a mistake."""

    def observe(self, x, y):
        mistake = self._hypothesis(x) != y
        if mistake or y:
            better = _hypothesis(x) if y else ALL_ZERO
            self._votes[better] = self._votes.get(better, 0) + 1
        if self._watch.add(int(mistake)):
            self._end()

    monkeypatch.setattr(PointLearnerState, "_observe", observe)
    one, other = ([(0, True)] * 3 + [(0, y)] for y in (False, True))
    audit = exact_mechanism(partial(seen_of, sharp()), [(tuple(one), tuple(other))], 16.0)
    assert audit.log_ratio > 23.9  # eps1 + 2 eta = 24


def test_two_rounds_a_person_need_twice_the_noise():
    class Forgetful(PointLearner):
        @property
        def privacy(self):
            return PointLearner(Points(2), self.epsilon, rounds_per_person=2).privacy

    assert rejected(Forgetful(Points(2), 16.0, delay=1, loyalty=0.0), changed=2)


def test_experts_must_not_learn_from_earlier_rounds(monkeypatch):
    """A hypothesis that errs on for good once it has erred carries all earlier rounds along."""

    def observe(self, x, y):
        self._erred = (self._labels_of(x) != y) | getattr(self, "_erred", False)
        self._chooser.update(self._erred)
        self._hypothesis = self._hypotheses[self._chooser.choice]

    hedge = partial(PrivateHedge, grid_bits=0)
    algorithm = HypothesisExperts(Thresholds(2), 20.0, horizon=4, algorithm=hedge)
    assert not rejected(algorithm, rounds=4)
    monkeypatch.setattr(HypothesisExpertsState, "_observe", observe)
    assert rejected(algorithm, rounds=4)


def test_name_and_shame_publishes_no_more_than_it_says(monkeypatch):
    monkeypatch.setattr(NameAndShameLearner, "gamma", Fraction(1, 8))
    assert rejected(NameAndShameLearner(Points(3), 0.1))
