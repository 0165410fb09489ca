"""Basic composition: costs add up."""

from __future__ import annotations

from fractions import Fraction

from reticent.privacy.composition.arguments import check_cost, check_count
from reticent.privacy.composition.rounding import round_up

__all__ = ["basic_composition"]


def basic_composition(count: int, draw_range: float | Fraction) -> float:
    """The cost of `count` adaptive draws when their ranges are simply added: count * draw_range, delta = 0.

    Parameters
    ----------
    count : int
        Number of draws, >= 0.
    draw_range : float or Fraction
        Range of each draw: the largest minus the smallest log-ratio of its probabilities on neighbours, >= 0.

    Returns
    -------
    float
        An epsilon, rounded up. **Exact** at delta = 0, for adaptive and for independent draws.

    Source: Dwork and Roth, *The Algorithmic Foundations of Differential Privacy*, Theorem 3.16.

    >>> basic_composition(3, Fraction(1, 2))
    1.5
    """
    check_cost("draw_range", draw_range)
    return round_up(check_count(count) * Fraction(draw_range))
