"""Privacy amplified by subsampling: what a promise becomes when each record is used with probability q."""

from __future__ import annotations

import math
from fractions import Fraction

from reticent.errors import ParameterError
from reticent.privacy.composition.arguments import check_cost, check_count, check_delta
from reticent.privacy.composition.rounding import MARGIN, round_up

__all__ = ["amplify"]

#: e^epsilon of a larger epsilon does not fit a double.
_LARGEST_EXPONENT = 700.0

#: For more records of a person than this, p is bounded by m q.
_EXACT = 64


def amplify(
    epsilon: float | Fraction, delta: float | Fraction, q: Fraction, rounds_per_person: int = 1
) -> tuple[float, float]:
    """(ln(1 + p (e^epsilon - 1)), p delta), p = 1 - (1 - q)^m the chance that any of a person's records is used.

    Parameters
    ----------
    epsilon, delta : float or Fraction
        The promise without subsampling, for neighbours that differ in m rounds; epsilon >= 0, delta in [0, 1).
    q : Fraction
        In (0, 1]: each record is used with this probability, independently, and is replaced by one that stands for
        no record otherwise.
    rounds_per_person : int
        m >= 1.

    Returns
    -------
    tuple of two floats
        Both rounded up.

    Raises
    ------
    ParameterError
        When a parameter is out of its range.

    **Guarantee.** docs/proofs/subsampling.md; for m = 1 also Sanyal, Proposition 1.

    >>> amplify(1.0, 1e-6, Fraction(1))
    (1.0, 1e-06)
    >>> amplify(Fraction(1, 100), 0.0, Fraction(1, 2))[0] < 0.00502
    True
    """
    epsilon, m = check_cost("epsilon", epsilon), check_count(rounds_per_person)
    check_delta(delta)
    if not 0 < q <= 1:
        raise ParameterError(f"q is {q!r}; give a number in (0, 1].")
    used = 1 - (1 - q) ** m if m <= _EXACT else min(Fraction(1), m * q)
    if epsilon > _LARGEST_EXPONENT:
        amplified = epsilon + math.log(float(used) + math.exp(-_LARGEST_EXPONENT)) * (1 - MARGIN)
    else:
        amplified = math.log1p(float(used) * math.expm1(epsilon))
    return min(epsilon, amplified * (1 + MARGIN)), round_up(used * Fraction(delta))
