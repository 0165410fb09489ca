"""What a class can say on some points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reticent.classes.base import HypothesisClass, Instance

__all__ = ["labellings"]


def labellings(hypotheses: HypothesisClass, points: Sequence[Instance]) -> Iterator[tuple[bool, ...]]:
    """Every combination of labels that some hypothesis gives to the points, each once, in order.

    The hypotheses are not listed: the class is restricted point by point, so that the work grows with the number of
    combinations and points only.

    Parameters
    ----------
    hypotheses : HypothesisClass
    points : sequence of instances

    Examples
    --------
    >>> from reticent.classes import Thresholds
    >>> list(labellings(Thresholds(1_000_000), [10, 500_000]))
    [(False, False), (False, True), (True, True)]
    """
    stack: list[tuple[HypothesisClass, tuple[bool, ...]]] = [(hypotheses, ())]
    while stack:
        version_space, labels = stack.pop()
        if version_space.is_empty():
            continue
        if not version_space.at_least(1):  # one hypothesis is left, and predicted
            yield (*labels, *map(version_space.soa, points[len(labels) :]))
            continue
        if len(labels) == len(points):
            yield labels
            continue
        x = points[len(labels)]
        stack += [(version_space.restrict(x, y), (*labels, y)) for y in (True, False)]
