"""Domains that are too large to list: sequences that make an instance when it is asked for."""

from __future__ import annotations

from abc import abstractmethod
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from operator import index
from typing import overload

from reticent.classes.base import Instance

__all__ = ["BooleanVectors", "DisjointUnion", "n_instances"]


class _Domain(Sequence[Instance]):
    """A sequence that knows how many items it has, and each of them by its number."""

    __slots__ = ("_size",)
    _size: int

    def __len__(self) -> int:
        return self._size

    @abstractmethod
    def _item(self, number: int) -> Instance:
        """The item with this number, from 0 on."""

    @overload
    def __getitem__(self, number: int) -> Instance: ...
    @overload
    def __getitem__(self, number: slice) -> Sequence[Instance]: ...
    def __getitem__(self, number: int | slice) -> Instance | Sequence[Instance]:
        if isinstance(number, slice):
            return [self._item(k) for k in range(*number.indices(self._size))]
        k = index(number)
        if not -self._size <= k < self._size:
            raise IndexError(f"the domain has {self._size} instances, and none with number {k}.")
        return self._item(k % self._size)


class BooleanVectors(_Domain):
    """All tuples of n zeros and ones, in the order of binary numbers.

    Parameters
    ----------
    n_variables : int
        Above 62, ``len`` raises OverflowError; items can be asked for all the same.

    Examples
    --------
    >>> list(BooleanVectors(2))
    [(0, 0), (0, 1), (1, 0), (1, 1)]
    """

    __slots__ = ("n_variables",)

    def __init__(self, n_variables: int) -> None:
        self.n_variables = n_variables
        self._size = 1 << n_variables

    def _item(self, number: int) -> tuple[int, ...]:
        return tuple(number >> k & 1 for k in reversed(range(self.n_variables)))

    def __contains__(self, x: object) -> bool:
        return isinstance(x, tuple) and len(x) == self.n_variables and all(bit in (0, 1) for bit in x)

    def __repr__(self) -> str:
        return f"BooleanVectors({self.n_variables})"


class DisjointUnion(_Domain):
    """The pairs (k, x) of a part's number and an instance of that part, part by part.

    Parameters
    ----------
    parts : sequence of sequences
        The domains.

    Examples
    --------
    >>> list(DisjointUnion([range(2), range(1)]))
    [(0, 0), (0, 1), (1, 0)]
    """

    __slots__ = ("_ends", "_parts")

    def __init__(self, parts: Sequence[Sequence[Instance]]) -> None:
        self._parts = tuple(parts)
        self._ends = tuple(accumulate(map(n_instances, parts)))
        self._size = self._ends[-1]

    def _item(self, number: int) -> tuple[int, Instance]:
        part = bisect_right(self._ends, number)
        return part, self._parts[part][number - self._ends[part]]

    def __contains__(self, x: object) -> bool:
        if not (isinstance(x, tuple) and len(x) == 2 and x[0] in range(len(self._parts))):
            return False
        return x[1] in self._parts[x[0]]

    def __repr__(self) -> str:
        return f"DisjointUnion({list(self._parts)!r})"


def n_instances(domain: Sequence[Instance]) -> int:
    """How many there are; for ranges and the domains of this page also where it is more than the largest ``len``.

    Examples
    --------
    >>> n_instances(range(9, 2, -2)), n_instances(range(2, 2)), n_instances(range(2**70)) == 2**70
    (4, 0, True)
    >>> n_instances(BooleanVectors(70)) == 2**70
    True
    """
    if isinstance(domain, range):
        return max(0, -((domain.start - domain.stop) // domain.step))
    return domain._size if isinstance(domain, _Domain) else len(domain)
