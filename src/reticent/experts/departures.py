"""What the Dartboard may lose on oblivious streams, from how often its expert can leave (docs/proofs/regret.md)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from reticent.mechanisms import EqualRates
from reticent.privacy import Neighbours

if TYPE_CHECKING:
    from reticent.experts.tuning import DartboardParameters

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
    longest = max(parameters.delay + noise.largest_excess(rounds), 0.0) + 1
    # Delays are rounded up to the grid.
    longest += 1 / units
    if isinstance(parameters.redraws, EqualRates):
        cost = _equal_rates(parameters, n_experts, rounds, best_loss, longest, neighbours, units)
    else:
        cost = _decaying_rates(parameters, n_experts, rounds, best_loss, longest, neighbours, units)
    return min(cost + longest + 1, float(rounds)) - best_loss


def _equal_rates(
    parameters: DartboardParameters,
    n_experts: int,
    rounds: int,
    best_loss: float,
    longest: float,
    neighbours: Neighbours,
    units: int,
) -> float:
    assert isinstance(parameters.redraws, EqualRates)
    if parameters.redraws.cap == 0:
        return float(rounds)
    eta = float(parameters.redraws.learning_rate)
    early = _early_charge(parameters, neighbours, units, draw=1)
    departures = math.log(n_experts) + eta * (best_loss + early * rounds)
    exhausted = rounds * chance_of_more(parameters.redraws.cap, departures)
    return departures * (1 / eta + longest) + exhausted


def _decaying_rates(
    parameters: DartboardParameters,
    n_experts: int,
    rounds: int,
    best_loss: float,
    longest: float,
    neighbours: Neighbours,
    units: int,
) -> float:
    rates: list[float] = []
    cost, early = 0.0, 0.0
    for number in range(_MOST):
        guarded = parameters.redraws.rate(number + 1)
        drawn = parameters.redraws.rate(max(number, 1))
        if guarded is None or drawn is None:
            break
        rates.append(float(drawn))
        early = max(early, _early_charge(parameters, neighbours, units, draw=number + 1))
        within = math.log(n_experts) + rates[-1] * (best_loss + early * rounds)
        shares = rates[-1] / np.array(rates)
        exponents = _EXPONENTS * within - np.log1p(np.outer(_EXPONENTS, shares)).sum(axis=1)
        chance = math.exp(min(0.0, float(exponents.min())))
        if chance * rounds < 1e-3:
            return cost + chance * rounds
        cost += chance * (1 / float(parameters.coin_rate(guarded, neighbours)) + longest)
        if cost > rounds:
            break
    return float(rounds)


def _early_charge(parameters: DartboardParameters, neighbours: Neighbours, units: int, draw: int) -> float:
    """r_min p: what the floor adds to the charges of a coin, on average in a round, at most."""
    rate = parameters.redraws.rate(draw)
    assert rate is not None
    floor = parameters.floor(parameters.coin_rate(rate, neighbours), neighbours, units) / units
    return floor * parameters.guard_noise(neighbours, units).chance_of_reaching(parameters.delay - floor)


def chance_of_more(cap: int, mean: float, coins: int = 0, chance: float = 0.0) -> float:
    """P[X + Y > cap] at most, X Poisson with this mean, Y binomial: how many of `coins` fall, each with `chance`.

    Chernoff's bound.

    Examples
    --------
    >>> 1 - sum(math.exp(-6) * 6**k / math.factorial(k) for k in range(21)) < chance_of_more(20, 6.0) < 1e-5
    True
    """
    tilt = np.expm1(_EXPONENTS)
    with np.errstate(over="ignore"):
        exponents = mean * tilt + coins * np.log1p(chance * tilt) - (cap + 1) * _EXPONENTS
    return math.exp(min(0.0, float(exponents.min())))
