"""Exact confidence bounds on a probability, from how often an event was seen; rounded outward."""

from __future__ import annotations

import math
import sys

__all__ = ["lower_bound", "tail", "upper_bound"]

#: Halvings of an interval in [0, 1].
_STEPS = 60


def lower_bound(successes: int, trials: int, alpha: float) -> float:
    """The Clopper-Pearson lower bound: a smaller probability has a chance of at most alpha to show so much.

    Parameters
    ----------
    successes, trials : int
        0 <= successes <= trials.
    alpha : float
        In (0, 1/2]: the chance that the bound is above the true probability.

    Notes
    -----
    The largest p with P(Binomial(trials, p) >= successes) <= alpha, rounded down (Clopper and Pearson 1934).

    Examples
    --------
    >>> round(lower_bound(90, 100, 0.025), 4)
    0.8238
    """
    if successes == 0:
        return 0.0
    # At p = successes / trials the median is `successes`, so the tail is at least 1/2.
    low, high = 0.0, successes / trials
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if tail(successes, trials, middle) <= alpha:
            low = middle
        else:
            high = middle
    return low


def upper_bound(successes: int, trials: int, alpha: float) -> float:
    """The Clopper-Pearson upper bound, rounded up; see `lower_bound`.

    Examples
    --------
    >>> round(upper_bound(0, 1000, 0.025), 6)  # about ln(40) / 1000
    0.003682
    """
    return min(1.0, math.nextafter(1.0 - lower_bound(trials - successes, trials, alpha), 2.0))


def tail(successes: int, trials: int, p: float) -> float:
    """An upper bound on P(Binomial(trials, p) >= successes) for p <= successes / trials, and hardly above it.

    The terms fall from `successes` on, each by a factor below the one before, so the rest is below a
    geometric series.
    """
    if p <= 0.0:
        return 0.0 if successes > 0 else 1.0
    failures = trials - successes
    parts = (
        math.lgamma(trials + 1),
        -math.lgamma(successes + 1),
        -math.lgamma(failures + 1),
        successes * math.log(p),
        failures * math.log1p(-p),
    )
    # What the parts and their sum are rounded by, several times over.
    slack = 64 * sys.float_info.epsilon * math.fsum(map(abs, parts)) + 1e-11
    total = term = 1.0
    odds = p / (1.0 - p)
    for k in range(successes, trials):
        ratio = (trials - k) / (k + 1) * odds
        if ratio < 1.0 and term * ratio <= 1e-12 * (1.0 - ratio) * total:
            total += term * ratio / (1.0 - ratio)
            break
        term *= ratio
        total += term
    return min(1.0, math.exp(math.fsum(parts) + slack) * total)
