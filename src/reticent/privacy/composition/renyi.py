"""Composition through Renyi divergences: they add up, and are converted to (epsilon, delta) in the end."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from reticent.privacy.composition.arguments import check_cost, check_count, check_positive_delta
from reticent.privacy.composition.rounding import MARGIN

__all__ = ["renyi_coins_delta", "renyi_composition", "renyi_epsilon", "zcdp_epsilon"]

FloatArray = npt.NDArray[np.float64]

#: Smaller costs count as these, so that nothing underflows.
_LEAST_RHO, _LEAST_RANGE = 1e-200, 1e-100


def zcdp_epsilon(rho: float | Fraction, delta: float) -> float:
    """The epsilon at delta > 0 that rho-zCDP implies, by the tight conversion at the best order.

    A draw of range r is r^2/8-zCDP, and zCDP costs add up on every path, whatever their number and order: the
    cost of draws whose public ranges r_j satisfy sum_j r_j^2 / 8 <= rho is ``zcdp_epsilon(rho, delta)``.

    Parameters
    ----------
    rho : float or Fraction
        Total zCDP cost, >= 0.
    delta : float
        0 < delta < 1.

    Returns
    -------
    float
        An epsilon, rounded up: an upper bound, valid for adaptive composition.

    Source: Canonne, Kamath and Steinke, *The Discrete Gaussian for Differential Privacy*, Proposition 12;
    Bun and Steinke, *Concentrated Differential Privacy*, Proposition 1.3.

    >>> 0.70015 < zcdp_epsilon(1000 * 0.01**2 / 8, 1e-6) < 0.70025
    True
    """
    total, delta = check_cost("rho", rho), check_positive_delta(delta)
    if total == 0.0:
        return 0.0
    total = max(total, _LEAST_RHO)
    return renyi_epsilon(lambda order: (1.0 + order) * total, total, delta)


def renyi_composition(count: int, draw_range: float | Fraction, delta: float) -> float:
    """The cost at delta > 0 of `count` adaptive draws of one range, by Renyi accounting at the best order.

    A draw of range r whose largest log-ratio is t has at order alpha the Renyi divergence of two points, t and
    t - r. With y = e^t, A = e^r - e^{-(alpha-1) r} and B = 1 - e^{-(alpha-1) r} its exponential moment is
    y^{alpha-1} (A - B y) / (e^r - 1), largest at y = (1 - 1/alpha) A / B: the supremum over t in closed form.

    Parameters
    ----------
    count : int
        Number of draws, >= 0.
    draw_range : float or Fraction
        Range r of each draw, >= 0.
    delta : float
        0 < delta < 1.

    Returns
    -------
    float
        An epsilon, rounded up: an upper bound, valid for adaptive composition. The supremum at each order is
        attained; the conversion from Renyi divergences to epsilon is what is lost (7 % at count = 1000).

    Source: Dong, Durfee and Rogers, *Optimal Differential Privacy Composition for Exponential Mechanisms*,
    for the two-point distributions; the conversion as in `zcdp_epsilon`.

    >>> 0.69975 < renyi_composition(1000, 0.01, 1e-6) < 0.69985
    True
    """
    r, delta = check_cost("draw_range", draw_range), check_positive_delta(delta)
    if check_count(count) == 0 or r == 0.0:
        return 0.0
    r = max(r, _LEAST_RANGE)
    return renyi_epsilon(lambda order: count * _bounded_range_divergence(order, r), count * r * r / 8, delta)


def _bounded_range_divergence(order: FloatArray, r: float) -> FloatArray:
    """Upper bound on the Renyi divergence of a draw of range r at alpha = 1 + order."""
    log_A = r + np.log(-np.expm1(-(1.0 + order) * r))
    log_B = np.log(-np.expm1(-order * r))
    log_expm1_r = r + math.log(-math.expm1(-r))
    log_y = -np.log1p(1.0 / order) + log_A - log_B
    divergence = (log_A - np.log1p(order) - log_expm1_r) / order + log_y
    # Each logarithm errs by a few units of itself and of one; the moment is close to one for small r, where all
    # digits may cancel: the zCDP bound takes over there.
    size = np.abs(log_A) + np.abs(log_B) + np.log1p(order) + np.log1p(1.0 / order) + abs(log_expm1_r) + 4.0
    upper = divergence + MARGIN / 16 * size * (1.0 + 1.0 / order)
    return np.minimum(upper, (1.0 + order) * r * r / 8 * (1.0 + MARGIN))


def renyi_epsilon(divergence: Callable[[FloatArray], FloatArray], rho: float, delta: float) -> float:
    """The epsilon at delta > 0 that bounds on the Renyi divergences imply, by the tight conversion.

    Parameters
    ----------
    divergence : callable (float64 array) -> float64 array
        Maps alpha - 1 > 0 to an upper bound on the Renyi divergence at alpha; ``inf`` where there is none.
    rho : float
        About the divergence over alpha; it sets the scale of the search.
    delta : float
        0 < delta < 1.

    Returns
    -------
    float
        The least over orders, rounded up: any order is valid, so a fine grid round the best one is enough.
    """

    def epsilon(order: FloatArray) -> FloatArray:
        cost = divergence(order)
        log_delta = math.log(delta)
        value = cost - np.log1p(1.0 / order) - (log_delta + np.log1p(order)) / order
        size = cost + np.log1p(1.0 / order) + (abs(log_delta) + np.log1p(order)) / order
        return value + MARGIN * size

    centre = math.sqrt(abs(math.log(delta)) / rho)
    coarse = centre * np.exp2(np.linspace(-16.0, 16.0, 257))
    best = coarse[np.argmin(epsilon(coarse))]
    fine = best * np.exp2(np.linspace(-0.125, 0.125, 65))
    return max(0.0, float(epsilon(fine).min()))


def renyi_coins_delta(
    heads: FloatArray, tails: FloatArray, other_heads: FloatArray, other_tails: FloatArray, epsilon: float
) -> float:
    """As `coins_delta`, through the Renyi divergences of the coins: fast for any number of them, and looser.

    Parameters and result are those of `coins_delta`; delta is two to four times the exact one.
    """
    budget = check_cost("epsilon", epsilon) * (1 - MARGIN)
    certain, rho = 0.0, 0.0
    sides = []
    for p, q in ((heads, other_heads), (tails, other_tails)):
        certain += float(p[q == 0].sum())
        with np.errstate(divide="ignore", invalid="ignore"):
            sides.append((q, np.log1p((p - q) / q)))
        rho += float(((p - q) ** 2 / np.where(q > 0, q, 1.0)).sum()) / 2
    best = 1.0
    for order in (budget + rho) / (2 * rho + _LEAST_RHO) * np.geomspace(0.4, 1.0, 13):
        if not 0.01 < order - 1 < 1e6:
            continue
        excess = np.zeros(len(heads))
        moment = np.zeros(len(heads))
        for q, log_ratio in sides:
            power = np.expm1(np.where(q > 0, order * log_ratio, 0.0))
            excess += q * power
            moment += q * (1 + power)
        # A log-ratio errs by a few units, which order times as many enter the moment.
        log_moments = float(np.log1p(excess + MARGIN / 32 * (1 + order) * moment).sum()) * (1 + MARGIN)
        rest = (order - 1) * (budget - math.log1p(-1 / order)) + math.log(order)
        best = min(best, math.exp(min(0.0, log_moments - rest * (1 - MARGIN) + MARGIN)))
    return min(1.0, certain + best)
