"""Asi, Feldman, Koren and Talwar's private shrinking dartboard, plain and in batches."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from reticent.errors import ParameterError
from reticent.experts.base import PrivateExpertsAlgorithm, set_real
from reticent.experts.lazy import Event, LazyLearner
from reticent.experts.tuning import HORIZON_GUESS, affordable, least_floor
from reticent.mechanisms import BatchCoin, EqualRates, exponential_mechanism
from reticent.mechanisms.arguments import check_epsilon, check_whole
from reticent.privacy import Component, Neighbours
from reticent.randomness import Source

__all__ = ["ShrinkingDartboard", "ShrinkingParameters"]


@dataclass(frozen=True)
class ShrinkingParameters:
    """The public numbers of `ShrinkingDartboard`.

    Parameters
    ----------
    coin_epsilon : Fraction
        eps_coin: the forced redraws are as rare as this price of the coin allows.
    batch : int
        B >= 1.
    redraws : EqualRates
        eta and K.
    """

    coin_epsilon: Fraction
    batch: int
    redraws: EqualRates

    def __post_init__(self) -> None:
        check_epsilon(self.coin_epsilon)
        check_whole("batch", self.batch)

    def charge(self, neighbours: Neighbours, units: int) -> int:
        """r0 in grid units, rounded up: a forced redraw has probability p = 1 - exp(-eta * r0)."""
        eta = float(self.redraws.learning_rate)
        least = least_floor(eta, float(self.coin_epsilon) / neighbours.sensitivity)
        return max(1, math.ceil(least * units * (1 + 1e-12)))

    def coin_price(self, neighbours: Neighbours) -> float:
        """max(m eta, eps_coin), as m ln(1 + (1 - exp(-eta)) (1 - p) / p) is at most eps_coin."""
        eta = float(self.redraws.learning_rate) * neighbours.sensitivity
        return max(math.nextafter(eta, math.inf), float(self.coin_epsilon))

    def components(self, delta: float, neighbours: Neighbours) -> tuple[Component, ...]:
        """Where each share of epsilon goes."""
        return (
            Component("coin", self.coin_price(neighbours), 0.0, "max(eta, ln(1 + (1 - exp(-eta)) (1 - p) / p))"),
            Component("redraws", self.redraws.epsilon(delta, neighbours), delta, str(self.redraws)),
        )

    def epsilon(self, delta: float, neighbours: Neighbours) -> float:
        """The price of the coin and of the redraws (docs/proofs/rivals.md, section 1)."""
        return math.fsum(c.epsilon for c in self.components(delta, neighbours))


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
        rates, units = self.derived.redraws, self.grid.units
        theta = float(rates.learning_rate) * self.derived.charge(self.neighbours, units) / units
        return {
            "eta": float(rates.learning_rate),
            "p": -math.expm1(-theta),
            "K": rates.cap,
            "B": self.derived.batch,
        }

    def regret_bound(self, rounds: int, best_loss: float) -> float | None:
        """See `ExpertsAlgorithm`; with the cap taken as not reached (docs/proofs/rivals.md, section 1)."""
        return _bound(float(self.derived.redraws.learning_rate), self.derived.batch, self.n_experts, best_loss)

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


def _bound(eta: float, batch: int, n_experts: int, best_loss: float) -> float:
    """(eta L* + ln N) B / (1 - exp(-eta B)) - L*."""
    return (eta * best_loss + math.log(n_experts)) * batch / -math.expm1(-eta * batch) - best_loss


def _tuned(
    n_experts: int, horizon: int, epsilon: float, delta: float, best_loss: float, neighbours: Neighbours
) -> ShrinkingParameters:
    """The smallest regret bound over a public grid of (eps_coin, B, eta), with K large enough for T and L*.

    Redraws come to about mu = p T / B + ln N + eta L*; K = ceil(1.3 (ln N + eta L*) + p T / B + 3 sqrt(mu) + 4).
    """
    best: tuple[float, float, int, int] | None = None
    least = math.inf
    m = neighbours.sensitivity
    for share in (0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6):
        coin = share * epsilon
        for batch in (1 << power for power in range(min(horizon, 1 << 12).bit_length())):
            for eta in coin / m * np.geomspace(1, 1e-4, 60):
                bound = _bound(eta, batch, n_experts, best_loss)
                forced = -math.expm1(-eta * least_floor(eta, coin / m)) * horizon / batch
                drawn = math.log(n_experts) + eta * best_loss
                cap = math.ceil(1.3 * drawn + forced + 3 * math.sqrt(drawn + forced) + 4)
                if bound < least and affordable(cap, eta * neighbours.score_range, epsilon - coin, delta):
                    least, best = bound, (coin, eta, batch, cap)
    if best is None:
        raise ParameterError(f"no setting of ShrinkingDartboard fits epsilon = {epsilon:g} with {n_experts} experts.")
    coin, _, batch, cap = best
    # The exact accounting allows a somewhat larger rate than the search did.
    left = float(Fraction(epsilon) - Fraction(coin)) * (1 - 1e-12)
    redraws = EqualRates.calibrated(cap, left, delta, neighbours)
    eta = min(redraws.learning_rate, Fraction(coin) / m)
    return ShrinkingParameters(Fraction(coin), batch, EqualRates(eta, cap))
