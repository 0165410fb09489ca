"""What an audit must not overlook: state that only looks equal, units, promises that say nothing, machine code."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
import pytest

import reticent as rt
from reticent.experts.base import ExpertsLearner, PrivateExpertsAlgorithm
from reticent.experts.grid import LossBlock
from reticent.privacy import Component
from reticent.randomness import IntArray, Source, departures
from reticent.randomness.departures import Departure, Stay


class StepLearner(ExpertsLearner):
    """A learner without a block path of its own."""

    def __init__(self, algorithm: Any, source: Source) -> None:
        super().__init__(algorithm, source)
        self._totals = np.zeros(self._n_experts, dtype=np.int64)

    def _observe(self, losses: IntArray) -> None:
        self._totals += losses
        self._choice = self._source.softmin_index(self._totals, self._rate())

    def _rate(self) -> Fraction:
        raise NotImplementedError

    def _observe_block(self, block: LossBlock) -> IntArray:
        choices = []
        for row in block.units(0, block.rounds):
            choices.append(self._choice)
            self._observe(row)
        return np.array(choices, np.int64)


@dataclass(frozen=True)
class Algorithm(PrivateExpertsAlgorithm):
    name: ClassVar[str] = "planted"
    settings: ClassVar[dict[str, Any]] = {}  # type: ignore[misc]

    @property
    def components(self) -> tuple[Component, ...]:
        return (Component("all", self.epsilon, 0.0, "planted"),)

    def _start(self, source: Source) -> ExpertsLearner:
        raise NotImplementedError


@dataclass(frozen=True)
class Totals:
    """Two of them are equal however different their sums are."""

    rounds: int
    sums: tuple[int, ...] = field(compare=False)


class HiddenState(StepLearner):
    """The state says that it is equal where it is not: each choice is that of the round before, almost surely."""

    def __init__(self, algorithm: Any, source: Source) -> None:
        super().__init__(algorithm, source)
        self._state = Totals(0, (0,) * self._n_experts)

    def _observe(self, losses: IntArray) -> None:
        old, self._state = self._state.sums, Totals(self._state.rounds + 1, tuple(losses.tolist()))
        self._choice = self._source.softmin_index(50 * np.array(old, np.int64), Fraction(1))


@dataclass(frozen=True)
class Hidden(Algorithm):
    def _start(self, source: Source) -> ExpertsLearner:
        return HiddenState(self, source)


def test_state_that_calls_itself_equal_is_told_apart() -> None:
    assert not rt.audit.exact(Hidden(2, 1.0, grid_bits=0)).passed


@dataclass(frozen=True, eq=False)
class Box:
    """Frozen, and what it holds is not."""

    sums: IntArray


class MutableState(StepLearner):
    def __init__(self, algorithm: Any, source: Source) -> None:
        super().__init__(algorithm, source)
        self._box = Box(np.zeros(self._n_experts, np.int64))

    def _observe(self, losses: IntArray) -> None:
        self._box.sums.__iadd__(losses)
        self._choice = self._source.softmin_index(self._box.sums, Fraction(1, 6))


@dataclass(frozen=True)
class Mutable(Algorithm):
    def _start(self, source: Source) -> ExpertsLearner:
        return MutableState(self, source)


def test_a_frozen_object_that_holds_an_array_is_state() -> None:
    audit = rt.audit.exact(Mutable(2, 0.3, grid_bits=0))
    assert not audit.passed
    assert audit.log_ratio > 0.5


class ForgottenUnits(StepLearner):
    def _rate(self) -> Fraction:
        return Fraction(self._algorithm.epsilon) / (2 * 3)  # type: ignore[attr-defined]


@dataclass(frozen=True)
class Forgotten(Algorithm):
    def _start(self, source: Source) -> ExpertsLearner:
        return ForgottenUnits(self, source)


def test_a_rate_for_the_wrong_unit_fails_the_checks() -> None:
    """On a grid where a loss of 1 is one unit it would pass."""
    assert rt.audit.exact(Forgotten(2, 1.0, horizon=3, grid_bits=0)).passed
    *_, last = rt.audit.checks(Forgotten(2, 1.0, horizon=3))
    with pytest.raises(rt.CheckFailedError, match="REJECTED"):
        last.run()


@dataclass(frozen=True)
class Crowd(Forgotten):
    def __post_init__(self) -> None:
        super().__post_init__()
        if self.n_experts < 5:
            raise rt.ParameterError("give at least five experts.")


def test_an_algorithm_without_a_tiny_version_is_not_passed_in_silence() -> None:
    *_, last = rt.audit.checks(Crowd(5, 0.001))
    with pytest.raises(rt.CheckFailedError, match="give one as tiny="):
        last.run()


def test_machine_code_without_noise_fails_the_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The enumeration never runs it: that blocks make the choices of steps must be checked on it."""

    def noiseless(self: Any, table: Any, rate: Any, stay: Stay, coin: Any, choices: IntArray, bits: Any) -> Any:
        losses = table.additions[stay.row :, stay.choice]
        lossy = np.flatnonzero(losses > 0)
        row = stay.row + (int(lossy[0]) if len(lossy) else len(losses))
        choices[stay.row : row + 1] = stay.choice
        return Departure(row, None, 0), stay._replace(row=min(row + 1, len(table.additions)))

    if departures._compiled_play() is None:
        pytest.skip("there is no machine code without numba")
    monkeypatch.setattr(departures.DepartureSearch, "play", noiseless)
    with pytest.raises(rt.CheckFailedError, match="nobody records"):
        rt.audit.check_algorithm(rt.experts.Dartboard(3, 1.0, 1e-6, horizon=200))


TINY = rt.experts.PrivateHedge(2, epsilon=1.0, horizon=3, grid_bits=0)


@pytest.mark.parametrize("mass", [0.9, 2, 0, -1, math.nan, "x"])
def test_what_may_be_left_out_is_little(mass: Any) -> None:
    with pytest.raises(rt.ParameterError, match="mass is"):
        rt.audit.exact(TINY, mass=mass)
    with pytest.raises(rt.ParameterError, match="mass is"):
        rt.audit.exact_mechanism(lambda x, source: x, [(0, 1)], 1.0, mass=mass)


@pytest.mark.parametrize(
    ("epsilon", "delta"), [(math.inf, 0.0), (-1.0, 0.0), (1.0, 2.0), ("1", 0.0), (1.0, "x"), (0, 0)]
)
def test_a_promise_that_says_nothing_is_refused(epsilon: Any, delta: Any) -> None:
    with pytest.raises(rt.ParameterError, match="the promise to audit has"):
        rt.audit.exact_mechanism(lambda x, source: x, [(0, 1)], epsilon, delta)


def test_an_enumeration_that_would_fill_the_memory_is_refused_at_once() -> None:
    with pytest.raises(rt.ParameterError, match="too many pairs"):
        rt.audit.exact(TINY, rounds=30)
