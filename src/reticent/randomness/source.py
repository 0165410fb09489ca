"""The one door to randomness: every random decision of the library is a verb of `Source`."""

from __future__ import annotations

from fractions import Fraction
from typing import Protocol

import numpy as np
import numpy.typing as npt

__all__ = ["IntArray", "Source"]

IntArray = npt.NDArray[np.int64]


class Source(Protocol):
    """Decisions with exactly stated laws, each independent of all the others.

    The verbs are decisions and not raw noise, so that each can be sampled, recorded, replayed or enumerated.
    All scales and rates are positive `Fraction`s: the law that runs is the law that was accounted.

    A vector verb consumes randomness decision by decision, in order, so that a run gives the same decisions
    whether its rounds come one at a time or in blocks of any size.

    Under enumeration a single draw stays open until it is looked at: add integers to it or subtract them, and hand it
    on as a gap or a threshold; then a run has few paths. ``int(draw)`` looks, and gives one path for each value.
    """

    @property
    def private(self) -> bool:
        """Whether a release made with this source may be called private (true only for `SecureSource`)."""

    @property
    def description(self) -> str:
        """One phrase for reports, such as ``"secure (operating system)"`` or ``"seeded with 7"``."""

    def uniform_index(self, n: int) -> int:
        """An integer uniform on 0, .., n - 1."""

    def bernoulli(self, p: Fraction) -> bool:
        """True with probability exactly p, 0 <= p <= 1."""

    def bernoulli_exp(self, x: Fraction) -> bool:
        """True with probability exactly exp(-x), x >= 0."""

    def geometric(self, scale: Fraction) -> int:
        """An integer Z >= 0 with P(Z = z) proportional to exp(-z / scale)."""

    def discrete_laplace(self, scale: Fraction) -> int:
        """An integer Z with P(Z = z) proportional to exp(-abs(z) / scale)."""

    def discrete_gaussian(self, variance: Fraction) -> int:
        """An integer Z with P(Z = z) proportional to exp(-z**2 / (2 * variance))."""

    def geometric_exceeds(self, gap: int, scale: Fraction) -> bool:
        """True iff a fresh `geometric` draw is >= gap."""

    def discrete_laplace_exceeds(self, gap: int, scale: Fraction) -> bool:
        """True iff a fresh `discrete_laplace` draw is >= gap."""

    def softmin_index(self, scores: IntArray, rate: Fraction) -> int:
        """An index i with probability proportional to exp(-rate * scores[i]); rate is per unit of score."""

    def geometrics(self, scale: Fraction, size: int) -> IntArray:
        """`size` independent `geometric` draws."""

    def discrete_laplaces(self, scale: Fraction, size: int) -> IntArray:
        """`size` independent `discrete_laplace` draws."""

    def discrete_gaussians(self, variance: Fraction, size: int) -> IntArray:
        """`size` independent `discrete_gaussian` draws."""

    def first_geometric_excess(self, threshold: int, queries: IntArray, scale: Fraction) -> int:
        """The first k whose fresh draw is >= threshold - queries[k]; len(queries) if there is none.

        Exactly the decisions ``geometric_exceeds(threshold - queries[k], scale)``, k = 0, 1, .. up to and
        including the first that is true.
        """

    def first_discrete_laplace_excess(self, threshold: int, queries: IntArray, scale: Fraction) -> int:
        """As `first_geometric_excess`, with `discrete_laplace` draws."""

    def softmin_indices(self, scores: IntArray, rate: Fraction) -> IntArray:
        """One `softmin_index` for each row of the (k, N) array scores."""
