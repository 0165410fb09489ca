"""Points: the hypotheses that are 1 on a single instance."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from reticent.classes.arguments import MOST_INSTANCES, as_index, as_label, whole_number
from reticent.classes.base import Instance
from reticent.classes.closed_form import ClosedForm

__all__ = ["Point", "Points"]


@dataclass(frozen=True, slots=True)
class Point:
    """The hypothesis that is 1 at `at` only."""

    at: int

    def __call__(self, x: Any) -> bool:
        """The label of x."""
        return bool(x == self.at)

    def __repr__(self) -> str:
        return f"point at {self.at}"


class Points(ClosedForm):
    """The N functions that are 1 on exactly one of the instances 0..N-1.

    With m points left the dimension is 1 for m > 1, and 0 for m = 1. The standard optimal algorithm says 0, except on
    the points left when they are one or two.

    Parameters
    ----------
    n_instances : int
        N, from 1 to 2**128.

    Examples
    --------
    >>> points = Points(3)
    >>> [points.soa(x) for x in points.instances], points.restrict(0, False).soa(2)
    ([False, False, False], True)
    >>> list(points.restrict(0, False).members())
    [point at 1, point at 2]
    """

    __slots__ = ("_dead", "_m", "_n", "_only")

    def __init__(self, n_instances: int) -> None:
        self._enter(whole_number("n_instances", n_instances, 1, MOST_INSTANCES), frozenset(), None)

    def _enter(self, n: int, dead: frozenset[int], only: int | None) -> None:
        """`dead` were seen with label 0; `only` was seen with label 1, and -1 stands for a contradiction."""
        self._state = n, dead, only
        self._n, self._dead, self._only = n, dead, only
        self._m = n - len(dead) if only is None else int(only >= 0)

    @property
    def instances(self) -> range:
        """The whole numbers 0..N-1."""
        return range(self._n)

    def restrict(self, x: Instance, y: bool) -> Points:
        """See `HypothesisClass`."""
        x, y = as_index(x, self._n), as_label(y)
        alive = self._is_alive(x)
        if y:
            return self if x == self._only else self._at(self._n, frozenset(), x if alive else -1)
        if not alive:
            return self
        if self._only is None:
            return self._at(self._n, self._dead | {x}, None)
        return self._at(self._n, frozenset(), -1)

    def littlestone_dimension(self) -> int:
        """See `HypothesisClass`."""
        return min(self._m, 2) - 1

    def size(self) -> int:
        """See `HypothesisClass`."""
        return self._m

    def soa(self, x: Instance) -> bool:
        """See `HypothesisClass`."""
        if type(x) is not int or not 0 <= x < self._n:
            x = as_index(x, self._n)
        return self._m <= 2 and self._is_alive(x)

    def members(self) -> Iterator[Point]:
        """See `HypothesisClass`."""
        if self._only is not None:
            return iter([Point(self._only)] * self._m)
        return (Point(x) for x in range(self._n) if x not in self._dead)

    def _is_alive(self, x: int) -> bool:
        return x not in self._dead if self._only is None else x == self._only
