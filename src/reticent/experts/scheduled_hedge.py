"""Multiplicative weights drawn at public times only."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Protocol

from reticent.errors import ParameterError
from reticent.experts.base import PrivateExpertsAlgorithm, set_real, set_whole
from reticent.experts.lazy import NEVER, Event, LazyLearner
from reticent.mechanisms import EqualRates, exponential_mechanism
from reticent.privacy import Component
from reticent.randomness import Source

__all__ = ["EveryRounds", "GeometricTimes", "Schedule", "ScheduledHedge"]


class Schedule(Protocol):
    """Public times at which an expert is drawn, counted in completed rounds."""

    def next_after(self, rounds: int) -> int:
        """The first time later than `rounds`."""


@dataclass(frozen=True)
class EveryRounds:
    """A draw after every `period` rounds."""

    period: int

    def __post_init__(self) -> None:
        set_whole(self, "period")

    def next_after(self, rounds: int) -> int:
        """See `Schedule`."""
        return (rounds // self.period + 1) * self.period


@dataclass(frozen=True)
class GeometricTimes:
    """Draws after about first, first * growth, first * growth**2, .. rounds."""

    growth: float = 2.0
    first: int = 1

    def __post_init__(self) -> None:
        set_real(self, "growth", 1.0001, 1e6)
        set_whole(self, "first")

    def next_after(self, rounds: int) -> int:
        """See `Schedule`."""
        if rounds < self.first:
            return self.first
        power = math.floor(math.log(rounds / self.first, self.growth))
        while (time := math.ceil(self.first * self.growth**power)) <= rounds:
            power += 1
        return time


@dataclass(frozen=True, kw_only=True)
class ScheduledHedge(PrivateExpertsAlgorithm):
    """Draw i with probability proportional to exp(-eta * W_i) at public times; keep it in between.

    Unbeaten on i.i.d. losses with geometric times, and helpless when the leader changes between two of them.

    Parameters
    ----------
    n_experts, epsilon, delta, horizon, relation, rounds_per_person, grid_bits
        See `PrivateExpertsAlgorithm`; the rate is set for the draws within the horizon (2**40 rounds when it is
        not given, and then only geometric times are allowed). Past the last of them the choice stays.
    schedule : EveryRounds or GeometricTimes

    Notes
    -----
    **Guarantee.** (epsilon, delta)-DP for the sequence of choices at any length, also on adaptive streams:
    epsilon = Comp_delta(number of draws, eta * score range); the times are public. Assumption: a round's losses are
    a function of that round's record and of public things only; an expert that learned from earlier private rounds
    voids it. Source: the stochastic variant of Asi, Feldman, Koren, Talwar (COLT 2023, Algorithm 2).

    Examples
    --------
    >>> ScheduledHedge(100, epsilon=1.0, delta=1e-6, horizon=1000).derived_rates.cap
    10
    """

    name: ClassVar[str] = "ScheduledHedge"

    schedule: Schedule = GeometricTimes()

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.horizon is None and not isinstance(self.schedule, GeometricTimes):
            raise ParameterError(
                "horizon is missing: only geometric times can do without it; give the number of rounds."
            )

    @cached_property
    def derived_rates(self) -> EqualRates:
        """eta, and the number of draws within the horizon."""
        last = (self.horizon or 1 << 40) - 1
        if isinstance(self.schedule, EveryRounds):
            draws = last // self.schedule.period
        else:
            draws, time = 0, self.schedule.next_after(0)
            while time <= last:
                draws, time = draws + 1, self.schedule.next_after(time)
        return EqualRates.calibrated(max(draws, 1), float(self.epsilon), float(self.delta), self.neighbours)

    @property
    def components(self) -> tuple[Component, ...]:
        """See `PrivateExpertsAlgorithm`."""
        draws = self.derived_rates.epsilon(float(self.delta), self.neighbours)
        return (Component("draws", draws, float(self.delta), str(self.derived_rates)),)

    @property
    def settings(self) -> dict[str, Any]:
        """See `ExpertsAlgorithm`."""
        rates = self.derived_rates
        return {"schedule": str(self.schedule), "eta": float(rates.learning_rate), "draws": rates.cap}

    def _start(self, source: Source) -> _Learner:
        return _Learner(self, source)


class _Learner(LazyLearner):
    def __init__(self, algorithm: ScheduledHedge, source: Source) -> None:
        super().__init__(algorithm, source)
        self._schedule = algorithm.schedule
        self._rates = algorithm.derived_rates
        self._draws = 0
        self._alarm = self._schedule.next_after(0)

    def _on_event(self, event: Event) -> None:
        rate = self._rates.rate(self._draws + 1)
        if rate is None:
            self._alarm = NEVER
            return
        self._draws += 1
        self._choice = exponential_mechanism(self._source, event.cumulative(), rate, self._grid.units)
        self._alarm = self._schedule.next_after(event.rounds)
