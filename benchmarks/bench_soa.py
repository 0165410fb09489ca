"""Rounds of the standard optimal algorithm on a million instances, against the bare loop and a textbook recursion."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest
from measure import print_ratio, seconds

from reticent.classes import HypothesisClass, Intervals, Points, Sparse, Thresholds

ROUNDS, INSTANCES = 300_000, 1_000_000

Round = tuple[int, bool]

CASES: dict[str, tuple[HypothesisClass, Callable[[int], bool]]] = {
    "points": (Points(INSTANCES), lambda x: x == 470_123),
    "thresholds": (Thresholds(INSTANCES), lambda x: x >= 470_123),
    "intervals": (Intervals(INSTANCES), lambda x: 470_123 <= x <= 470_200),
    "at most 3 ones": (Sparse(INSTANCES, 3), lambda x: x in (47, 470, 470_123)),
}


def play(version_space: HypothesisClass, rounds: list[Round]) -> int:
    mistakes = 0
    for x, y in rounds:
        if version_space.soa(x) != y:
            version_space = version_space.restrict(x, y)
            mistakes += 1
    return mistakes


def bare(rounds: list[Round]) -> int:
    ones = 0
    for _, y in rounds:
        if y:
            ones += 1
    return ones


def textbook(rows: frozenset[tuple[bool, ...]], rounds: list[Round]) -> int:
    """The same algorithm by the definition of the dimension, remembered."""

    @cache
    def dimension(left: frozenset[tuple[bool, ...]]) -> int:
        if len(left) <= 1:
            return len(left) - 1
        sides = [
            [frozenset(row for row in left if row[k] == y) for y in (False, True)] for k in range(len(min(left)))
        ]
        return max(1 + min(map(dimension, pair)) for pair in sides if all(pair))

    mistakes = 0
    for x, y in rounds:
        zeros = frozenset(row for row in rows if not row[x])
        if (dimension(zeros) != dimension(rows)) != y:
            rows = rows - zeros if y else zeros
            mistakes += 1
    return mistakes


@pytest.mark.parametrize("name", CASES)
def test_rounds_on_a_million_instances(name: str) -> None:
    version_space, target = CASES[name]
    xs = np.random.default_rng(1).integers(INSTANCES, size=ROUNDS).tolist()
    rounds = [(x, target(x)) for x in xs]
    assert play(version_space, rounds) <= version_space.littlestone_dimension()
    title = f"{ROUNDS:,} rounds of SOA, {name} on {INSTANCES:,} instances"
    print_ratio(f"{title}, over the bare loop", lambda: play(version_space, rounds), lambda: bare(rounds))
    print(f"{title}: {ROUNDS / seconds(lambda: play(version_space, rounds)):,.0f} rounds/s")


def test_thresholds_against_the_textbook() -> None:
    """On few instances, because the recursion is at its end there."""
    n, few = 60, 300
    xs = np.random.default_rng(1).integers(n, size=few).tolist()
    rounds = [(x, x >= 37) for x in xs]
    rows = frozenset(tuple(x >= t for x in range(n)) for t in range(n + 1))
    assert play(Thresholds(n), rounds) == textbook(rows, rounds)
    print_ratio(
        f"{few} rounds of SOA, thresholds on {n} instances, over the memoised recursion",
        lambda: play(Thresholds(n), rounds),
        lambda: textbook(rows, rounds),
        pairs=5,
    )
