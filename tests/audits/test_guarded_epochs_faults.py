"""Faults planted in GuardedEpochs; each test is named after the claim of its privacy proof that its fault breaks.

Streams differ in round t; on a fixed transcript (a) only the watch that contains t has other queries, shifted by one
constant; (b) only the epoch that contains t has another noisy loss; (c) the round enters the selection that ends its
interval and the next few, with weights that add up to the budget.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from dartboards import BITS
from planted import assert_rejected

from reticent.audit.transcripts import TranscriptSource
from reticent.experts import ExpertsLearner, GuardedEpochs
from reticent.experts.guarded_epochs import _Learner
from reticent.mechanisms import OneSidedNoise
from reticent.randomness import IntArray, Source


def build(kind: type[GuardedEpochs], epsilon: float, guard: float, rate: float, first_epoch: int) -> GuardedEpochs:
    return kind(2, epsilon, guard_share=guard, rate_share=rate, first_epoch=first_epoch, grid_bits=0)


class StaleThresholdLearner(_Learner):
    """A new watch takes over the noise of the first."""

    def _begin_watch(self, rounds: int) -> None:
        first = self._guard is None
        super()._begin_watch(rounds)
        assert self._guard is not None
        if first:
            self._stale = self._guard._remaining
        self._guard._remaining = self._stale


@dataclass(frozen=True)
class StaleThreshold(GuardedEpochs):
    def _start(self, source: Source) -> _Learner:
        return StaleThresholdLearner(self, source)


def test_a_each_watch_draws_a_fresh_threshold() -> None:
    """(a): otherwise the noise that hides round t decides about other rounds too."""
    numbers = (4.0, 0.9, 0.05, 8)
    assert_rejected(build(StaleThreshold, *numbers), build(GuardedEpochs, *numbers), BITS, 3)


class UnreleasedRateLearner(_Learner):
    """Measures the loss rate without noise, and watches with an offset and a threshold that depend on it."""

    def _measure_loss_rate(self, rounds: int) -> None:
        exact = self._epoch_loss / (self._grid.units * (rounds - self._epoch_start))
        super()._measure_loss_rate(rounds)
        self._loss_rate = exact


@dataclass(frozen=True)
class UnreleasedRate(GuardedEpochs):
    def _start(self, source: Source) -> _Learner:
        return UnreleasedRateLearner(self, source)


def test_a_the_offset_is_public() -> None:
    """(a): queries are shifted by one constant only if the offset is the same in both worlds."""
    numbers = (16.0, 0.5, 0.45, 1)
    vectors = ((0.0, 0.0), (0.0, 1.0), (1.0, 0.0))
    assert_rejected(build(UnreleasedRate, *numbers), build(GuardedEpochs, *numbers), vectors, 3, mass=1e-20)


class TwoEpochsLearner(_Learner):
    """The noisy loss of an epoch contains the epoch before."""

    def _measure_loss_rate(self, rounds: int) -> None:
        loss = self._epoch_loss
        super()._measure_loss_rate(rounds)
        self._epoch_loss = loss


@dataclass(frozen=True)
class TwoEpochs(GuardedEpochs):
    def _start(self, source: Source) -> _Learner:
        return TwoEpochsLearner(self, source)


def with_measured_rates(learner: ExpertsLearner, source: TranscriptSource) -> tuple[Any, ...]:
    """The answers and the noisy loss rate, which the proof releases."""
    assert isinstance(learner, _Learner)
    return (*source.answers, learner._loss_rate, learner.choice)


def test_b_a_round_lies_in_one_epoch() -> None:
    """(b): a noisy loss that covers two epochs shows a round twice."""
    numbers = (8.0, 0.03, 0.95, 1)
    assert_rejected(
        build(TwoEpochs, *numbers), build(GuardedEpochs, *numbers), BITS, 2, observe=with_measured_rates, mass=1e-12
    )


class HalfRateNoiseLearner(_Learner):
    """Noise of half the scale on an epoch's loss."""

    def _measure_loss_rate(self, rounds: int) -> None:
        scale = self._rate_noise_scale
        self._rate_noise_scale = scale / 2
        super()._measure_loss_rate(rounds)
        self._rate_noise_scale = scale


@dataclass(frozen=True)
class HalfRateNoise(GuardedEpochs):
    def _start(self, source: Source) -> _Learner:
        return HalfRateNoiseLearner(self, source)


def test_b_the_noisy_loss_has_the_scale_that_is_paid_for() -> None:
    """(b): the loss of an epoch moves by 1, which costs eps_rate at scale 1 / eps_rate."""
    numbers = (8.0, 0.03, 0.95, 1)
    sound, faulty = build(GuardedEpochs, *numbers), build(HalfRateNoise, *numbers)
    assert_rejected(faulty, sound, BITS, 2, observe=with_measured_rates, mass=1e-12)


@dataclass(frozen=True)
class WithoutQueryNoise(OneSidedNoise):
    def exceeds(self, source: Source, gap: int) -> bool:
        return gap <= 0


class NoisyThresholdOnlyLearner(_Learner):
    """A guard without query noise."""

    def _begin_watch(self, rounds: int) -> None:
        noise = self._guard_noise
        self._guard_noise = WithoutQueryNoise(noise.epsilon, noise.sensitivity, noise.units)
        super()._begin_watch(rounds)


@dataclass(frozen=True)
class NoisyThresholdOnly(GuardedEpochs):
    def _start(self, source: Source) -> _Learner:
        return NoisyThresholdOnlyLearner(self, source)


def test_a_query_noise_answers_for_the_larger_suffix() -> None:
    """(a), the other direction: the ratio of the survival functions of the query noise."""
    numbers = (36.0, 0.5, 0.4, 2)
    assert_rejected(build(NoisyThresholdOnly, *numbers), build(GuardedEpochs, *numbers), BITS, 3, mass=1e-20)


@dataclass(frozen=True)
class SharpSelections(GuardedEpochs):
    @cached_property
    def selection_rate(self) -> Fraction:
        return 2 * super().selection_rate


def test_c_selections_use_the_rate_that_is_paid_for() -> None:
    """(c): the weights of a round cost eps_selection at the rate eta, and twice that at 2 eta."""
    numbers = (24.0, 0.02, 0.02, 8)
    assert_rejected(build(SharpSelections, *numbers), build(GuardedEpochs, *numbers), BITS, 3)


@dataclass(frozen=True)
class NeverForgets(GuardedEpochs):
    @cached_property
    def selection_weights(self) -> IntArray:
        return np.full_like(super().selection_weights, super().selection_weights.sum(axis=1).max())


def test_c_a_window_forgets() -> None:
    """(c): weights that do not add up to the budget, however often a selection looks back."""
    numbers = (24.0, 0.02, 0.02, 8)
    assert_rejected(build(NeverForgets, *numbers), build(GuardedEpochs, *numbers), BITS, 3)


class EndlessIntervalLearner(_Learner):
    """A selection does not end the interval: the next one looks at its losses with full weight again."""

    def _select(self, rounds: int, cumulative: IntArray) -> None:
        super()._select(rounds, cumulative)
        self._interval_start, self._before_interval = 0, np.zeros_like(cumulative)


@dataclass(frozen=True)
class EndlessInterval(GuardedEpochs):
    def _start(self, source: Source) -> _Learner:
        return EndlessIntervalLearner(self, source)


def test_c_a_selection_ends_its_interval() -> None:
    """(c): a round lies in one interval, which enters the history once."""
    numbers = (24.0, 0.02, 0.02, 8)
    assert_rejected(build(EndlessInterval, *numbers), build(GuardedEpochs, *numbers), BITS, 3)
