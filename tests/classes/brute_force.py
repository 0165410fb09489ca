"""What the closed forms are held against: the definitions, on the rows of a matrix, by naive recursion."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations, count, product

from reticent.classes import HypothesisClass, Instance

Rows = frozenset[tuple[bool, ...]]


class BruteForce:
    """The dimension of sets of rows, each worked out once."""

    def __init__(self) -> None:
        self._known: dict[Rows, int] = {}

    def dimension(self, rows: Rows) -> int:
        if len(rows) <= 1:
            return len(rows) - 1
        if rows not in self._known:
            width = len(next(iter(rows)))
            sides = [(agree(rows, k, False), agree(rows, k, True)) for k in range(width)]
            self._known[rows] = max(1 + min(map(self.dimension, pair)) for pair in sides if all(pair))
        return self._known[rows]

    def soa(self, rows: Rows, k: int) -> bool:
        return self.dimension(agree(rows, k, False)) != self.dimension(rows)


def agree(rows: Rows, k: int, y: bool) -> Rows:
    return frozenset(row for row in rows if row[k] == y)


def rows_of(functions: Sequence[Callable[[Instance], bool]], instances: Sequence[Instance]) -> Rows:
    return frozenset(tuple(bool(h(x)) for x in instances) for h in functions)


# The classes, by their definitions and without the code under test.


def points(n: int) -> Rows:
    return rows_of([lambda x, j=j: x == j for j in range(n)], range(n))


def thresholds(n: int) -> Rows:
    return rows_of([lambda x, t=t: x >= t for t in range(n + 1)], range(n))


def intervals(n: int, empty: bool) -> Rows:
    pairs = [(a, b) for a in range(n) for b in range(a, n)] + [(0, -1)] * empty
    return rows_of([lambda x, a=a, b=b: a <= x <= b for a, b in pairs], range(n))


def with_ones(n: int, numbers: Sequence[int]) -> Rows:
    sets = [frozenset(ones) for k in numbers for ones in combinations(range(n), k)]
    return rows_of([ones.__contains__ for ones in sets], range(n))


def bits(n: int) -> list[tuple[int, ...]]:
    return list(product((0, 1), repeat=n))


def parities(n: int, affine: bool) -> Rows:
    functions = [
        lambda x, w=w, b=b: (sum(i * j for i, j in zip(w, x, strict=True)) + b) % 2 == 1
        for w in bits(n)
        for b in range(1 + affine)
    ]
    return rows_of(functions, bits(n))


def conjunctions(n: int, literals: Sequence[str]) -> Rows:
    """Each variable as one of: "-" absent, "1" plain, "0" negated."""
    functions = [
        lambda x, signs=signs: all(sign in ("-", str(bit)) for sign, bit in zip(signs, x, strict=True))
        for signs in product(literals, repeat=n)
    ]
    return rows_of(functions, bits(n))


def together(*parts: Rows) -> Rows:
    return frozenset(tuple(y for row in rows for y in row) for rows in product(*parts))


def all_version_spaces(start: HypothesisClass, rows: Rows) -> list[tuple[HypothesisClass, Rows]]:
    """What restrictions of any length, in any order, lead to: the class as it is then, beside the rows left."""
    instances = list(start.instances)
    reached = {(start, rows)}
    stack = [(start, rows)]
    while stack:
        version_space, left = stack.pop()
        for k, x in enumerate(instances):
            for y in (False, True):
                pair = version_space.restrict(x, y), agree(left, k, y)
                if pair not in reached:
                    reached.add(pair)
                    stack.append(pair)
    return list(reached)


def floor_log2(m: int) -> int:
    return next(k for k in count(-1) if m < 2 ** (k + 1))
