"""Functions with few ones, with a given number of ones, and all functions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Self

from reticent.classes.arguments import MOST_INSTANCES, as_index, as_label, whole_number
from reticent.classes.base import Instance
from reticent.classes.closed_form import ClosedForm

__all__ = ["AllFunctions", "ExactlySparse", "Ones", "Sparse"]


@dataclass(frozen=True, slots=True)
class Ones:
    """The hypothesis that is 1 on these instances only."""

    at: frozenset[int]

    def __call__(self, x: Instance) -> bool:
        """The label of x."""
        return x in self.at

    def __repr__(self) -> str:
        return "all zero" if not self.at else f"ones at {{{', '.join(map(str, sorted(self.at)))}}}"


class Sparse(ClosedForm):
    """The functions with at most k ones on the instances 0..N-1.

    With N' instances unseen and k' ones left the dimension is min(k', N'). The standard optimal algorithm says what
    it has seen, and 0 elsewhere if N' > k', otherwise 1.

    Parameters
    ----------
    n_instances : int
        N, from 1 to 2**128.
    n_ones : int
        k, from 0 to N.

    Examples
    --------
    >>> sparse = Sparse(1000, 3)
    >>> sparse.littlestone_dimension(), sparse.size()
    (3, 166667501)
    >>> sparse.restrict(7, True).littlestone_dimension()
    2
    """

    __slots__ = ("_dimension", "_left", "_n", "_ones", "_unseen", "_when_unseen", "_zeros")

    def __init__(self, n_instances: int, n_ones: int) -> None:
        n = whole_number("n_instances", n_instances, 1, MOST_INSTANCES)
        self._enter(n, whole_number("n_ones", n_ones, 0, n), frozenset(), frozenset())

    def _enter(self, n: int, left: int, zeros: frozenset[int], ones: frozenset[int]) -> None:
        """How many ones are left, and what was seen with each label."""
        unseen = n - len(zeros) - len(ones)
        self._dimension = self._formula(left, unseen)
        if self._dimension < 0:
            left, zeros, ones = -1, frozenset(), frozenset()
        self._state = n, left, zeros, ones
        self._n, self._left, self._zeros, self._ones, self._unseen = n, left, zeros, ones, unseen
        self._when_unseen = self._formula(left, unseen - 1) < self._dimension

    @staticmethod
    def _formula(left: int, unseen: int) -> int:
        """The dimension; -1 where the ones do not fit."""
        return min(left, unseen)

    @property
    def instances(self) -> range:
        """The whole numbers 0..N-1."""
        return range(self._n)

    def restrict(self, x: Instance, y: bool) -> Self:
        """See `HypothesisClass`."""
        x, y = as_index(x, self._n), as_label(y)
        if self._dimension < 0 or x in (self._ones if y else self._zeros):
            return self
        if x in self._zeros or x in self._ones:
            return self._at(self._n, -1, frozenset(), frozenset())
        if y:
            return self._at(self._n, self._left - 1, self._zeros, self._ones | {x})
        return self._at(self._n, self._left, self._zeros | {x}, self._ones)

    def littlestone_dimension(self) -> int:
        """See `HypothesisClass`."""
        return self._dimension

    def size(self) -> int:
        """See `HypothesisClass`."""
        choices = self._choices()
        total, term = 0, comb(self._unseen, choices.start) if choices else 0
        for k in choices:
            total += term
            term = term * (self._unseen - k) // (k + 1)
        return total

    def soa(self, x: Instance) -> bool:
        """See `HypothesisClass`."""
        if type(x) is not int or not 0 <= x < self._n:
            x = as_index(x, self._n)
        return x in self._ones or (self._when_unseen and x not in self._zeros)

    def members(self) -> Iterator[Ones]:
        """See `HypothesisClass`."""
        for k in self._choices():
            if k == 0:  # without a list of what is free
                yield Ones(self._ones)
                continue
            free = (x for x in range(self._n) if x not in self._zeros and x not in self._ones)
            yield from (Ones(self._ones.union(more)) for more in combinations(free, k))

    def _choices(self) -> range:
        """How many of the unseen instances may be ones."""
        return range(min(self._left, self._unseen) + 1)


class ExactlySparse(Sparse):
    """The functions with exactly k ones on the instances 0..N-1.

    With N' instances unseen and k' ones left the dimension is min(k', N' - k'). The standard optimal algorithm says
    what it has seen, and 0 elsewhere if N' > 2 k', otherwise 1.

    Parameters
    ----------
    n_instances, n_ones : int
        See `Sparse`.

    Examples
    --------
    >>> [ExactlySparse(6, k).littlestone_dimension() for k in range(7)]
    [0, 1, 2, 3, 2, 1, 0]
    """

    __slots__ = ()

    @staticmethod
    def _formula(left: int, unseen: int) -> int:
        return min(left, unseen - left)

    def _choices(self) -> range:
        return range(self._left, self._left + 1) if self._dimension >= 0 else range(0)


class AllFunctions(Sparse):
    """All functions on the instances 0..N-1, the cube: its dimension is the number of instances unseen.

    The standard optimal algorithm says what it has seen, and 1 elsewhere.

    Parameters
    ----------
    n_instances : int
        N, from 1 to 2**128.

    Examples
    --------
    >>> cube = AllFunctions(5)
    >>> cube.littlestone_dimension(), cube.size(), cube.restrict(2, False).soa(2)
    (5, 32, False)
    """

    __slots__ = ()

    def __init__(self, n_instances: int) -> None:
        super().__init__(n_instances, n_instances)

    def size(self) -> int:
        """See `HypothesisClass`."""
        return 1 << self._unseen if self._dimension >= 0 else 0
