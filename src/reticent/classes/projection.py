"""A class on fewer instances, as a table."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from reticent.classes.base import HypothesisClass, Instance
from reticent.classes.finite import FiniteClass
from reticent.classes.labellings import labellings

__all__ = ["project"]


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
    return FiniteClass(np.array(list(labellings(hypotheses, points)), dtype=np.bool_), points)
