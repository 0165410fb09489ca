"""Every algorithm of the library passes every check, and each check rejects a small algorithm with its fault."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import reticent as rt
from experts.cases import every_algorithm
from reticent.audit import Check, check_algorithm, checks
from reticent.errors import InputError
from reticent.experts import ExpertsAlgorithm, ExpertsLearner, PrivateHedge, TreeFTPL, registry
from reticent.experts.grid import LossBlock
from reticent.experts.private_hedge import _Learner
from reticent.mechanisms import EqualRates, LaplaceNodes
from reticent.privacy import PrivacyStatement
from reticent.randomness import Generator, IntArray, Source, simulation_generator

ROUNDS = 120
DIFFERENT = [name for name in registry.algorithm_names() if name != "auto"]


def every() -> dict[str, ExpertsAlgorithm]:
    """Eager settings, in which much happens; and the registry's own, as users get them."""
    shipped = {name: registry.make(name, 4, 1.0, 1e-6, horizon=300) for name in DIFFERENT}
    return every_algorithm(4) | {f"{name}, as shipped": algorithm for name, algorithm in shipped.items()}


@pytest.mark.parametrize("check", [c.name for c in checks(PrivateHedge(2, 1.0, horizon=9))])
@pytest.mark.parametrize("name", list(every()))
def test_every_algorithm_of_the_library_passes(name: str, check: str) -> None:
    """Catches what the check says that it catches."""
    tree = "tree" in name  # whose noise has too many values to enumerate, unless it is very small
    tiny = TreeFTPL(2, 200.0, horizon=3, noise=LaplaceNodes, grid_bits=0) if tree else None
    known = {c.name: c for c in checks(every()[name], tiny=tiny)}
    if check not in known:
        assert check == "a tiny version passes the exact audit"
        assert "hedge" in name  # no promise, nothing to audit
        return
    known[check].run()


def test_each_check_has_a_name_and_says_what_it_catches() -> None:
    """Catches a check that a reader cannot tell from the others."""
    found = list(checks(PrivateHedge(2, 1.0, horizon=9)))
    assert len({check.name for check in found}) == len(found) == 14
    assert all(check.catches.startswith("Catches ") for check in found)


# One fault each: a learner that draws an expert every round, and does one thing wrong.


@dataclass(frozen=True)
class Faulty(PrivateHedge):
    """Private hedge with a sharp rate and a learner of its own."""

    learner: type[ExpertsLearner] = _Learner

    def _start(self, source: Source) -> ExpertsLearner:
        return self.learner(self, source)


class DrawsWhenRead(_Learner):
    @property
    def choice(self) -> int:
        if self._rounds:
            self._choice = self._source.softmin_index(self._cumulative, self._rate / self._grid.units)
        return self._choice


class FollowsTheLeader(_Learner):
    def _observe(self, losses: IntArray) -> None:
        self._cumulative += losses
        self._choice = int(self._cumulative.argmin())


class BetterOfTwo(_Learner):
    def _observe(self, losses: IntArray) -> None:
        super()._observe(losses)
        one, other = self._choice, self._source.softmin_index(self._cumulative, self._rate / self._grid.units)
        self._choice = min(one, other, key=lambda expert: int(losses[expert]))


class ForgetsBlocks(_Learner):
    def _observe_block(self, block: LossBlock) -> IntArray:
        before = self._cumulative.copy()
        choices = super()._observe_block(block)
        if block.rounds > 1:
            self._cumulative = before
        return choices


class OwnGenerator(_Learner):
    """Draws past its source."""

    _own: Generator | None = None

    def _observe(self, losses: IntArray) -> None:
        if self._own is None:
            self._own = simulation_generator(7)
        self._source.uniform_index(self._n_experts)
        self._choice = int(self._own.integers(self._n_experts))

    def _observe_block(self, block: LossBlock) -> IntArray:
        return stepwise(self, block)


class OwnUnseededGenerator(OwnGenerator):
    """The same, so that even two runs with one seed differ."""

    started = 0

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        OwnUnseededGenerator.started += 1
        self._own = simulation_generator(OwnUnseededGenerator.started)


class SeesItsOwnRound(_Learner):
    def _observe_block(self, block: LossBlock) -> IntArray:
        choices = super()._observe_block(block)
        return np.where(block.units(0, block.rounds)[:, 0] > self._grid.units // 2, choices, 0)


class ScalesBlocks(_Learner):
    """Looks at the whole block before its first choice."""

    def _observe_block(self, block: LossBlock) -> IntArray:
        choices = super()._observe_block(block)
        choices[1:] = np.where(block.totals.max() > block.rounds * self._grid.units // 2, choices[1:], 0)
        return choices


class StartsAfresh(_Learner):
    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._cumulative = np.zeros_like(self._cumulative)


class KeepsItsChoices(_Learner):
    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._played: list[IntArray] = []

    def _observe_block(self, block: LossBlock) -> IntArray:
        choices = super()._observe_block(block)
        self._played.append(np.packbits(choices > 0).view(np.uint8).astype(np.int64))
        return choices


class DrawsBeforeItLooks(_Learner):
    def update(self, losses: npt.ArrayLike) -> None:
        self._source.uniform_index(2)
        super().update(losses)


class TakesWhatComes(_Learner):
    def update(self, losses: npt.ArrayLike) -> None:
        super().update(np.clip(np.nan_to_num(np.resize(np.asarray(losses, dtype=float), self._n_experts)), 0, 1))


class LeavesTextToNumpy(_Learner):
    def update(self, losses: npt.ArrayLike) -> None:
        if not np.isfinite(np.asarray(losses)).all():
            raise InputError("a loss is no number.")
        super().update(losses)


class GoesOnAfterAll(_Learner):
    def _enter(self) -> None:
        self._whole = False


class PromisesByTheData(_Learner):
    @property
    def privacy(self) -> PrivacyStatement:
        if self._cumulative.sum() > 0:
            return super().privacy
        return replace(super().privacy, epsilon=2 * super().privacy.epsilon)


class PromisesTooMuch(_Learner):
    @property
    def privacy(self) -> PrivacyStatement:
        return self._algorithm.privacy.with_noise("trust me", private=True)


class DrawsAhead(_Learner):
    """Keeps a thousand draws in its state."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._ahead = [self._source.uniform_index(self._n_experts) for _ in range(1000)]

    def _observe(self, losses: IntArray) -> None:
        self._choice = self._ahead[self._rounds % 1000]

    def _observe_block(self, block: LossBlock) -> IntArray:
        return stepwise(self, block)


def stepwise(learner: Any, block: LossBlock) -> IntArray:
    """A block path that is right whenever the steps are."""
    choices, before = [], learner._rounds
    for row in block.units(0, block.rounds):
        choices.append(learner._choice)
        learner._observe(row)
        learner._rounds += 1
    learner._rounds = before
    return np.array(choices, dtype=np.int64)


@dataclass(frozen=True)
class TooSharp(PrivateHedge):
    """Draws with ten times the rate that it accounts for."""

    @cached_property
    def rates(self) -> EqualRates:
        sound = super().rates
        return EqualRates(10 * sound.learning_rate, sound.cap)

    @property
    def components(self) -> Any:
        return PrivateHedge(self.n_experts, self.epsilon, self.delta, horizon=self.horizon).components


def with_fault(learner: type[ExpertsLearner]) -> ExpertsAlgorithm:
    return Faulty(3, 2000.0, horizon=300, learner=learner)


FAULTS: list[tuple[type[ExpertsLearner], str]] = [
    (DrawsWhenRead, "reading a choice draws nothing"),
    (FollowsTheLeader, "one draw per release"),
    (BetterOfTwo, "one draw per release"),
    (ForgetsBlocks, "steps and blocks of any size are the same"),
    (OwnUnseededGenerator, "a record of steps replays in blocks and back"),
    (SeesItsOwnRound, "a choice is fixed before its losses are seen"),
    (ScalesBlocks, "later rounds change no earlier choice"),
    (StartsAfresh, "saved and restored is uninterrupted"),
    (KeepsItsChoices, "the state does not grow with the rounds"),
    (DrawsBeforeItLooks, "bad input changes nothing"),
    (TakesWhatComes, "bad input changes nothing"),
    (GoesOnAfterAll, "an interrupted learner does not go on"),
    (PromisesByTheData, "the statement does not depend on the data"),
    (PromisesTooMuch, "the statement does not depend on the data"),
    (DrawsAhead, "a pickled learner never repeats noise"),
    (OwnGenerator, "a pickled learner never repeats noise"),
    (OwnGenerator, "a forked learner never repeats noise"),
    (DrawsAhead, "a forked learner never repeats noise"),
]


def named(algorithm: ExpertsAlgorithm, name: str) -> Check:
    (check,) = (check for check in checks(algorithm, rounds=ROUNDS) if check.name == name)
    return check


@pytest.mark.parametrize(("learner", "check"), FAULTS, ids=lambda value: getattr(value, "__name__", value))
def test_each_check_rejects_its_fault(learner: type[ExpertsLearner], check: str) -> None:
    """Catches a check that cannot fail."""
    algorithm = with_fault(learner)
    with pytest.raises(rt.CheckFailedError):
        named(algorithm, check).run()


def test_the_exact_audit_rejects_its_fault_and_shows_the_counterexample() -> None:
    """Catches a check that cannot fail."""
    with pytest.raises(rt.CheckFailedError, match="REJECTED: promised"):
        named(TooSharp(3, 4.0, horizon=4), "a tiny version passes the exact audit").run()


def test_the_sound_algorithm_under_the_faults_passes() -> None:
    """Catches checks that reject everything."""
    check_algorithm(with_fault(_Learner), rounds=ROUNDS, tiny=PrivateHedge(2, 1.0, horizon=3, grid_bits=0))


def test_all_checks_are_run_and_the_first_failure_is_named() -> None:
    """Catches a summary that hides a failure."""
    with pytest.raises(rt.CheckFailedError, match=r"one draw per release: after round \d+ the choice changed"):
        check_algorithm(with_fault(FollowsTheLeader), rounds=ROUNDS)


def test_a_tiny_version_of_ones_own_is_audited() -> None:
    """Catches a tiny version that is ignored."""
    with pytest.raises(rt.CheckFailedError, match="a tiny version"):
        check_algorithm(PrivateHedge(3, 4.0, horizon=4), rounds=ROUNDS, tiny=TooSharp(2, 4.0, horizon=4, grid_bits=0))


def test_a_check_is_an_assertion() -> None:
    """Catches failures that test runners report as errors of the test."""
    assert issubclass(rt.CheckFailedError, AssertionError)
    assert isinstance(next(checks(PrivateHedge(2, 1.0, horizon=9))).run, Callable)
