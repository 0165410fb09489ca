"""Subsampled: the promise is kept and attained, and every hypothesis of docs/proofs/subsampling.md is needed."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from dartboards import BITS

from reticent.audit import ExactAudit, audited_promise, exact
from reticent.audit.transcripts import TranscriptSource
from reticent.errors import ParameterError
from reticent.experts import (
    Dartboard,
    EveryRounds,
    ExpertsLearner,
    GuardedEpochs,
    Hedge,
    LossBlock,
    PrivateExpertsAlgorithm,
    PrivateHedge,
    ScheduledHedge,
    SparseVectorExperts,
    Subsampled,
)
from reticent.experts.subsampled import _Learner as SubsampledLearner
from reticent.privacy import Component, amplify
from reticent.randomness import IntArray, Source

relations = pytest.mark.parametrize("relation", ["replace-one", "add-remove"])
FEW = ((0.0, 0.0), (1.0, 1.0))


@dataclass(frozen=True)
class RandomizedResponse(PrivateExpertsAlgorithm):
    """After `horizon` rounds it tells whether anything was lost: choice 1, and a lie with probability 1/4."""

    name = "RandomizedResponse"

    @property
    def components(self) -> tuple[Component, ...]:
        return (Component("response", math.nextafter(math.log(3), 2), 0.0, "for any number of rounds"),)

    @property
    def settings(self) -> dict[str, Any]:
        return {}

    def _start(self, source: Source) -> ExpertsLearner:
        return RandomizedResponseLearner(self, source)


class RandomizedResponseLearner(ExpertsLearner):
    _lost = False

    def _first_choice(self) -> int:
        return 0

    def _observe(self, losses: IntArray) -> None:
        self._lost |= bool(losses.any())
        if self._rounds + 1 == self._algorithm.horizon:
            self._choice = int(self._source.bernoulli(Fraction(3 if self._lost else 1, 4)))

    def _observe_block(self, block: LossBlock) -> IntArray:
        raise NotImplementedError


def response(relation: str = "replace-one", m: int = 1) -> RandomizedResponse:
    return RandomizedResponse(2, 1.1, horizon=2, relation=relation, rounds_per_person=m, grid_bits=0)


def without_coins(learner: ExpertsLearner, source: TranscriptSource) -> tuple[Any, ...]:
    """The choice, and every answer that the inner algorithm got: all but the first of a round."""
    return (*(source.answers[1:] if learner.rounds else source.answers), learner.choice)


def coins_too(learner: ExpertsLearner, source: TranscriptSource) -> tuple[Any, ...]:
    return (*source.answers, learner.choice)


@relations
@pytest.mark.parametrize("m", [1, 2])
@pytest.mark.parametrize("q", [Fraction(1, 8), Fraction(1, 2), Fraction(1)])
def test_the_promise_is_attained(q: Fraction, m: int, relation: str) -> None:
    """Catches a formula that gives anything away, and one that is too cheap: two rounds have two coins."""
    audit = exact(Subsampled(response(relation, m), q), FEW, rounds=2)
    assert audit.passed, str(audit)
    p = 1 - (1 - q) ** m
    assert audit.log_ratio == pytest.approx(math.log(1 + 2 * p), abs=1e-12)
    assert audit.epsilon == pytest.approx(math.log(1 + 2 * p), abs=1e-12)


def test_a_person_with_two_rounds_needs_more_than_one_coins_price() -> None:
    """Catches amplification by q where it is by 1 - (1 - q)^2."""
    price, _ = amplify(math.log(3), 0.0, Fraction(1, 2))
    assert not exact(Subsampled(response(m=2), 0.5), FEW, rounds=2, epsilon=price).passed


@relations
@pytest.mark.parametrize("seen", ["choices", without_coins], ids=["choices", "inner transcript"])
def test_every_kind_of_inner_algorithm_keeps_the_amplified_promise(seen: Any, relation: str) -> None:
    """Catches an inner clock that the coins move, and a share of epsilon that is not amplified."""
    tiny: dict[str, Any] = {"grid_bits": 0, "relation": relation}
    for inner in (
        ScheduledHedge(2, 8.0, horizon=4, schedule=EveryRounds(1), **tiny),
        PrivateHedge(2, 1.5, 0.1, horizon=4, **tiny),
        SparseVectorExperts(2, 3.0, redraws=1, delay=-1.0, **tiny),
        Dartboard(2, 4.0, horizon=3, expected_best_loss=1.0, **tiny),
        ScheduledHedge(2, 8.0, horizon=4, schedule=EveryRounds(1), rounds_per_person=2, **tiny),
    ):
        audit = exact(Subsampled(inner, 0.375), BITS, rounds=3, seen=seen)
        assert audit.passed, f"{inner.name}: {audit}"


@relations
def test_guarded_epochs_keep_the_amplified_promise(relation: str) -> None:
    """Catches epochs that end at secret times."""
    inner = GuardedEpochs(2, 4.0, first_epoch=2, grid_bits=0, relation=relation)
    audit = exact(Subsampled(inner, 0.5), BITS, rounds=3, seen=without_coins, mass=1e-12)
    assert audit.passed, str(audit)


# Planted faults. Each is judged by the promise of the sound one, which passes.


class TwiceTheCoinLearner(SubsampledLearner):
    def __init__(self, algorithm: Subsampled, source: Source) -> None:
        super().__init__(algorithm, source)
        self._q *= 2


class AlwaysShowsLearner(SubsampledLearner):
    def _observe(self, losses: IntArray) -> None:
        self._source.bernoulli(self._q)
        self._inner.update(losses / self._grid.units)
        self._choice = self._inner.choice


class SkipsRoundsLearner(SubsampledLearner):
    def _observe(self, losses: IntArray) -> None:
        if self._source.bernoulli(self._q):
            self._inner.update(losses / self._grid.units)
            self._choice = self._inner.choice


class OneCoinLearner(SubsampledLearner):
    """One coin for the whole run."""

    _shown: bool | None = None

    def _observe(self, losses: IntArray) -> None:
        if self._shown is None:
            self._shown = self._source.bernoulli(self._q)
        self._inner.update((losses if self._shown else np.zeros_like(losses)) / self._grid.units)
        self._choice = self._inner.choice


class StandInLearner(SubsampledLearner):
    """A skipped round gets the losses of some record, and not those of none."""

    def _observe(self, losses: IntArray) -> None:
        shown = self._source.bernoulli(self._q)
        self._inner.update(losses / self._grid.units if shown else [1.0, 0.0])
        self._choice = self._inner.choice


@dataclass(frozen=True)
class Faulty(Subsampled):
    learner: type[SubsampledLearner] = SubsampledLearner

    def _start(self, source: Source) -> ExpertsLearner:
        return self.learner(self, source)


def assert_rejected(
    learner: type[SubsampledLearner], inner: PrivateExpertsAlgorithm, domain: Any, rounds: int, q: float
) -> None:
    sound = exact(Subsampled(inner, q), domain, rounds=rounds)
    assert sound.passed, str(sound)
    audit: ExactAudit = exact(Faulty(inner, q, learner), domain, rounds=rounds)
    assert not audit.passed, str(audit)


@relations
@pytest.mark.parametrize("learner", [TwiceTheCoinLearner, AlwaysShowsLearner])
def test_the_coin_falls_with_probability_q(learner: type[SubsampledLearner], relation: str) -> None:
    """Theorem: p A + (1 - p) u has this p. A coin of 2 q, and losses that are fed whatever the coin says."""
    assert_rejected(learner, response(relation), FEW, 2, 0.25)


@relations
def test_a_skipped_round_is_a_round(relation: str) -> None:
    """Theorem (b): an inner clock that stands still when nothing is shown tells whether a round was shown."""
    inner = ScheduledHedge(2, 12.0, horizon=4, schedule=EveryRounds(3), relation=relation, grid_bits=0)
    assert_rejected(SkipsRoundsLearner, inner, BITS, 3, 0.5)


def test_a_skipped_round_loses_nothing() -> None:
    """Theorem (b), add-remove: a stand-in with losses is two steps away from a record with others."""
    numbers: dict[str, Any] = {"horizon": 4, "schedule": EveryRounds(3), "grid_bits": 0}
    inner = ScheduledHedge(2, 6.0, relation="add-remove", **numbers)
    assert_rejected(StandInLearner, inner, BITS, 3, 0.5)
    assert exact(Faulty(ScheduledHedge(2, 6.0, **numbers), 0.5, StandInLearner), BITS, rounds=3).passed  # replace-one


@dataclass(frozen=True)
class RoundByRound(RandomizedResponse):
    """After each round it tells whether that one lost something: a record is in one round, so one answer pays."""

    def _start(self, source: Source) -> ExpertsLearner:
        return RoundByRoundLearner(self, source)


class RoundByRoundLearner(RandomizedResponseLearner):
    def _observe(self, losses: IntArray) -> None:
        self._choice = int(self._source.bernoulli(Fraction(3 if losses.any() else 1, 4)))


@relations
def test_each_round_has_its_own_coin(relation: str) -> None:
    """Theorem: the coin of the differing round is independent of what earlier choices show."""
    assert_rejected(OneCoinLearner, RoundByRound(2, 1.1, relation=relation, grid_bits=0), FEW, 2, 0.25)


@relations
def test_the_coins_are_no_part_of_what_may_be_seen(relation: str) -> None:
    """Catches a proof that releases too much: with the coins in the transcript nothing is amplified."""
    algorithm = Subsampled(response(relation), 0.25)
    promised = audited_promise(algorithm.privacy, None, None)
    audit = exact(algorithm, FEW, rounds=2, seen=coins_too)
    assert promised[0] == audit.epsilon
    assert not audit.passed
    assert audit.log_ratio == pytest.approx(math.log(3))


def test_regret_bounds_are_those_of_the_inner_algorithm() -> None:
    """Catches q on the wrong side."""
    inner = Dartboard(10, 10.0, 1e-6, horizon=1000)
    bound = Subsampled(inner, 0.5).regret_bound(1000, 0.0)
    assert bound == pytest.approx(2 * inner.regret_bound(1000, 0.0))
    assert bound < 1000
    assert Subsampled(inner, 0.5).regret_bound(1000, 1.0) is None
    assert Subsampled(GuardedEpochs(10, 1.0), 0.25).regret_bound(1000, 0.0) is None


@pytest.mark.parametrize("q", [0.0, -0.5, 1.5, math.nan, "a", True])
def test_q_is_a_probability(q: Any) -> None:
    """Catches a q that would feed nothing, or that is no number."""
    with pytest.raises(ParameterError, match="q is"):
        Subsampled(PrivateHedge(2, 1.0, horizon=9), q)


def test_what_is_amplified_is_a_promise() -> None:
    """Catches a promise made for an algorithm that makes none."""
    with pytest.raises(ParameterError, match="promises no privacy"):
        Subsampled(Hedge(2), 0.5)
    with pytest.raises(ParameterError, match="give an algorithm"):
        Subsampled("auto", 0.5)  # type: ignore[arg-type]


def test_wrappers_may_be_wrapped() -> None:
    """Catches a statement that loses a factor: coins of q and r are coins of q r."""
    inner = response()
    twice = Subsampled(Subsampled(inner, 0.5), 0.25)
    assert twice.privacy.epsilon == pytest.approx(Subsampled(inner, 0.125).privacy.epsilon)
    assert exact(twice, FEW, rounds=2).log_ratio == pytest.approx(math.log(1.25), abs=1e-12)
