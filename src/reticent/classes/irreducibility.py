"""Irreducibility: how many answers of the standard optimal algorithm leave the dimension as it is (Definition 7).

A version space V of dimension L is k-irreducible iff all intersections of k of the sets V|(x, SOA_V(x)), its agreeing
sets, have dimension L. To decide that for k in the input is NP-hard: it is a search for a hitting set. Whoever wants
to lower the dimension has to break each shattered tree of depth L, and breaks one only by an agreeing set that lacks
one of its hypotheses, so that only those need to be tried. Three bounds decide most cases without trying:

- trees that no agreeing set breaks two of need as many sets as there are trees;
- a class of dimension less than L on c instances has at most C(c,0) + .. + C(c,L-1) hypotheses (Sauer, Shelah), and
  an agreeing set takes away only so many;
- greedily chosen sets that lower the dimension are enough.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from reticent.classes.finite import FiniteClass
from reticent.classes.projection import as_table
from reticent.classes.table import Table
from reticent.classes.work import Work, limited
from reticent.errors import ParameterError

__all__ = ["Irreducibility", "is_irreducible"]


def is_irreducible(cls: FiniteClass, k: int) -> bool:
    """Whether no k labels of the standard optimal algorithm lower the dimension of the class.

    Parameters
    ----------
    cls : FiniteClass
    k : int
        At least 0, of any size.

    Returns
    -------
    bool

    Raises
    ------
    WorkLimitError
        When that takes more than `cls.work_limit` steps, with a bracket of the largest such k.

    Notes
    -----
    Source: Sanyal, Definition 7.

    Examples
    --------
    >>> points = FiniteClass([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])
    >>> [is_irreducible(points, k) for k in (2, 3)]
    [True, False]
    """
    if isinstance(k, bool) or not isinstance(k, int) or k < 0:
        raise ParameterError(f"k is {k!r}; give a whole number, 0 or more.")
    search = Irreducibility(as_table(cls).table)
    with limited(cls.work_limit, "the largest k", lambda: search.bracket(cls.space)) as work:
        return search.holds(cls.space, k, work)


class Irreducibility:
    """Answers about the version spaces of one table, each searched no farther than was asked.

    Parameters
    ----------
    table : Table
    """

    def __init__(self, table: Table) -> None:
        self.table = table
        self._soa: dict[int, int] = {}
        self._searches: dict[int, _Search] = {}

    def soa(self, space: int, work: Work) -> int:
        """The standard optimal algorithm's labels; bit j is that of column j."""
        if space not in self._soa:
            table = self.table
            work.spend(len(table.columns))
            depth = table.dimensions.dimension(space, work)
            zeros = [table.side(space, j, False) for j in range(len(table.columns))]
            keep = [table.dimensions.at_least(side, depth, work) for side in zeros]
            self._soa[space] = sum(1 << j for j, zero in enumerate(keep) if not zero)
        return self._soa[space]

    def holds(self, space: int, k: int, work: Work) -> bool:
        """Whether the set of rows is k-irreducible."""
        if space not in self._searches:
            soa = self.soa(space, work)
            sides = {self.table.side(space, j, bool(soa >> j & 1)) for j in range(len(self.table.columns))}
            depth = self.table.dimensions.dimension(space, work)
            self._searches[space] = _Search(self.table, space, depth, _smallest(sides - {space}, work))
            self._searches[space].start(work)
        return self._searches[space].holds(k, work)

    def bracket(self, space: int) -> tuple[int, int]:
        """Bounds of the largest k for a set of rows that is not k-irreducible for every k."""
        search = self._searches.get(space)
        most = len(self.table.columns) - 1
        return (int(search.proved), int(min(search.refuted - 1, most))) if search else (0, most)


@dataclass
class _Search:
    """What is known of one version space.

    Attributes
    ----------
    table : Table
    space : int
    depth : int
        Its Littlestone dimension.
    agreeing : list of int
        The smallest of its agreeing sets: the others do no more.
    proved : int or inf
        It is k-irreducible for k up to this.
    refuted : int or inf
        It is not for k from this on.
    """

    table: Table
    space: int
    depth: int
    agreeing: list[int]
    proved: float = 0
    refuted: float = math.inf
    # For some intersections of agreeing sets, how many more it takes at least to lower the dimension.
    _needed: dict[int, float] = field(default_factory=dict)

    def start(self, work: Work) -> None:
        """The bounds that need no search."""
        rest, chosen = self.space, 0
        while self._keeps(rest, work):
            work.spend(len(self.agreeing))
            smaller = min((rest & side for side in self.agreeing), key=int.bit_count, default=rest)
            if smaller == rest:  # not even all sets together lower the dimension
                self.proved = math.inf
                return
            rest, chosen = smaller, chosen + 1
        self.refuted = chosen
        size, cut = self.space.bit_count(), (self.space ^ self.agreeing[0]).bit_count()
        largest = sum(math.comb(len(self.table.columns), i) for i in range(self.depth))
        self.proved = min(chosen - 1, max(0, (size - largest - 1) // cut))

    def holds(self, k: int, work: Work) -> bool:
        """Whether no k agreeing sets lower the dimension."""
        while self.proved < k < self.refuted:
            if self._lowered(self.space, int(self.proved) + 1, work):
                self.refuted = self.proved + 1
            else:
                self.proved = self._needed[self.space] - 1
        return k <= self.proved

    def _lowered(self, space: int, k: int, work: Work) -> bool:
        """Whether some k agreeing sets, intersected with this one of them, have a lower dimension."""
        if not self._keeps(space, work):
            return True
        if k < self._needed.get(space, 1):
            return False
        first, needed = self._trees_apart(space, k, work)
        if needed <= k:
            for side in sorted((space & side for side in first), key=int.bit_count):
                if self._lowered(side, k - 1, work):
                    return True
            needed = k + 1
        self._needed[space] = needed
        return False

    def _trees_apart(self, space: int, k: int, work: Work) -> tuple[list[int], float]:
        """The sets that break a tree, and the number of trees of which no set breaks two, as far as k + 1."""
        first: list[int] = []
        for found in range(k + 1):
            if not self._keeps(space, work):
                return first, found
            tree = sum(self._leaves(space, self.depth, work))
            work.spend(len(self.agreeing))
            breaking = [side for side in self.agreeing if tree & ~side]
            if not breaking:
                return first, math.inf
            first = first or breaking
            for side in breaking:
                space &= side
        return first, k + 1

    def _leaves(self, space: int, depth: int, work: Work) -> Iterator[int]:
        """One row for each leaf of a shattered tree of this depth."""
        if depth == 0:
            yield space & -space
        elif (column := self.table.dimensions.root(space, depth, work)) is not None:
            for label in (False, True):
                yield from self._leaves(self.table.side(space, column, label), depth - 1, work)

    def _keeps(self, space: int, work: Work) -> bool:
        return self.table.dimensions.at_least(space, self.depth, work)


def _smallest(sets: Iterable[int], work: Work) -> list[int]:
    """The sets that contain no other, by size."""
    kept: list[int] = []
    for one in sorted(sets, key=int.bit_count):
        work.spend(len(kept))
        if not any(one & other == other for other in kept):
            kept.append(one)
    return kept
