"""How much a private learner can learn of the label that `PointAdversary` hides (Sanyal, Lemmas 1 and 2)."""

from __future__ import annotations

import math
from fractions import Fraction

from reticent.errors import ParameterError
from reticent.experts.base import is_real

__all__ = ["LARGEST_EPSILON", "information_bound", "largest_insertion"]

#: The proof needs likelihood ratios within 1/8 of 1.
LARGEST_EPSILON = math.log(9 / 8)

#: E[I_t] below which a learner errs on a quarter of the informative examples (Lemma 1).
_LITTLE = 0.25

#: Insertion probabilities are multiples of 2**-_BITS.
_BITS = 30


def information_bound(stages: int, p: float | Fraction, epsilon: float, delta: float = 0.0) -> float:
    """An upper bound on E[I_t] for every t up to the number of stages: what the outputs reveal about the label.

    Parameters
    ----------
    stages : int
        t.
    p : float or Fraction
        The probability of an insertion.
    epsilon, delta : float
        The learner's privacy.

    Returns
    -------
    float
        120 w p^2 (1 + t p / 3) + 40 t p^2 delta + 20 t p delta with w = (e^epsilon - e^-epsilon)^2 / 4; infinite
        for epsilon above ln(9/8), where the proof does not hold.

    Notes
    -----
    The paper's Lemma 2 bounds W_0, and the variance of a ratio that lies in [e^-epsilon, e^epsilon], by 1. They
    are at most w, and with w in the place of 1 its two inequalities give

        E[I_t] <= 20 p^2 sum E[D] + 20 t p delta,    sum E[D] <= 6 (w + t (w p + delta) / 3).

    At epsilon = 1/100 and delta = 0 that allows p = 1 up to t = 59, where the printed constants allow p < 0.05.

    Examples
    --------
    >>> information_bound(59, 1, 0.01) < 0.25 < information_bound(60, 1, 0.01)
    True
    """
    for name, value in (("stages", stages), ("p", p), ("epsilon", epsilon), ("delta", delta)):
        if not is_real(value) or not value >= 0:
            raise ParameterError(f"{name} is {value!r}; give a number from 0 on.")
    if p > 1:
        raise ParameterError(f"p is {p!r}; give a probability.")
    if epsilon > LARGEST_EPSILON:
        return math.inf
    p = float(p)
    w = math.sinh(epsilon) ** 2
    return 120 * w * p**2 * (1 + stages * p / 3) + 40 * stages * p**2 * delta + 20 * stages * p * delta


def largest_insertion(stages: int, epsilon: float, delta: float = 0.0) -> Fraction:
    """The largest p for which a learner errs on a quarter of the informative examples; rounded down.

    Parameters
    ----------
    stages : int
    epsilon, delta : float

    Returns
    -------
    Fraction
        In [0, 1]: the largest multiple of 2**-30 with information_bound(stages, p, epsilon, delta) <= 1/4.

    Examples
    --------
    >>> largest_insertion(12, 0.01)
    Fraction(1, 1)
    >>> round(float(largest_insertion(12, 0.01, 0.1)), 4)
    0.0102
    """
    low, high = 0, 1 << _BITS
    while low < high:
        middle = (low + high + 1) // 2
        if information_bound(stages, Fraction(middle, 1 << _BITS), epsilon, delta) <= _LITTLE:
            low = middle
        else:
            high = middle - 1
    return Fraction(low, 1 << _BITS)
