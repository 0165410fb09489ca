"""The laws of the noises as tables of probabilities, for enumeration on coarse grids."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from reticent.errors import ParameterError
from reticent.randomness.source import IntArray

__all__ = ["DiscreteGaussianLaw", "DiscreteLaplaceLaw", "FloatArray", "GeometricLaw", "NoiseLaw"]

FloatArray = npt.NDArray[np.float64]

_LARGEST_SUPPORT = 1_000_000


@dataclass(frozen=True, eq=False)
class NoiseLaw:
    """A law on the integers lowest, .., highest.

    Attributes
    ----------
    weights : float64 array of shape (highest - lowest + 1,)
        Probabilities given that the draw is one of these integers.
    missing : float
        The probability of all others.
    """

    lowest: int
    weights: FloatArray
    missing: float

    @property
    def values(self) -> IntArray:
        """The integers lowest, .., highest."""
        return np.arange(self.lowest, self.lowest + len(self.weights), dtype=np.int64)


class GeometricLaw:
    """P(Z = z) proportional to exp(-z / scale), z >= 0."""

    @staticmethod
    @lru_cache(maxsize=256)
    def support(scale: Fraction, mass: float) -> NoiseLaw:
        """The law on the smallest 0, .., n - 1 that leaves out no more than `mass`."""
        s = float(scale)
        size = _support_size(-s * math.log(mass))
        weights = np.exp(np.arange(size) / -s)
        return NoiseLaw(0, weights / weights.sum(), math.exp(-size / s))

    @staticmethod
    @lru_cache(maxsize=4096)
    def reaches(scale: Fraction, first: int, last: int) -> tuple[FloatArray, FloatArray]:
        """P(Z >= gap) and P(Z < gap), each to full relative precision, for gap = first, .., last in either order."""
        gaps = _range(first, last)
        exponents = np.maximum(gaps, 0) / -float(scale)
        return np.exp(exponents), -np.expm1(exponents)


class DiscreteLaplaceLaw:
    """P(Z = z) proportional to exp(-abs(z) / scale)."""

    @staticmethod
    @lru_cache(maxsize=256)
    def support(scale: Fraction, mass: float) -> NoiseLaw:
        """The law on the smallest -n, .., n that leaves out no more than `mass`."""
        s = float(scale)
        reach = _support_size(s * (math.log(2) - math.log(mass)))
        weights = np.exp(np.abs(np.arange(-reach, reach + 1)) / -s)
        missing = 2 * math.exp(-(reach + 1) / s) / (1 + math.exp(-1 / s))
        return NoiseLaw(-reach, weights / weights.sum(), missing)

    @staticmethod
    @lru_cache(maxsize=4096)
    def reaches(scale: Fraction, first: int, last: int) -> tuple[FloatArray, FloatArray]:
        """P(Z >= gap) and P(Z < gap), each to full relative precision, for gap = first, .., last in either order."""
        gaps = _range(first, last)
        s = float(scale)
        # The smaller of the two comes from the tail's formula, so the larger loses nothing as 1 minus it.
        smaller = np.exp(np.where(gaps > 0, gaps, 1 - gaps) / -s) / (1 + math.exp(-1 / s))
        return np.where(gaps > 0, smaller, 1 - smaller), np.where(gaps > 0, 1 - smaller, smaller)


class DiscreteGaussianLaw:
    """P(Z = z) proportional to exp(-z**2 / (2 * variance))."""

    @staticmethod
    @lru_cache(maxsize=256)
    def support(variance: Fraction, mass: float) -> NoiseLaw:
        """The law on the smallest -n, .., n that leaves out no more than `mass`."""
        v = float(variance)
        # From here on nothing counts beside `mass`: the tail is below the curve there, times 2 (1 + sqrt(variance)).
        far = _support_size(math.sqrt(2 * v * (40 + math.log(1 + math.sqrt(v)) - math.log(mass))) + 1)
        curve = np.exp(np.arange(far + 1, dtype=np.float64) ** 2 / (-2 * v))
        outside = 2 * np.append(curve[:0:-1].cumsum()[::-1], 0.0)  # abs(Z) above 0, .., far
        outside /= curve[0] + outside[0]
        reach = int(np.argmax(outside <= mass))
        half = curve[: reach + 1]
        weights = np.concatenate([half[:0:-1], half])
        return NoiseLaw(-reach, weights / weights.sum(), float(outside[reach]))


def _range(first: int, last: int) -> IntArray:
    step = 1 if first <= last else -1
    return np.arange(first, last + step, step, dtype=np.int64)


def _support_size(size: float) -> int:
    if size > _LARGEST_SUPPORT:
        raise ParameterError(
            f"a noise has about {size:.2g} values to enumerate; use a coarser grid (grid_bits 0 or 1) for that."
        )
    return max(1, math.ceil(size))
