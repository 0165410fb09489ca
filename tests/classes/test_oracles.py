"""Would catch: an oracle class that asks its owner too much or lists what it cannot, and wrong published numbers."""

from __future__ import annotations

from math import comb

import pytest
from closed_forms import THRESHOLDS, all_version_spaces, soa_of_rows
from naive import ldim, rows_of

from reticent.classes import (
    AllFunctions,
    Conjunctions,
    ExactlySparse,
    HypothesisClass,
    Instance,
    Intervals,
    MonotoneConjunctions,
    OracleClass,
    Parities,
    Points,
    ProductClass,
    Sparse,
    Thresholds,
    labellings,
)

Left = tuple[int, int]


def narrowed(state: Left, x: Instance, y: bool) -> Left:
    low, high = state
    return (low, min(high, x)) if y else (max(low, x + 1), high)


def dimension(state: Left) -> int:
    low, high = state
    return max(high - low + 1, 0).bit_length() - 1


def test_an_oracle_class_is_what_its_owner_says() -> None:
    """The owner knows thresholds: dimensions and predictions are theirs; lists come from restrictions alone."""
    start = OracleClass(range(7), dimension, narrowed, (0, 7))
    for version_space, left in all_version_spaces(start, THRESHOLDS[7]):
        assert version_space.littlestone_dimension() == ldim(left)
        assert [version_space.soa(x) for x in range(7)] == soa_of_rows(left, 7)
        assert rows_of(version_space) == left
        assert version_space.size() == len(left)


def test_an_oracle_is_asked_once_for_each_version_space_and_never_lists_its_domain() -> None:
    asked: list[Left] = []

    def counting(state: Left) -> int:
        asked.append(state)
        return dimension(state)

    thresholds = OracleClass(range(2**62), counting, narrowed, (0, 2**62))
    for _ in range(3):
        assert thresholds.littlestone_dimension() == 62
        assert not thresholds.restrict(5, False).is_empty()
        assert not thresholds.soa(0)
    assert asked.count((0, 2**62)) == 1
    assert thresholds.restrict(2**61, True).state == (0, 2**61)


def test_labellings_are_those_of_the_members_in_order() -> None:
    for hypotheses in (Intervals(7), Parities(3), Conjunctions(2), ProductClass(Points(3), Thresholds(2))):
        xs = hypotheses.instances[1::2]
        found = list(labellings(hypotheses, xs))
        assert found == sorted({tuple(h(x) for x in xs) for h in hypotheses.members()})
    assert list(labellings(Points(3), [])) == [()]
    assert list(labellings(Points(3).restrict(0, True).restrict(1, True), [0])) == []


def test_labellings_of_a_huge_class() -> None:
    """Catches a projection that lists 500,000,000,000 intervals."""
    xs = range(0, 10**6, 10**5)
    assert len(list(labellings(Intervals(10**6), xs))) == comb(11, 2) + 1
    assert len(list(labellings(Sparse(10**6, 2), xs))) == 1 + 10 + comb(10, 2)


@pytest.mark.parametrize(
    ("family", "dimensions", "sizes"),
    [
        (Points, [0] + [1] * 6, range(1, 8)),
        (Thresholds, [(n + 1).bit_length() - 1 for n in range(1, 40)], range(2, 41)),
        (Intervals, [1, 2, 2, 3, 3, 4, 4, 4, 5, 5, 5, 5, 6], [1 + comb(n + 1, 2) for n in range(1, 14)]),
        (lambda n: Sparse(n + 2, n), range(1, 6), [4, 11, 26, 57, 120]),
        (lambda k: ExactlySparse(6, k), [1, 2, 3, 2, 1, 0], [comb(6, k) for k in range(1, 7)]),
        (AllFunctions, range(1, 70), [2**n for n in range(1, 70)]),
        (Parities, range(1, 70), [2**n for n in range(1, 70)]),
        (lambda n: Parities(n, affine=True), range(2, 70), [2 ** (n + 1) for n in range(1, 69)]),
        (MonotoneConjunctions, range(1, 70), [2**n for n in range(1, 70)]),
        (Conjunctions, range(2, 70), [3**n + 1 for n in range(1, 69)]),
    ],
)
def test_dimensions_and_sizes_of_whole_classes(family: type[HypothesisClass], dimensions, sizes) -> None:
    for n, (expected, size) in enumerate(zip(dimensions, sizes, strict=True), start=1):
        assert (family(n).littlestone_dimension(), family(n).size()) == (expected, size), n


def test_the_size_of_sparse_functions_with_many_ones() -> None:
    """Catches a sum that works out each binomial anew."""
    assert Sparse(20_001, 10_000).size() == 2**20_000
    assert Sparse(6, 2).restrict(1, True).restrict(1, False).size() == 0
