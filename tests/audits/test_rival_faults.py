"""Faults planted in the other algorithms; each is rejected where the sound algorithm passes."""

from __future__ import annotations

from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import pytest
from dartboards import BITS
from planted import assert_rejected
from test_rival_audits import ShortPhases, short_phases

from reticent.experts import DartboardParameters, EveryRounds, PrivateHedge, ScheduledHedge, SparseVectorExperts
from reticent.experts.doubling import _Learner as DoublingLearner
from reticent.experts.private_hedge import _Learner as PrivateHedgeLearner
from reticent.experts.sparse_vector import _Learner as SparseVectorLearner
from reticent.mechanisms import EqualRates
from reticent.randomness import IntArray, Source

SOME = ((0.0, 0.0), (0.0, 1.0), (1.0, 0.0))


class RememberingLearner(DoublingLearner):
    """A new phase keeps the weights of the phases before."""

    def _begin(self, parameters: DartboardParameters, origin: IntArray) -> None:
        super()._begin(parameters, np.zeros_like(origin))


@dataclass(frozen=True)
class Remembering(ShortPhases):
    def _start(self, source: Source) -> DoublingLearner:
        return RememberingLearner(self, source)


def like(kind: type[ShortPhases], sound: ShortPhases) -> ShortPhases:
    return kind(**{field.name: getattr(sound, field.name) for field in fields(sound)})


def test_phases_read_disjoint_rounds() -> None:
    """90-proofs 1.5: weights that remember let a round enter the redraws of every later phase."""
    sound = short_phases("replace-one", 1, rate=Fraction(4), delay=-40.0, eps1=Fraction(1, 8), threshold=-40.0)
    assert_rejected(like(Remembering, sound), sound, SOME, 3)


class OneDetectorLearner(DoublingLearner):
    """The detector runs on over all phases, with one threshold noise."""

    def _on_event(self, event: Any) -> None:
        detector = self._detector
        super()._on_event(event)
        self._detector = detector


@dataclass(frozen=True)
class OneDetector(ShortPhases):
    def _start(self, source: Source) -> DoublingLearner:
        return OneDetectorLearner(self, source)


def test_each_phase_has_its_own_detector() -> None:
    """90-proofs 1.5: an instance that has fired is spent; asked again, a round moves its answer in every phase."""
    sound = short_phases("replace-one", 1, eps1=Fraction(1, 8), eps2=Fraction(1, 8), rate=Fraction(1, 8), delay=-40.0)
    assert_rejected(like(OneDetector, sound), sound, SOME, 3)


class UncappedLearner(SparseVectorLearner):
    def _arm(self) -> None:
        self._redraws = 0
        super()._arm()


@dataclass(frozen=True)
class Uncapped(SparseVectorExperts):
    def _start(self, source: Source) -> SparseVectorLearner:
        return UncappedLearner(self, source)


def test_sparse_vector_experts_stop_after_k_draws() -> None:
    """90-proofs 2d: K draws are paid for."""
    numbers: dict[str, Any] = {"redraws": 1, "delay": 0.0, "threshold_share": 0.1, "grid_bits": 0}
    assert_rejected(Uncapped(2, 10.0, **numbers), SparseVectorExperts(2, 10.0, **numbers), BITS, 3)


class PeekingLearner(PrivateHedgeLearner):
    """The weights of a round's choice have seen the round: one draw more depends on the data."""

    def _observe(self, losses: IntArray) -> None:
        self._draws_left += self._rounds == 0
        super()._observe(losses)


@dataclass(frozen=True)
class Peeking(PrivateHedge):
    def _start(self, source: Source) -> PrivateHedgeLearner:
        return PeekingLearner(self, source)


def test_weights_see_the_rounds_before_and_not_the_current_one() -> None:
    """10-randomness 4: T - 1 draws are paid for, as the first choice is uniform."""
    numbers: dict[str, Any] = {"horizon": 3, "grid_bits": 0}
    assert_rejected(Peeking(2, 30.0, **numbers), PrivateHedge(2, 30.0, **numbers), BITS, 3)


@dataclass(frozen=True)
class Undercounted(ScheduledHedge):
    """Counts the draws of a sparser schedule than it keeps."""

    @cached_property
    def derived_rates(self) -> EqualRates:
        counted = ScheduledHedge(2, self.epsilon, self.delta, horizon=self.horizon, schedule=EveryRounds(2))
        return EqualRates(counted.derived_rates.learning_rate, 3)


@pytest.mark.parametrize(("epsilon", "delta"), [(20.0, 0.0), (3.0, 0.02)])
def test_every_scheduled_draw_is_counted(epsilon: float, delta: float) -> None:
    """90-proofs 2b: the price is that of all draws; with delta = 0 and with delta > 0."""
    numbers: dict[str, Any] = {"horizon": 4, "schedule": EveryRounds(1), "grid_bits": 0}
    assert_rejected(Undercounted(2, epsilon, delta, **numbers), ScheduledHedge(2, epsilon, delta, **numbers), BITS, 4)


@dataclass(frozen=True)
class SharpHedge(PrivateHedge):
    """Pays for eta, and draws with 2 eta."""

    @cached_property
    def rates(self) -> EqualRates:
        return twice(super().rates)

    @property
    def components(self) -> Any:
        return PrivateHedge(self.n_experts, self.epsilon, self.delta, horizon=self.horizon).components


@dataclass(frozen=True)
class SharpVector(SparseVectorExperts):
    """Pays for eta, and draws with 2 eta."""

    @cached_property
    def derived_rates(self) -> EqualRates:
        return twice(super().derived_rates)

    @property
    def components(self) -> Any:
        return SparseVectorExperts(2, self.epsilon, redraws=self.redraws, delay=self.delay).components


def twice(rates: EqualRates) -> EqualRates:
    return EqualRates(2 * rates.learning_rate, rates.cap)


@pytest.mark.parametrize(
    ("faulty", "sound", "epsilon", "numbers"),
    [
        (SharpHedge, PrivateHedge, 30.0, {"horizon": 4}),
        (SharpVector, SparseVectorExperts, 6.0, {"redraws": 2, "delay": -40.0}),
    ],
    ids=["private hedge", "sparse vector"],
)
def test_draws_use_the_rate_that_is_paid_for(
    faulty: Any, sound: Any, epsilon: float, numbers: dict[str, Any]
) -> None:
    """10-randomness 4: a draw at learning rate eta has range 2 eta, which is what composition counts."""
    assert_rejected(faulty(2, epsilon, grid_bits=0, **numbers), sound(2, epsilon, grid_bits=0, **numbers), BITS, 3)
