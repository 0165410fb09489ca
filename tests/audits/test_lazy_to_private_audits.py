"""LazyToPrivate, audited exactly; and faults planted in it, each rejected where the sound one passes."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from both_views import audit_algorithm
from dartboards import BITS, THREE_BITS, equal
from planted import assert_rejected, played_by

from reticent.experts import LazyParameters, LazyToPrivate
from reticent.experts.lazy_to_private import _Learner
from reticent.privacy import Neighbours
from reticent.randomness import IntArray, Source, enumerate_outcomes

FEW = ((0.0, 0.0), (0.0, 1.0), (1.0, 0.0))


def lazy(
    coin: float,
    rate: float | Fraction,
    cap: int,
    batch: int = 1,
    *,
    n_experts: int = 2,
    delta: float = 0.0,
    relation: str = "replace-one",
    rounds_per_person: int = 1,
    grid_bits: int = 0,
) -> LazyToPrivate:
    """One that promises what its parameters cost, and not more."""
    numbers = LazyParameters(Fraction(coin), batch, equal(rate, cap))
    options: dict[str, Any] = {"relation": relation, "rounds_per_person": rounds_per_person}
    price = math.nextafter(numbers.epsilon(delta, Neighbours(**options)), math.inf)
    return LazyToPrivate(n_experts, price, delta, parameters=numbers, grid_bits=grid_bits, **options)


@pytest.mark.parametrize(
    ("relation", "rounds_per_person"), [("replace-one", 1), ("add-remove", 1), ("replace-one", 2), ("add-remove", 2)]
)
@pytest.mark.parametrize(
    ("coin", "rate", "cap", "batch", "rounds"),
    [(1.0, 0.5, 2, 1, 3), (0.25, 2.0, 1, 1, 3), (0.02, 1.0, 3, 1, 2), (3.0, 0.5, 2, 1, 3), (0.5, 1.0, 2, 2, 4)],
    ids=["plain", "one redraw", "p near 1", "p = 0", "batches"],
)
def test_it_keeps_its_promise(
    coin: float, rate: float, cap: int, batch: int, rounds: int, relation: str, rounds_per_person: int
) -> None:
    """Catches a coin, a cap or a companion that costs more than was charged."""
    algorithm = lazy(coin, rate, cap, batch, relation=relation, rounds_per_person=rounds_per_person)
    vectors = BITS if rounds < 4 and rounds_per_person == 1 else FEW
    for audit in audit_algorithm(algorithm, vectors, rounds if rounds_per_person == 1 else min(rounds, 3)):
        assert audit.passed, str(audit)


@pytest.mark.parametrize("relation", ["replace-one", "add-remove"])
def test_it_keeps_its_promise_with_delta_with_three_experts_and_as_tuned(relation: str) -> None:
    """Catches a composition that is too cheap, and a tuning that overspends."""
    options: dict[str, Any] = {"relation": relation, "grid_bits": 0}
    for algorithm, vectors, rounds in (
        (lazy(0.05, 1.0, 4, delta=0.1, relation=relation), FEW, 3),
        (lazy(0.5, 1.0, 2, n_experts=3, relation=relation), THREE_BITS[1:4] + THREE_BITS[:1], 2),
        (lazy(0.5, 1.0, 2, relation=relation, grid_bits=1), FEW, 2),
        (LazyToPrivate(2, 3.0, horizon=3, expected_best_loss=0.1, **options), FEW, 3),
    ):
        for audit in audit_algorithm(algorithm, vectors, rounds):
            assert audit.passed, str(audit)


def test_most_of_the_promise_is_spent() -> None:
    """Catches an audit that is blind: the coin and the draw behind it."""
    audit = audit_algorithm(lazy(0.5, 2.0, 1), BITS, 3)[1]
    assert audit.log_ratio > 0.6 * audit.epsilon


@pytest.mark.parametrize("batch", [1, 2])
def test_choices_follow_multiplicative_weights(batch: int) -> None:
    """Catches a companion that does not cancel the normalisation, and weights that lag behind."""
    algorithm = lazy(0.5, 0.75, 50, batch)
    stream = np.array([[1, 0], [0, 1], [1, 0], [1, 0]], float)

    def last_choice(source: Source) -> int:
        learner = algorithm.start(source)
        for row in stream[: 2 + batch]:
            learner.update(row)
        return learner.choice

    law = enumerate_outcomes(last_choice).probabilities
    weights = np.exp(-0.75 * stream[: 2 + batch].sum(axis=0))
    assert law[0] == pytest.approx(weights[0] / weights.sum(), rel=1e-12)


class UncappedLearner(_Learner):
    def _end_batch(self, cumulative: IntArray) -> None:
        self._redraws = 0
        super()._end_batch(cumulative)
        self._redraws = 0


class UncountedLearner(_Learner):
    """Redraws of the companion are not counted."""

    def _end_batch(self, cumulative: IntArray) -> None:
        before, companion = self._redraws, self._companion_patience < 0
        super()._end_batch(cumulative)
        self._redraws = max(before, self._redraws - companion)


class UnforcedLearner(_Learner):
    """Charges x nothing for a batch but the losses: the coin would need probabilities above 1, and is cut off."""

    @property
    def _fixed(self) -> int:
        return 0


class SharpLearner(_Learner):
    """Draws with twice the rate that is paid for."""

    def _end_batch(self, cumulative: IntArray) -> None:
        super()._end_batch(2 * cumulative)


@pytest.mark.parametrize("learner", [UncappedLearner, UncountedLearner, SharpLearner])
def test_the_draws_are_those_that_are_paid_for(learner: type[_Learner]) -> None:
    """Theorem 5: K draws of x and y together, at the rate eta."""
    sound = lazy(0.05, 2.0, 1)
    assert_rejected(played_by(learner, sound), sound, FEW, 3)


def test_leaving_is_forced_now_and_then() -> None:
    """Theorem 5: without the charge of 2 B + r0 only losses make x leave."""
    sound = lazy(0.5, 0.5, 2)
    assert_rejected(played_by(UnforcedLearner, sound), sound, FEW, 2)
