"""AboveThreshold on the current expert's loss, and a fresh draw whenever it fires (Asi et al., ICML 2023)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

from reticent.experts.base import LARGEST_SHARE, LEAST_SHARE, PrivateExpertsAlgorithm, set_real, set_whole
from reticent.experts.lazy import Event, LazyLearner
from reticent.experts.tuning import HORIZON_GUESS
from reticent.mechanisms import EqualRates, OneSidedNoise, RunningSumAboveThreshold, exponential_mechanism
from reticent.privacy import Component
from reticent.randomness import Source

__all__ = ["SparseVectorExperts"]


@dataclass(frozen=True, kw_only=True)
class SparseVectorExperts(PrivateExpertsAlgorithm):
    """Redraw the expert whenever its loss since the last draw has reached a threshold; no coin.

    ::

        W = 0; i uniform on experts; k = 0; q = 0; draw rho
        for t = 1..T:
            play i; see loss_t; W += loss_t; q += loss_t[i]; draw fresh nu
            if k < K and q + nu >= tau + rho:
                k += 1; i ~ proportional to exp(-eta * W); q = 0; draw new rho

    Parameters
    ----------
    n_experts, epsilon, delta, horizon, relation, rounds_per_person, grid_bits
        See `PrivateExpertsAlgorithm`.
    redraws : int, optional
        K; ceil(1.3 ln N + 3 sqrt(ln N) + 4) by default, which suits a best expert without loss.
    delay : float, optional
        tau in losses; ln(T) / eps1 by default.
    threshold_share : float
        The share of epsilon that AboveThreshold gets, in (0, 1).

    Notes
    -----
    **Guarantee.** (epsilon, delta)-DP for the sequence of choices at any length, also on adaptive streams:
    epsilon = eps1 + Comp_delta(K, eta * score range) (docs/proofs/dartboard.md, without the coin).
    Assumption: a round's losses are a function of that round's record and of public things only; an expert that
    learned from earlier private rounds voids it.

    Examples
    --------
    >>> SparseVectorExperts(100, epsilon=1.0, delta=1e-6).derived_rates.cap
    17
    """

    name: ClassVar[str] = "SparseVectorExperts"

    redraws: int | None = None
    delay: float | None = None
    threshold_share: float = 0.3

    def __post_init__(self) -> None:
        super().__post_init__()
        set_real(self, "threshold_share", LEAST_SHARE, LARGEST_SHARE)
        if self.redraws is not None:
            set_whole(self, "redraws")
        if self.delay is not None:
            set_real(self, "delay", -1e12, 1e12)

    @cached_property
    def threshold_epsilon(self) -> Fraction:
        """eps1."""
        return Fraction(self.epsilon) * Fraction(self.threshold_share)

    @cached_property
    def derived_rates(self) -> EqualRates:
        """Eta and K."""
        log_n = math.log(self.n_experts)
        cap = self.redraws or math.ceil(1.3 * log_n + 3 * math.sqrt(log_n) + 4)
        left = float(Fraction(self.epsilon) - self.threshold_epsilon) * (1 - 1e-12)
        return EqualRates.calibrated(cap, left, float(self.delta), self.neighbours)

    @cached_property
    def tau(self) -> float:
        """The delay that runs, in losses."""
        if self.delay is not None:
            return self.delay
        horizon = max(self.horizon or HORIZON_GUESS, 2)
        return self.neighbours.sensitivity * math.log(horizon) / float(self.threshold_epsilon)

    @property
    def components(self) -> tuple[Component, ...]:
        """See `PrivateExpertsAlgorithm`."""
        redraws = self.derived_rates.epsilon(float(self.delta), self.neighbours)
        return (
            Component("AboveThreshold", float(self.threshold_epsilon), 0.0, "one-sided geometric noise"),
            Component("redraws", redraws, float(self.delta), str(self.derived_rates)),
        )

    @property
    def settings(self) -> dict[str, Any]:
        """See `ExpertsAlgorithm`."""
        return {
            "eps1": float(self.threshold_epsilon),
            "tau": self.tau,
            "eta": float(self.derived_rates.learning_rate),
            "K": self.derived_rates.cap,
        }

    def _start(self, source: Source) -> _Learner:
        return _Learner(self, source)


class _Learner(LazyLearner):
    def __init__(self, algorithm: SparseVectorExperts, source: Source) -> None:
        super().__init__(algorithm, source)
        self._rates = algorithm.derived_rates
        self._threshold = math.ceil(algorithm.tau * self._grid.units)
        self._noise = OneSidedNoise(algorithm.threshold_epsilon, algorithm.neighbours.sensitivity, self._grid.units)
        self._redraws = 0
        self._arm()

    def _arm(self) -> None:
        self._rate = self._rates.rate(self._redraws + 1)
        armed = self._rate is not None
        self._guard = RunningSumAboveThreshold(self._threshold, self._noise, self._source) if armed else None

    def _on_event(self, event: Event) -> None:
        if self._rate is not None:
            self._redraws += 1
            self._choice = exponential_mechanism(self._source, event.cumulative(), self._rate, self._grid.units)
            self._arm()
