"""Multiplicative weights whose choice stays for a batch of rounds: what the algorithms of this kind share."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np

from reticent.errors import ParameterError
from reticent.experts.base import PrivateExpertsAlgorithm, set_real
from reticent.experts.departures import chance_of_more
from reticent.experts.tuning import HORIZON_GUESS, affordable
from reticent.mechanisms import EqualRates
from reticent.mechanisms.arguments import check_epsilon, check_whole
from reticent.privacy import Component, Neighbours
from reticent.privacy.composition.rounding import round_up
from reticent.randomness import LARGEST_SCALE

__all__ = ["BatchParameters", "BatchedWeights"]

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

    @staticmethod
    @abstractmethod
    def coin_range(neighbours: Neighbours) -> int:
        """By how many losses a person moves the coin: its staying costs eta times this."""

    @staticmethod
    @abstractmethod
    def least_charge(eta: float, coin: float, batch: int, neighbours: Neighbours) -> float:
        """The least r0, in losses, with which leaving costs no more than `coin`; below 0 where none is needed."""

    @classmethod
    @abstractmethod
    def draws(cls, eta: float, coin: float, batch: int, neighbours: Neighbours) -> float:
        """How many redraws a batch brings on average, beside those that losses bring."""

    def charge(self, neighbours: Neighbours, units: int) -> int:
        """r0 in grid units, rounded up: p = 1 - exp(-eta * r0)."""
        eta = float(self.redraws.learning_rate)
        return max(0, math.ceil(self.least_charge(eta, float(self.coin_epsilon), self.batch, neighbours) * units))

    def coin_price(self, neighbours: Neighbours) -> float:
        """What all coins cost together: staying, or leaving."""
        eta = self.redraws.learning_rate * self.coin_range(neighbours)
        return round_up(max(eta, self.coin_epsilon))

    def components(self, delta: float, neighbours: Neighbours) -> tuple[Component, ...]:
        """Where each share of epsilon goes."""
        return (
            Component("coin", self.coin_price(neighbours), 0.0, "staying or leaving, whichever tells more"),
            Component("redraws", self.redraws.epsilon(delta, neighbours), delta, str(self.redraws)),
        )

    def epsilon(self, delta: float, neighbours: Neighbours) -> float:
        """The price of the coins and of the redraws (docs/proofs/rivals.md)."""
        return round_up(sum(Fraction(c.epsilon) for c in self.components(delta, neighbours)))

    @classmethod
    def tuned(
        cls, n_experts: int, horizon: int, epsilon: float, delta: float, best_loss: float, neighbours: Neighbours
    ) -> Self:
        """The smallest regret bound over a public grid of (eps_coin, B, eta), with enough redraws for T and L*.

        Losses bring about ln N + eta L* redraws; K is 1.3 times that and the others, and exceeds the sum by three
        standard deviations of as many independent ones, and by 4. Nothing here looks at data.
        """
        best: tuple[float, int, int] | None = None
        least = math.inf
        for share in (0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6):
            coin = share * epsilon
            for batch in (1 << power for power in range(min(horizon, _LONGEST).bit_length())):
                for eta in coin / cls.coin_range(neighbours) * np.geomspace(1, 1e-4, 60):
                    bound = _regret_bound(eta, batch, n_experts, best_loss)
                    if bound >= least:
                        continue
                    drawn = math.log(n_experts) + eta * best_loss
                    forced = cls.draws(eta, coin, batch, neighbours) * horizon / batch
                    cap = math.ceil(1.3 * drawn + forced + 3 * math.sqrt(drawn + forced) + 4)
                    if affordable(cap, eta * neighbours.score_range, epsilon - coin, delta):
                        least, best = bound, (coin, batch, cap)
        if best is None:
            raise ParameterError(
                f"no setting fits epsilon = {epsilon:g} with {n_experts} experts and a horizon of {horizon}; give a "
                "larger epsilon, a delta above 0, or a shorter horizon."
            )
        coin, batch, cap = best
        # The exact accounting allows a somewhat larger rate than the search did.
        left = float(Fraction(epsilon) - Fraction(coin)) * (1 - 1e-12)
        rates = EqualRates.calibrated(cap, left, delta, neighbours)
        rate = min(rates.learning_rate, Fraction(coin) / cls.coin_range(neighbours))
        return cls(Fraction(coin), batch, EqualRates(rate, cap))


@dataclass(frozen=True, kw_only=True)
class BatchedWeights(PrivateExpertsAlgorithm):
    """An algorithm of this kind.

    Parameters
    ----------
    n_experts, epsilon, delta, horizon, relation, rounds_per_person, grid_bits
        See `PrivateExpertsAlgorithm`. Without `horizon` the tuning assumes 2**17 rounds; privacy does not.
    expected_best_loss : float, optional
        A public guess of the best expert's total loss, for tuning only; a hundredth of the horizon by default. With
        a guess that is far too low the redraws run out early, which costs regret and not privacy.
    parameters : BatchParameters, optional
        eta, p, K and B; by default those of the smallest regret bound over a public grid.
    """

    kind: ClassVar[type[BatchParameters]]

    expected_best_loss: float | None = None
    parameters: BatchParameters | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.expected_best_loss is not None:
            set_real(self, "expected_best_loss", 0, 1e18)
        if self.parameters is not None and not isinstance(self.parameters, self.kind):
            raise ParameterError(f"parameters is {self.parameters!r}; give a {self.kind.__name__}.")
        price = self.derived.epsilon(self.delta, self.neighbours)
        if price > self.epsilon:
            raise ParameterError(
                f"these parameters cost epsilon {price:.6g}, more than the {self.epsilon:g} allowed."
            )
        if self.grid.units / self.derived.redraws.learning_rate > LARGEST_SCALE:
            raise ParameterError(
                f"epsilon is {self.epsilon:g} on a grid of {self.grid_bits} bits, too little for a learning rate of "
                f"{float(self.derived.redraws.learning_rate):.3g}; give a larger epsilon, or fewer grid_bits."
            )

    @cached_property
    def derived(self) -> BatchParameters:
        """The numbers that run."""
        if self.parameters is not None:
            return self.parameters
        horizon = self.horizon or HORIZON_GUESS
        best_loss = horizon / 100 if self.expected_best_loss is None else self.expected_best_loss
        return self.kind.tuned(
            self.n_experts, horizon, float(self.epsilon), float(self.delta), best_loss, self.neighbours
        )

    @property
    def components(self) -> tuple[Component, ...]:
        """See `PrivateExpertsAlgorithm`."""
        return self.derived.components(float(self.delta), self.neighbours)

    @property
    def settings(self) -> dict[str, Any]:
        """See `ExpertsAlgorithm`."""
        eta, units = float(self.derived.redraws.learning_rate), self.grid.units
        return {
            "eta": eta,
            "p": -math.expm1(-eta * self.derived.charge(self.neighbours, units) / units),
            "K": self.derived.redraws.cap,
            "B": self.derived.batch,
        }

    def regret_bound(self, rounds: int, best_loss: float) -> float | None:
        """See `ExpertsAlgorithm`: what is proved without a cap, and T times the chance that the cap is reached.

        Losses bring about at most as many departures as a Poisson variable of mean ln N + eta L*, and the coins that
        ask for no reason the others (docs/proofs/regret.md, Theorem 2; docs/proofs/rivals.md, sections 1 and 3).
        """
        redraws, batch = self.derived.redraws, self.derived.batch
        eta = float(redraws.learning_rate)
        # The charges that run are rounded up to the grid. At most two coins fall after a batch.
        forced = self.derived.draws(eta, float(self.derived.coin_epsilon), batch, self.neighbours)
        chance = forced / 2 + eta / self.grid.units
        mean = math.log(self.n_experts) + eta * best_loss
        exhausted = rounds * chance_of_more(redraws.cap, mean, 2 * (rounds // batch), chance)
        value = _regret_bound(eta, batch, self.n_experts, best_loss) + exhausted
        return min(value, rounds - best_loss)


def _regret_bound(eta: float, batch: int, n_experts: int, best_loss: float) -> float:
    """(eta L* + ln N) B / (1 - exp(-eta B)) - L*."""
    return (eta * best_loss + math.log(n_experts)) * batch / -math.expm1(-eta * batch) - best_loss
