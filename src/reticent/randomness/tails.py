"""Whether a fresh draw reaches a gap: one word, one table look-up, and exact arithmetic for the words in doubt."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache, lru_cache, partial

import numpy as np

from reticent.compiled import compiled
from reticent.randomness.bits import Bits, WordArray, is_below
from reticent.randomness.bounds import Bounds, exponential_bounds, tail_bounds
from reticent.randomness.source import IntArray

__all__ = ["DiscreteLaplaceTail", "GeometricTail", "TailTable", "tail_table"]

_WORD = 64
_ALL = 1 << _WORD
#: Precision of the recurrence that fills a table; its at most 3,000 steps lose about twelve of the 64 spare bits.
_WIDTH = 128
#: A cell is between 1/64 and 1/32 of the scale wide (one integer for small scales).
_CELLS_PER_SCALE = 5
#: A block is asked in chunks that grow: most instances end early, and long ones should not pay for that.
_FIRST_CHUNK, _LAST_CHUNK = 1024, 8192
#: Queries, thresholds and offsets within these limits cannot overflow int64 together.
_SAFE_QUERY, _SAFE_THRESHOLD, _SAFE_SHIFT = 1 << 62, 1 << 61, 48

#: The largest number below which a word surely reaches, and the largest word that possibly does.
_Cell = tuple[int, int]


class TailTable(ABC):
    """Certified bounds on P(draw >= gap) for whole cells of gaps, in units of 2**-64.

    The gaps i * 2**shift + 1, .., (i + 1) * 2**shift share a cell. A word is the first 64 digits of a uniform
    number: below the cell's `surely` the draw reaches the gap, above its `possibly` it does not, and in between
    (at most one in thirty-two of the words that reach) its own probability decides, to as many digits as it takes.
    """

    __slots__ = ("_offset", "_possibly", "_possibly_array", "_shift", "_surely", "scale")

    def __init__(self, scale: Fraction) -> None:
        self.scale = scale
        self._shift = max(0, int(scale).bit_length() - 1 - _CELLS_PER_SCALE)
        tail = list(self._tail_cells())
        below = list(self._other_cells(tail))
        self._offset = len(below)
        self._surely = [surely for surely, _ in [*below, *tail]]
        self._possibly = [possibly for _, possibly in [*below, *tail]]
        self._possibly_array = np.array(self._possibly, np.uint64)

    def __reduce__(self) -> tuple[object, ...]:
        return tail_table, (type(self), self.scale)

    @abstractmethod
    def _tail(self, gap: int) -> Bounds:
        """P(draw >= gap), for gap >= 1; at 0 the same formula."""

    @abstractmethod
    def _other_cells(self, tail: list[_Cell]) -> Iterator[_Cell]:
        """The cells of gaps <= 0, in ascending order of gaps."""

    @property
    def cells(self) -> tuple[WordArray, int, int]:
        """What machine code needs: the cell is ``(gap - 1 >> shift) + offset``, and the ends stand for the rest.

        Returns
        -------
        possibly : uint64 array, one entry a cell
        offset, shift : int
        """
        return self._possibly_array, self._offset, self._shift

    def reaches(self, gap: int, bits: Bits) -> bool:
        """Whether a fresh draw is >= gap."""
        return self.decide(gap, bits.take(), bits)

    def first(self, threshold: int, queries: IntArray, bits: Bits) -> int:
        """The first k with a fresh draw >= threshold - queries[k], or len(queries); one word for each k asked."""
        base = threshold - 1 + (self._offset << self._shift)
        countable = self._shift <= _SAFE_SHIFT and abs(threshold) <= _SAFE_THRESHOLD
        start, size = 0, _FIRST_CHUNK
        while start < len(queries):
            words = bits.peek(min(size, len(queries) - start))
            chunk = queries[start : start + len(words)]
            at = 0
            while True:
                if countable:
                    at = _first_possible(words, chunk, base, self._shift, self._possibly_array, at)
                if at == len(words):
                    break
                if self.decide(threshold - int(chunk[at]), int(words[at]), bits):
                    bits.skip(at + 1)
                    return start + at
                at += 1
            bits.skip(len(words))
            start += len(words)
            size = min(4 * size, _LAST_CHUNK)
        return len(queries)

    def decide(self, gap: int, word: int, bits: Bits) -> bool:
        """Whether the draw of a uniform number with these first 64 digits is >= gap."""
        cell = (gap - 1 >> self._shift) + self._offset
        if cell < 0:
            cell = 0
        elif cell >= len(self._surely):
            cell = -1
        if word > self._possibly[cell]:
            return False
        if word < self._surely[cell]:
            return True
        if gap > 0:
            return is_below(word, _WORD, self._tail(gap), bits)
        # The law is symmetric here: P(Z >= gap) = 1 - P(Z >= 1 - gap), and 1 - U is as uniform as U.
        return not is_below(_ALL - 1 - word, _WORD, self._tail(1 - gap), bits)

    def _tail_cells(self) -> Iterator[_Cell]:
        """The cells of gaps >= 1; the last stands for all gaps whose tail is below 2**-64.

        The tail at the ends of the cells is c * exp(-width / scale)**i, with c the tail's formula at 0.
        """
        width = exponential_bounds((1 << self._shift) / self.scale, _WIDTH)
        unit = exponential_bounds(1 / self.scale, _WIDTH)
        end = self._tail(0)(_WIDTH)
        possibly = 1
        while possibly > 0:
            _, most = _product(end, unit)
            end = _product(end, width)
            surely, possibly = end[0] >> _WIDTH - _WORD, -(-most >> _WIDTH - _WORD) - 1
            yield surely, possibly


def _first_possible(
    words: WordArray, queries: IntArray, base: int, shift: int, possibly: WordArray, start: int
) -> int:
    """The first k >= start whose word does not rule out that its draw reaches; len(words) if there is none."""
    in_machine_code = _compiled_search()
    if in_machine_code is not None:
        return int(in_machine_code(words, queries, base, shift, possibly, start, _SAFE_QUERY))
    rest = queries[start:]
    if len(rest) and not (int(rest.max()) <= _SAFE_QUERY and int(rest.min()) >= -_SAFE_QUERY):
        return start  # beyond int64: each is decided by itself
    cells = base - rest
    cells >>= shift
    possible = (words[start:] <= possibly.take(cells, mode="clip")).nonzero()[0]
    return start + int(possible[0]) if len(possible) else len(words)


@cache
def _compiled_search() -> Callable[..., int] | None:
    def search(words, queries, base, shift, possibly, start, safe):  # type: ignore[no-untyped-def]
        last = len(possibly) - 1
        for k in range(start, len(words)):
            query = queries[k]
            cell = min(max((base - query) >> shift, 0), last)
            if words[k] <= possibly[cell] or query > safe or query < -safe:
                return k
        return len(words)

    return compiled(search)


class GeometricTail(TailTable):
    """P(Z >= g) = exp(-g / scale) for g >= 0, and 1 for g < 0."""

    __slots__ = ()

    def _tail(self, gap: int) -> Bounds:
        return partial(exponential_bounds, gap / self.scale)

    def _other_cells(self, tail: list[_Cell]) -> Iterator[_Cell]:
        yield _ALL, _ALL - 1


class DiscreteLaplaceTail(TailTable):
    """P(Z >= g) = exp(-g / scale) / (1 + exp(-1 / scale)) for g >= 0, and P(Z >= g) = 1 - P(Z >= 1 - g)."""

    __slots__ = ()

    def _tail(self, gap: int) -> Bounds:
        return partial(tail_bounds, gap / self.scale, 1 / self.scale)

    def _other_cells(self, tail: list[_Cell]) -> Iterator[_Cell]:
        for surely, possibly in reversed(tail):
            yield _ALL - 1 - possibly, _ALL - 1 - surely


@lru_cache(maxsize=128)
def tail_table(law: type[TailTable], scale: Fraction) -> TailTable:
    """The table of this law and scale; built once, in about two milliseconds, from public parameters."""
    return law(scale)


def _product(first: tuple[int, int], second: tuple[int, int]) -> tuple[int, int]:
    return first[0] * second[0] >> _WIDTH, -(-first[1] * second[1] >> _WIDTH)
