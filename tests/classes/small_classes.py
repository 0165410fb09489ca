"""Small classes of every kind that tests run through: random ones of many shapes, and structured ones."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
from naive import random_rows

from reticent.classes import FiniteClass, families


def thresholds(n: int) -> FiniteClass:
    """1[x >= t] for t = 0 .. n, on n points."""
    return FiniteClass(np.arange(n) >= np.arange(n + 1)[:, np.newaxis])


def intervals(n: int) -> FiniteClass:
    rows = [[a <= x < b for x in range(n)] for a in range(n) for b in range(a + 1, n + 1)]
    return FiniteClass([*rows, [False] * n])


def cube(n: int) -> FiniteClass:
    return FiniteClass(list(product((0, 1), repeat=n)))


def points(n: int) -> FiniteClass:
    return FiniteClass(np.eye(n, dtype=bool))


def sparse(n: int, k: int) -> FiniteClass:
    return FiniteClass([row for row in product((0, 1), repeat=n) if sum(row) <= k])


def parities(n: int, *, affine: bool = False) -> FiniteClass:
    vectors = np.array(list(product((0, 1), repeat=n)))
    linear = vectors @ vectors.T % 2
    return FiniteClass(np.concatenate([linear, 1 - linear]) if affine else linear)


def conjunctions(n: int, *, monotone: bool = False) -> FiniteClass:
    """Over n variables; FALSE among the general ones."""
    vectors = list(product((0, 1), repeat=n))
    literals = product((1, None) if monotone else (0, 1, None), repeat=n)
    rows = [[all(a in (None, b) for a, b in zip(terms, x, strict=True)) for x in vectors] for terms in literals]
    return FiniteClass(rows if monotone else [*rows, [False] * len(vectors)])


#: Name, class, Littlestone dimension: Section 5 of the specification.
ORACLES = [
    *((f"thresholds {n}", thresholds(n), (n + 1).bit_length() - 1) for n in (*range(1, 18), 62, 63, 64)),
    *(
        (f"intervals {n}", intervals(n), d)
        for n, d in zip(range(1, 14), (1, 2, 2, 3, 3, 4, 4, 4, 5, 5, 5, 5, 6), strict=True)
    ),
    *((f"cube {n}", cube(n), n) for n in range(1, 9)),
    *((f"parities {n}", parities(n), n) for n in range(1, 7)),
    *((f"affine parities {n}", parities(n, affine=True), n + 1) for n in range(1, 6)),
    *((f"monotone conjunctions {n}", conjunctions(n, monotone=True), n) for n in range(1, 7)),
    *((f"conjunctions {n}", conjunctions(n), n + 1) for n in range(1, 7)),
    *((f"decision lists {n}", families.decision_lists(n), d) for n, d in zip(range(1, 5), (2, 3, 5, 9), strict=True)),
    *(
        (f"halfspaces {k}", families.halfspaces(k), d)
        for k, d in zip(range(2, 9), (3, 5, 7, 8, 9, 10, 11), strict=True)
    ),
    *(
        (f"rectangles {k}", families.rectangles(k), d)
        for k, d in zip(range(1, 11), (1, 3, 4, 6, 7, 7, 8, 9, 10, 10), strict=True)
    ),
    *((f"tree {d}", families.tree(d), d) for d in range(1, 9)),
    *((f"addressing {n}", families.addressing(n), n.bit_length() - 1) for n in (*range(1, 18), 63, 64)),
    *((f"majority {n}", families.majority(n), n) for n in range(1, 9)),
    *((f"points {n}", points(n), int(n > 1)) for n in (1, 2, 3, 10, 100)),
    *((f"at most {k} ones on {n}", sparse(n, k), min(k, n)) for n, k in ((6, 2), (8, 3), (10, 4), (4, 4))),
    *(
        (f"random {m} x {n}", FiniteClass(random_rows(m, n, seed)), d)
        for m, n, seed, d in (
            (8, 6, 0, 3),
            (16, 8, 1, 3),
            (32, 6, 3, 4),
            (60, 8, 5, 5),
            (32, 32, 0, 5),
            (64, 64, 0, 6),
            (128, 64, 0, 7),
            (256, 32, 0, 8),
            (1024, 20, 0, 9),
        )
    ),
]

#: Structured classes that the textbook recursion can still do: it visits every version space.
STRUCTURED = [
    (name, cls)
    for name, cls, _ in ORACLES
    if len(cls) <= (12 if name.startswith(("points", "addressing", "tree")) else 33) and not name.startswith("random")
] + [("thresholds 64", thresholds(64)), ("tree 4", families.tree(4)), ("halfspaces 3", families.halfspaces(3))]


def random_classes(count: int, most_rows: int, most_columns: int, seed: int) -> Iterator[FiniteClass]:
    """Of every shape up to this one, balanced and biased."""
    generator = np.random.default_rng(seed)
    for _ in range(count):
        rows, columns = generator.integers(1, most_rows + 1), generator.integers(1, most_columns + 1)
        yield FiniteClass(generator.random((rows, columns)) < generator.choice([0.1, 0.3, 0.5]))
