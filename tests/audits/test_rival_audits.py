"""Doubling, SparseVectorExperts, ScheduledHedge and PrivateHedge, audited exactly."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest
from both_views import audit_algorithm
from dartboards import BITS, THREE_BITS, equal

from reticent.experts import (
    DartboardParameters,
    Doubling,
    EveryRounds,
    GeometricTimes,
    PrivateHedge,
    ScheduledHedge,
    SparseVectorExperts,
)

relations = pytest.mark.parametrize(
    ("relation", "rounds_per_person"), [("replace-one", 1), ("add-remove", 1), ("replace-one", 2), ("add-remove", 2)]
)


@dataclass(frozen=True)
class ShortPhases(Doubling):
    """Doubling with given public numbers in place of tuned ones, so that a phase can end after a round or two."""

    eps1: Fraction = Fraction(1)
    eps2: Fraction = Fraction(1, 2)
    delay: float = 0.0
    rate: Fraction = Fraction(1)
    cap: int = 1
    threshold: float = 1.0

    def phase(self, number: int) -> DartboardParameters:
        return DartboardParameters(self.eps1, self.eps2, self.delay, equal(self.rate, self.cap))

    def phase_threshold(self, number: int) -> float:
        return self.threshold * (number + 1)


def short_phases(relation: str, rounds_per_person: int, **numbers: Any) -> ShortPhases:
    """One that promises exactly what a phase and the detector cost."""
    options: dict[str, Any] = {
        "relation": relation,
        "rounds_per_person": rounds_per_person,
        "grid_bits": 0,
        **numbers,
    }
    probe = ShortPhases(2, 1.0, **options)
    phase = probe.phase(0).epsilon(0.0, probe.neighbours) * rounds_per_person
    detector = 2.0
    return ShortPhases(2, phase + detector, detector_share=detector / (phase + detector), **options)


@pytest.mark.parametrize(
    ("relation", "rounds_per_person"), [("replace-one", 1), ("add-remove", 1), ("replace-one", 2)]
)
@pytest.mark.parametrize(
    "numbers",
    [
        {},
        {"cap": 2, "threshold": -2.0},
        {"cap": 3, "threshold": 0.5, "delay": -3.0},
        {"rate": Fraction(3), "eps2": Fraction(1, 8), "threshold": 2.0},
    ],
    ids=["one redraw a phase", "a hasty detector", "checked every round", "eta > eps2"],
)
def test_doubling_keeps_its_promise_across_phases(
    numbers: dict[str, Any], relation: str, rounds_per_person: int
) -> None:
    """Catches a phase that reads another phase's rounds, and a detector that pays twice."""
    vectors = ((0.0, 0.0), (0.0, 1.0), (1.0, 0.0))
    for audit in audit_algorithm(short_phases(relation, rounds_per_person, **numbers), vectors, 3):
        assert audit.passed, str(audit)


@relations
@pytest.mark.parametrize("delta", [0.0, 0.01])
def test_doubling_as_tuned_keeps_its_promise(delta: float, relation: str, rounds_per_person: int) -> None:
    """Catches a tuning of the phases that spends more than epsilon."""
    algorithm = Doubling(
        2,
        30.0,
        delta,
        horizon=3,
        first_best_loss=0.01,
        patience=1.0,
        relation=relation,
        rounds_per_person=rounds_per_person,
        grid_bits=0,
    )
    for audit in audit_algorithm(algorithm, BITS, 2):
        assert audit.passed, str(audit)


@relations
@pytest.mark.parametrize(
    ("epsilon", "delta", "redraws", "delay", "share"),
    [(3.0, 0.0, 2, 1.0, 0.3), (3.0, 0.0, 1, -1.0, 0.5), (20.0, 0.0, 3, 0.0, 0.2), (2.0, 0.05, 3, 0.0, 0.3)],
    ids=["usual", "K = 1, tau < 0", "large epsilon", "delta"],
)
def test_sparse_vector_experts_keep_their_promise(
    epsilon: float, delta: float, redraws: int, delay: float, share: float, relation: str, rounds_per_person: int
) -> None:
    """Catches a cap that is not enforced, and noise that is too small."""
    algorithm = SparseVectorExperts(
        2,
        epsilon,
        delta,
        redraws=redraws,
        delay=delay,
        threshold_share=share,
        relation=relation,
        rounds_per_person=rounds_per_person,
        grid_bits=0,
    )
    for audit in audit_algorithm(algorithm, BITS, 3):
        assert audit.passed, str(audit)


@relations
@pytest.mark.parametrize("epsilon", [0.05, 1.0, 30.0])
def test_private_hedge_keeps_its_promise(epsilon: float, relation: str, rounds_per_person: int) -> None:
    """Catches a draw too many, also past the horizon."""
    algorithm = PrivateHedge(
        2, epsilon, horizon=4, relation=relation, rounds_per_person=rounds_per_person, grid_bits=0
    )
    choices, everything = audit_algorithm(algorithm, BITS, 4)
    assert choices.passed, str(choices)
    assert everything.passed, str(everything)
    assert everything.log_ratio == pytest.approx(choices.log_ratio)


@pytest.mark.parametrize("relation", ["replace-one", "add-remove"])
def test_private_hedge_spends_nearly_all_of_a_large_epsilon(relation: str) -> None:
    """Catches an audit that is blind: far behind, each draw of an expert moves by its whole range."""
    algorithm = PrivateHedge(2, 60.0, horizon=4, relation=relation, grid_bits=0)
    assert audit_algorithm(algorithm, BITS, 4)[0].log_ratio > 0.75 * 60.0


@relations
@pytest.mark.parametrize("delta", [0.02, 0.1, 0.3])
def test_private_hedge_keeps_its_promise_with_delta(delta: float, relation: str, rounds_per_person: int) -> None:
    """Catches a composition that is too cheap: here epsilon alone would not do."""
    algorithm = PrivateHedge(
        2, 1.5, delta, horizon=5, relation=relation, rounds_per_person=rounds_per_person, grid_bits=0
    )
    choices, everything = audit_algorithm(algorithm, BITS, 4)
    assert choices.passed, str(choices)
    assert everything.passed, str(everything)
    if rounds_per_person == 1:  # two differing rounds are accounted as if all four draws saw both
        assert choices.log_ratio > choices.epsilon
        assert choices.delta_found > 0.8 * delta


@relations
@pytest.mark.parametrize(
    "schedule", [EveryRounds(1), EveryRounds(2), GeometricTimes(), GeometricTimes(3.0, 2)], ids=str
)
@pytest.mark.parametrize("delta", [0.0, 0.1])
def test_scheduled_hedge_keeps_its_promise(
    schedule: Any, delta: float, relation: str, rounds_per_person: int
) -> None:
    """Catches a draw outside the schedule, and one that is not counted."""
    algorithm = ScheduledHedge(
        2,
        2.0,
        delta,
        horizon=4,
        schedule=schedule,
        relation=relation,
        rounds_per_person=rounds_per_person,
        grid_bits=0,
    )
    for audit in audit_algorithm(algorithm, BITS, 4):
        assert audit.passed, str(audit)


@pytest.mark.parametrize("relation", ["replace-one", "add-remove"])
def test_three_experts_keep_the_promise(relation: str) -> None:
    """Catches a sensitivity that is right for two experts only."""
    options: dict[str, Any] = {"relation": relation, "grid_bits": 0}
    for algorithm in (
        PrivateHedge(3, 2.0, horizon=3, **options),
        ScheduledHedge(3, 2.0, 0.1, horizon=3, schedule=EveryRounds(1), **options),
        SparseVectorExperts(3, 3.0, redraws=2, delay=0.0, **options),
    ):
        for audit in audit_algorithm(algorithm, THREE_BITS, 2):
            assert audit.passed, str(audit)
