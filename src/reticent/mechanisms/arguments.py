"""What mechanisms ask of their public parameters."""

from __future__ import annotations

from fractions import Fraction
from numbers import Rational

from reticent.errors import ParameterError

__all__ = ["LEAST_DELTA", "check_delta", "check_epsilon", "check_whole"]

#: So that bounds on it fit into doubles.
LEAST_DELTA = Fraction(1, 10**150)


def check_epsilon(epsilon: Fraction) -> Fraction:
    """An epsilon > 0, exact."""
    if not isinstance(epsilon, Rational) or not epsilon > 0:
        raise ParameterError(f"epsilon is {epsilon!r}; give a Fraction above 0.")
    return Fraction(epsilon)


def check_delta(delta: Fraction) -> Fraction:
    """A delta in (0, 1), exact."""
    if not isinstance(delta, Rational) or not LEAST_DELTA <= delta < 1:
        raise ParameterError(f"delta is {delta!r}; give a Fraction from 1e-150 to 1, 1 excluded.")
    return Fraction(delta)


def check_whole(name: str, value: int, least: int = 1) -> int:
    """A whole number from `least` on."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise ParameterError(f"{name} is {value!r}; give a whole number from {least} on.")
    return value
