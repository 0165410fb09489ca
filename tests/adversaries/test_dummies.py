"""Would catch: an amplified learner that feeds its inner one more than it says, and a promise that is too small."""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticent.adversaries import AmplifiedByDummies, amplify_by_dummies
from reticent.adversaries.dummies import AmplifiedByDummiesState
from reticent.audit.shipped.learners import audit_learner
from reticent.classes import Points, Thresholds
from reticent.errors import InputError, ParameterError
from reticent.experts import GuardedEpochs
from reticent.learning import (
    HypothesisExperts,
    NameAndShameLearner,
    OnlineLearningAlgorithm,
    PointLearner,
    SOALearner,
)
from reticent.privacy import Neighbours, PrivacyStatement
from reticent.randomness import SeededSource

POINTS = PointLearner(Points(2), 1.0, horizon=1)
SHAME = NameAndShameLearner(Points(2), 0.5)


class Twice(AmplifiedByDummies):
    """The same record enters with probability 2 gamma."""

    def _start(self, source):
        state = AmplifiedByDummiesState(self, source)
        state._gamma = 2 * state._gamma
        return state


@pytest.mark.parametrize(("inner", "gamma"), [(POINTS, 0.25), (SHAME, 0.5)])
def test_a_record_that_enters_twice_as_often_is_rejected(inner, gamma):
    assert audit_learner(amplify_by_dummies(inner, gamma, (1, False)), 2).passed
    assert not audit_learner(Twice(inner, gamma, (1, False)), 2).passed


def test_the_dummy_must_be_fed_and_not_a_round_be_left_out(monkeypatch):
    """A learner that is not updated shows in its count of rounds; here it shows in the inner one's."""
    learner = amplify_by_dummies(POINTS, 0.5, (1, False)).start(SeededSource(1))
    for _ in range(20):
        learner.update(0, True)
    assert learner.rounds == learner._inner.rounds == 20


@dataclass(frozen=True)
class Promising(OnlineLearningAlgorithm):
    """It promises what it is told."""

    epsilon: float
    delta: float

    @property
    def privacy(self):
        return PrivacyStatement(self.epsilon, self.delta, Neighbours())

    def _start(self, source):
        raise NotImplementedError


@given(epsilon=st.floats(1e-9, 800.0), gamma=st.fractions(Fraction(1, 10**6), 1), delta=st.floats(0, 0.99))
def test_the_promise_is_the_propositions_rounded_up(epsilon, gamma, delta):
    inner = Promising(Points(3), epsilon, delta)
    promise = amplify_by_dummies(inner, gamma, (2, False)).privacy
    assert Fraction(promise.delta) >= gamma * Fraction(delta)
    assert promise.delta == pytest.approx(float(gamma) * delta, rel=1e-12)
    if epsilon < 700:
        exact = math.log1p(float(gamma) * math.expm1(epsilon))
        assert exact * (1 - 1e-15) <= promise.epsilon <= exact * (1 + 1e-12)
    assert promise.epsilon <= epsilon


def test_two_rounds_a_person():
    inner = NameAndShameLearner(Points(2), 0.5, rounds_per_person=2)
    promise = amplify_by_dummies(inner, 0.5, (1, False)).privacy
    assert promise.neighbours.rounds_per_person == 2
    assert 0.375 <= promise.delta < 0.375 + 1e-12  # some of two records is kept with probability 3/4


def test_the_statement_says_what_the_inner_one_says():
    inner = HypothesisExperts(Thresholds(5), 1.0)
    promise = amplify_by_dummies(inner, 0.125, (1, False)).privacy
    assert (promise.adaptive, promise.released, promise.assumption) == (
        inner.privacy.adaptive,
        inner.privacy.released,
        inner.privacy.assumption,
    )
    assert promise.private
    learner = amplify_by_dummies(inner, 0.125, (1, False)).start(SeededSource(1))
    assert not learner.privacy.private


def test_without_privacy_inside_there_is_none_outside():
    assert not amplify_by_dummies(SOALearner(Points(3)), 0.1, (2, False)).privacy.private


def test_gamma_1_changes_nothing():
    learner, plain = (a.start(SeededSource(5)) for a in (amplify_by_dummies(SHAME, 1, (1, False)), SHAME))
    assert learner.privacy.delta == plain.privacy.delta
    for k in range(20):
        learner.update(k % 2, k % 2)
    assert isinstance(learner.hypothesis, type(plain.hypothesis))


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ((POINTS, 0, (1, False)), "gamma"),
        ((POINTS, 1.5, (1, False)), "gamma"),
        ((POINTS, math.nan, (1, False)), "gamma"),
        ((POINTS, True, (1, False)), "gamma"),
        ((POINTS, 0.5, 1), "dummy"),
        ((POINTS.start(SeededSource(1)), 0.5, (1, False)), "learner"),
        (
            (
                HypothesisExperts(Points(2), 1.0, algorithm=partial(GuardedEpochs, relation="add-remove")),
                0.5,
                (1, False),
            ),
            "replace-one",
        ),
    ],
)
def test_bad_arguments_give_one_sentence(arguments, named):
    with pytest.raises(ParameterError, match=named):
        amplify_by_dummies(*arguments)


def test_a_dummy_that_is_no_example_is_refused():
    with pytest.raises(InputError):
        amplify_by_dummies(POINTS, 0.5, (7, False))
