"""Li and Ye's Algorithm 1 (90-proofs 1.2 and 1.7), audited exactly: every tiny stream, every neighbouring pair."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from both_views import audit_algorithm
from dartboards import BITS, HALVES, THREE_BITS, dartboard, equal

from reticent.experts import Dartboard
from reticent.mechanisms import DecayingRates, DworkRothNoise, LaplaceNoise, RedrawRates

RELATIONS = [("replace-one", 1), ("add-remove", 1), ("replace-one", 2), ("add-remove", 2)]
relations = pytest.mark.parametrize(("relation", "rounds_per_person"), RELATIONS)


def decaying(first: float, power: str, offset: int = 0) -> RedrawRates:
    return DecayingRates(Fraction(first), Fraction(power), offset)


#: eps1, eps2, tau, the redraws, and the noise or delta where they are not the usual ones.
SETTINGS: dict[str, tuple[tuple[float, float, float, RedrawRates], dict[str, Any]]] = {
    "one unit delay": ((1, 1, 1.0, equal(0.5, 3)), {}),
    "no delay": ((1, 0.5, 0.0, equal(1, 2)), {}),
    "V = 1, tau < 0": ((1, 1, -1.0, equal(0.5, 1)), {}),
    "V = 0": ((1, 1, 0.0, equal(0.5, 0)), {}),
    "checked every round": ((0.5, 1, -60.0, equal(1, 2)), {}),
    "eta > eps2": ((1, 0.25, 0.0, equal(2, 1)), {}),
    "eta >> eps2": ((0.125, 0.125, 0.0, equal(4, 2)), {}),
    "eta << eps2": ((1, 3, 0.0, equal(0.0625, 3)), {}),
    "Laplace noise": ((1, 1, 1.0, equal(1, 2)), {"noise": LaplaceNoise}),
    "Laplace noise, tau < 0": ((1, 0.5, -1.0, equal(2, 1)), {"noise": LaplaceNoise}),
    "the paper's noise": ((1, 1, 1.0, equal(1, 2)), {"noise": DworkRothNoise}),
    "large epsilon": ((8, 8, 1.0, equal(4, 2)), {}),
    "rates that decay": ((1, 1, 0.0, decaying(1, "3/2")), {}),
    "rates that decay, above eps2": ((0.5, 0.25, 0.0, decaying(3, "5/4", 2)), {}),
    "delta": ((1, 1, 0.0, equal(2, 3)), {"delta": 0.05}),
    "delta, rates that decay": ((1, 1, 0.0, decaying(2, "3/4")), {"delta": 0.05}),
}


@relations
@pytest.mark.parametrize("setting", SETTINGS)
def test_every_setting_keeps_its_promise(setting: str, relation: str, rounds_per_person: int) -> None:
    """Catches any leak above eps1 + max(eta, eps2) + Comp, in what is released and in what the proof releases."""
    numbers, options = SETTINGS[setting]
    algorithm = dartboard(*numbers, **options, relation=relation, rounds_per_person=rounds_per_person)
    for audit in audit_algorithm(algorithm, BITS, 3):
        assert audit.passed, str(audit)


@relations
def test_a_tiny_epsilon_is_kept(relation: str, rounds_per_person: int) -> None:
    """Catches a leak that a large epsilon would hide."""
    algorithm = dartboard(0.02, 0.02, 1.0, equal(1 / 64, 2), relation=relation, rounds_per_person=rounds_per_person)
    for audit in audit_algorithm(algorithm, BITS, 3, mass=1e-15):
        assert audit.passed, str(audit)


@pytest.mark.parametrize("relation", ["replace-one", "add-remove"])
def test_losses_between_the_ends_of_the_grid_keep_the_promise(relation: str) -> None:
    """Catches units of the grid that are mistaken for losses: three loss values on a grid of halves."""
    algorithm = dartboard(1, 1, 0.5, equal(1, 2), relation=relation, grid_bits=1)
    for audit in audit_algorithm(algorithm, HALVES, 3):
        assert audit.passed, str(audit)


@pytest.mark.parametrize("relation", ["replace-one", "add-remove"])
def test_three_experts_keep_the_promise(relation: str) -> None:
    """Catches a sensitivity that is right for two experts only."""
    algorithm = dartboard(1, 0.5, 0.5, equal(1, 2), n_experts=3, relation=relation)
    for audit in audit_algorithm(algorithm, THREE_BITS, 2):
        assert audit.passed, str(audit)


@pytest.mark.parametrize("relation", ["replace-one", "add-remove"])
def test_four_rounds_nearly_spend_the_promise(relation: str) -> None:
    """Catches a leak that needs a longer run, and an accounting that has become loose (or an audit that is blind)."""
    algorithm = dartboard(1, 0.5, 0.0, equal(2, 2), relation=relation)
    _, everything = audit_algorithm(algorithm, BITS, 4)
    assert everything.passed, str(everything)
    assert everything.log_ratio > 0.9 * everything.epsilon


@pytest.mark.parametrize("relation", ["replace-one", "add-remove"])
def test_delta_is_kept_where_it_is_needed(relation: str) -> None:
    """Catches a Comp_delta that is too small: a guard that always fires and a coin that always leaves, four draws."""
    algorithm = dartboard(0.05, 0.05, -400.0, equal(1, 4), delta=0.1, relation=relation)
    vectors = ((0.0, 0.0), (0.0, 1.0), (1.0, 0.0))
    choices, everything = audit_algorithm(algorithm, vectors, 4, mass=1e-15)
    assert choices.passed, str(choices)
    assert everything.passed, str(everything)
    assert everything.log_ratio > everything.epsilon  # pure differential privacy at this epsilon does not hold
    assert everything.delta_found > 0.05 * everything.delta


@relations
@pytest.mark.parametrize("delta", [0.0, 0.01])
@pytest.mark.parametrize("rule", ["tuned", "paper", "decaying"])
def test_the_rules_for_parameters_keep_the_promise(
    rule: str, delta: float, relation: str, rounds_per_person: int
) -> None:
    """Catches a tuning that spends more than epsilon."""
    algorithm = Dartboard(
        2,
        2.0,
        delta,
        horizon=3,
        expected_best_loss=1.0,
        parameters=rule,
        relation=relation,
        rounds_per_person=rounds_per_person,
        grid_bits=0,
    )
    for audit in audit_algorithm(algorithm, BITS, 3, mass=1e-18):
        assert audit.passed, str(audit)
