"""The largest rates that a budget allows."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache

from reticent.errors import ParameterError
from reticent.privacy.composition.arguments import (
    check_cost,
    check_count,
    check_delta,
    check_epsilon,
    check_positive_delta,
)
from reticent.privacy.composition.renyi import zcdp_epsilon
from reticent.privacy.composition.rounding import dyadic_floor, round_up
from reticent.privacy.composition.total import compose, compose_sequence

__all__ = ["calibrate_range", "calibrate_sequence", "zcdp_rho"]

#: Calibration stops within this share of the budget.
_SLACK = 2.0**-15


def zcdp_rho(epsilon: float | Fraction, delta: float) -> Fraction:
    """The largest zCDP cost rho with ``zcdp_epsilon(rho, delta) <= epsilon``, rounded down.

    Parameters
    ----------
    epsilon : float or Fraction
        > 0.
    delta : float
        0 < delta < 1.

    Raises
    ------
    ParameterError
        When a parameter is out of its range.

    >>> rho = zcdp_rho(1, 1e-6)
    >>> 0.0243 < rho < 0.0244 and zcdp_epsilon(rho, 1e-6) <= 1
    True
    """
    return _zcdp_rho(check_epsilon(epsilon), check_positive_delta(delta))


def calibrate_range(count: int, epsilon: float | Fraction, delta: float) -> Fraction:
    """The largest range r with ``compose(count, r, delta) <= epsilon``, rounded down to 32 binary digits.

    Parameters
    ----------
    count : int
        Number of draws, >= 1.
    epsilon : float or Fraction
        The budget, > 0.
    delta : float
        In [0, 1).

    Returns
    -------
    Fraction
        With a power-of-two denominator. It never exceeds the budget, and at delta > 0 uses all of it but
        0.003 %; at delta = 0 it is epsilon / count.

    Raises
    ------
    ParameterError
        When a parameter is out of its range.

    >>> calibrate_range(4, 1, 0.0)
    Fraction(1, 4)
    >>> r = calibrate_range(100, 1, 1e-6)
    >>> compose(100, r, 1e-6) <= 1 < compose(100, r * Fraction(1001, 1000), 1e-6)
    True
    """
    return _calibrate_range(check_count(count, least=1), check_epsilon(epsilon), check_delta(delta))


def calibrate_sequence(
    weights: Sequence[float | Fraction], tail_weight: float | Fraction, epsilon: float | Fraction, delta: float
) -> Fraction:
    """The largest zCDP cost rho that draws of decaying ranges may share, when they are accounted one by one.

    It takes the place of ``zcdp_rho(epsilon, delta)`` for draws with r_j^2 / 8 <= rho * weights[j - 1], and sum
    r_j^2 / 8 <= rho * tail_weight over those beyond the list: it is larger, because their cost is
    ``compose_sequence`` and not the conversion of the sum.

    Parameters
    ----------
    weights : sequence of float or Fraction
        Shares of the first, second, .. draw, each >= 0; 32 to 128 of them are plenty.
    tail_weight : float or Fraction
        Upper bound on the sum of the shares of all draws beyond, >= 0.
    epsilon : float or Fraction
        The budget, > 0.
    delta : float
        0 < delta < 1; a pure budget is shared by making the ranges sum to epsilon.

    Returns
    -------
    Fraction
        rho, rounded down to 32 binary digits. The cost as `compose_sequence` computes it never exceeds the budget.

    Raises
    ------
    ParameterError
        When a parameter is out of its range.

    >>> weights = [0.3 * j**-1.5 for j in range(1, 33)]
    >>> calibrate_sequence(weights, 0.11, 1, 1e-6) > zcdp_rho(1, 1e-6)
    True
    """
    shares = tuple(check_cost("a weight", w) for w in weights)
    tail = check_cost("tail_weight", tail_weight)
    if not any(shares) and tail == 0.0:
        raise ParameterError("weights and tail_weight are all 0; give the share of at least one draw.")
    return _calibrate_sequence(shares, tail, check_epsilon(epsilon), check_positive_delta(delta))


@lru_cache(maxsize=1024)
def _zcdp_rho(epsilon: Fraction, delta: float) -> Fraction:
    log = -math.log(delta)
    guess = (math.sqrt(log + float(epsilon)) - math.sqrt(log)) ** 2
    return _largest(lambda rho: zcdp_epsilon(rho, delta), epsilon, guess, slope=0.5)


@lru_cache(maxsize=1024)
def _calibrate_range(count: int, epsilon: Fraction, delta: float) -> Fraction:
    pure = dyadic_floor(epsilon / count)
    if delta == 0.0:
        return pure
    # Accounting draw by draw allows a few per cent more than the zCDP conversion.
    rho = float(_zcdp_rho(epsilon, delta))
    guess = max(float(pure), 1.07 * math.sqrt(8 * rho / count))
    return _largest(lambda r: compose(count, r, delta), epsilon, guess, slope=1 + rho / float(epsilon))


@lru_cache(maxsize=1024)
def _calibrate_sequence(weights: tuple[float, ...], tail: float, epsilon: Fraction, delta: float) -> Fraction:
    def cost(rho: Fraction) -> float:
        ranges = [math.sqrt(round_up(8 * rho * Fraction(w))) * (1 + 2.0**-51) for w in weights]
        return compose_sequence(ranges, delta, rho * Fraction(tail))

    guess = 1.15 * float(_zcdp_rho(epsilon, delta)) / (math.fsum(weights) + tail)
    return _largest(cost, epsilon, guess, slope=0.5)


def _largest(cost: Callable[[Fraction], float], budget: Fraction, guess: float, slope: float) -> Fraction:
    """The largest x with cost(x) <= budget, for a rising cost: power laws through two points, kept in a bracket.

    `guess` and `slope` (of ln cost against ln x) only save evaluations.
    """
    low, high = 0.0, math.inf
    x, aim = guess, float(budget) * (1 - _SLACK / 2)
    last: tuple[float, float] | None = None
    for trial in itertools.count(1):
        price = cost(dyadic_floor(x))
        if price <= budget:
            low = x
        else:
            high = x
        if high <= low * (1 + _SLACK) or budget * (1 - _SLACK) <= price <= budget:
            break
        if last and 0.0 < price != last[1]:
            slope = min(4.0, max(0.25, math.log(price / last[1]) / math.log(x / last[0])))
        if price > 0.0:
            last = x, price
            x *= (aim / price) ** (1 / slope)
        if not low < x < high or trial % 8 == 0:
            x = _between(low, high)
    return dyadic_floor(low)


def _between(low: float, high: float) -> float:
    if low == 0.0:
        return high / 2
    return 2 * low if high == math.inf else math.sqrt(low * high)
