"""Noise for all prefix sums of a stream of vectors, by the binary tree mechanism."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Protocol

import numpy as np

from reticent.errors import ParameterError
from reticent.mechanisms.arguments import check_epsilon, check_whole
from reticent.privacy import zcdp_epsilon, zcdp_rho
from reticent.randomness import LARGEST_SCALE, IntArray, Source

__all__ = ["GaussianNodes", "LaplaceNodes", "NodeNoise", "TreeSensitivity", "TreeSums"]


@dataclass(frozen=True)
class TreeSensitivity:
    """How far neighbouring streams move all nodes of a tree together.

    Parameters
    ----------
    levels : int
        h: a round enters at most one node of each level.
    size : int
        N, the length of the vectors.
    rounds : int
        m: in how many rounds the streams may differ.
    change : int
        By how much, in grid units, such a round may change each entry.
    """

    levels: int
    size: int
    rounds: int
    change: int

    def __post_init__(self) -> None:
        for name in ("levels", "size", "rounds", "change"):
            check_whole(name, getattr(self, name))

    @property
    def l1(self) -> int:
        """The sum of the changes of all entries of all nodes: h N m times `change`."""
        return self.levels * self.size * self.rounds * self.change

    @property
    def l2_squared(self) -> int:
        """The sum of their squares, h N m**2 times the square of `change`: all m rounds may lie in the same nodes."""
        return self.levels * self.size * (self.rounds * self.change) ** 2


class NodeNoise(Protocol):
    """The law of the noise of one entry of a node, on the integers."""

    name: ClassVar[str]

    @property
    def deviation(self) -> float:
        """The standard deviation in grid units, about."""

    def draws(self, source: Source, size: int) -> IntArray:
        """`size` fresh noises."""

    def epsilon(self, sensitivity: TreeSensitivity, delta: float) -> float:
        """The epsilon at which all nodes together are (epsilon, delta)-DP, rounded up."""

    def lead_factor(self, change: int, size: int, rounds: int) -> float:
        """By what factor a leader of `size` noisy sums becomes less likely when its sum grows by `change`, at most.

        But for a chance of 1 / rounds.
        """

    def largest_mean(self, nodes: int, size: int) -> float:
        """The mean of the largest of `size` sums of `nodes` noises, in grid units, at most."""


@dataclass(frozen=True)
class LaplaceNodes:
    """Discrete Laplace noise.

    Parameters
    ----------
    scale : Fraction
        In grid units.
    """

    name: ClassVar[str] = "discrete Laplace"

    scale: Fraction

    def __post_init__(self) -> None:
        if not 0 < self.scale <= LARGEST_SCALE:
            raise ParameterError(_too_much(self.name, self.scale))

    @classmethod
    def calibrated(cls, sensitivity: TreeSensitivity, epsilon: Fraction, delta: float) -> LaplaceNodes:
        """The least noise that costs no more than epsilon."""
        return cls(sensitivity.l1 / check_epsilon(epsilon))

    @property
    def deviation(self) -> float:
        """See `NodeNoise`."""
        return math.sqrt(2) * float(self.scale)

    def draws(self, source: Source, size: int) -> IntArray:
        """See `NodeNoise`."""
        return source.discrete_laplaces(self.scale, size)

    def epsilon(self, sensitivity: TreeSensitivity, delta: float) -> float:
        """See `NodeNoise`; delta is not used."""
        price = sensitivity.l1 / self.scale
        return float(price) if Fraction(float(price)) >= price else math.nextafter(float(price), math.inf)

    def lead_factor(self, change: int, size: int, rounds: int) -> float:
        """See `NodeNoise`: exp(change / scale), without exception."""
        return math.exp(min(change / float(self.scale), 700.0))

    def largest_mean(self, nodes: int, size: int) -> float:
        """See `NodeNoise`: (ln N - nodes ln(1 - x**2)) / (x / scale) for the best x on a grid in (0, 1)."""
        x = np.arange(1, 1000) / 1000
        return float(self.scale) * float(((math.log(size) - nodes * np.log1p(-(x**2))) / x).min())


@dataclass(frozen=True)
class GaussianNodes:
    """Discrete Gaussian noise (Canonne, Kamath and Steinke 2020).

    Parameters
    ----------
    variance : Fraction
        In square grid units.
    """

    name: ClassVar[str] = "discrete Gaussian"

    variance: Fraction

    def __post_init__(self) -> None:
        if not 0 < self.variance <= LARGEST_SCALE**2:
            raise ParameterError(_too_much(self.name, self.variance))

    @classmethod
    def calibrated(cls, sensitivity: TreeSensitivity, epsilon: Fraction, delta: float) -> GaussianNodes:
        """The least noise that costs no more than (epsilon, delta) by the conversion from zCDP; delta > 0."""
        if delta == 0:
            raise ParameterError("Gaussian noise needs delta > 0; give a delta, or LaplaceNodes.")
        return cls(sensitivity.l2_squared / (2 * zcdp_rho(check_epsilon(epsilon), delta)))

    @property
    def deviation(self) -> float:
        """See `NodeNoise`."""
        return math.sqrt(self.variance)

    def draws(self, source: Source, size: int) -> IntArray:
        """See `NodeNoise`."""
        return source.discrete_gaussians(self.variance, size)

    def epsilon(self, sensitivity: TreeSensitivity, delta: float) -> float:
        """See `NodeNoise`: rho = l2**2 / (2 variance), converted."""
        return zcdp_epsilon(sensitivity.l2_squared / (2 * self.variance), delta)

    def lead_factor(self, change: int, size: int, rounds: int) -> float:
        """See `NodeNoise`: where no noise exceeds M = deviation * sqrt(2 ln(size * rounds))."""
        largest = self.deviation * math.sqrt(2 * math.log(size * max(rounds, 1)))
        return math.exp(min(change * (largest + change / 2) / float(self.variance), 700.0))

    def largest_mean(self, nodes: int, size: int) -> float:
        """See `NodeNoise`: deviation * sqrt(2 nodes ln N)."""
        return self.deviation * math.sqrt(2 * nodes * math.log(size))


class TreeSums:
    """The noise of the sums over the first 1, 2, 3, .. rounds.

    ::

        Z_0 = 0
        for t = 1, 2, ..:
            2**j = the largest power of two that divides t
            n = fresh noise for the node that holds rounds t - 2**j + 1, .., t
            Z_t = Z_{t - 2**j} + n

    Each Z_t is the noise of at most h nodes, each of which was drawn once; only the latest Z of each level is kept.

    Parameters
    ----------
    size : int
        N.
    levels : int
        h: up to 2**h - 1 rounds.
    noise : NodeNoise
    source : Source

    Notes
    -----
    **Guarantee.** Releasing the sums over the first t rounds plus Z_t, for all t, costs
    ``noise.epsilon(sensitivity, delta)`` at delta, also on adaptive streams (docs/proofs/rivals.md, section 2).
    Sources: Dwork, Naor, Pitassi and Rothblum 2010; Chan, Shi and Song 2011.
    """

    __slots__ = ("_latest", "_noise", "_rounds", "_source")

    def __init__(self, size: int, levels: int, noise: NodeNoise, source: Source) -> None:
        # Row j: Z at the last multiple of 2**j. The last row is Z_0.
        self._latest = np.zeros((levels + 1, size), dtype=np.int64)
        self._noise = noise
        self._source = source
        self._rounds = 0

    @property
    def rounds_left(self) -> int:
        """For how many more rounds there are levels."""
        return (1 << len(self._latest) - 1) - 1 - self._rounds

    def advance(self, rounds: int) -> IntArray:
        """Z_t for each of the next rounds, shape (rounds, size)."""
        if rounds > self.rounds_left:
            raise ParameterError(f"{rounds} rounds are more than the {self.rounds_left} that the tree has left.")
        size = self._latest.shape[1]
        sums = self._noise.draws(self._source, rounds * size).reshape(rounds, size)
        for row in sums:
            self._rounds += 1
            above = (self._rounds & -self._rounds).bit_length()
            row += self._latest[above]
            self._latest[:above] = row
        return sums


def _too_much(name: str, amount: Fraction) -> str:
    return (
        f"the {name} noise of a tree would need {float(amount):.3g}, which does not fit 64 bits; give a larger "
        "epsilon, fewer experts, or fewer grid_bits."
    )
