"""The lower bound for points at full length: what it forces on everything that the library calls private."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reticent.adversaries import PointAdversary
from reticent.errors import ParameterError
from reticent.games import attacks, play
from reticent.learning import SOALearner
from reticent.randomness import SeededSource

ROUNDS = 3**12
SETTING = attacks.Setting(ROUNDS, 0.01)

#: Enough for 95 % confidence; those that draw in every round take their time.
RUNS = {"points": 400, "private-hedge": 30, "tree-ftpl": 30}
POINT = attacks.attack("point")
POINTS = PointAdversary(ROUNDS).hypothesis_class


def learners():
    """All that the library offers at delta = 0, and why it does not offer the others."""
    offered, refused = {}, {}
    for name in POINT.opponents():
        try:
            offered[name] = attacks.make_learner(name, POINTS, SETTING)
        except ParameterError as error:
            refused[name] = str(error)
    return offered, refused


OFFERED, REFUSED = learners()
PRIVATE = [name for name, learner in OFFERED.items() if learner.privacy.private]


@pytest.mark.long
@pytest.mark.parametrize("name", PRIVATE)
def test_every_private_learner_makes_a_twelfth_of_a_mistake_a_stage(name):
    """Theorem 1 at epsilon = .01, delta = 0 and p = 1, T = 3^12: at least L / 12 = 1, with 95 % confidence."""
    setting = replace(SETTING, runs=RUNS.get(name, 100))
    outcome = POINT.prepare(name, setting)(SeededSource(12))
    assert outcome.privacy.epsilon <= 0.01
    assert outcome.privacy.delta == 0
    assert outcome.forced == 1.0
    assert outcome.suffered.at_least(0.95) > 1.0
    assert outcome.in_all.mean >= outcome.suffered.mean


def test_the_learner_that_is_not_private_makes_one():
    game = play(SOALearner(POINTS), PointAdversary(ROUNDS), runs=60, source=SeededSource(12))
    assert max(game.mistakes.values) == 1
    assert game.informative.mean > 3


def test_no_learner_is_left_out():
    """A learner that is neither played above, nor honest about its lack of privacy, nor in need of a delta."""
    assert {"points", "guarded-epochs", "private-hedge"} <= set(PRIVATE)
    assert set(OFFERED) - set(PRIVATE) == {"soa", "hedge"}
    for name, reason in REFUSED.items():
        assert "delta" in reason
        attacks.make_learner(name, POINTS, attacks.Setting(ROUNDS, 0.01, 1e-6))


def test_name_and_shame_with_a_small_delta_is_forced_as_well():
    """(0, delta)-private: with delta = 1e-6 the theorem still forces L / 12."""
    outcome = POINT.prepare("name-and-shame", attacks.Setting(ROUNDS, 0.01, 1e-6, runs=300))(SeededSource(12))
    assert outcome.forced == 1.0
    assert outcome.suffered.at_least(0.95) > 1.0


@pytest.mark.parametrize("name", attacks.attack_names())
def test_an_attack_refuses_a_learner_that_does_not_exist(name):
    with pytest.raises(ParameterError, match="'nobody'"):
        attacks.attack(name).prepare("nobody", attacks.Setting(81, 0.01))


def test_an_unknown_attack_is_refused_with_the_known_ones():
    with pytest.raises(ParameterError, match="point, block, tree"):
        attacks.attack("flood")


def test_a_delta_of_1_is_refused():
    with pytest.raises(ParameterError, match="delta is 1"):
        attacks.Setting(81, 0.01, 1.0)
