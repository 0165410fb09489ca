"""Exponentials of fractions, bounded by fractions: conditions on them are checked without floating-point numbers."""

from __future__ import annotations

from fractions import Fraction

from reticent.randomness.bounds import exponential_bounds

__all__ = ["exponential_above", "exponential_below"]

#: Beyond the leading zeros.
_BITS = 64


def exponential_above(x: Fraction) -> Fraction:
    """An upper bound on e^-x, x >= 0, within a relative 2^-60."""
    bits = _bits(x)
    return Fraction(exponential_bounds(x, bits)[1], 1 << bits)


def exponential_below(x: Fraction) -> Fraction:
    """A lower bound on e^-x, x >= 0, within a relative 2^-60."""
    bits = _bits(x)
    return Fraction(exponential_bounds(x, bits)[0], 1 << bits)


def _bits(x: Fraction) -> int:
    return _BITS + 3 * int(x) // 2
