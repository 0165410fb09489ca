"""Faults planted in Algorithm 1; each test is named after the hypothesis of 90-proofs 1.2 that its fault breaks."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from dartboards import BITS, dartboard, equal
from planted import assert_rejected

from reticent.experts import Dartboard, DartboardParameters
from reticent.experts.dartboard import DartboardLearner
from reticent.mechanisms import DecayingRates, DelayedCoin, EqualRates, LaplaceNoise, OneSidedNoise
from reticent.privacy import Neighbours
from reticent.randomness import IntArray, Source

Setting = tuple[float, float, float, EqualRates]


@dataclass(frozen=True)
class WithoutQueryNoise(OneSidedNoise):
    def exceeds(self, source: Source, gap: int) -> bool:
        return gap <= 0


def test_query_noise_answers_for_the_larger_suffix() -> None:
    """1.2 AT, S' vs S: the survival ratio of nu. Without nu some answers are impossible on one side."""
    setting: Setting = (1, 1, 1.0, equal(0.5, 2))
    assert_rejected(dartboard(*setting, WithoutQueryNoise), dartboard(*setting), BITS, 3)


@dataclass(frozen=True)
class WithoutThresholdNoise(OneSidedNoise):
    def draw_threshold(self, source: Source) -> int:
        return 0


def test_threshold_noise_answers_for_the_smaller_suffix() -> None:
    """1.2 AT, S vs S': the substitution in the law of rho. Without rho each answer below pays again."""
    setting: Setting = (0.5, 0.125, 3.0, equal(0.125, 1))
    assert_rejected(dartboard(*setting, WithoutThresholdNoise), dartboard(*setting), BITS, 4)


@dataclass(frozen=True)
class HalfOneSidedNoise(OneSidedNoise):
    threshold_factor = query_factor = Fraction(1, 2)  # type: ignore[assignment]


@dataclass(frozen=True)
class HalfLaplaceNoise(LaplaceNoise):
    threshold_factor = query_factor = Fraction(1, 2)  # type: ignore[assignment]


@pytest.mark.parametrize(("whole", "half"), [(OneSidedNoise, HalfOneSidedNoise), (LaplaceNoise, HalfLaplaceNoise)])
def test_noise_has_rate_eps1(whole: Any, half: Any) -> None:
    """1.2 AT: p(z) / p(z + c) and sf(x - c) / sf(x) are at most e^(eps1 c)."""
    setting: Setting = (2, 0.25, 1.0, equal(0.125, 1))
    assert_rejected(dartboard(*setting, half), dartboard(*setting, whole), BITS, 3)


class StaleThresholdCoin(DelayedCoin):
    """Keeps the first instance's noisy threshold for all later ones."""

    _stale: int | None = None

    def _gap(self) -> int:
        if self._remaining is None and self._stale is not None:
            self._remaining = self._stale
        elif self._remaining is None:
            self._stale = super()._gap()
        return super()._gap()


class FaultyCoinLearner(DartboardLearner):
    """Guards its redraws with another coin."""

    kind: type[DelayedCoin]

    def _coin(self, rate: Fraction) -> DelayedCoin:
        sound = super()._coin(rate)
        rules = sound._rules
        coin = self.kind(rules.delay, sound._noise, rules.floor, rules.coin_rate, self._source)
        if isinstance(coin, CoinOfAnotherLoss):
            coin.learner = self
        return coin


class StaleThresholdLearner(FaultyCoinLearner):
    kind = StaleThresholdCoin


@dataclass(frozen=True)
class StaleThreshold(Dartboard):
    def _start(self, source: Source) -> DartboardLearner:
        return StaleThresholdLearner(self, source, self.derived)


def test_each_instance_draws_a_fresh_threshold() -> None:
    """1.2 AT: only the instance that holds the differing round has other queries, if no noise is shared."""
    setting: Setting = (1, 0.125, 1.0, equal(0.125, 1))
    assert_rejected(dartboard(*setting, algorithm=StaleThreshold), dartboard(*setting), BITS, 4)


@dataclass(frozen=True)
class WithoutFloor(DartboardParameters):
    def floor(self, coin_rate: Fraction, neighbours: Neighbours, units: int) -> int:
        return 0


@dataclass(frozen=True)
class LowFloor(DartboardParameters):
    def floor(self, coin_rate: Fraction, neighbours: Neighbours, units: int) -> int:
        return super().floor(coin_rate, neighbours, units) - 1


def test_the_coin_has_a_floor() -> None:
    """1.2 Z: without r_min a coin never leaves where nothing was lost, and does where something was."""
    setting: Setting = (1, 1, 0.0, equal(0.5, 2))
    audit = assert_rejected(dartboard(*setting, parameters=WithoutFloor), dartboard(*setting), BITS, 3)
    assert audit.worst.q == 0.0


def test_the_floor_is_rounded_up() -> None:
    """1.2 Z: one grid unit less than the smallest exact floor is too little (here the coin costs .513 and not .4)."""
    setting = (0.5, 0.4, 2.0, DecayingRates(Fraction(4), Fraction(30)))
    assert_rejected(dartboard(*setting, parameters=LowFloor), dartboard(*setting), BITS, 4)


@dataclass(frozen=True)
class OneRedrawTooMany(EqualRates):
    def rate(self, draw: int) -> Fraction | None:
        return self.learning_rate if draw <= self.cap + 1 else None


@dataclass(frozen=True)
class WithoutCap(EqualRates):
    def rate(self, draw: int) -> Fraction | None:
        return self.learning_rate


@pytest.mark.parametrize("redraws", [OneRedrawTooMany, WithoutCap])
def test_the_cap_is_enforced(redraws: type[EqualRates]) -> None:
    """1.2 R: at most V redraws after the differing round."""
    setting = (0.125, 4, -40.0)
    faulty, sound = (dartboard(*setting, kind(Fraction(4), 1)) for kind in (redraws, EqualRates))
    assert_rejected(faulty, sound, BITS, 3)


@dataclass(frozen=True)
class SharpRates(EqualRates):
    """Pays for eta and redraws with 2 eta."""

    def rate(self, draw: int) -> Fraction | None:
        return 2 * self.learning_rate if draw <= self.cap else None


@dataclass(frozen=True)
class CoinOfEta(DartboardParameters):
    def coin_rate(self, rate: Fraction, neighbours: Neighbours) -> Fraction:
        return rate / 2


def test_redraws_use_the_rate_that_is_paid_for() -> None:
    """1.2 R: each redraw is 2 eta-DP at learning rate eta."""
    setting = (0.125, 0.125, -40.0)
    sound = dartboard(*setting, equal(2, 2))
    numbers = CoinOfEta(Fraction(1, 8), Fraction(1, 8), -40.0, SharpRates(Fraction(2), 2))
    faulty = Dartboard(2, 1e6, parameters=numbers, grid_bits=0)
    assert_rejected(faulty, sound, BITS, 3)


class CoinOfAnotherLoss(DelayedCoin):
    """Falls for another loss than the choice suffered in the interval."""

    learner: Any

    def _loss(self) -> int:
        raise NotImplementedError

    def _leaves(self) -> bool:
        self._suffered = self._loss()
        return super()._leaves()


class AllRounds(CoinOfAnotherLoss):
    def _loss(self) -> int:
        return int(self.learner._cumulative[self.learner.choice])


class CoinOfAllRoundsLearner(FaultyCoinLearner):
    kind = AllRounds


@dataclass(frozen=True)
class CoinOfAllRounds(Dartboard):
    def _start(self, source: Source) -> DartboardLearner:
        return CoinOfAllRoundsLearner(self, source, self.derived)


class OtherExpert(CoinOfAnotherLoss):
    def _loss(self) -> int:
        return int(self.learner._cumulative[1 - self.learner.choice])


class CoinOfTheOtherExpertLearner(FaultyCoinLearner):
    kind = OtherExpert


@dataclass(frozen=True)
class CoinOfTheOtherExpert(Dartboard):
    def _start(self, source: Source) -> DartboardLearner:
        return CoinOfTheOtherExpertLearner(self, source, self.derived)


@pytest.mark.parametrize("algorithm", [CoinOfAllRounds, CoinOfTheOtherExpert])
def test_the_coin_sees_the_loss_of_its_own_interval(algorithm: type[Dartboard]) -> None:
    """1.2 Z: only the coin whose interval holds the differing round differs."""
    setting: Setting = (0.125, 2, -40.0, equal(2, 1))
    assert_rejected(dartboard(*setting, algorithm=algorithm), dartboard(*setting), BITS, 4)


class Unclipped(CoinOfAnotherLoss):
    def _loss(self) -> int:
        return self._suffered + int(self.learner.excess)


class UnclippedCoinLearner(FaultyCoinLearner):
    """Clips losses to [0, 1] for the guard and the weights, and forgets to for the coin."""

    kind = Unclipped
    excess = 0.0

    def update(self, losses: npt.ArrayLike) -> None:
        self.excess = float(np.asarray(losses)[self._choice]) - min(1.0, float(np.asarray(losses)[self._choice]))
        super().update(np.minimum(losses, 1.0))


@dataclass(frozen=True)
class UnclippedCoin(Dartboard):
    def _start(self, source: Source) -> DartboardLearner:
        return UnclippedCoinLearner(self, source, self.derived)


class ClippedLearner(DartboardLearner):
    """Clips losses to [0, 1], as a caller may ask for."""

    def update(self, losses: npt.ArrayLike) -> None:
        super().update(np.minimum(losses, 1.0))


@dataclass(frozen=True)
class Clipped(Dartboard):
    def _start(self, source: Source) -> DartboardLearner:
        return ClippedLearner(self, source, self.derived)


def test_the_coin_sees_the_clipped_loss() -> None:
    """1.2 Z: r and r' differ by at most 1, so that keeping costs at most eta."""
    setting: Setting = (0.25, 0.25, 0.0, equal(1, 1))
    faulty, sound = (dartboard(*setting, algorithm=kind) for kind in (UnclippedCoin, Clipped))
    assert_rejected(faulty, sound, ((0.0, 0.0), (0.0, 1.0), (5.0, 0.0)), 3)


@dataclass(frozen=True)
class NoiseOfOneRound(DartboardParameters):
    def guard_noise(self, neighbours: Neighbours, units: int) -> OneSidedNoise | LaplaceNoise:
        return self.noise(self.threshold_epsilon, 1, units)


def test_changes_of_opposite_sign_do_not_cancel() -> None:
    """The table of 90-proofs: +1 and then -1 is no net change of the sum, and costs 2 eps1 with the noise for one."""
    setting: Setting = (4, 0.25, 1.0, equal(0.0625, 1))
    faulty, sound = (
        dartboard(*setting, rounds_per_person=2, parameters=kind) for kind in (NoiseOfOneRound, DartboardParameters)
    )
    audit = assert_rejected(faulty, sound, BITS, 3)
    assert audit.log_ratio > 1.5 * 4


class EagerLearner(DartboardLearner):
    """Draws the first choice in the light of the first round, and only then releases it."""

    def _observe(self, losses: IntArray) -> None:
        if self._rounds == 0:
            assert self._rate is not None
            self._choice = self._source.softmin_index(losses, self._rate)
        super()._observe(losses)


@dataclass(frozen=True)
class Eager(Dartboard):
    def _start(self, source: Source) -> DartboardLearner:
        return EagerLearner(self, source, self.derived)


def test_the_first_choice_knows_nothing() -> None:
    """1.2 R: i_1 does not depend on the data. One that has seen its own round is a draw that nobody paid for."""
    setting: Setting = (0.125, 0.125, 40.0, equal(3, 1))
    assert_rejected(dartboard(*setting, algorithm=Eager), dartboard(*setting), BITS, 3)
