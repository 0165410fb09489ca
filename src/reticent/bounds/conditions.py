"""Conditions that several theorems share, and logarithms of sums."""

from __future__ import annotations

import math

from reticent.bounds.bound import Condition

__all__ = [
    "AT_MOST_ONE",
    "DELTA",
    "DIMENSION",
    "NO_LOSS",
    "POINTS",
    "PURE",
    "QUARTER",
    "ln",
    "log_sum",
]

AT_MOST_ONE: Condition = ("epsilon <= 1", lambda s: s.epsilon <= 1)
QUARTER: Condition = ("delta <= 1/4", lambda s: s.log_inverse_delta >= math.log(4) * (1 - 1e-15))
DELTA: Condition = ("delta > 0", lambda s: s.log_inverse_delta < math.inf)
PURE: Condition = ("delta = 0", lambda s: s.log_inverse_delta == math.inf)
NO_LOSS: Condition = ("L* = 0", lambda s: s.best_loss == 0)
DIMENSION: Condition = ("d >= 1", lambda s: s.dimension >= 1)
POINTS: Condition = ("d = 1, as points have it", lambda s: s.dimension == 1)


def ln(x: float) -> float:
    """The natural logarithm; minus infinity for 0."""
    return math.log(x) if x > 0 else -math.inf


def log_sum(*exponents: float) -> float:
    """ln(e^a + e^b + ..), whatever their size.

    >>> log_sum(1000.0, 1000.0) - 1000
    0.69314718055...
    """
    largest = max(exponents)
    if math.isinf(largest):
        return largest
    return largest + math.log(math.fsum(math.exp(x - largest) for x in exponents))
