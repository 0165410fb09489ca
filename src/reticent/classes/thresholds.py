"""Thresholds on a line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from reticent.classes.arguments import MOST_INSTANCES, as_depth, as_index, as_label, whole_number
from reticent.classes.base import Instance
from reticent.classes.closed_form import ClosedForm, floor_log2

__all__ = ["Threshold", "Thresholds"]


@dataclass(frozen=True, slots=True)
class Threshold:
    """The hypothesis that is 1 from `at` on."""

    at: int

    def __call__(self, x: Any) -> bool:
        """The label of x."""
        return bool(x >= self.at)

    def __repr__(self) -> str:
        return f"threshold at {self.at}"


class Thresholds(ClosedForm):
    """The thresholds 1[x >= t], t = 0..N, on the instances 0..N-1.

    With m thresholds left the dimension is floor(log2 m): the binary search. The standard optimal algorithm says 0
    as long as the thresholds above x are at least 2**dimension.

    Parameters
    ----------
    n_instances : int
        N, from 1 to 2**128.

    Examples
    --------
    >>> thresholds = Thresholds(1_000_000)
    >>> thresholds.littlestone_dimension(), thresholds.soa(470_000), thresholds.soa(480_000)
    (19, False, True)
    >>> list(Thresholds(10).restrict(3, False).restrict(5, True).members())
    [threshold at 4, threshold at 5]
    """

    __slots__ = ("_high", "_last_zero", "_low", "_n")

    def __init__(self, n_instances: int) -> None:
        n = whole_number("n_instances", n_instances, 1, MOST_INSTANCES)
        self._enter(n, 0, n)

    def _enter(self, n: int, low: int, high: int) -> None:
        if low > high:
            low, high = 1, 0
        self._state = n, low, high
        self._n, self._low, self._high = n, low, high
        # high - max(low, x + 1) + 1 >= 2**dimension is the same as x <= high - 2**dimension.
        self._last_zero = high - (1 << floor_log2(high - low + 1)) if low <= high else n

    @property
    def instances(self) -> range:
        """The whole numbers 0..N-1."""
        return range(self._n)

    def restrict(self, x: Instance, y: bool) -> Thresholds:
        """See `HypothesisClass`."""
        x, y = as_index(x, self._n), as_label(y)
        low, high = self._low, self._high
        if low > high or (x >= high if y else x < low):
            return self
        return self._at(self._n, low, min(high, x)) if y else self._at(self._n, max(low, x + 1), high)

    def littlestone_dimension(self) -> int:
        """See `HypothesisClass`."""
        return floor_log2(self.size())

    def size(self) -> int:
        """See `HypothesisClass`."""
        return self._high - self._low + 1

    def soa(self, x: Instance) -> bool:
        """See `HypothesisClass`."""
        if type(x) is not int or not 0 <= x < self._n:
            x = as_index(x, self._n)
        return x > self._last_zero

    def root(self, depth: int) -> Instance | None:
        """See `HypothesisClass`: in the middle."""
        half = self.size() // 2
        return self._low + half - 1 if half.bit_length() >= as_depth(depth) else None

    def members(self) -> Iterator[Threshold]:
        """See `HypothesisClass`."""
        return map(Threshold, range(self._low, self._high + 1))
