"""Conjunctions of boolean variables and their negations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Self

from reticent.classes.arguments import MOST_VARIABLES, as_depth, as_label, as_mask, whole_number
from reticent.classes.base import Instance
from reticent.classes.closed_form import ClosedForm
from reticent.classes.domains import BooleanVectors
from reticent.classes.hitting import can_be_hit, minimal

__all__ = ["Conjunction", "Conjunctions", "MonotoneConjunctions"]

#: A negative instance that makes no literal false.
_CONTRADICTION = (0,)


@dataclass(frozen=True, slots=True)
class Conjunction:
    """The hypothesis that is 1 where all its literals are true.

    Parameters
    ----------
    n_variables : int
    literals : int
        A number of 2n bits: the lower n for variables, the upper n for their negations, and in each half the highest
        bit for the first variable. All of them together are the constant 0.
    """

    n_variables: int
    literals: int

    def __call__(self, x: Any) -> bool:
        """The label of x."""
        return not _falsified(as_mask(x, self.n_variables), self.n_variables) & self.literals

    def __repr__(self) -> str:
        n = self.n_variables
        if self.literals == (1 << 2 * n) - 1:
            return "false"
        bits = [(i, 1 << (n - 1 - i)) for i in range(n)]
        plain = [
            f"x{i}" if self.literals & bit else f"not x{i}" for i, bit in bits if self.literals & (bit | bit << n)
        ]
        return " and ".join(plain) or "true"


class Conjunctions(ClosedForm):
    """The conjunctions of n boolean variables and their negations, and the constant 0.

    After a positive instance the conjunctions left are the sets of literals within L, those that all positive
    instances make true, that meet Z_j, the literals of L that the j-th negative instance makes false. The dimension
    is abs(L) - tau, where tau is the size of the least set that meets all Z_j.
    Before, it is n + 1 - s, where s is the size of the least conjunction that can be true and is false on all
    negative instances; n + 1 if there is none.

    Both tau and s are found by an exact search that takes exponential time in the worst case; the at most n + 1
    restrictions of a learner that restricts after mistakes only are no such case for the n that one has.

    Instances are tuples of n zeros and ones; rows of numpy arrays of whole numbers or booleans do as well.

    Parameters
    ----------
    n_variables : int
        n, from 1 to 4096.

    Examples
    --------
    >>> conjunctions = Conjunctions(3)
    >>> conjunctions.littlestone_dimension(), conjunctions.size()
    (4, 28)
    >>> conjunctions = conjunctions.restrict((1, 0, 0), True).restrict((1, 1, 0), False)
    >>> conjunctions.littlestone_dimension(), list(conjunctions.members())[:2]
    (2, [not x1, not x1 and not x2])
    """

    __slots__ = ("_edges", "_least", "_literals", "_n", "_top")

    def __init__(self, n_variables: int) -> None:
        n = whole_number("n_variables", n_variables, 1, MOST_VARIABLES)
        self._enter(n, (1 << 2 * n) - 1, ())

    def _enter(self, n: int, literals: int, edges: tuple[int, ...]) -> None:
        """The literals that all positive instances make true, and what negative ones make false of them."""
        if edges == _CONTRADICTION:
            literals = 0
        self._state = n, literals, edges
        self._n, self._literals, self._edges = n, literals, edges
        self._top = n + 1 if self._may_be_false() else literals.bit_count()
        self._least: int | None = None

    @property
    def instances(self) -> BooleanVectors:
        """The tuples of n zeros and ones."""
        return BooleanVectors(self._n)

    def restrict(self, x: Instance, y: bool) -> Self:
        """See `HypothesisClass`."""
        falsified = _falsified(as_mask(x, self._n), self._n)
        literals, edges = self._literals, self._edges
        if as_label(y):
            literals &= ~falsified
            edges = minimal(edge & literals for edge in edges)
        else:
            edges = minimal((*edges, literals & falsified))
        return self if (literals, edges) == (self._literals, self._edges) else self._at(self._n, literals, edges)

    def littlestone_dimension(self) -> int:
        """See `HypothesisClass`."""
        if self._least is None:
            sizes = range(self._n + 1)
            self._least = next((k for k in sizes if can_be_hit(self._edges, k, self._n)), self._n + 1)
        return max(self._top - self._least, -1)

    def at_least(self, depth: int) -> bool:
        """See `HypothesisClass`."""
        depth = as_depth(depth)
        if depth <= 0:
            return depth < 0 or self._edges != _CONTRADICTION
        return can_be_hit(self._edges, self._top - depth, self._n)

    def size(self) -> int:
        """See `HypothesisClass`; by listing them all after a negative instance."""
        if self._edges:
            return sum(1 for _ in self.members())
        return 3**self._n + 1 if self._may_be_false() else 1 << self._top

    def members(self) -> Iterator[Conjunction]:
        """See `HypothesisClass`."""
        yield from (Conjunction(self._n, literals) for literals in self._meeting())
        if self._may_be_false():
            yield Conjunction(self._n, self._literals)

    def _meeting(self) -> Iterator[int]:
        """The sets of literals that meet all edges."""
        # Edges that are still to be met, literals chosen, and how many variables, the last ones, are free.
        stack: list[tuple[Sequence[int], int, int]] = [(self._edges, 0, self._n)]
        while stack:
            edges, literals, n_free = stack.pop()
            free = (1 << n_free) - 1
            if not all(edge & (free | free << self._n) for edge in edges):
                continue
            if n_free == 0:
                yield literals
                continue
            plain = 1 << n_free - 1
            for sign in (plain << self._n, plain, 0):
                if sign & self._literals == sign:
                    rest = [edge for edge in edges if not edge & sign]
                    stack.append((rest, literals | sign, n_free - 1))

    def _may_be_false(self) -> bool:
        """Whether no positive instance was seen, and the constant 0 belongs to the class."""
        return self._literals == (1 << 2 * self._n) - 1


class MonotoneConjunctions(Conjunctions):
    """The conjunctions of some of n boolean variables, none of them negated; of no variable, the constant 1.

    The dimension is abs(L) - tau as in `Conjunctions`, where L begins as the set of all variables.

    Parameters
    ----------
    n_variables : int
        n, from 1 to 4096.

    Examples
    --------
    >>> monotone = MonotoneConjunctions(4)
    >>> monotone.littlestone_dimension(), monotone.soa((1, 1, 1, 0))
    (4, True)
    """

    __slots__ = ()

    def __init__(self, n_variables: int) -> None:
        n = whole_number("n_variables", n_variables, 1, MOST_VARIABLES)
        self._enter(n, (1 << n) - 1, ())


def _falsified(x: int, n: int) -> int:
    """The literals that are false at x."""
    return (x << n) | (x ^ ((1 << n) - 1))
