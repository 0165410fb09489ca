"""The classes with closed forms: small ones beside their definitions, and ones that are too large for brute force."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import small_classes as definitions
from naive import Rows, ldim, rows_of, side

from reticent.classes import (
    AllFunctions,
    Conjunctions,
    ExactlySparse,
    HypothesisClass,
    Intervals,
    MonotoneConjunctions,
    Parities,
    Points,
    ProductClass,
    Sparse,
    Thresholds,
)


def only(rows: Rows, keep: Callable[[tuple[bool, ...]], bool]) -> Rows:
    return frozenset(filter(keep, rows))


def together(*parts: Rows) -> Rows:
    return frozenset(tuple(y for row in rows for y in row) for rows in product(*parts))


POINTS = {n: rows_of(definitions.points(n)) for n in (1, 2, 3, 5)}
THRESHOLDS = {n: rows_of(definitions.thresholds(n)) for n in (1, 2, 3, 7, 9)}
INTERVALS = {n: rows_of(definitions.intervals(n)) for n in (1, 2, 3, 4, 7, 8)}
CUBES = {n: rows_of(definitions.cube(n)) for n in (1, 2, 3, 4, 5)}
PARITIES = {n: rows_of(definitions.parities(n)) for n in (1, 2, 3)}

SMALL: dict[str, tuple[HypothesisClass, Rows]] = {
    **{f"points {n}": (Points(n), rows) for n, rows in POINTS.items()},
    **{f"thresholds {n}": (Thresholds(n), rows) for n, rows in THRESHOLDS.items()},
    **{f"intervals {n}": (Intervals(n), rows) for n, rows in INTERVALS.items()},
    **{
        f"intervals {n} without the empty one": (Intervals(n, empty=False), only(rows, any))
        for n, rows in INTERVALS.items()
    },
    **{
        f"at most {k} ones of {n}": (Sparse(n, k), only(CUBES[n], lambda row, k=k: sum(row) <= k))
        for n, k in [(1, 0), (4, 1), (5, 2), (4, 4)]
    },
    **{
        f"exactly {k} ones of {n}": (ExactlySparse(n, k), only(CUBES[n], lambda row, k=k: sum(row) == k))
        for n in (3, 5)
        for k in range(n + 1)
    },
    **{f"cube {n}": (AllFunctions(n), rows) for n, rows in CUBES.items()},
    **{f"parities {n}": (Parities(n), rows) for n, rows in PARITIES.items()},
    **{
        f"affine parities {n}": (Parities(n, affine=True), rows_of(definitions.parities(n, affine=True)))
        for n in (1, 2, 3)
    },
    **{f"conjunctions {n}": (Conjunctions(n), rows_of(definitions.conjunctions(n))) for n in (1, 2, 3)},
    **{
        f"monotone conjunctions {n}": (MonotoneConjunctions(n), rows_of(definitions.conjunctions(n, monotone=True)))
        for n in (1, 2, 3)
    },
    "a product": (
        ProductClass(Thresholds(2), Points(3), Intervals(2)),
        together(THRESHOLDS[2], POINTS[3], INTERVALS[2]),
    ),
    "a product of products": (
        ProductClass(ProductClass(Points(2), Parities(1)), AllFunctions(2)),
        together(POINTS[2], PARITIES[1], CUBES[2]),
    ),
}

LARGE: dict[str, HypothesisClass] = {
    "points": Points(40),
    "thresholds": Thresholds(300),
    "intervals": Intervals(200),
    "intervals without the empty one": Intervals(200, empty=False),
    "at most 5 ones": Sparse(30, 5),
    "exactly 12 ones": ExactlySparse(30, 12),
    "cube": AllFunctions(30),
    "parities": Parities(6),
    "affine parities": Parities(6, affine=True),
    "conjunctions": Conjunctions(5),
    "monotone conjunctions": MonotoneConjunctions(6),
    "a product": ProductClass(Intervals(40), Thresholds(60), Conjunctions(3)),
}


def all_version_spaces(start: HypothesisClass, rows: Rows) -> list[tuple[HypothesisClass, Rows]]:
    """What restrictions of any length, in any order, lead to: the class as it is then, beside the rows left."""
    instances = list(start.instances)
    reached = {(start, rows)}
    stack = [(start, rows)]
    while stack:
        version_space, left = stack.pop()
        for k, x in enumerate(instances):
            for y in (False, True):
                pair = version_space.restrict(x, y), side(left, k, y)
                if pair not in reached:
                    reached.add(pair)
                    stack.append(pair)
    return list(reached)


def soa_of_rows(rows: Rows, n_instances: int) -> list[bool]:
    return [ldim(side(rows, k, False)) != ldim(rows) for k in range(n_instances)]
