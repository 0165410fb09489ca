"""A class on fewer instances, as a table."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from reticent.classes.arguments import as_points, short
from reticent.classes.base import HypothesisClass, Instance
from reticent.classes.finite import FiniteClass
from reticent.classes.labellings import labellings
from reticent.errors import InputError, ParameterError

__all__ = ["as_table", "project"]


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


def as_table(cls: HypothesisClass) -> FiniteClass:
    """The class, where it is a table; most searches need to look at every hypothesis.

    Raises
    ------
    ParameterError
    """
    if not isinstance(cls, FiniteClass):
        raise ParameterError(f"cls is {short(cls)} and no table; give a FiniteClass, such as project(cls, points).")
    return cls
