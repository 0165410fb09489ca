"""Geometric and discrete Laplace draws, digit by digit."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache, lru_cache, partial

import numpy as np

from reticent.randomness.bits import Bits, SingleWords, WordArray, is_below
from reticent.randomness.bounds import Bounds, exponential_bounds, tail_bounds
from reticent.randomness.source import IntArray

__all__ = ["LARGEST_SCALE", "DigitTable", "digit_table"]

#: A draw of a larger scale might not fit 64 bits; at this one the probability of that is below exp(-2000).
LARGEST_SCALE = 1 << 52

#: Bits of a digit's first comparison.
_SHORT = 16
#: Words used at once: 64 KiB, which stay in the cache.
_CHUNK = 8192


class DigitTable:
    """Draws of one scale s, each from slots of 16 random bits.

    The binary digits of a geometric G with P(G = g) proportional to exp(-g / s) are independent, and digit j is 1
    with probability 1 / (1 + exp(2**j / s)), because the weight of g is the product of its digits' weights. A draw
    has `slots` slots: one for each of the lowest `kept` digits, one for the event G >= 2**kept, whose probability
    is exp(-2**kept / s) < 2**-16, and one for a sign. Given that event, the part above is 1 + a geometric of scale
    s / 2**kept (the law has no memory).

    A slot's 16 bits are compared with the first 16 bits of its probability; when they are equal (once in 65,536
    slots) `is_below` goes on, without limit.

    The discrete Laplace variable is G or -1 - G, the latter with probability
    exp(-1 / s) / (1 + exp(-1 / s)) = 1 / (1 + exp(1 / s)).
    """

    __slots__ = ("_bounds", "_limits", "_shorts", "_slots", "kept", "scale")

    def __init__(self, scale: Fraction) -> None:
        self.scale = scale
        self._slots = 8
        while _short(partial(exponential_bounds, (1 << self._slots - 2) / scale)) > 0:
            self._slots *= 2
        self.kept = self._slots - 2
        digits = [(1 << j) / scale for j in range(self.kept)]
        self._bounds: list[Bounds] = [
            *(cache(partial(tail_bounds, x, x)) for x in digits),
            cache(partial(exponential_bounds, (1 << self.kept) / scale)),
            cache(partial(tail_bounds, 1 / scale, 1 / scale)),
        ]
        shorts = np.array([_short(bounds) for bounds in self._bounds], np.uint16)
        self._limits = shorts.tolist()
        self._shorts = np.tile(shorts, 4 * _CHUNK // self._slots)

    def __reduce__(self) -> tuple[object, ...]:
        return digit_table, (self.scale,)

    @property
    def limits(self) -> tuple[WordArray, int]:
        """What machine code needs: a slot is 1 below its limit, 0 above, and in doubt at it; and `kept`.

        Returns
        -------
        limits : uint64 array of shape (slots,)
        kept : int
        """
        return np.array(self._limits, np.uint64), self.kept

    def geometric(self, bits: SingleWords) -> int:
        """One geometric draw: the first of `geometrics`, without arrays."""
        return self._one(bits)[0]

    def discrete_laplace(self, bits: SingleWords) -> int:
        """One discrete Laplace draw: the first of `discrete_laplaces`, without arrays."""
        magnitude, negative = self._one(bits)
        return ~magnitude if negative else magnitude

    def geometrics(self, size: int, bits: Bits) -> IntArray:
        """`size` geometric draws."""
        draws = np.empty(size, np.int64)
        for chunk, magnitudes, _ in self._chunks(size, bits):
            draws[chunk] = magnitudes
        return draws

    def discrete_laplaces(self, size: int, bits: Bits) -> IntArray:
        """`size` discrete Laplace draws."""
        draws = np.empty(size, np.int64)
        for chunk, magnitudes, signs in self._chunks(size, bits):
            np.bitwise_xor(magnitudes, signs, out=draws[chunk])  # -1 - G is the complement of G
        return draws

    def _one(self, bits: SingleWords) -> tuple[int, bool]:
        """A geometric draw, and beside it a sign."""
        words = [bits.take() for _ in range(self._slots // 4)]
        digits = above = 0
        slot = 0
        for word in words:
            for _ in range(4):
                short, limit = word & 0xFFFF, self._limits[slot]
                if short < limit or (short == limit and is_below(short, _SHORT, self._bounds[slot], bits)):
                    if slot == self.kept:
                        above = self._part_above(bits)
                    else:
                        digits |= 1 << slot
                word >>= 16
                slot += 1
        magnitude = digits & ((1 << self.kept) - 1)
        return magnitude + (above << self.kept), digits != magnitude

    def _chunks(self, size: int, bits: Bits) -> Iterator[tuple[slice, IntArray, IntArray]]:
        """Geometric draws, and beside each a sign: -1 or 0."""
        words_per_draw = self._slots // 4
        step = _CHUNK // words_per_draw
        for start in range(0, size, step):
            chunk = slice(start, min(start + step, size))
            words = bits.take_many((chunk.stop - start) * words_per_draw)
            yield chunk, *self._decode(words, bits)

    def _decode(self, words: WordArray, bits: Bits) -> tuple[IntArray, IntArray]:
        slots = words.view(np.uint16)
        shorts = self._shorts[: len(slots)]
        digits = slots < shorts
        above: list[tuple[int, int]] = []
        for tie in np.flatnonzero(slots == shorts).tolist():
            draw, slot = divmod(tie, self._slots)
            if not is_below(int(slots[tie]), _SHORT, self._bounds[slot], bits):
                continue
            if slot == self.kept:
                above.append((draw, self._part_above(bits)))
            else:
                digits[tie] = True
        packed = np.packbits(digits, bitorder="little").view(f"<i{self._slots // 8}").astype(np.int64)
        magnitudes = packed & ((1 << self.kept) - 1)
        for draw, part in above:
            magnitudes[draw] += part << self.kept
        packed >>= 63
        return magnitudes, packed

    def _part_above(self, bits: SingleWords) -> int:
        """floor(G / 2**kept), given that it is at least 1."""
        part = 1
        while is_below(bits.refine(_SHORT), _SHORT, self._bounds[self.kept], bits):
            part += 1
        return part


@lru_cache(maxsize=32)
def digit_table(scale: Fraction) -> DigitTable:
    """The table of this scale; built once, in about a millisecond, from public parameters."""
    return DigitTable(scale)


def _short(bounds: Bounds) -> int:
    """The first 16 binary digits of a number that is no binary fraction."""
    count = 2 * _SHORT
    while True:
        lower, upper = bounds(count)
        if lower >> count - _SHORT == upper >> count - _SHORT:
            return lower >> count - _SHORT
        count *= 2
