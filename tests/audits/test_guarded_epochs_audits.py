"""The default algorithm, audited exactly on every tiny stream: epsilon = eps_guard + eps_rate + eps_selection."""

from __future__ import annotations

from typing import Any

import pytest
from both_views import audit_algorithm
from dartboards import BITS

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


both = pytest.mark.parametrize("relation", ["replace-one", "add-remove"])


@relations
@pytest.mark.parametrize(
    "numbers",
    [(36.0, 0.2, 0.7, 1), (24.0, 0.2, 0.6, 2), (20.0, 0.005, 0.99, 2), (36.0, 0.5, 0.4, 2)],
    ids=["two epochs", "one epoch", "tiny eps_guard and eps_selection", "a sharp guard"],
)
def test_every_setting_keeps_its_promise(
    numbers: tuple[float, float, float, int], relation: str, rounds_per_person: int
) -> None:
    """Catches any leak of the guard, the measured rate or the selections, alone or together."""
    algorithm = guarded(*numbers, relation=relation, rounds_per_person=rounds_per_person)
    for audit in audit_algorithm(algorithm, BITS, 3, mass=1e-20):
        assert audit.passed, str(audit)


@relations
@pytest.mark.parametrize("epsilon", [0.05, 2.0, 50.0])
@pytest.mark.parametrize("guard_share", [0.2, 0.9])
def test_the_guard_and_the_selections_keep_the_promise_without_an_epoch(
    guard_share: float, epsilon: float, relation: str, rounds_per_person: int
) -> None:
    """Catches a leak at any epsilon: the first epoch is longer than the stream, and only firings select."""
    algorithm = guarded(epsilon, guard_share, 0.05, 8, relation=relation, rounds_per_person=rounds_per_person)
    for audit in audit_algorithm(algorithm, BITS, 3, mass=1e-15 if epsilon < 1 else 1e-40):
        assert audit.passed, str(audit)


@both
def test_sharp_selections_keep_the_promise(relation: str) -> None:
    """Catches weights that count a round too often."""
    for audit in audit_algorithm(guarded(100.0, 0.05, 0.2, 1, relation=relation), BITS, 3, mass=1e-30):
        assert audit.passed, str(audit)


@both
def test_a_small_epsilon_is_kept(relation: str) -> None:
    """Catches a leak that a large epsilon would hide; the noise of the measured rate has many values then."""
    vectors = ((0.0, 0.0), (0.0, 1.0), (1.0, 0.0))
    for audit in audit_algorithm(guarded(2.0, 0.3, 0.4, 2, relation=relation), vectors, 3, mass=1e-9):
        assert audit.passed, str(audit)


@relations
@pytest.mark.parametrize("epsilon", [0.1, 1.0])
@pytest.mark.parametrize("first_epoch", [1, 2])
def test_the_shares_as_shipped_keep_the_promise(
    first_epoch: int, epsilon: float, relation: str, rounds_per_person: int
) -> None:
    """Catches a leak that only the default's own shares of a usual epsilon would show."""
    algorithm = GuardedEpochs(
        2, epsilon, first_epoch=first_epoch, grid_bits=0, relation=relation, rounds_per_person=rounds_per_person
    )
    for audit in audit_algorithm(algorithm, BITS, 3, mass=1e-12):
        assert audit.passed, str(audit)


@both
def test_the_promise_is_nearly_spent(relation: str) -> None:
    """Catches an accounting that has become loose, or an audit that is blind."""
    _, everything = audit_algorithm(guarded(36.0, 0.5, 0.4, 2, relation=relation), BITS, 3, mass=1e-20)
    assert everything.log_ratio > 0.9 * everything.epsilon


@both
def test_three_experts_keep_the_promise(relation: str) -> None:
    """Catches a sensitivity that is right for two experts only."""
    vectors = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 1.0), (1.0, 1.0, 1.0))
    for audit in audit_algorithm(guarded(36.0, 0.2, 0.6, 1, 3, relation=relation), vectors, 3, mass=1e-20):
        assert audit.passed, str(audit)


@both
def test_losses_between_the_ends_of_the_grid_keep_the_promise(relation: str) -> None:
    """Catches units of the grid that are mistaken for losses: three loss values on a grid of halves."""
    vectors = ((0.0, 0.0), (0.0, 0.5), (0.5, 1.0), (1.0, 0.0))
    algorithm = guarded(48.0, 0.2, 0.6, 2, relation=relation, grid_bits=1)
    for audit in audit_algorithm(algorithm, vectors, 3, mass=1e-20):
        assert audit.passed, str(audit)


@both
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
