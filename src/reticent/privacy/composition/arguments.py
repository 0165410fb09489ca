"""The arguments that all methods share, checked and rounded to the safe side."""

from __future__ import annotations

import math
from fractions import Fraction

from reticent.errors import ParameterError
from reticent.privacy.composition.rounding import round_down, round_up

__all__ = ["check_cost", "check_count", "check_delta", "check_epsilon", "check_positive_delta"]

_LARGEST = 1e100


def check_count(count: int, least: int = 0) -> int:
    """A number of draws, >= least."""
    if isinstance(count, bool) or not isinstance(count, int) or count < least:
        raise ParameterError(f"count is {count!r}; give a whole number of draws from {least} on.")
    return count


def check_cost(name: str, value: float | Fraction) -> float:
    """A range, a zCDP cost or a share, >= 0, as a double that is not smaller."""
    if not _is_real(value) or not 0 <= value < _LARGEST:
        raise ParameterError(f"{name} is {value!r}; give a finite number from 0 on.")
    return round_up(value)


def check_delta(delta: float | Fraction) -> float:
    """A delta in [0, 1), as a double that is not larger."""
    if not _is_real(delta) or not 0 <= delta < 1:
        raise ParameterError(f"delta is {delta!r}; give a number in [0, 1), far below one over the rounds.")
    return round_down(delta)


def check_positive_delta(delta: float | Fraction) -> float:
    """A delta in (0, 1), as a double that is not larger."""
    checked = check_delta(delta)
    if checked == 0.0:
        raise ParameterError("delta is 0, where only basic composition holds; give a number in (0, 1).")
    return checked


def check_epsilon(epsilon: float | Fraction) -> Fraction:
    """A budget > 0, exactly."""
    if not _is_real(epsilon) or not 1 / _LARGEST < epsilon < math.inf:
        raise ParameterError(f"epsilon is {epsilon!r}; give a finite number above 0.")
    return Fraction(epsilon)


def _is_real(value: object) -> bool:
    return isinstance(value, int | float | Fraction) and not isinstance(value, bool)
