"""Irreducibility, rho_p and C_p against the definitions, their certificates, and Fact 2 of the paper."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import combinations

import numpy as np
import pytest
from limits import refusals
from naive import decomposition, irreducible, ldim, rows_of
from small_classes import cube, intervals, points, random_classes, sparse, thresholds

from reticent.classes import (
    FiniteClass,
    decomposition_dimension,
    essential_hypotheses,
    families,
    is_irreducible,
    threshold_dimension,
)
from reticent.classes.bitsets import unpack
from reticent.errors import ParameterError, WorkLimitError

STRUCTURED = {
    "points 5": points(5),
    "points 6 on 7": points(7).restrict(6, False),
    "thresholds 6": thresholds(6),
    "intervals 3": intervals(3),
    "cube 2": cube(2),
    "cube 3": cube(3),
    "at most 1 of 5": sparse(5, 1),
    "at most 2 of 3": sparse(3, 2),
    "tree 2": families.tree(2),
    "tree 3": families.tree(3),
    "addressing 6": families.addressing(6),
    "majority 3": families.majority(3),
    "decision lists 1": families.decision_lists(1),
}
SMALL = [
    *(pytest.param(cls, id=name) for name, cls in STRUCTURED.items()),
    *(pytest.param(cls, id=f"random {k}") for k, cls in enumerate(random_classes(60, 9, 5, seed=7))),
]


def as_labels(hypotheses, cls: FiniteClass) -> frozenset:
    return frozenset(tuple(h(x) for x in cls.instances) for h in hypotheses)


@pytest.mark.parametrize("cls", SMALL)
def test_irreducibility_against_the_definition(cls: FiniteClass) -> None:
    """Catches an intersection that is passed over."""
    rows = rows_of(cls)
    for k in range(5 if len(cls.instances) <= 5 else 4):
        assert is_irreducible(cls, k) == irreducible(rows, k)
    # From the number of instances on, all k are alike.
    assert is_irreducible(cls, 10**100) == is_irreducible(cls, len(cls.instances))


@pytest.mark.parametrize(
    "rows",
    [
        ["00100", "00000", "00101", "00011", "01100", "00010", "11000", "01000", "00001"],
        ["00000", "00001", "01000", "10100", "00011", "11000", "00100", "00010"],
        ["0010", "0100", "0110", "1000", "1100", "0101", "1010"],
    ],
)
def test_irreducibility_where_greed_does_not_find_the_shortest_way(rows: list[str]) -> None:
    """Catches a bound that is one too high: with most classes the greedy refutation hides it."""
    cls = FiniteClass([[int(label) for label in row] for row in rows])
    for k in (3, 2, 1):
        assert is_irreducible(cls, k) == irreducible(rows_of(cls), k)


@pytest.mark.parametrize(
    "cls", [one for one in SMALL if one.id not in ("tree 3", "points 6 on 7", "thresholds 6", "addressing 6")]
)
def test_against_the_enumeration_of_all_decomposition_trees(cls: FiniteClass) -> None:
    """Catches a wrong level, a tree too many or one too few."""
    compare_with_enumeration(cls)


def test_enumeration_meets_all_kinds_of_answers() -> None:
    """Catches test classes that are all decided by a certificate: none, one and two are essential, rho between."""
    none = ["0001", "1011", "1000", "1110", "0111", "1111", "1001"]
    two = ["1000", "0101", "0001", "1100", "0010", "0100", "0000", "0110"]
    hard = [FiniteClass([[int(label) for label in row] for row in rows]) for rows in (none, two)]
    hard += [cls for cls in random_classes(400, 9, 5, seed=9) if len(cls) > 6] + [points(4)]
    kinds = {kind for cls in hard for kind in compare_with_enumeration(cls)}
    assert {("between", 0), ("between", 1), ("between", 2), ("own", 1)} <= kinds


def compare_with_enumeration(cls: FiniteClass) -> set[tuple[str, int]]:
    """What was met: whether rho lies between 0 and the class's own dimension, and how many are essential."""
    rows = rows_of(cls)
    own = ldim(rows)
    kinds = set()
    for p, d in ((1, own), (2, own), (1, own + 1)):
        if p * 2 ** (d + 1) > 40:
            continue
        rho, essential = decomposition(rows, p, d)
        assert decomposition_dimension(cls, p, d) == rho
        assert as_labels(essential_hypotheses(cls, p, d), cls) == essential
        kinds.add(("between" if 0 < rho < own else "own" if rho == own else "zero", len(essential)))
    return kinds


def test_irreducibility_of_larger_random_classes() -> None:
    """Catches bounds that only hold for small classes; the definition looks at all pairs and triples."""
    for cls in random_classes(60, 24, 8, seed=10):
        rows = rows_of(cls)
        assert [is_irreducible(cls, k) for k in (3, 2, 1)] == [irreducible(rows, k) for k in (3, 2, 1)]


@pytest.mark.parametrize("n", [3, 10, 200])
def test_irreducibility_of_points(n: int) -> None:
    """Catches a search over subsets where counting decides: two points are left of n after n - 2 answers."""
    assert is_irreducible(points(n), n - 2)
    assert not is_irreducible(points(n), n - 1)


@pytest.mark.parametrize("p", range(1, 6))
@pytest.mark.parametrize("n", range(1, 9))
def test_points_and_thresholds(n: int, p: int) -> None:
    """Catches an error at sizes that enumeration does not reach: both have closed forms."""
    cls = points(n)
    if n <= p + 1:
        assert decomposition_dimension(cls, p) == 0
        assert essential_hypotheses(cls, p) == frozenset(cls.members())
    else:
        assert decomposition_dimension(cls, p) == 1
        assert {str(h) for h in essential_hypotheses(cls, p)} == {"0" * n}
    if p >= 2:
        assert decomposition_dimension(thresholds(n), p) == 0
        assert essential_hypotheses(thresholds(n), p) == frozenset(thresholds(n).members())


def restrictions(cls: FiniteClass, count: int, seed: int) -> list[FiniteClass]:
    """The class and some of its version spaces, and some of its other subclasses; none of them empty."""
    generator = np.random.default_rng(seed)
    found = [cls]
    for _ in range(count):
        part = cls
        for _ in range(generator.integers(1, 4)):
            after = part.restrict(cls.instances[generator.integers(len(cls.instances))], bool(generator.integers(2)))
            part = after if len(after) else part
        keep = generator.random(len(part)) < 0.8
        found.append(part)
        if keep.any():
            found.append(FiniteClass(part.labels[keep], cls.instances))
    return found


@pytest.mark.parametrize("seed", range(25))
def test_fact_two(seed: int) -> None:
    """Catches a set of essential hypotheses that the private predictor's proof could not use (P1 to P4)."""
    (cls,) = random_classes(1, 24, 7, seed=100 + seed)
    d = cls.littlestone_dimension()
    parts = restrictions(cls, 5, seed)
    rho = {(i, p): decomposition_dimension(part, p, d) for i, part in enumerate(parts) for p in (1, 2, 4)}
    essential = {(i, p): as_labels(essential_hypotheses(parts[i], p, d), cls) for i, p in rho}
    rows = [rows_of(part) for part in parts]
    for (i, p), found in essential.items():
        assert 0 <= rho[i, p] <= parts[i].littlestone_dimension()
        assert len(found) <= p**d * 2 ** (d * d)
        for xs in combinations(range(len(cls.instances)), min(p, len(cls.instances))):
            realised = {tuple(row[x] for x in xs) for row in rows[i]}
            assert all(tuple(h[x] for x in xs) in realised for h in found)
        if rho[i, p] == 0:
            assert found == rows[i]
    for p in (1, 2):
        for i, j in ((i, j) for i in range(len(parts)) for j in range(len(parts)) if rows[j] <= rows[i]):
            for q in (p, 2 * p):
                assert rho[j, q] <= rho[i, p]
                if rho[j, q] == rho[i, p]:
                    assert essential[j, q] <= essential[i, p]
        for j, small in enumerate(rows):
            around = [i for i, large in enumerate(rows) if small <= large and rho[i, p] == rho[j, 2 * p]]
            if around:
                assert frozenset.intersection(*(essential[i, p] for i in around))


@pytest.mark.parametrize("cls", SMALL)
def test_certificates(cls: FiniteClass) -> None:
    """Catches a search that contradicts what is proved without one."""
    d, rows = cls.littlestone_dimension(), rows_of(cls)
    c = len({min(column, tuple(not y for y in column)) for column in zip(*rows, strict=True) if len(set(column)) > 1})
    for p in (1, 2, 3):
        rho, essential = decomposition_dimension(cls, p), essential_hypotheses(cls, p)
        # At the root of its own ambient class L = d and K = p.
        if d == 0 or min(len(cls) - 1, c) <= p:
            assert (rho, as_labels(essential, cls)) == (0, rows)
        elif is_irreducible(cls, p + 1) or rho == d:
            assert (rho, essential) == (d, {cls.soa_hypothesis()})


def test_large_p_costs_nothing() -> None:
    """Catches powers and intersections that are formed although a certificate decides."""
    cls = families.halfspaces(6)
    assert decomposition_dimension(cls, 10**30, 40) == 0
    assert essential_hypotheses(cls, 10**30, 40) == frozenset(cls.members())
    assert decomposition_dimension(cls, 1, 10**30) == 0
    assert essential_hypotheses(cls, 1, 10**30) == frozenset(cls.members())


def test_the_empty_class_and_wrong_parameters() -> None:
    empty = points(3).restrict(0, True).restrict(0, False)
    assert essential_hypotheses(empty, 1) == frozenset()
    with pytest.raises(ParameterError, match="the class is empty"):
        decomposition_dimension(empty, 1)
    for p in (0, -1, 1.0, True):
        with pytest.raises(ParameterError, match="p is"):
            essential_hypotheses(points(3), p)
    for d in (0, 1.0, True):
        with pytest.raises(ParameterError, match="ambient is"):
            decomposition_dimension(points(3), 1, d)
    for k in (-1, 1.0, True):
        with pytest.raises(ParameterError, match="k is"):
            is_irreducible(points(3), k)


def test_work_limits_raise_with_a_bracket() -> None:
    """Catches an answer that was given up, and a bracket without the answer in it."""
    cls = FiniteClass(np.unique(np.random.default_rng(5).random((24, 12)) < 0.4, axis=0))
    ask = lambda limit: decomposition_dimension(FiniteClass(cls.labels, work_limit=limit), 1)  # noqa: E731
    errors, answer = refusals(ask, (10 * 2**k for k in range(20)))
    assert answer == decomposition_dimension(cls, 1)
    own = [error for error in errors if "decomposition" in str(error)]
    assert len(own) > 2
    assert all(error.lower <= answer <= error.upper for error in own)
    with pytest.raises(WorkLimitError, match="the largest k lies in"):
        is_irreducible(points(40).with_work_limit(0), 3)


def test_searches_deeper_than_calls_may_be_raise_with_a_bracket() -> None:
    """Catches a bare RecursionError, and the advice to allow more steps."""
    eye = np.eye(400, dtype=bool)
    pairs, chain = eye | np.roll(eye, 1, axis=1), np.tri(400, dtype=bool)
    for ask, quantity in (
        (lambda: decomposition_dimension(FiniteClass(pairs), 200), "the decomposition dimension"),
        (lambda: essential_hypotheses(FiniteClass(eye), 398), "the decomposition dimension"),
        (lambda: threshold_dimension(FiniteClass(chain)), "the threshold dimension"),
    ):
        with depth_of_calls(150), pytest.raises(WorkLimitError) as refused:
            ask()
        bracket = f"[{refused.value.lower}, {refused.value.upper}]"
        assert str(refused.value) == (
            f"{quantity} lies in {bracket} so far, and the search goes deeper than Python's recursion limit; "
            "allow more with sys.setrecursionlimit(depth)."
        )


@contextmanager
def depth_of_calls(more: int) -> Iterator[None]:
    """So many calls within calls beyond those of now."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack(0)) + more)
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def test_bit_sets_of_a_class_agree_with_its_labels() -> None:
    cls = intervals(5).restrict(2, True)
    assert np.array_equal(cls.table.labels[unpack(cls.space, len(cls.table.labels))], cls.labels)
