"""Discrete Gaussian draws: uniform points under a staircase, kept when they lie under the curve."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache, partial
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from reticent.randomness.bits import Bits, WordArray, is_below
from reticent.randomness.bounds import exponential_bounds
from reticent.randomness.source import IntArray

__all__ = ["GaussianTable", "gaussian_table"]

_WORD = 64
#: Strips of the staircase on each side of zero.
_STRIPS = 256
#: Points that a draw has in its words, and words of a point; one in 20 to 40 is dropped (half, for tiny variances).
_POINTS, _WORDS = 2, 3
#: Draws made at once: their words and all temporaries stay in the cache.
_CHUNK = 4096
#: Bits beyond those asked for; a strip's height may be 2**64 times the curve above its points.
_GUARD = _WORD + 2
#: Precision of the heights.
_WIDTH = 128
#: Relative error of a probability in floats, with a margin: exponents that matter are below 100.
_FLOAT_ERROR = 2.0**-40


class GaussianTable:
    """Draws Z of one variance V, P(Z = z) proportional to exp(-z**2 / (2 V)).

    Each side of zero is cut into strips of w = 2**shift integers, sigma / 16 < w <= sigma / 8 (w = 1 for small V).
    A point is a strip, a place in it, a side and a height. Strip k has the probability q_k * 2**-64, where q_k >=
    S f(k w) is an integer, f the curve exp(-x**2 / (2 V)) and S public: no point of the strip lies higher. A point at
    x is kept with probability S f(x) / q_k; so every x is drawn with a probability proportional to f(x), whatever the
    q_k are. The next 2**-64 stands for the strips 256, 257, .., halved from one to the next: f falls faster (by e at
    least, and is below 2**-184 there). The words above stand for points that are dropped.

    The kept and the dropped are told apart in floats of bounded error, and in doubt exactly, by `is_below`.
    """

    __slots__ = ("_exponent", "_heights", "_limits", "_limits_array", "_ratios", "_shift", "_total", "variance")

    def __init__(self, variance: Fraction) -> None:
        self.variance = variance
        self._shift = max(0, math.isqrt(math.floor(variance)).bit_length() - 4)
        curve = [exponential_bounds(self._exponent_at(k << self._shift), _WIDTH)[1] for k in range(_STRIPS)]
        # Rounding up adds less than one to each height; two more words stand for the tail and for a drop.
        self._total = (((1 << _WORD) - _STRIPS - 2) << _WIDTH) // sum(curve)
        self._heights = [-(-self._total * height >> _WIDTH) for height in curve]
        ends = list(accumulate(self._heights))
        self._limits = [*ends, ends[-1] + 1]
        self._limits_array = np.array(self._limits, np.uint64)
        # Not a number: a point of the tail is never decided in floats. Zero: the words that are dropped.
        self._ratios = np.array([*(self._total / height for height in self._heights), math.nan, 0.0])
        self._exponent = -float(1 / (2 * variance))

    def __reduce__(self) -> tuple[object, ...]:
        return gaussian_table, (self.variance,)

    def draws(self, size: int, bits: Bits) -> IntArray:
        """`size` draws; each takes the same number of words, and what it needs beyond from `refine`."""
        draws = np.empty(size, np.int64)
        for start in range(0, size, _CHUNK):
            chunk = draws[start : start + _CHUNK]
            words = bits.take_many(_POINTS * _WORDS * len(chunk)).reshape(-1, _POINTS * _WORDS)
            open_ = np.arange(len(chunk))
            doubtful = [open_[:0]]
            for point in range(_POINTS):
                values, kept, dropped = self._decide(words[open_, point * _WORDS : (point + 1) * _WORDS])
                chunk[open_[kept]] = values[kept]
                doubtful.append(open_[~(kept | dropped)])
                open_ = open_[dropped]
            for draw in np.sort(np.concatenate([*doubtful, open_])).tolist():
                chunk[draw] = self._settle(words[draw].tolist(), bits)
        return draws

    def _decide(self, words: WordArray) -> tuple[IntArray, npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
        """The integers of points, and which of them are surely kept and surely dropped."""
        strips = np.searchsorted(self._limits_array, words[:, 0], side="right")
        values = strips << self._shift
        if self._shift:
            values += (words[:, 1] >> np.uint64(_WORD - self._shift)).view(np.int64)
        values ^= -(words[:, 1] & np.uint64(1)).view(np.int64)  # the complement of g is -1 - g
        kept_with = values.astype(np.float64)
        kept_with *= kept_with
        kept_with *= self._exponent
        np.exp(kept_with, out=kept_with)
        kept_with *= self._ratios[strips]
        heights = words[:, 2] * 2.0**-_WORD
        with np.errstate(invalid="ignore"):
            kept = heights + 2.0 ** (1 - _WORD) < kept_with * (1 - _FLOAT_ERROR)
            dropped = heights > kept_with * (1 + _FLOAT_ERROR)
        return values, kept, dropped

    def _settle(self, words: list[int], bits: Bits) -> int:
        """One draw in exact arithmetic, from its words and then from refinements."""
        for strip_word, place, height in self._points(words, bits):
            strip = bisect_right(self._limits, strip_word)
            if strip > _STRIPS:
                continue
            halvings = 0
            if strip == _STRIPS:
                halvings = 1
                while bits.refine(8) & 1:
                    halvings += 1
                strip += halvings - 1
            value = (strip << self._shift) + (place >> _WORD - self._shift)
            if place & 1:
                value = ~value
            # In the tail the strip's own probability is 2**-64 halved that often, as if its height were a fraction.
            top, bottom = self._total << halvings, 1 if halvings else self._heights[strip]
            if is_below(height, _WORD, partial(self._kept_bounds, value, top, bottom), bits):
                return value
        raise AssertionError("points do not end")

    @staticmethod
    def _points(words: list[int], bits: Bits) -> Iterator[tuple[int, int, int]]:
        for point in range(_POINTS):
            yield words[3 * point], words[3 * point + 1], words[3 * point + 2]
        while True:
            yield bits.refine(_WORD), bits.refine(_WORD), bits.refine(_WORD)

    def _kept_bounds(self, value: int, top: int, bottom: int, count: int) -> tuple[int, int]:
        """Integers around top / bottom * f(value) in units of 2**-count."""
        guard = _GUARD + top.bit_length()
        lower, upper = exponential_bounds(self._exponent_at(value), count + guard)
        return lower * top // (bottom << guard), -(-upper * top // (bottom << guard))

    def _exponent_at(self, value: int) -> Fraction:
        return value * value / (2 * self.variance)


@lru_cache(maxsize=32)
def gaussian_table(variance: Fraction) -> GaussianTable:
    """The table of this variance; built once, in a few milliseconds, from public parameters."""
    return GaussianTable(variance)
