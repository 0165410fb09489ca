"""What the Dartboard may lose on oblivious streams, from how often its expert can leave (docs/proofs/regret.md)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from reticent.experts.tuning import DartboardParameters
from reticent.mechanisms import EqualRates
from reticent.privacy import Neighbours

__all__ = ["chance_of_more", "regret_bound"]

#: Exponents of Chernoff's bound that are tried; any of them gives a bound.
_EXPONENTS = np.geomspace(1e-3, 1e2, 256)

#: Decaying rates are followed up to this departure at most; what comes after is taken to lose everything.
_MOST = 1 << 12


def regret_bound(
    parameters: DartboardParameters,
    n_experts: int,
    rounds: int,
    best_loss: float,
    neighbours: Neighbours,
    units: int,
) -> float:
    """The explicit bound on the expected regret of Algorithm 1 on an oblivious stream, with nothing left aside.

    With equal rates (1 / eta + D) mu + D + 1 - L* + T P[Poisson(mu) > V], where mu = ln N + eta (L* + r_min p T)
    bounds the mean number of departures, D the loss of one interval but for a chance of 1 / T, and p the chance that
    an interval ends in a given round with a loss below the floor r_min. With rates that decay, the sum over all k
    of the chance of a (k+1)-st departure times 1 / eta'_k + D (docs/proofs/regret.md, Theorems 2 and 3).

    Parameters
    ----------
    parameters : DartboardParameters
    n_experts, rounds : int
    best_loss : float
        L*.
    neighbours : Neighbours
    units : int
        Grid units in a loss of 1.

    Returns
    -------
    float
        At most T - L*, which holds for every algorithm.
    """
    noise = parameters.guard_noise(neighbours, units)
    # Delays are rounded up to the grid.
    longest = max(parameters.delay + noise.largest_excess(rounds), 0.0) + 1 + 1 / units
    run = _Run(parameters, n_experts, rounds, best_loss, longest, neighbours, units)
    return min(run.cost() + longest + 1, float(rounds)) - best_loss


@dataclass(frozen=True)
class _Run:
    parameters: DartboardParameters
    n_experts: int
    rounds: int
    best_loss: float
    longest: float
    neighbours: Neighbours
    units: int

    def cost(self) -> float:
        """What departures cost on average, and the end of the redraws."""
        redraws = self.parameters.redraws
        return self._of_equal_rates(redraws) if isinstance(redraws, EqualRates) else self._of_decaying_rates()

    def _of_equal_rates(self, redraws: EqualRates) -> float:
        eta = float(redraws.learning_rate)
        departures = self._log_weights(eta, self._early_charge(redraws.learning_rate))
        exhausted = self.rounds * chance_of_more(redraws.cap, departures)
        return departures * (1 / eta + self.longest) + exhausted

    def _of_decaying_rates(self) -> float:
        redraws, rates = self.parameters.redraws, list[float]()
        cost = early = 0.0
        for departure in range(_MOST):
            guarded, drawn = redraws.rate(departure + 1), redraws.rate(max(departure, 1))
            if guarded is None or drawn is None or cost > self.rounds:
                break
            rates.append(float(drawn))
            early = max(early, self._early_charge(guarded))
            shares = rates[-1] / np.array(rates)
            exponents = _EXPONENTS * self._log_weights(rates[-1], early)
            exponents -= np.log1p(np.outer(_EXPONENTS, shares)).sum(axis=1)
            chance = math.exp(min(0.0, float(exponents.min())))
            cost += chance * (1 / float(self.parameters.coin_rate(guarded, self.neighbours)) + self.longest)
            if chance * self.rounds < 1e-3:
                return cost + chance * self.rounds
        return float(self.rounds)

    def _log_weights(self, rate: float, early: float) -> float:
        """By how much the logarithm of the sum of all weights can fall, the floor's part included."""
        return math.log(self.n_experts) + rate * (self.best_loss + early * self.rounds)

    def _early_charge(self, rate: Fraction) -> float:
        """r_min p: what the floor adds to the charges of a coin, on average in a round, at most."""
        coin_rate = self.parameters.coin_rate(rate, self.neighbours)
        floor = self.parameters.floor(coin_rate, self.neighbours, self.units) / self.units
        noise = self.parameters.guard_noise(self.neighbours, self.units)
        return floor * noise.chance_of_reaching(self.parameters.delay - floor)


def chance_of_more(cap: int, mean: float, coins: int = 0, chance: float = 0.0) -> float:
    """P[X + Y > cap] at most, X Poisson with this mean, Y binomial: how many of `coins` fall, each with `chance`.

    Chernoff's bound.

    Examples
    --------
    >>> 1 - sum(math.exp(-6) * 6**k / math.factorial(k) for k in range(21)) < chance_of_more(20, 6.0) < 1e-4
    True
    """
    tilt = np.expm1(_EXPONENTS)
    with np.errstate(over="ignore"):
        exponents = mean * tilt + coins * np.log1p(chance * tilt) - (cap + 1) * _EXPONENTS
    return math.exp(min(0.0, float(exponents.min())))
