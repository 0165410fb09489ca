"""A mean over independent runs, and how well it is known."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from reticent.errors import ParameterError

__all__ = ["Estimate", "student_quantile"]

#: Halvings of a quarter of a turn.
_STEPS = 60


@dataclass(frozen=True)
class Estimate:
    """The mean of a number that independent runs gave, with Student's t intervals.

    The intervals are those of normal numbers: for counts they are approximate, and good from some thirty runs on.

    Parameters
    ----------
    values : tuple of int or float
        One for each run, at least two.

    Examples
    --------
    >>> estimate = Estimate((1, 3, 2, 4, 0, 2, 3, 1))
    >>> estimate
    2.00 (95 % t interval 0.905 to 3.09, 8 runs)
    >>> round(estimate.at_least(0.95), 3)
    1.123
    """

    values: tuple[float, ...]

    def __post_init__(self) -> None:
        if len(self.values) < 2:
            raise ParameterError(
                f"there is {len(self.values)} run; give at least 2, or nothing is known of the error."
            )

    @property
    def mean(self) -> float:
        """The mean of the runs."""
        return math.fsum(self.values) / len(self.values)

    @property
    def standard_error(self) -> float:
        """The estimated standard deviation of the mean."""
        return float(np.std(self.values, ddof=1)) / math.sqrt(len(self.values))

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """The two-sided t interval of the mean.

        Parameters
        ----------
        confidence : float
            In (0, 1).
        """
        margin = self._margin((1 + check_confidence(confidence)) / 2)
        return self.mean - margin, self.mean + margin

    def at_least(self, confidence: float = 0.95) -> float:
        """The one-sided lower t bound on the mean.

        Parameters
        ----------
        confidence : float
            In (0, 1).
        """
        return self.mean - self._margin(check_confidence(confidence))

    def _margin(self, probability: float) -> float:
        return student_quantile(probability, len(self.values) - 1) * self.standard_error

    def __repr__(self) -> str:
        low, high = self.interval()
        return f"{self.mean:,.2f} (95 % t interval {low:,.3g} to {high:,.3g}, {len(self.values)} runs)"


def check_confidence(confidence: float) -> float:
    """A confidence, in (0, 1)."""
    if not 0 < confidence < 1:
        raise ParameterError(f"confidence is {confidence!r}; give a number in (0, 1), such as 0.95.")
    return confidence


def student_quantile(probability: float, degrees: int) -> float:
    """The quantile of Student's t distribution.

    Parameters
    ----------
    probability : float
        In (0, 1).
    degrees : int
        Of freedom, at least 1.

    Examples
    --------
    >>> round(student_quantile(0.975, 10), 4)
    2.2281
    """
    wanted = abs(2 * probability - 1)
    low, high = 0.0, math.pi / 2
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if _within(middle, degrees) < wanted else (low, middle)
    return math.copysign(math.sqrt(degrees) * math.tan(low), probability - 0.5)


def _within(angle: float, degrees: int) -> float:
    """P(|T| <= sqrt(degrees) tan(angle)), by the finite sums of Abramowitz and Stegun, 26.7.3 and 26.7.4."""
    sine, cosine = math.sin(angle), math.cos(angle)
    odd = degrees % 2
    term = cosine if odd else 1.0
    total = term if degrees > 1 else 0.0
    for k in range(2 + odd, degrees - 1, 2):
        term *= (k - 1) / k * cosine**2
        total += term
    return 2 / math.pi * (angle + sine * total) if odd else sine * total
