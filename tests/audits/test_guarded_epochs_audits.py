"""The default algorithm, audited exactly on every tiny stream: epsilon = eps_guard + eps_rate + eps_selection."""

from __future__ import annotations

from typing import Any

import pytest
from dartboards import BITS, HALVES, THREE_BITS
from exact import audit_algorithm

from reticent.experts import GuardedEpochs

relations = pytest.mark.parametrize(
    ("relation", "rounds_per_person"), [("replace-one", 1), ("add-remove", 1), ("replace-one", 2), ("add-remove", 2)]
)


def guarded(
    epsilon: float, guard_share: float, rate_share: float, first_epoch: int, n_experts: int = 2, **options: Any
) -> GuardedEpochs:
    return GuardedEpochs(
        n_experts,
        epsilon,
        guard_share=guard_share,
        rate_share=rate_share,
        first_epoch=first_epoch,
        **{"grid_bits": 0, **options},
    )


@relations
@pytest.mark.parametrize(
    "numbers",
    [(24.0, 0.25, 0.5, 1), (12.0, 0.25, 0.5, 2), (10.0, 0.005, 0.99, 2), (24.0, 0.6, 0.3, 2), (80.0, 0.05, 0.15, 1)],
    ids=[
        "an epoch ends after every round but the last",
        "an epoch ends after round 2",
        "tiny eps_guard and eps_selection",
        "a sharp guard",
        "sharp selections",
    ],
)
def test_every_setting_keeps_its_promise(
    numbers: tuple[float, float, float, int], relation: str, rounds_per_person: int
) -> None:
    """Catches any leak of the guard, the measured rate or the selections, alone or together."""
    algorithm = guarded(*numbers, relation=relation, rounds_per_person=rounds_per_person)
    for audit in audit_algorithm(algorithm, BITS, 3, mass=1e-16):
        assert audit.passed, audit


@pytest.mark.long
@pytest.mark.parametrize("relation", ["replace-one", "add-remove"])
def test_a_small_epsilon_is_kept(relation: str) -> None:
    """Catches a leak that a large epsilon would hide; the noise of the measured rate has many values then."""
    for audit in audit_algorithm(guarded(1.0, 0.3, 0.4, 2, relation=relation), BITS, 3, mass=1e-9):
        assert audit.passed, audit


@pytest.mark.long
@pytest.mark.parametrize("relation", ["replace-one", "add-remove"])
def test_four_rounds_nearly_spend_the_promise(relation: str) -> None:
    """Catches a leak that needs two epochs, and an accounting that has become loose (or an audit that is blind)."""
    vectors = ((0.0, 0.0), (0.0, 1.0), (1.0, 0.0))
    _, everything = audit_algorithm(guarded(24.0, 0.5, 0.4, 2, relation=relation), vectors, 4, mass=1e-16)
    assert everything.passed, everything
    assert everything.log_ratio > 0.9 * everything.epsilon


@pytest.mark.parametrize("relation", ["replace-one", "add-remove"])
def test_three_experts_keep_the_promise(relation: str) -> None:
    """Catches a sensitivity that is right for two experts only."""
    for audit in audit_algorithm(guarded(24.0, 0.25, 0.5, 1, 3, relation=relation), THREE_BITS, 2, mass=1e-16):
        assert audit.passed, audit


@pytest.mark.parametrize("relation", ["replace-one", "add-remove"])
def test_losses_between_the_ends_of_the_grid_keep_the_promise(relation: str) -> None:
    """Catches units of the grid that are mistaken for losses: three loss values on a grid of halves."""
    for audit in audit_algorithm(guarded(24.0, 0.25, 0.5, 1, relation=relation, grid_bits=1), HALVES, 2, mass=1e-12):
        assert audit.passed, audit


@pytest.mark.parametrize("relation", ["replace-one", "add-remove"])
@pytest.mark.parametrize("rounds_per_person", [1, 3])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 7.0])
def test_the_weights_of_one_round_cost_at_most_the_share_of_the_selections(
    epsilon: float, rounds_per_person: int, relation: str
) -> None:
    """Catches weights that add up to more than is paid for, at any length class (claim c of the proof)."""
    algorithm = GuardedEpochs(5, epsilon, relation=relation, rounds_per_person=rounds_per_person)
    weights = algorithm.selection_weights
    assert weights.min() >= 0
    price = algorithm.selection_rate * int(weights.sum(axis=1).max()) * algorithm.neighbours.score_range
    assert price <= algorithm.selection_epsilon
    assert algorithm.guard_epsilon + algorithm.rate_epsilon + algorithm.selection_epsilon == algorithm.epsilon
