"""The exact Littlestone dimension of every version space of one finite class.

A version space V is a set of rows, kept as an integer. Whether Ldim(V) >= k is decided by the definition, Ldim(V) =
max over instances x that split V of 1 + min(Ldim V|(x,0), Ldim V|(x,1)), with four cuts, none of which changes the
answer:

- a class that shatters a tree of depth k has 2^k hypotheses, so both sides of x need 2^(k-1);
- sides that failed are remembered, and an x with a side inside one of them is skipped: Ldim is monotone;
- bounds on Ldim(V) are kept for good, for later questions about V on any path;
- no tree is deeper than the distance of the farthest hypothesis from any one function f: whoever predicts f, and
  on each instance seen what was seen there, makes no more mistakes than that. f is the majority vote.

An instance with a side of fewer than 2^(k-1) rows is no root for k, but may still be one for a smaller depth farther
down: only those with a single row on one side are of no more use.
"""

from __future__ import annotations

from collections.abc import Sequence

from reticent.classes.bitsets import compress, unpack, unpack_all
from reticent.classes.work import Work

__all__ = ["Dimensions"]

# Integers cost by their length: a space that has become small beside a long table gets a table of its own. For
# shorter tables that costs more than it saves (measured on random classes of 2^10 to 2^17 rows).
_LONG, _SMALL = 4096, 16


class Dimensions:
    """Littlestone dimensions of sets of rows; what was found serves all later questions.

    Parameters
    ----------
    rows : int
        How many hypotheses there are; no two of them agree on all instances.
    columns : sequence of int
        For each instance the set of hypotheses with label 1 on it.
    """

    def __init__(self, rows: int, columns: Sequence[int]) -> None:
        self._rows = rows
        self._steps = 1 + rows // 1000
        self.everything = (1 << rows) - 1
        # A constant column splits nothing, and a column splits as its complement does.
        splits = [min(column, self.everything ^ column) for column in columns]
        self._index = {split: j for j, split in reversed(list(enumerate(splits))) if split}
        self._columns = list(self._index)
        # A lower and an upper bound of the dimension; and, where the lower one is over 1, a root of a tree as deep.
        self._known: dict[int, tuple[int, int, int | None]] = {}
        self._parts: dict[int, Dimensions] = {}

    def dimension(self, space: int, work: Work) -> int:
        """The Littlestone dimension of a set of rows; -1 if it is empty."""
        if space.bit_count() > 2 and space not in self._known:
            lower, upper = self.bracket(space)
            self._known[space] = (lower, min(upper, self._radius(space)), None)
        lower, upper = self.bracket(space)
        while lower < upper:
            self.at_least(space, lower + 1, work)
            lower, upper = self.bracket(space)
        return lower

    def at_least(self, space: int, depth: int, work: Work) -> bool:
        """Whether the set of rows shatters a tree of this depth."""
        return depth < 0 or self._shatters(space, depth, self._columns, work)

    def bracket(self, space: int) -> tuple[int, int]:
        """The bounds of the dimension that are known by now."""
        if space in self._known:
            return self._known[space][:2]
        size = space.bit_count()
        return min(size, 2) - 1, size.bit_length() - 1

    def root(self, space: int, depth: int, work: Work) -> int | None:
        """A column both of whose sides in the set shatter trees of depth - 1; None where there is none.

        Parameters
        ----------
        space : int
        depth : int
            At least 1.
        work : Work

        Returns
        -------
        int or None
            The column's index.
        """
        if not self.at_least(space, depth, work):
            return None
        if depth == 1:
            return next(self._index[column] for column in self._columns if 0 != space & column != space)
        return self._known[space][2]

    def _radius(self, space: int) -> int:
        labels = unpack_all(self._columns, self._rows)[:, unpack(space, self._rows)]
        majority = 2 * labels.sum(axis=1, keepdims=True) > labels.shape[1]
        return int((labels ^ majority).sum(axis=0).max())

    def _shatters(self, space: int, depth: int, columns: list[int], work: Work) -> bool:
        """Whether Ldim >= depth; `columns` holds each column with two rows of the space on both sides, or more."""
        size = space.bit_count()
        if size >> depth == 0:
            return False
        if depth <= 1:
            return True
        lower, upper, root = self._known.get(space) or (1, size.bit_length() - 1, None)
        if lower < depth <= upper:
            found = self._search(space, size, depth, columns, work)
            lower, upper, root = (lower, depth - 1, root) if found is None else (depth, upper, found)
            self._known[space] = (lower, upper, root)
        return depth <= lower

    def _search(self, space: int, size: int, depth: int, columns: list[int], work: Work) -> int | None:
        work.spend(len(columns) * self._steps)
        if depth == 2:
            roots = (column for column in columns if 2 <= (space & column).bit_count() <= size - 2)
            return next((self._index[column] for column in roots), None)
        half = 1 << (depth - 1)
        useful = []
        candidates = []
        for column in columns:
            side = space & column
            rows = side.bit_count()
            if 2 <= rows <= size - 2:
                useful.append(column)
                if half <= rows <= size - half:
                    smaller = (rows, side) if 2 * rows <= size else (size - rows, space ^ side)
                    candidates.append((*smaller, column))
        if candidates and self._rows > _LONG and size * _SMALL <= self._rows:
            part = self._part(space, useful)
            return part._search(part.everything, size, depth, part._columns, work)
        # The most balanced ones leave most room below; of two sides the smaller one is the likelier to fail.
        candidates.sort(reverse=True)
        failed: list[int] = []
        for _, smaller_side, column in candidates:
            sides = (smaller_side, space ^ smaller_side)
            if any(side & known == side for known in failed for side in sides):
                continue
            too_shallow = next((side for side in sides if not self._shatters(side, depth - 1, useful, work)), None)
            if too_shallow is None:
                return self._index[column]
            failed.append(too_shallow)
        return None

    def _part(self, space: int, columns: list[int]) -> Dimensions:
        """The same columns on these rows alone."""
        part = self._parts.get(space)
        if part is None:
            part = Dimensions(space.bit_count(), compress(columns, space, self._rows))
            part._index = {split: self._index[columns[j]] for split, j in part._index.items()}
            self._parts[space] = part
        return part
