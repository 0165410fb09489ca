"""Multiplicative weights whose choice stays for a batch of rounds: public parameters and a regret bound."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from reticent.errors import ParameterError
from reticent.experts.tuning import affordable
from reticent.mechanisms import EqualRates
from reticent.mechanisms.arguments import check_epsilon, check_whole
from reticent.privacy import Component, Neighbours

__all__ = ["BatchParameters", "regret_bound", "smallest_bound"]

#: Batches longer than this are not tried by tuning.
_LONGEST = 1 << 12


@dataclass(frozen=True)
class BatchParameters(ABC):
    """The public numbers of an algorithm that tosses a coin after each batch.

    Parameters
    ----------
    coin_epsilon : Fraction
        eps_coin: the expert is left without a reason as seldom as this price of the coin allows.
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

    @abstractmethod
    def charge(self, neighbours: Neighbours, units: int) -> int:
        """r0 in grid units, rounded up: p = 1 - exp(-eta * r0)."""

    @abstractmethod
    def coin_price(self, neighbours: Neighbours) -> float:
        """What all coins cost together."""

    def forced_probability(self, neighbours: Neighbours, units: int) -> float:
        """p, for reports."""
        return -math.expm1(-float(self.redraws.learning_rate) * self.charge(neighbours, units) / units)

    def components(self, delta: float, neighbours: Neighbours) -> tuple[Component, ...]:
        """Where each share of epsilon goes."""
        return (
            Component("coin", self.coin_price(neighbours), 0.0, "staying or leaving, whichever tells more"),
            Component("redraws", self.redraws.epsilon(delta, neighbours), delta, str(self.redraws)),
        )

    def epsilon(self, delta: float, neighbours: Neighbours) -> float:
        """The price of the coins and of the redraws (docs/proofs/rivals.md)."""
        return math.fsum(c.epsilon for c in self.components(delta, neighbours))


def regret_bound(eta: float, batch: int, n_experts: int, best_loss: float) -> float:
    """(eta L* + ln N) B / (1 - exp(-eta B)) - L* (docs/proofs/rivals.md, section 1)."""
    return (eta * best_loss + math.log(n_experts)) * batch / -math.expm1(-eta * batch) - best_loss


def smallest_bound(
    n_experts: int,
    horizon: int,
    epsilon: float,
    delta: float,
    best_loss: float,
    neighbours: Neighbours,
    *,
    coin_range: int,
    draws: Callable[[float, int, float], float],
) -> tuple[Fraction, int, EqualRates]:
    """eps_coin, B and the redraws of the smallest regret bound over a public grid, with enough redraws for T and L*.

    Parameters
    ----------
    coin_range : int
        By how many losses a person moves the coin: eta times this is at most eps_coin.
    draws : callable (eps_coin, B, eta) -> float
        How many redraws there will be, apart from ln N + eta L*. K exceeds the sum by three standard deviations of
        as many independent ones, and by 4.
    """
    best: tuple[float, float, int, int] | None = None
    least = math.inf
    for share in (0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6):
        coin = share * epsilon
        for batch in (1 << power for power in range(min(horizon, _LONGEST).bit_length())):
            for eta in coin / coin_range * np.geomspace(1, 1e-4, 60):
                bound = regret_bound(eta, batch, n_experts, best_loss)
                if bound >= least:
                    continue
                drawn, forced = math.log(n_experts) + eta * best_loss, draws(coin, batch, eta)
                cap = math.ceil(1.3 * drawn + forced + 3 * math.sqrt(drawn + forced) + 4)
                if affordable(cap, eta * neighbours.score_range, epsilon - coin, delta):
                    least, best = bound, (coin, eta, batch, cap)
    if best is None:
        raise ParameterError(f"no setting fits epsilon = {epsilon:g} with {n_experts} experts.")
    coin, _, batch, cap = best
    # The exact accounting allows a somewhat larger rate than the search did.
    left = float(Fraction(epsilon) - Fraction(coin)) * (1 - 1e-12)
    rates = EqualRates.calibrated(cap, left, delta, neighbours)
    rate = min(rates.learning_rate, Fraction(coin) / coin_range)
    return Fraction(coin), batch, EqualRates(rate, cap)
