"""Numbers that err on the safe side: costs are rounded up, rates are rounded down."""

from __future__ import annotations

import math
from fractions import Fraction

__all__ = ["MARGIN", "dyadic_floor", "round_down", "round_up"]

#: A relative margin of 512 u, u = 2^-53 the rounding of one operation. It is added on the safe side wherever a
#: formula is evaluated in double precision; docs/proofs/composition.md counts the roundings.
MARGIN = 2.0**-44


def round_up(x: float | Fraction) -> float:
    """The smallest double that is at least x."""
    nearest = float(x)
    return nearest if nearest >= x else math.nextafter(nearest, math.inf)


def round_down(x: float | Fraction) -> float:
    """The largest double that is at most x."""
    nearest = float(x)
    return nearest if nearest <= x else math.nextafter(nearest, -math.inf)


def dyadic_floor(x: float | Fraction, bits: int = 32) -> Fraction:
    """A positive number rounded down to `bits` binary digits: a fraction with a power-of-two denominator."""
    exact = Fraction(x)
    unit = Fraction(2) ** (exact.numerator.bit_length() - exact.denominator.bit_length() - bits)
    if exact >= unit * 2**bits:
        unit *= 2
    return exact // unit * unit
