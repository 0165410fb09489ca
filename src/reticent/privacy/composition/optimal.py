"""Optimal composition of pure mechanisms (Kairouz, Oh and Viswanath)."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from reticent.privacy.composition.arguments import check_cost, check_count, check_positive_delta
from reticent.privacy.composition.rounding import MARGIN

__all__ = ["optimal_composition"]

FloatArray = npt.NDArray[np.float64]

_MOST_RUNS = 2**21


def optimal_composition(count: int, draw_range: float | Fraction, delta: float) -> float:
    """The smallest epsilon at delta > 0 for `count` adaptive runs of any r-DP mechanism, r = draw_range.

    The worst mechanism is randomised response, whose privacy loss after k runs is (k - 2 l) r with the binomial
    probability p_l, l = 0, .., k. With q_l = p_l e^{-(k - 2l) r}, delta(epsilon) = max_i (P_i - e^epsilon Q_i)
    over the prefix sums P_i, Q_i, so that epsilon = max_i ln((P_i - delta) / Q_i).

    Parameters
    ----------
    count : int
        Number of runs k, >= 0; a million takes a tenth of a second.
    draw_range : float or Fraction
        The r of each run, >= 0.
    delta : float
        0 < delta < 1.

    Returns
    -------
    float
        An epsilon, rounded up. **Exact** for adaptive composition of r-DP mechanisms; for bounded-range draws,
        which are r-DP, an upper bound about twice too large. ``inf`` beyond 2^21 runs.

    Source: Kairouz, Oh and Viswanath, *The Composition Theorem for Differential Privacy*, Theorem 3.3.

    >>> 1.36535 < optimal_composition(1000, 0.01, 1e-6) < 1.36545
    True
    """
    r, delta = check_cost("draw_range", draw_range), check_positive_delta(delta)
    if check_count(count) == 0 or r == 0.0:
        return 0.0
    if count > _MOST_RUNS:
        return math.inf
    runs = np.arange(count // 2 + 1, dtype=np.float64)
    log_p = _log_binomial(count, runs) - count * math.log1p(math.exp(-r)) - runs * r
    log_P = np.logaddexp.accumulate(log_p)
    log_Q = np.logaddexp.accumulate(log_p - (count - 2.0 * runs) * r)

    # Absolute errors of the logarithms, each a bound on a sum of roundings (u = 2^-53 = MARGIN / 512): the terms
    # ln C(k, l), k ln(1 + e^-r), l r are below k (ln k + 1 + r), each rounded a few times; step i of a running sum
    # S rounds ln S_i, which weighs S_i / S_n in the end: at most k u (abs(ln S_n) + 3) in all.
    error = MARGIN * (1.0 + count * (math.log(count) + 1.0 + r)) + _STIRLING_REMAINDER
    error_P = error + MARGIN / 256 * count * (np.abs(log_P) + 3.0)
    error_Q = error + MARGIN / 256 * count * (np.abs(log_Q) + 3.0)
    upper_P = log_P + error_P
    enough = upper_P > math.log(delta)
    if not enough.any():
        return 0.0
    upper_P, lower_Q = upper_P[enough], (log_Q - error_Q)[enough]
    epsilon = float(np.max(upper_P + np.log(-np.expm1(math.log(delta) - upper_P)) - lower_Q))
    return max(0.0, epsilon + MARGIN * (1.0 + abs(epsilon)))


_SMALL = 128
_LOG_FACTORIAL = np.log([float(math.factorial(n)) for n in range(_SMALL)])
_STIRLING_REMAINDER = 3 / (1260 * _SMALL**5)


def _log_factorial(n: FloatArray) -> FloatArray:
    """The logarithm of n!, from 128 on by Stirling's series, where 1 / (1260 n^5) bounds what is left out."""
    large = np.maximum(n, _SMALL)
    series = (large + 0.5) * np.log(large) - large + 0.5 * math.log(2 * math.pi)
    series += 1 / (12 * large) - 1 / (360 * large**3)
    small = _LOG_FACTORIAL[np.minimum(n, _SMALL - 1).astype(np.intp)]
    return np.where(n < _SMALL, small, series)


def _log_binomial(n: int, k: FloatArray) -> FloatArray:
    return _log_factorial(np.array([float(n)])) - _log_factorial(k) - _log_factorial(n - k)
