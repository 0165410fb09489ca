"""Intervals on a line: one case before the first positive instance, another one after it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import count
from typing import Any

from reticent.classes.arguments import MOST_INSTANCES, as_depth, as_index, as_label, whole_number
from reticent.classes.base import Instance
from reticent.classes.closed_form import ClosedForm, floor_log2

__all__ = ["Interval", "Intervals"]


@dataclass(frozen=True, slots=True)
class Interval:
    """The hypothesis that is 1 from `first` to `last`; on no instance where first > last."""

    first: int
    last: int

    def __call__(self, x: Any) -> bool:
        """The label of x."""
        return bool(self.first <= x <= self.last)

    def __repr__(self) -> str:
        return f"interval {self.first}..{self.last}" if self.first <= self.last else "empty interval"


class Intervals(ClosedForm):
    """The intervals {first, .., last} of the instances 0..N-1, with or without the empty one.

    Negative instances leave gaps of g1 >= g2 >= .. instances. With the empty interval the dimension is at least
    d >= 1 iff

        g1 >= t(d),   or   d >= 3, g1 >= s(d - 1) and g2 >= s(d - 2) for odd d, s(d - 3) for even d,

    where s(i) = 2**ceil(i/2) + 2**floor(i/2) - 1, t(2m+1) = floor(5 * 2**m / 2) - 1 and
    t(2m) = floor(7 * 2**m / 4) - 1. Without it the dimension is the same, but at most floor(log2 of the number of
    intervals). **This formula is checked, on all sets of gaps with at most 42 instances, and not proved**
    (docs/littlestone.md).

    After a positive instance each end is a threshold on its own, and the dimension is the sum of both.

    Parameters
    ----------
    n_instances : int
        N, from 1 to 2**128.
    empty : bool
        Whether the empty interval is one of them.

    Examples
    --------
    >>> intervals = Intervals(1_000_000)
    >>> intervals.littlestone_dimension()
    38
    >>> intervals = intervals.restrict(500_000, True)
    >>> intervals.littlestone_dimension(), intervals.soa(400_000), intervals.soa(200_000)
    (36, True, False)
    """

    __slots__ = ("_bounds", "_dimension", "_empty", "_gaps", "_longest", "_n", "_nonempty")

    def __init__(self, n_instances: int, *, empty: bool = True) -> None:
        n = whole_number("n_instances", n_instances, 1, MOST_INSTANCES)
        self._enter(n, bool(empty), ((0, n),))

    def _enter(self, n: int, empty: bool, gaps: tuple[tuple[int, int], ...]) -> None:
        """The gaps that negative instances leave, from left to right: first instance and length."""
        self._state = n, empty, gaps
        self._n, self._empty, self._gaps = n, empty, gaps
        self._longest = (*sorted((length for _, length in gaps), reverse=True), 0, 0, 0)[:3]
        self._nonempty = sum(length * (length + 1) // 2 for _, length in gaps)
        self._dimension = _dimension(*self._longest[:2])
        if not empty:
            self._dimension = min(self._dimension, floor_log2(self._nonempty))
        self._bounds = _bounds(self._dimension)

    @property
    def instances(self) -> range:
        """The whole numbers 0..N-1."""
        return range(self._n)

    def restrict(self, x: Instance, y: bool) -> Intervals | IntervalsAround:
        """See `HypothesisClass`."""
        x, y = as_index(x, self._n), as_label(y)
        k = bisect_right(self._gaps, (x, self._n)) - 1
        first, length = self._gaps[k] if k >= 0 else (0, 0)
        last = first + length - 1
        if x > last:  # a negative instance
            return IntervalsAround(self._n, 1, 0, 1, 0) if y else self
        if y:
            return IntervalsAround(self._n, first, x, x, last)
        halves = ((first, x - first), (x + 1, last - x))
        gaps = (*self._gaps[:k], *(half for half in halves if half[1] > 0), *self._gaps[k + 1 :])
        return self._at(self._n, self._empty, gaps)

    def littlestone_dimension(self) -> int:
        """See `HypothesisClass`."""
        return self._dimension

    def size(self) -> int:
        """See `HypothesisClass`."""
        return self._nonempty + self._empty

    def soa(self, x: Instance) -> bool:
        """See `HypothesisClass`."""
        if type(x) is not int or not 0 <= x < self._n:
            x = as_index(x, self._n)
        k = bisect_right(self._gaps, (x, self._n)) - 1
        if k < 0:
            return False
        first, length = self._gaps[k]
        left = x - first
        right = length - 1 - left
        if right < 0:
            return False
        if not self._empty and floor_log2(self._nonempty - (left + 1) * (right + 1)) < self._dimension:
            return True
        return not self._keeps(left, right, length)

    def members(self) -> Iterator[Interval]:
        """See `HypothesisClass`."""
        if self._empty:
            yield Interval(0, -1)
        for start, length in self._gaps:
            for first in range(start, start + length):
                yield from (Interval(first, last) for last in range(first, start + length))

    def _keeps(self, left: int, right: int, length: int) -> bool:
        """Whether the gaps keep their dimension, apart from the empty interval, when one falls into these two."""
        g1, g2, g3 = self._longest
        if length == g1:
            g1, g2 = g2, g3
        elif length == g2:
            g2 = g3
        long, short = (left, right) if left > right else (right, left)
        if long >= g1:
            return _reaches(self._bounds, long, max(short, g1))
        return _reaches(self._bounds, g1, max(long, g2))


class IntervalsAround(ClosedForm):
    """The intervals that begin in a..b and end in c..d, after b and c were seen with label 1.

    With p beginnings and q ends left the dimension is floor(log2 p) + floor(log2 q). The standard optimal algorithm
    says 1 between b - 2**floor(log2 p) and c + 2**floor(log2 q), neither of them included, and 0 elsewhere.
    """

    __slots__ = ("_a", "_b", "_c", "_d", "_last_zero", "_n", "_next_zero")

    def __init__(self, n_instances: int, a: int, b: int, c: int, d: int) -> None:
        self._enter(n_instances, a, b, c, d)

    def _enter(self, n: int, a: int, b: int, c: int, d: int) -> None:
        if a > b or c > d:
            a, b, c, d = 1, 0, 1, 0
        self._state = n, a, b, c, d
        self._n, self._a, self._b, self._c, self._d = n, a, b, c, d
        # Left of b the label 0 leaves b - x beginnings, enough iff they are as many as this power of two; right of c
        # it leaves x - c ends.
        self._last_zero = b - (1 << floor_log2(b - a + 1)) if a <= b else n
        self._next_zero = c + (1 << floor_log2(d - c + 1)) if a <= b else n

    @property
    def instances(self) -> range:
        """The whole numbers 0..N-1."""
        return range(self._n)

    def restrict(self, x: Instance, y: bool) -> IntervalsAround:
        """See `HypothesisClass`."""
        x, y = as_index(x, self._n), as_label(y)
        a, b, c, d = self._a, self._b, self._c, self._d
        if a > b:
            return self
        if b <= x <= c:
            return self if y else self._at(self._n, 1, 0, 1, 0)
        if x < a or x > d:
            return self._at(self._n, 1, 0, 1, 0) if y else self
        if x < b:
            return self._at(self._n, a, x, c, d) if y else self._at(self._n, x + 1, b, c, d)
        return self._at(self._n, a, b, x, d) if y else self._at(self._n, a, b, c, x - 1)

    def littlestone_dimension(self) -> int:
        """See `HypothesisClass`."""
        if self._a > self._b:
            return -1
        return floor_log2(self._b - self._a + 1) + floor_log2(self._d - self._c + 1)

    def size(self) -> int:
        """See `HypothesisClass`."""
        return (self._b - self._a + 1) * (self._d - self._c + 1)

    def soa(self, x: Instance) -> bool:
        """See `HypothesisClass`."""
        if type(x) is not int or not 0 <= x < self._n:
            x = as_index(x, self._n)
        return self._last_zero < x < self._next_zero

    def root(self, depth: int) -> Instance | None:
        """See `HypothesisClass`: in the middle of the beginnings, or of the ends where a single beginning is left."""
        if self.littlestone_dimension() < as_depth(depth):
            return None
        if self._a < self._b:
            return (self._a + self._b - 1) // 2
        return (self._c + self._d) // 2 + 1

    def members(self) -> Iterator[Interval]:
        """See `HypothesisClass`."""
        ends = range(self._c, self._d + 1)
        return (Interval(first, last) for first in range(self._a, self._b + 1) for last in ends)


#: What the longest gap must be, alone, or together with the second longest, for some dimension.
_Bounds = tuple[int, int, int]


@cache
def _bounds(dimension: int) -> _Bounds:
    if dimension < 0:
        return 0, 0, 0
    half, odd = divmod(dimension, 2)
    alone = ((5 << half) // 2 if odd else (7 << half) // 4) - 1
    if dimension < 3:
        return alone, alone, 0
    return alone, _pair(dimension - 1), _pair(dimension - 2 if odd else dimension - 3)


def _pair(i: int) -> int:
    """The s(i) of `Intervals`."""
    return (1 << (i + 1) // 2) + (1 << i // 2) - 1


def _reaches(bounds: _Bounds, g1: int, g2: int) -> bool:
    alone, first, second = bounds
    return g1 >= alone or (g1 >= first and g2 >= second)


def _dimension(g1: int, g2: int) -> int:
    """The dimension of gaps whose longest are these, with the empty interval."""
    return next(d for d in count() if not _reaches(_bounds(d + 1), g1, g2))
