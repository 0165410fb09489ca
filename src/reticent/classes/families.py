"""Families of finite classes: three whose Littlestone dimension has no known closed form, and three with one."""

from __future__ import annotations

from itertools import product
from math import gcd

import numpy as np

from reticent.classes.arguments import whole_number
from reticent.classes.finite import FiniteClass

__all__ = ["addressing", "decision_lists", "halfspaces", "majority", "rectangles", "tree"]


def decision_lists(n: int) -> FiniteClass:
    """1-decision lists over n Boolean variables: if literal then label, else if .., else label.

    Parameters
    ----------
    n : int
        1 to 6; there are 4, 14, 96, 1050, 15036, 258318 of them.

    Returns
    -------
    FiniteClass
        Its instances are the points of {0, 1}^n, as tuples.
    """
    n = whole_number("n", n, 1, 6)
    points = list(product((0, 1), repeat=n))
    everywhere = (1 << len(points)) - 1
    literals = [sum(x[i] << j for j, x in enumerate(points)) for i in range(n)]
    literals += [everywhere ^ literal for literal in literals]
    lists = new = {0, everywhere}
    while new:  # put one more rule in front
        longer = {f & ~literal for f in new for literal in literals} | {
            f | literal for f in new for literal in literals
        }
        new = longer - lists
        lists = lists | new
    labels = [[f >> j & 1 for j in range(len(points))] for f in sorted(lists)]
    return FiniteClass(np.array(labels, dtype=np.bool_), points)


def halfspaces(k: int) -> FiniteClass:
    """Halfspaces of the plane on a k x k grid of points, both sides of every line and the two constants included.

    Parameters
    ----------
    k : int
        1 to 16.

    Returns
    -------
    FiniteClass
        Its instances are the points (column, row).
    """
    k = whole_number("k", k, 1, 16)
    points = [(x, y) for y in range(k) for x in range(k)]
    xs, ys = np.array(points).T
    halves = [np.ones(k * k, dtype=np.bool_)]
    # A separating line can be moved until it meets the grid's points along one of its directions; turned a little
    # about one of them, it has those before on one side and those behind on the other.
    for a, b in product(range(-k + 1, k), repeat=2):
        if gcd(a, b) != 1:
            continue
        across, along = a * xs + b * ys, a * ys - b * xs
        for offset in np.unique(across):
            on = across == offset
            halves.append(across > offset)
            halves += [(across > offset) | (on & (along <= place)) for place in along[on]]
    return FiniteClass(np.unique([*halves, *(~half for half in halves)], axis=0), points)


def rectangles(k: int) -> FiniteClass:
    """Rectangles with sides along the axes, on a k x k grid of points, and the empty one.

    Parameters
    ----------
    k : int
        1 to 16.

    Returns
    -------
    FiniteClass
        Its instances are the points (column, row).
    """
    k = whole_number("k", k, 1, 16)
    intervals = [[left <= x <= right for x in range(k)] for left in range(k) for right in range(left, k)]
    labels = [np.outer(rows, columns).ravel() for rows in intervals for columns in intervals]
    return FiniteClass(
        np.array([*labels, np.zeros(k * k, dtype=np.bool_)]), [(x, y) for y in range(k) for x in range(k)]
    )


def tree(d: int) -> FiniteClass:
    """The 2^d paths through a complete tree of depth d, each hypothesis 0 off its path; VC dimension 1.

    Parameters
    ----------
    d : int
        1 to 12, the Littlestone dimension.

    Returns
    -------
    FiniteClass
        Its instances are the inner nodes 1 .. 2^d - 1; node v has the children 2v (label 0) and 2v + 1 (label 1).
    """
    d = whole_number("d", d, 1, 12)
    labels = np.zeros((1 << d, (1 << d) - 1), dtype=np.bool_)
    for leaf in range(1 << d, 2 << d):
        for level in range(d):
            labels[leaf - (1 << d), (leaf >> (level + 1)) - 1] = leaf >> level & 1
    return FiniteClass(labels, range(1, 1 << d))


def addressing(n: int) -> FiniteClass:
    """Addressing: hypothesis i is 1 on cell i alone, and spells i on the address bits; dimension floor(log2 n).

    Parameters
    ----------
    n : int
        The number of cells, 1 to 4096.

    Returns
    -------
    FiniteClass
        Its instances are the cells 0 .. n - 1, and n + b for bit b of the address.
    """
    n = whole_number("n", n, 1, 4096)
    width = (n - 1).bit_length()
    numbers = np.arange(n)
    address = (numbers[:, np.newaxis] >> np.arange(width)) & 1
    return FiniteClass(np.concatenate([np.eye(n, dtype=np.bool_), address.astype(np.bool_)], axis=1))


def majority(n: int) -> FiniteClass:
    """Majority: every labelling of n voters, and the label that most of them have on the outcome; dimension n.

    Parameters
    ----------
    n : int
        The number of voters, 1 to 16; a tie counts as 0.

    Returns
    -------
    FiniteClass
        Its instances are the voters 0 .. n - 1, and n for the outcome.
    """
    n = whole_number("n", n, 1, 16)
    votes = (np.arange(1 << n)[:, np.newaxis] >> np.arange(n)) & 1
    outcome = 2 * votes.sum(axis=1, keepdims=True) > n
    return FiniteClass(np.concatenate([votes.astype(np.bool_), outcome], axis=1))
