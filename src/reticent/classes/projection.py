"""A class on fewer instances, as a table."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

import numpy as np

from reticent.classes.arguments import as_points, short
from reticent.classes.base import HypothesisClass, Instance
from reticent.classes.finite import FiniteClass
from reticent.classes.labellings import labellings
from reticent.classes.oracle import OracleClass
from reticent.errors import InputError, ParameterError

__all__ = ["as_table", "project", "tabulated"]


def project(hypotheses: HypothesisClass, points: Sequence[Instance]) -> FiniteClass:
    """The class on these points only; hypotheses that agree on them become one.

    Its dimension is at most that of the class. The hypotheses are not listed, see `labellings`: classes may be huge.

    Parameters
    ----------
    hypotheses : HypothesisClass
        Not empty.
    points : sequence of instances
        At least one, all different.

    Raises
    ------
    InputError
        When a point lies outside the domain, or occurs twice, or no hypothesis is left.

    Examples
    --------
    >>> from reticent.classes import Intervals
    >>> few = project(Intervals(1_000_000), [0, 250_000, 500_000])
    >>> len(few), few.littlestone_dimension()
    (7, 2)
    """
    if isinstance(hypotheses, FiniteClass):
        return hypotheses.project(points)
    if not isinstance(hypotheses, HypothesisClass):
        raise ParameterError(f"hypotheses: {short(hypotheses)} is no hypothesis class; give one.")
    points = as_points("points", points)
    if hypotheses.is_empty() or not points:
        raise InputError("the class is empty, or no point is given; give a class with a hypothesis, and a point.")
    return FiniteClass(np.array(list(labellings(hypotheses, points)), dtype=np.bool_), points)


def tabulated(hypotheses: HypothesisClass, most: int) -> FiniteClass | None:
    """The same class as a table, if that has at most so many labels; None where it has more.

    Parameters
    ----------
    hypotheses : HypothesisClass
        Not empty.
    most : int

    Examples
    --------
    >>> from reticent.classes import Thresholds
    >>> tabulated(Thresholds(3), most=100), tabulated(Thresholds(10**6), most=100)
    (FiniteClass of 4 hypotheses on 3 instances, None)
    """
    if isinstance(hypotheses, FiniteClass):
        return hypotheses
    instances = hypotheses.instances
    if not _is_short(instances, most):
        return None
    rows = most // len(instances)
    if not isinstance(hypotheses, OracleClass) and hypotheses.size() > rows:
        return None
    found = list(islice(hypotheses.members(), rows + 1))
    if len(found) > rows:
        return None
    labels = np.array([[h(x) for x in instances] for h in found], dtype=np.bool_)
    return FiniteClass(labels, tuple(instances))


def _is_short(sequence: Sequence[Instance], most: int) -> bool:
    """Whether it has at most so many items; `len` fails for ranges beyond 2**63."""
    try:
        sequence[most]
    except IndexError:
        return True
    return False


def as_table(cls: HypothesisClass) -> FiniteClass:
    """The class, where it is a table; most searches need to look at every hypothesis.

    Raises
    ------
    ParameterError
    """
    if not isinstance(cls, FiniteClass):
        raise ParameterError(f"cls is {short(cls)} and no table; give a FiniteClass, such as project(cls, points).")
    return cls
