"""The least set that meets every one of some sets: what the dimension of conjunctions comes down to."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["can_be_hit", "minimal"]


def minimal(edges: Iterable[int]) -> tuple[int, ...]:
    """The sets that contain no other one of them, in order; whoever meets these meets all.

    Sets are whole numbers, one bit an element.

    Examples
    --------
    >>> minimal([0b011, 0b111, 0b100, 0b011])
    (3, 4)
    """
    kept: list[int] = []
    for edge in sorted(set(edges), key=int.bit_count):
        if not any(edge & other == other for other in kept):
            kept.append(edge)
    return tuple(sorted(kept))


def can_be_hit(edges: Iterable[int], budget: int, n_variables: int) -> bool:
    """Whether some set of at most `budget` literals, none with its negation, meets every edge.

    The elements 2**i and 2**(n + i) are each other's negations. Exact, and NP-hard: the search branches on the
    literals of a smallest edge, at most `budget` deep.

    Examples
    --------
    >>> can_be_hit([0b0011, 0b1100], 1, 2), can_be_hit([0b0011, 0b1100], 2, 2), can_be_hit([0b01, 0b10], 2, 1)
    (False, True, False)
    """
    edges = list(edges)
    if not edges:
        return budget >= 0
    if budget < _disjoint(edges):
        return False
    edge = min(edges, key=int.bit_count)
    tried = 0
    while edge:
        literal = edge & -edge
        edge ^= literal
        negation = literal << n_variables if literal < 1 << n_variables else literal >> n_variables
        # The literals tried before may be left out: no solution with them was found.
        rest = [other & ~(negation | tried) for other in edges if not other & literal]
        if can_be_hit(rest, budget - 1, n_variables):
            return True
        tried |= literal
    return False


def _disjoint(edges: Iterable[int]) -> int:
    """How many disjoint edges a greedy choice finds: no fewer literals meet them all."""
    taken = number = 0
    for edge in edges:
        if not edge & taken:
            taken |= edge
            number += 1
    return number
