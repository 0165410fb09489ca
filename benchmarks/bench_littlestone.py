"""The exact Littlestone dimension against the memoised textbook recursion, in the same run.

The recursion visits every version space. Where it takes too long it is stopped, and the ratio is a lower bound.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from itertools import product
from statistics import median

import numpy as np
import pytest
from measure import seconds

from reticent.classes import FiniteClass, families
from reticent.classes.bitsets import pack_columns

#: Seconds after which the textbook recursion is stopped on the class of the specification; on the others, after 3.
PATIENCE = 16.0


class Stopped(Exception):  # noqa: N818
    pass


def textbook(labels: np.ndarray, patience: float) -> int:
    """Ldim(V) = max over x that split V of 1 + min(Ldim V|(x,0), Ldim V|(x,1)), with a memo."""
    columns = pack_columns(labels)
    known: dict[int, int] = {}
    end = time.perf_counter() + patience

    def ldim(space: int) -> int:
        if space & (space - 1) == 0:
            return 0 if space else -1
        if space not in known:
            if time.perf_counter() > end:
                raise Stopped
            sides = [(space & column, space & ~column) for column in columns]
            known[space] = max(1 + min(ldim(zero), ldim(one)) for one, zero in sides if one and zero)
        return known[space]

    return ldim((1 << len(labels)) - 1)


def balanced(rows: int, columns: int, rate: float = 0.5) -> np.ndarray:
    return np.unique(np.random.default_rng(0).random((rows, columns)) < rate, axis=0)


def conjunctions(n: int) -> np.ndarray:
    points = list(product((0, 1), repeat=n))
    return np.array(
        [
            [all(a in (2, b) for a, b in zip(terms, x, strict=True)) for x in points]
            for terms in product((0, 1, 2), repeat=n)
        ]
    )


CLASSES: dict[str, Callable[[], np.ndarray]] = {
    "16 x 16 random": lambda: balanced(16, 16),
    "20 x 20 random": lambda: balanced(20, 20),
    "64 x 64 random": lambda: balanced(64, 64),
    "256 x 64 random": lambda: balanced(256, 64),
    "4,096 x 64 random, 30 % ones": lambda: balanced(4096, 64, 0.3),
    "32,768 x 64 random": lambda: balanced(32768, 64),
    "262,144 x 64 random": lambda: balanced(262144, 64),
    "thresholds on 4,000 points": lambda: np.arange(4000) >= np.arange(4001)[:, np.newaxis],
    "conjunctions, n = 8": lambda: conjunctions(8),
    "halfspaces on the 8 x 8 grid": lambda: families.halfspaces(8).labels,
}


@pytest.mark.parametrize("name", CLASSES)
def test_dimension_against_the_textbook(name: str) -> None:
    labels = CLASSES[name]()
    sys.setrecursionlimit(10_000)  # the textbook goes as deep as there are instances
    classes = [FiniteClass(labels) for _ in range(1 if labels.size > 10**7 else 3 if labels.size > 10**5 else 9)]
    ours = median(seconds(cls.littlestone_dimension) for cls in classes)
    d = classes[0].littlestone_dimension()
    begin = time.perf_counter()
    try:
        assert textbook(labels, PATIENCE if name == "64 x 64 random" else 3.0) == d
        ended = "takes"
    except Stopped:
        ended = "is stopped after"
    except RecursionError:
        ended = "runs out of stack after"
    theirs = time.perf_counter() - begin
    print(
        f"{name}: Ldim {d} in {ours * 1e3:.3g} ms; "
        f"the textbook recursion {ended} {theirs:.3g} s, {theirs / ours:,.3g} times as long"
    )


def test_soa_rounds() -> None:
    cls = FiniteClass(balanced(1024, 20))
    generator = np.random.default_rng(1)
    hidden, points = cls.labels[17], generator.integers(20, size=20_000).tolist()

    def play() -> None:
        space = cls
        for x in points:
            if space.soa(x) != hidden[x]:
                space = space.restrict(x, bool(hidden[x]))

    play()
    print(f"SOA on a table of 1,024 x 20: {len(points) / seconds(play):,.0f} rounds/s once the dimensions are known")
