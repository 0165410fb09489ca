"""The families against other descriptions of themselves."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from reticent.classes import families, vc_dimension
from reticent.errors import ParameterError


def patterns(cls) -> set[tuple[bool, ...]]:
    return {tuple(h(x) for x in cls.instances) for h in cls.members()}


@pytest.mark.parametrize(("n", "size"), [(1, 4), (2, 14), (3, 96), (4, 1050)])
def test_decision_lists(n: int, size: int) -> None:
    """Catches a rule that is put in the wrong place."""
    cls = families.decision_lists(n)
    assert len(cls) == size
    if n == 2:
        xor = {(False, True, True, False), (True, False, False, True)}
        assert patterns(cls) == set(product((False, True), repeat=4)) - xor
    if n == 3:
        # if a then 1, else if not c then 0, else b
        assert tuple(bool(a or (c and b)) for a, b, c in cls.instances) in patterns(cls)


@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_halfspaces(k: int) -> None:
    """Catches a missing dichotomy, and one that no line makes."""
    cls = families.halfspaces(k)
    slopes = np.array(list(product(range(-12, 13), repeat=2)))
    heights = slopes @ np.array(cls.instances).T
    lines = heights[:, np.newaxis] > np.arange(-80, 80)[:, np.newaxis] + 0.5
    assert np.array_equal(np.unique(lines.reshape(-1, k * k), axis=0), np.unique(cls.labels, axis=0))


@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_rectangles(k: int) -> None:
    """Catches a rectangle that is turned or left out."""
    cls = families.rectangles(k)
    corners = product(range(k + 1), repeat=4)
    assert patterns(cls) == {tuple(a <= x < b and c <= y < d for x, y in cls.instances) for a, b, c, d in corners}
    assert len(cls) == (k * (k + 1) // 2) ** 2 + 1


@pytest.mark.parametrize("d", [1, 2, 3, 5])
def test_trees(d: int) -> None:
    """Catches a path that leaves the tree: node v asks for 2v or 2v + 1."""
    cls = families.tree(d)
    assert len(cls) == 2**d
    for h in cls.members():
        node = 1
        on_path = set()
        while node in cls.instances:
            on_path.add(node)
            node = 2 * node + h(node)
        assert not any(h(x) for x in cls.instances if x not in on_path)
    assert vc_dimension(cls) == 1


def test_addressing_and_majority() -> None:
    assert {str(h) for h in families.addressing(3).members()} == {"10000", "01010", "00101"}
    assert {str(h) for h in families.majority(2).members()} == {"000", "100", "010", "111"}


@pytest.mark.parametrize("family", families.__all__)
def test_sizes_that_there_are_none_of(family: str) -> None:
    """Catches a size that would take all memory, or none at all."""
    for size in (0, -1, 10**6, 2.0, True, "3"):
        with pytest.raises(ParameterError, match="give a whole number from 1 to"):
            getattr(families, family)(size)
