"""Decomposition trees and the decomposition dimension rho_p (Definition 8), exactly.

Write q for the dimension of the version space at a node, and reach(q) = p (2^(d-q+1) - 1). A tree is valid if every
node lies at a level of at most reach(q), and every leaf at one of at most reach(q+1) and is p 2^(d-q)-irreducible.
rho_p is the least r such that some valid tree has no leaf of dimension over r.

All constraints bound levels from above, so that what may sit at some level may sit at each one above it. A version
space V of dimension q may sit at a level

- as a leaf, if q <= r, the level is at most reach(q+1), and V is irreducible;
- without looking further, if q >= 1 and the level plus min(|V| - 1, c) is at most reach(q), c being the number of
  instances that split V in different ways: then it can be split until single hypotheses are left;
- never, if q > r and V is (reach(q) - level + 1)-irreducible: the path that follows SOA_V cannot lower the dimension
  before it has to end;
- otherwise, if some instance splits it into two that may sit one level below.

At the root the second and the third are certificates: they decide almost every class that is met in practice.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from reticent.classes.finite import FiniteClass
from reticent.classes.irreducibility import Irreducibility
from reticent.classes.projection import as_table
from reticent.classes.work import Work, limited
from reticent.errors import ParameterError

__all__ = ["DecompositionTrees", "decomposition_dimension", "optimal_trees"]


def decomposition_dimension(cls: FiniteClass, p: int, ambient: int | None = None) -> int:
    """The least possible dimension of the worst leaf of a valid decomposition tree: rho_p.

    Parameters
    ----------
    cls : FiniteClass
        Not empty.
    p : int
        At least 1, of any size.
    ambient : int, optional
        The paper's d: the dimension of the class that `cls` was restricted from; its own unless given.

    Returns
    -------
    int
        From 0 to its own dimension.

    Raises
    ------
    WorkLimitError
        When that takes more than `cls.work_limit` steps.

    Notes
    -----
    Source: Sanyal, Definition 8; it is Lyu's DDim_{p,d}.

    Examples
    --------
    >>> points = FiniteClass([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])
    >>> [decomposition_dimension(points, p) for p in (1, 2, 3)]
    [1, 1, 0]
    """
    return optimal_trees(cls, p, ambient).most


def optimal_trees(cls: FiniteClass, p: int, ambient: int | None) -> DecompositionTrees:
    """The search in which the class was found to have a valid tree with leaves of least dimension.

    Parameters, errors and source as in `decomposition_dimension`.
    """
    dimension = as_table(cls).littlestone_dimension()
    d = dimension if ambient is None else ambient
    if dimension < 0:
        raise ParameterError("the class is empty; give one with a hypothesis.")
    if isinstance(p, bool) or not isinstance(p, int) or p < 1:
        raise ParameterError(f"p is {p!r}; give a whole number, 1 or more.")
    if isinstance(d, bool) or not isinstance(d, int) or d < dimension:
        raise ParameterError(f"ambient is {d!r}; give a whole number from the class's own dimension {dimension} on.")
    # No level and no number of labels goes beyond these; from there on a larger d changes nothing.
    d = min(d, dimension + 1 + max(cls.table.labels.shape).bit_length())
    trees = DecompositionTrees(Irreducibility(cls.table), p, d, 0)
    with limited(cls.work_limit, "the decomposition dimension", lambda: (trees.most, dimension)) as work:
        while not trees.may_sit(cls.space, 0, work):
            trees = DecompositionTrees(trees.irreducibility, p, d, trees.most + 1)
    return trees


#: How a version space goes on: as a leaf, split until single hypotheses are left, or split by this column.
_Choice = int | Literal["leaf", "apart"]


class DecompositionTrees:
    """The valid trees whose leaves have dimension `most` at most, and, if so wished, not one SOA at that dimension.

    Parameters
    ----------
    irreducibility : Irreducibility
        Of the table whose version spaces are asked for; it may be shared.
    p, d : int
        Of the definition.
    most : int
        The largest dimension of a leaf.
    forbidden : int, optional
        No leaf of dimension `most` may have this SOA (bit j is the label of column j).
    """

    def __init__(
        self, irreducibility: Irreducibility, p: int, d: int, most: int, forbidden: int | None = None
    ) -> None:
        self.irreducibility = irreducibility
        self.p = p
        self.d = d
        self.most = most
        self.forbidden = forbidden
        self._table = irreducibility.table
        # The deepest level at which a version space is known to fit and how, and the deepest that is not refuted.
        self._known: dict[int, tuple[int, int, _Choice | None]] = {}

    def may_sit(self, space: int, level: int, work: Work) -> bool:
        """Whether a valid tree may have this set of rows at a node of this level."""
        q = self._table.dimensions.dimension(space, work)
        if q < 0:
            return level <= self._reach(0)
        fits, limit, choice = self._known.get(space, (-1, self._reach(q), None))
        if fits < level <= limit:
            found = self._choose(space, q, level, work)
            fits, limit, choice = (fits, level - 1, choice) if found is None else (level, limit, found)
            self._known[space] = fits, limit, choice
        return level <= fits

    def worst_leaves(self, space: int, work: Work) -> set[int]:
        """The SOAs of the leaves of dimension `most` (at least 1) in the tree that was found below these rows."""
        dimensions = self._table.dimensions
        leaves = [leaf for leaf in self._walk(space, set()) if dimensions.dimension(leaf, work) == self.most]
        return {self.irreducibility.soa(leaf, work) for leaf in leaves}

    def _reach(self, q: int) -> int:
        return self.p * ((1 << (self.d - q + 1)) - 1)

    def _choose(self, space: int, q: int, level: int, work: Work) -> _Choice | None:
        work.spend(len(self._table.columns))
        splits = {min(side, space ^ side): j for j, side in enumerate(space & c for c in self._table.columns)}
        splits.pop(0, None)
        reach = self._reach(q)
        if q >= 1 and level + min(space.bit_count() - 1, len(splits)) <= reach:
            return "apart"
        irreducible = self.irreducibility.holds
        if q < self.most or (q == self.most and self.irreducibility.soa(space, work) != self.forbidden):
            if level <= self._reach(q + 1) and irreducible(space, self.p << (self.d - q), work):
                return "leaf"
        elif irreducible(space, reach - level + 1, work):
            return None
        # The most balanced first; of the two sides the larger one is the likelier to fail.
        for side in sorted(splits, key=lambda side: max(side.bit_count(), (space ^ side).bit_count())):
            if all(
                self.may_sit(part, level + 1, work) for part in sorted((side, space ^ side), key=int.bit_count)[::-1]
            ):
                return splits[side]
        return None

    def _walk(self, space: int, seen: set[int]) -> Iterator[int]:
        if space == 0 or space in seen:
            return
        seen.add(space)
        choice = self._known[space][2]
        if choice == "leaf":
            yield space
        elif isinstance(choice, int):
            for label in (False, True):
                yield from self._walk(self._table.side(space, choice, label), seen)
