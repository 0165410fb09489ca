"""The classes with closed forms: small ones beside their definitions, and ones that are too large for brute force."""

from __future__ import annotations

from brute_force import Rows, conjunctions, intervals, parities, points, thresholds, together, with_ones

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

SMALL: dict[str, tuple[HypothesisClass, Rows]] = {
    **{f"points {n}": (Points(n), points(n)) for n in (1, 2, 3, 5)},
    **{f"thresholds {n}": (Thresholds(n), thresholds(n)) for n in (1, 2, 3, 7, 9)},
    **{
        f"intervals {n}, {'with' if empty else 'without'} the empty one": (
            Intervals(n, empty=empty),
            intervals(n, empty),
        )
        for n in (1, 2, 3, 4, 7, 8)
        for empty in (True, False)
    },
    **{
        f"at most {k} ones of {n}": (Sparse(n, k), with_ones(n, range(k + 1)))
        for n, k in [(1, 0), (4, 1), (5, 2), (4, 4)]
    },
    **{f"exactly {k} ones of {n}": (ExactlySparse(n, k), with_ones(n, [k])) for n in (3, 5) for k in range(n + 1)},
    **{f"cube {n}": (AllFunctions(n), with_ones(n, range(n + 1))) for n in (1, 4)},
    **{f"parities {n}": (Parities(n), parities(n, affine=False)) for n in (1, 2, 3)},
    **{f"affine parities {n}": (Parities(n, affine=True), parities(n, affine=True)) for n in (1, 2, 3)},
    **{f"conjunctions {n}": (Conjunctions(n), conjunctions(n, "-01") | {(False,) * 2**n}) for n in (1, 2, 3)},
    **{f"monotone conjunctions {n}": (MonotoneConjunctions(n), conjunctions(n, "-1")) for n in (1, 2, 3)},
    "a product": (
        ProductClass(Thresholds(2), Points(3), Intervals(2)),
        together(thresholds(2), points(3), intervals(2, empty=True)),
    ),
    "a product of products": (
        ProductClass(ProductClass(Points(2), Parities(1)), AllFunctions(2)),
        together(points(2), parities(1, affine=False), with_ones(2, range(3))),
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
