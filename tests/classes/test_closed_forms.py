"""Would catch: a wrong dimension, prediction, size or list of hypotheses in any version space of a small class."""

from __future__ import annotations

import pytest
from brute_force import (
    BruteForce,
    Rows,
    all_version_spaces,
    conjunctions,
    intervals,
    parities,
    points,
    rows_of,
    thresholds,
    together,
    with_ones,
)

from reticent.classes import (
    AllFunctions,
    Conjunctions,
    ExactlySparse,
    HypothesisClass,
    Intervals,
    MonotoneConjunctions,
    OracleClass,
    Parities,
    Points,
    ProductClass,
    Sparse,
    Thresholds,
)

CASES: dict[str, tuple[HypothesisClass, Rows]] = {
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


@pytest.mark.parametrize("name", CASES)
def test_every_version_space_agrees_with_the_definition(name: str) -> None:
    start, rows = CASES[name]
    check_all_version_spaces(start, rows)


def check_all_version_spaces(start: HypothesisClass, rows: Rows) -> None:
    brute, instances = BruteForce(), list(start.instances)
    for version_space, left in all_version_spaces(start, rows):
        dimension = brute.dimension(left)
        assert version_space.littlestone_dimension() == dimension
        assert [k for k in range(-2, dimension + 3) if version_space.at_least(k)] == list(range(-2, dimension + 1))
        assert version_space.is_empty() == (not left)
        assert [version_space.soa(x) for x in instances] == [brute.soa(left, k) for k in range(len(instances))]
        members = list(version_space.members())
        assert len(members) == len(set(members)) == version_space.size() == len(left)
        assert rows_of(members, instances) == left
