"""Discrete Laplace noise that is never larger than a bound."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from reticent.errors import ParameterError
from reticent.mechanisms.arguments import check_delta, check_epsilon, check_whole
from reticent.mechanisms.bounds import exponential_above, exponential_below
from reticent.randomness import Source

__all__ = ["TruncatedLaplace"]

#: The draw looks at all values.
_LARGEST = 2**23


@dataclass(frozen=True)
class TruncatedLaplace:
    """An integer xi with P(xi) proportional to e^{-epsilon abs(xi)} on -bound, .., bound.

    Parameters
    ----------
    epsilon : Fraction
        > 0; the scale is 1 / epsilon.
    bound : int
        x >= 0, up to 2^23.

    Raises
    ------
    ParameterError
        When a parameter is out of its range.

    Notes
    -----
    **Guarantee.** c + xi is (epsilon, delta)-DP for an integer c that changes by at most 1, with
    delta = P(xi = x) = e^{-epsilon x} / sum over z of e^{-epsilon abs(z)}, and not with a smaller delta: one shift
    moves one point out of the support, and every other probability by at most e^epsilon. The same holds of the
    decision c + xi >= theta. (For continuous noise Sanyal, Lemma 12, has about 2 / tanh(epsilon / 2) times as much;
    docs/proofs/prediction-mechanisms.md, section 4.)

    >>> TruncatedLaplace.calibrated(Fraction(1, 10), Fraction(1, 2 * 10**6)).bound
    116
    """

    epsilon: Fraction
    bound: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", check_epsilon(self.epsilon))
        if check_whole("bound", self.bound, least=0) > _LARGEST:
            raise ParameterError(
                f"bound is {self.bound}, and a draw looks at all values; give a bound up to 2**23, "
                "by a larger epsilon or delta."
            )

    @classmethod
    def calibrated(cls, epsilon: Fraction, delta: Fraction) -> TruncatedLaplace:
        """With the smallest bound that costs no more than delta."""
        rate, target = check_epsilon(epsilon), check_delta(delta)
        # At the bound x, delta (1 + r - 2 r^{x + 1}) = r^x (1 - r) with r = e^-epsilon.
        r = math.exp(-rate)
        least = math.log1p(r) - math.log(2 * r + (1 - r) / float(target)) if r > 0 else 0.0
        bound = max(0, math.floor(-least / float(rate) * (1 - 2.0**-40)) - 1)
        while _delta(rate, bound) > target:
            bound += 1
        return cls(rate, bound)

    @property
    def delta(self) -> Fraction:
        """P(xi = x), rounded up."""
        return _delta(self.epsilon, self.bound)

    def draw(self, source: Source) -> int:
        """A fresh xi; one exact draw from the whole table, so that no number of rejections can tell anything."""
        magnitudes = np.abs(np.arange(-self.bound, self.bound + 1, dtype=np.int64))
        return source.softmin_index(magnitudes, self.epsilon) - self.bound


def _delta(epsilon: Fraction, bound: int) -> Fraction:
    # r^x / sum over z of r^abs(z), and the sum is 1 + 2 (r - r^{x + 1}) / (1 - r), which rises with r.
    r = exponential_below(epsilon)
    total = 1 + 2 * max(r - exponential_above((bound + 1) * epsilon), Fraction(0)) / (1 - r)
    return min(Fraction(1), exponential_above(bound * epsilon) / total)
