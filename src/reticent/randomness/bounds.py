"""Certified bounds on exponentials, in integer arithmetic only: no floating-point number is trusted here."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

__all__ = ["Bounds", "exponential_bounds", "fraction_bounds", "tail_bounds"]

#: bounds(bits) gives integers (lower, upper) with lower <= p * 2**bits <= upper, as close as asked for.
Bounds = Callable[[int], tuple[int, int]]

#: exp is summed as a series for arguments below 2**-_REDUCTION only.
_REDUCTION = 8


def exponential_bounds(x: Fraction, bits: int) -> tuple[int, int]:
    """Integers around exp(-x) in units of 2**-bits.

    Parameters
    ----------
    x : Fraction
        At least 0.
    bits : int
        At least 1.

    Returns
    -------
    (int, int)
        lower <= exp(-x) * 2**bits <= upper, with upper - lower <= 2.

    Examples
    --------
    >>> exponential_bounds(Fraction(1), 10)  # 1024 / e = 376.7..
    (376, 377)
    """
    numerator, denominator = x.numerator, x.denominator
    if numerator == 0:
        return 1 << bits, 1 << bits
    if numerator >= bits * denominator:
        return 0, 1
    # exp(-x) = (1 / exp(y))**(2**halvings) with y = x / 2**halvings < 2**-_REDUCTION. A squaring at most doubles
    # the width of the interval and adds one unit; the guard bits absorb that and the rounding of the series.
    halvings = (numerator // denominator).bit_length() + _REDUCTION
    guard = halvings + bits.bit_length() + 6
    width = bits + guard
    one = 1 << width

    y_lower = (numerator << width) // (denominator << halvings)
    y_upper = y_lower + 1
    sum_lower = sum_upper = term_lower = term_upper = one
    order = 0
    while term_upper > 2:
        order += 1
        term_lower = (term_lower * y_lower >> width) // order
        term_upper = ((term_upper * y_upper >> width) + 1) // order + 1
        sum_lower += term_lower
        sum_upper += term_upper
    # Each term of the rest is less than 2**-_REDUCTION of the one before, so the rest is below the last term.
    sum_upper += term_upper

    lower = (one << width) // sum_upper
    upper = -((-one << width) // sum_lower)
    for _ in range(halvings):
        lower = lower * lower >> width
        upper = -(-upper * upper >> width)
    return lower >> guard, -(-upper >> guard)


def tail_bounds(x: Fraction, y: Fraction, bits: int) -> tuple[int, int]:
    """Integers around exp(-x) / (1 + exp(-y)) in units of 2**-bits, for x, y >= 0.

    With x = g / scale and y = 1 / scale this is P(Z >= g) of a discrete Laplace Z, g >= 0; with x = y it is
    1 / (1 + exp(x)), the law of a binary digit of a geometric variable.
    """
    width = bits + 4
    top_lower, top_upper = exponential_bounds(x, width)
    bottom_lower, bottom_upper = exponential_bounds(y, width)
    one = 1 << width
    lower = (top_lower << bits) // (one + bottom_upper)
    upper = -((-top_upper << bits) // (one + bottom_lower))
    return lower, upper


def fraction_bounds(p: Fraction, bits: int) -> tuple[int, int]:
    """Integers around p in units of 2**-bits: equal when p is a multiple of that unit, else neighbours."""
    lower, rest = divmod(p.numerator << bits, p.denominator)
    return lower, lower + (rest > 0)
