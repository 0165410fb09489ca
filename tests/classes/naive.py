"""The definitions, written down as they stand: slow, and obviously right."""

from __future__ import annotations

from functools import cache
from itertools import combinations, permutations, product

import numpy as np

Rows = frozenset


def rows_of(cls) -> Rows:
    """The labels of every member, in the order of the instances."""
    return frozenset(tuple(h(x) for x in cls.instances) for h in cls.members())


def side(rows: Rows, x: int, y: bool) -> Rows:
    return frozenset(row for row in rows if row[x] == y)


@cache
def ldim(rows: Rows) -> int:
    """The textbook recursion: the maximum over x that split of 1 + the lesser of the two sides."""
    if len(rows) <= 1:
        return len(rows) - 1
    width = len(next(iter(rows)))
    sides = [(side(rows, x, False), side(rows, x, True)) for x in range(width)]
    return max(1 + min(ldim(a), ldim(b)) for a, b in sides if a and b)


def soa(rows: Rows) -> tuple[bool, ...]:
    """The standard optimal algorithm's label of every instance."""
    return tuple(ldim(side(rows, x, False)) != ldim(rows) for x in range(len(next(iter(rows)))))


def vc(rows: Rows) -> int:
    width = len(next(iter(rows)))
    sizes = range(width, -1, -1)
    return next(
        k
        for k in sizes
        if any(len({tuple(row[x] for x in xs) for row in rows}) == 2**k for xs in combinations(range(width), k))
    )


def threshold_dimension(rows: Rows) -> int:
    width = len(next(iter(rows)))

    def realised(xs: tuple[int, ...]) -> bool:
        k = len(xs)
        patterns = {tuple(row[x] for x in xs) for row in rows}
        return all(tuple(i <= j for j in range(k)) in patterns for i in range(k))

    return max(k for k in range(width + 1) if any(realised(xs) for xs in permutations(range(width), k)))


def irreducible(rows: Rows, k: int) -> bool:
    """Definition 7, over all sequences of k instances."""
    labels = soa(rows)
    for xs in product(range(len(labels)), repeat=k):
        left = rows
        for x in xs:
            left = side(left, x, labels[x])
        if ldim(left) != ldim(rows):
            return False
    return True


def decomposition(rows: Rows, p: int, d: int) -> tuple[int, frozenset]:
    """rho_p and C_p by enumeration of all decomposition trees (Definitions 8 and 9).

    A tree is told by the largest dimension of its leaves, and the SOAs of the leaves that have it: of two subtrees
    these give those of the tree.
    """

    @cache
    def leaf_is_valid(rows: Rows) -> bool:
        # With more queries than instances some are repeated: all sets of instances are covered by then.
        return not rows or irreducible(rows, min(p * 2 ** (d - ldim(rows)), len(next(iter(rows)))))

    @cache
    def trees(rows: Rows, level: int) -> frozenset:
        q = ldim(rows)
        if level > p * (2 ** (d - q + 1) - 1):
            return frozenset()
        found = set()
        if level <= p * (2 ** (d - q) - 1) and leaf_is_valid(rows):
            found.add((q, frozenset([soa(rows)] if rows else [])))
        if rows:
            for x in range(len(next(iter(rows)))):
                for (q0, soas0), (q1, soas1) in product(
                    trees(side(rows, x, False), level + 1), trees(side(rows, x, True), level + 1)
                ):
                    worst = max(q0, q1)
                    at_worst = [soas for q, soas in ((q0, soas0), (q1, soas1)) if q == worst]
                    found.add((worst, frozenset().union(*at_worst)))
        return frozenset(found)

    every = trees(rows, 0)
    rho = min(worst for worst, _ in every)
    return rho, frozenset.intersection(*(soas for worst, soas in every if worst == rho))


def random_rows(rows: int, columns: int, seed: int, rate: float = 0.5) -> np.ndarray:
    """A random matrix without repeated rows, as the oracles of the tests are defined."""
    return np.unique(np.random.default_rng(seed).random((rows, columns)) < rate, axis=0)
