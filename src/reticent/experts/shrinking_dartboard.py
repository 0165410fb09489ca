"""Asi, Feldman, Koren and Talwar's private shrinking dartboard, plain and in batches."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from reticent.errors import ParameterError
from reticent.experts.base import PrivateExpertsAlgorithm, set_real
from reticent.experts.batches import BatchParameters, regret_bound, smallest_bound
from reticent.experts.lazy import Event, LazyLearner
from reticent.experts.tuning import HORIZON_GUESS, least_floor
from reticent.mechanisms import BatchCoin, exponential_mechanism
from reticent.privacy import Component, Neighbours
from reticent.randomness import Source

__all__ = ["ShrinkingDartboard", "ShrinkingParameters"]


@dataclass(frozen=True)
class ShrinkingParameters(BatchParameters):
    """The public numbers of `ShrinkingDartboard`: see `BatchParameters`."""

    def charge(self, neighbours: Neighbours, units: int) -> int:
        """The least r0 with m ln(1 + (1 - exp(-eta)) (1 - p) / p) <= eps_coin."""
        eta = float(self.redraws.learning_rate)
        least = least_floor(eta, float(self.coin_epsilon) / neighbours.sensitivity)
        return max(1, math.ceil(least * units * (1 + 1e-12)))

    def coin_price(self, neighbours: Neighbours) -> float:
        """max(m eta, eps_coin)."""
        eta = float(self.redraws.learning_rate) * neighbours.sensitivity
        return max(math.nextafter(eta, math.inf), float(self.coin_epsilon))


@dataclass(frozen=True, kw_only=True)
class ShrinkingDartboard(PrivateExpertsAlgorithm):
    """Keep the expert with the probability by which its weight shrank; at times leave it all the same.

    ::

        W = 0; i uniform on experts; k = 0
        for b = 1, 2, ..: (batches of B rounds; B = 1 is Algorithm 1 of the paper)
            play i throughout the batch; see its losses; W += all of them; r = those of i
            keep ~ Bernoulli((1 - p) * exp(-eta * r))
            if not keep and k < K: k += 1; i ~ proportional to exp(-eta * W)

    Until the cap is reached i is distributed as by multiplicative weights, at the end of every batch.

    Parameters
    ----------
    n_experts, epsilon, delta, horizon, relation, rounds_per_person, grid_bits
        See `PrivateExpertsAlgorithm`. Without `horizon` the tuning assumes 2**17 rounds; privacy does not.
    expected_best_loss : float, optional
        A public guess of the best expert's total loss, for tuning only; a hundredth of the horizon by default. With
        a guess that is far too low the redraws run out early, which costs regret and not privacy.
    parameters : ShrinkingParameters, optional
        eta, p, K and B; by default those of the smallest regret bound over a public grid.

    Notes
    -----
    **Guarantee.** The sequence of choices is (epsilon, delta)-DP under `relation`, at any length, also on adaptive
    streams: epsilon = max(eta, ln(1 + (1 - exp(-eta)) (1 - p) / p)) + Comp_delta(K, eta * score range), with eta per
    loss, whatever B (docs/proofs/rivals.md, section 1). Assumption: a round's losses are a function of that round's
    record and of public things only; an expert that learned from earlier private rounds voids it.
    Source: Asi, Feldman, Koren and Talwar, *Private Online Prediction from Experts* (COLT 2023), Algorithm 1 and
    Theorem 5, where batches average the losses: their eta is B times this one, and their weights (1 - eta)^loss. With
    p as here this is also what the lazy-to-private transformation (Asi, Koren, Liu and Talwar 2024) makes of
    multiplicative weights, when the weights need not be normalised.

    Examples
    --------
    >>> algorithm = ShrinkingDartboard(n_experts=3, epsilon=1.0, delta=1e-6, horizon=10_000)
    >>> learner = algorithm.start()
    >>> learner.update([0.0, 1.0, 0.5])
    >>> learner.choice in range(3)
    True
    """

    name: ClassVar[str] = "ShrinkingDartboard"

    expected_best_loss: float | None = None
    parameters: ShrinkingParameters | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.expected_best_loss is not None:
            set_real(self, "expected_best_loss", 0, 1e18)
        price = self.derived.epsilon(self.delta, self.neighbours)
        if price > self.epsilon:
            raise ParameterError(
                f"these parameters cost epsilon {price:.6g}, more than the {self.epsilon:g} allowed."
            )

    @cached_property
    def derived(self) -> ShrinkingParameters:
        """The numbers that run."""
        if self.parameters is not None:
            return self.parameters
        horizon = self.horizon or HORIZON_GUESS
        best_loss = horizon / 100 if self.expected_best_loss is None else self.expected_best_loss
        return _tuned(self.n_experts, horizon, float(self.epsilon), float(self.delta), best_loss, self.neighbours)

    @property
    def components(self) -> tuple[Component, ...]:
        """See `PrivateExpertsAlgorithm`."""
        return self.derived.components(float(self.delta), self.neighbours)

    @property
    def settings(self) -> dict[str, Any]:
        """See `ExpertsAlgorithm`."""
        return {
            "eta": float(self.derived.redraws.learning_rate),
            "p": self.derived.forced_probability(self.neighbours, self.grid.units),
            "K": self.derived.redraws.cap,
            "B": self.derived.batch,
        }

    def regret_bound(self, rounds: int, best_loss: float) -> float | None:
        """See `ExpertsAlgorithm`; with the cap taken as not reached (docs/proofs/rivals.md, section 1)."""
        return regret_bound(float(self.derived.redraws.learning_rate), self.derived.batch, self.n_experts, best_loss)

    def _start(self, source: Source) -> _Learner:
        return _Learner(self, source)


class _Learner(LazyLearner):
    def __init__(self, algorithm: ShrinkingDartboard, source: Source) -> None:
        super().__init__(algorithm, source)
        self._parameters = algorithm.derived
        self._charge = algorithm.derived.charge(algorithm.neighbours, self._grid.units)
        self._redraws = 0
        self._arm()

    def _arm(self) -> None:
        """The rate of the next redraw and its coin; None past the cap, as the choice can no longer change."""
        self._rate = rate = self._parameters.redraws.rate(self._redraws + 1)
        if rate is None:
            self._guard = None
        else:
            self._guard = BatchCoin(self._parameters.batch, self._charge, rate / self._grid.units, self._source)

    def _on_event(self, event: Event) -> None:
        if self._rate is None:
            raise AssertionError("there is no coin after the last redraw")
        self._redraws += 1
        self._choice = exponential_mechanism(self._source, event.cumulative(), self._rate, self._grid.units)
        self._arm()


def _tuned(
    n_experts: int, horizon: int, epsilon: float, delta: float, best_loss: float, neighbours: Neighbours
) -> ShrinkingParameters:
    m = neighbours.sensitivity

    def forced(coin: float, batch: int, eta: float) -> float:
        """The forced redraws: p T / B."""
        return -math.expm1(-eta * least_floor(eta, coin / m)) * horizon / batch

    return ShrinkingParameters(
        *smallest_bound(n_experts, horizon, epsilon, delta, best_loss, neighbours, coin_range=m, draws=forced)
    )
