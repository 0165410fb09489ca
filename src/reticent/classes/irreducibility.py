"""Irreducibility: how many answers of the standard optimal algorithm leave the dimension as it is (Definition 7).

A version space V of dimension L is k-irreducible iff each intersection of k of the sets V|(x, SOA_V(x)) has dimension
L. To decide that for k in the input is NP-hard. Here the intersections of 1, 2, .. sets are formed layer by layer,
the smallest ones only, because dimension is monotone.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from reticent.classes.finite import FiniteClass
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
    search = Irreducibility(cls.table)
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
        self._layers: dict[int, _Layers] = {}

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
        if space not in self._layers:
            self._layers[space] = self._first_layer(space, work)
        layers = self._layers[space]
        while layers.proved < k < layers.refuted:
            self._next_layer(layers, work)
        return k <= layers.proved

    def bracket(self, space: int) -> tuple[int, int]:
        """Bounds of the largest k for a set of rows that is not k-irreducible for every k."""
        layers = self._layers.get(space)
        return (int(layers.proved), int(layers.refuted) - 1) if layers else (0, len(self.table.columns) - 1)

    def _first_layer(self, space: int, work: Work) -> _Layers:
        dimensions = self.table.dimensions
        depth = dimensions.dimension(space, work)
        soa = self.soa(space, work)
        sides = {self.table.side(space, j, bool(soa >> j & 1)) for j in range(len(self.table.columns))}
        agreeing = _smallest(sides - {space}, work)
        # Greedily: either some sets lower the dimension, or all sets together do not.
        rest, refuted = space, 0
        while dimensions.at_least(rest, depth, work):
            work.spend(len(agreeing))
            smaller = min((rest & side for side in agreeing), key=int.bit_count, default=rest)
            if smaller == rest:
                return _Layers(depth, agreeing, [space], math.inf, math.inf)
            rest, refuted = smaller, refuted + 1
        return _Layers(depth, agreeing, [space], 0, refuted)

    def _next_layer(self, layers: _Layers, work: Work) -> None:
        work.spend(len(layers.frontier) * len(layers.agreeing))
        frontier = _smallest({one & side for one in layers.frontier for side in layers.agreeing}, work)
        if all(self.table.dimensions.at_least(one, layers.depth, work) for one in frontier):
            layers.frontier = frontier
            layers.proved += 1
        else:
            layers.refuted = layers.proved + 1


@dataclass
class _Layers:
    """How far one version space has been searched.

    Attributes
    ----------
    depth : int
        Its Littlestone dimension.
    agreeing : list of int
        The smallest of its sets V|(x, SOA_V(x)).
    frontier : list of int
        The smallest intersections of `proved` of them.
    proved : int or inf
        It is k-irreducible for k up to this.
    refuted : int or inf
        It is not for k from this on.
    """

    depth: int
    agreeing: list[int]
    frontier: list[int]
    proved: float
    refuted: float


def _smallest(sets: Iterable[int], work: Work) -> list[int]:
    """The sets that contain no other, by size."""
    kept: list[int] = []
    for one in sorted(sets, key=int.bit_count):
        work.spend(len(kept))
        if not any(one & other == other for other in kept):
            kept.append(one)
    return kept
