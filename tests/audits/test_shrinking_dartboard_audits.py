"""ShrinkingDartboard, audited exactly; and faults planted in it, each rejected where the sound one passes."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from both_views import audit_algorithm
from dartboards import BITS, HALVES, THREE_BITS, equal
from planted import assert_rejected, played_by

from reticent.audit import exact_streams
from reticent.audit.stream_laws import stream_laws
from reticent.experts import ShrinkingDartboard, ShrinkingParameters
from reticent.experts.shrinking_dartboard import _Learner
from reticent.mechanisms import BatchCoin
from reticent.privacy import Neighbours
from reticent.randomness import IntArray, SeededSource, Source, enumerate_outcomes

relations = pytest.mark.parametrize(
    ("relation", "rounds_per_person"), [("replace-one", 1), ("add-remove", 1), ("replace-one", 2), ("add-remove", 2)]
)


def shrinking(
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
    kind: type[ShrinkingDartboard] = ShrinkingDartboard,
) -> ShrinkingDartboard:
    """One that promises what its parameters cost, and not more."""
    numbers = ShrinkingParameters(Fraction(coin), batch, equal(rate, cap))
    options: dict[str, Any] = {"relation": relation, "rounds_per_person": rounds_per_person}
    price = math.nextafter(numbers.epsilon(delta, Neighbours(**options)), math.inf)
    return kind(n_experts, price, delta, parameters=numbers, grid_bits=grid_bits, **options)


SETTINGS = {
    "plain": (1.0, 0.5, 2, 1),
    "one redraw": (0.5, 4.0, 1, 1),
    "p near 0": (3.0, 0.125, 2, 1),
    "p near 1": (0.05, 3.0, 3, 1),
    "batches": (0.5, 1.0, 2, 2),
    "large eta, batches": (0.25, 4.0, 1, 2),
}


@relations
@pytest.mark.parametrize("setting", SETTINGS)
def test_it_keeps_its_promise(setting: str, relation: str, rounds_per_person: int) -> None:
    """Catches a coin, a cap or a batch that costs more than was charged."""
    coin, rate, cap, batch = SETTINGS[setting]
    algorithm = shrinking(coin, rate, cap, batch, relation=relation, rounds_per_person=rounds_per_person)
    for audit in audit_algorithm(algorithm, BITS, 4 if batch > 1 and rounds_per_person == 1 else 3):
        assert audit.passed, str(audit)


@pytest.mark.parametrize("relation", ["replace-one", "add-remove"])
def test_it_keeps_its_promise_with_delta_on_a_finer_grid_and_as_tuned(relation: str) -> None:
    """Catches a rate for the wrong unit, a composition that is too cheap, and a tuning that overspends."""
    options: dict[str, Any] = {"relation": relation, "grid_bits": 0}
    for algorithm, vectors, rounds in (
        (shrinking(0.05, 1.0, 4, delta=0.1, relation=relation), BITS, 4),
        (shrinking(0.5, 1.0, 2, relation=relation, grid_bits=1), HALVES, 2),
        (shrinking(0.5, 2.0, 2, n_experts=3, relation=relation), THREE_BITS, 2),
        (ShrinkingDartboard(2, 3.0, horizon=3, expected_best_loss=0.1, **options), BITS, 3),
        (ShrinkingDartboard(2, 2.0, 0.05, horizon=4, **options), BITS, 4),
    ):
        for audit in audit_algorithm(algorithm, vectors, rounds):
            assert audit.passed, str(audit)


def test_most_of_the_promise_is_spent() -> None:
    """Catches an audit that is blind: a record moves the coin and the draw behind it."""
    seen = audit_algorithm(shrinking(1.0, 1.0, 1), BITS, 3)[1]
    assert seen.log_ratio > 0.9 * seen.epsilon


@pytest.mark.parametrize("batch", [1, 2])
def test_choices_follow_multiplicative_weights(batch: int) -> None:
    """Marginal lemma: catches weights that lag behind, and a coin that is not the ratio of weights."""
    algorithm = shrinking(0.5, 0.75, 50, batch, n_experts=3)
    stream = np.array([[1, 0, 0], [0, 1, 0], [1, 1, 0], [1, 0, 0]], float)

    def last_choice(source: Source) -> int:
        learner = algorithm.start(source)
        for row in stream:
            learner.update(row)
        return learner.choice

    law = enumerate_outcomes(last_choice).probabilities
    weights = np.exp(-0.75 * stream.sum(axis=0))
    for expert in range(3):
        assert law[expert] == pytest.approx(weights[expert] / weights.sum(), rel=1e-12)


def test_one_draw_decides_like_independent_coins() -> None:
    """Catches coins that are not independent, and a charge that is forgotten in some batch."""
    losses, charge, rate = (1, 0, 2, 0, 0, 3), 2, Fraction(1, 5)

    def first_leave(source: Source) -> int:
        coin = BatchCoin(2, charge, rate, source)
        return next((t for t, loss in enumerate(losses) if coin.add(loss)), 6)

    law = enumerate_outcomes(first_leave).probabilities
    stay = [math.exp(-0.2 * (a + b + charge)) for a, b in ((1, 0), (2, 0), (0, 3))]
    expected = {1: 1 - stay[0], 3: stay[0] * (1 - stay[1]), 5: stay[0] * stay[1] * (1 - stay[2]), 6: math.prod(stay)}
    assert law.keys() == expected.keys()
    for t, probability in expected.items():
        assert law[t] == pytest.approx(probability, rel=1e-12)


@pytest.mark.parametrize("cuts", list(product((1, 2, 3), repeat=3)))
def test_a_coin_in_blocks_leaves_when_it_does_step_by_step(cuts: tuple[int, ...]) -> None:
    """Catches a place in the batch, or a loss of a batch begun before, that a block forgets."""
    losses: IntArray = np.array([3, 0, 2, 5, 1, 1, 4, 0, 2])[: sum(cuts)]
    for seed in range(20):
        steps, blocks = (BatchCoin(2, 1, Fraction(1, 8), SeededSource(seed)) for _ in range(2))
        expected = next((t for t, loss in enumerate(losses) if steps.add(int(loss))), len(losses))
        start = 0
        for size in cuts:
            running = np.concatenate(([7], 7 + np.cumsum(losses[start : start + size])))
            found = blocks.add_block(running)
            if found < size:
                break
            start += size
        assert start + (found if found < size else 0) == expected


class UncappedLearner(_Learner):
    def _arm(self) -> None:
        self._redraws = 0
        super()._arm()


class _Uncharged(BatchCoin):
    """Leaves for losses alone: p = 0."""

    def add(self, loss: int) -> bool:
        self._patience = self._left() - loss
        return self._patience < 0


class UnforcedLearner(_Learner):
    def _arm(self) -> None:
        super()._arm()
        if self._rate is not None:
            self._guard = _Uncharged(1, 1, self._rate / self._grid.units, self._source)


class SharpLearner(_Learner):
    """Draws with twice the rate that is paid for."""

    def _on_event(self, event: Any) -> None:
        cumulative = event.cumulative
        event.cumulative = lambda: 2 * cumulative()
        super()._on_event(event)


class EagerLearner(_Learner):
    """Leaves within the batch, as soon as the losses exceed Z, and tosses again at its end."""

    def _arm(self) -> None:
        super()._arm()
        if isinstance(self._guard, BatchCoin):
            self._guard._batch = 1
            self._guard._charge = 0


def test_the_cap_is_kept() -> None:
    """Theorem 1: K draws are paid for."""
    sound = shrinking(0.05, 3.0, 1)
    assert_rejected(played_by(UncappedLearner, sound), sound, BITS, 3)


def test_leaving_is_forced_now_and_then() -> None:
    """Theorem 1: without forced redraws only an expert that lost can be left, and leaving tells it."""
    sound = shrinking(0.5, 0.5, 2)
    assert_rejected(played_by(UnforcedLearner, sound), sound, BITS, 2)


def test_draws_use_the_rate_that_is_paid_for() -> None:
    """Theorem 1: the range of a draw is eta times the score range."""
    sound = shrinking(0.25, 2.0, 2)
    assert_rejected(played_by(SharpLearner, sound), sound, BITS, 3)


def test_a_batch_is_charged_at_its_end() -> None:
    """Theorem 1: a coin within the batch, without its charge, is one that can only be left after a loss."""
    sound = shrinking(0.5, 1.0, 2, 2)
    assert_rejected(played_by(EagerLearner, sound), sound, BITS, 2)


@pytest.mark.parametrize(("coin", "rate", "m"), [(0.5, 0.25, 1), (0.05, 0.04, 1), (2.0, 0.5, 3), (0.3, 0.1, 3)])
def test_the_charge_is_the_smallest_that_hides_a_loss(coin: float, rate: float, m: int) -> None:
    """Theorem 1: catches an r0 that is rounded down, or that forgets some of a person's rounds."""
    neighbours, units = Neighbours(rounds_per_person=m), 16
    numbers = ShrinkingParameters(Fraction(coin), 1, equal(rate, 1))

    def price(charge: int) -> float:
        """Of up to m losses in one batch: the log-ratio of leaving."""
        leave = [
            enumerate_outcomes(lambda s, n=n: BatchCoin(1, charge, Fraction(rate) / units, s).add(n * units))
            for n in (0, m)
        ]
        return math.log(leave[1].probabilities[True] / leave[0].probabilities[True])

    charge = numbers.charge(neighbours, units)
    assert price(charge) <= coin
    if m == 1:
        assert price(charge - 1) > coin


def test_a_replaced_record_has_twice_the_range_of_a_removed_one() -> None:
    """Theorem 1: a = 2; the price of add-remove is not enough where records are replaced."""
    replaced = shrinking(0.05, 3.0, 3)
    removed = shrinking(0.05, 3.0, 3, relation="add-remove")
    assert not exact_streams(stream_laws(replaced, BITS, 3), replaced.neighbours, removed.privacy.epsilon).passed
