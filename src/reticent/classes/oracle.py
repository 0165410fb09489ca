"""A class of which only restrictions and dimensions are known."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from reticent.classes.arguments import as_label, short
from reticent.classes.base import Instance
from reticent.classes.closed_form import ClosedForm
from reticent.classes.labellings import labellings
from reticent.errors import InputError

__all__ = ["LabelTable", "OracleClass"]


@dataclass(frozen=True, slots=True)
class LabelTable:
    """The hypothesis with these labels on the instances of a domain, in order."""

    instances: Sequence[Instance]
    labels: tuple[bool, ...]

    def __call__(self, x: Instance) -> bool:
        """The label of x."""
        return self.labels[self.instances.index(x)]

    def __repr__(self) -> str:
        return f"labels {''.join(str(int(y)) for y in self.labels)}"


def _remember(seen: frozenset[tuple[Instance, bool]], x: Instance, y: bool) -> frozenset[tuple[Instance, bool]]:
    return seen | {(x, y)}


class OracleClass(ClosedForm):
    """A class that is given by what its owner can tell of its version spaces.

    The Littlestone dimension is not computable in general, not even for classes of computable functions: no program
    could work it out from the hypotheses. Where a proof gives it, state it here, and whatever needs a class works
    with it, the standard optimal algorithm first. A wrong dimension is not noticed, and voids the bound on mistakes.

    Parameters
    ----------
    instances : range or another sequence, or an array
        The domain; with a fast ``in``, since each instance is looked up in it.
    dimension : callable
        Called with a state; returns its Littlestone dimension, -1 where no hypothesis is left.
    restriction : callable
        Called with a state, an instance and a label (a bool); returns the state of the hypotheses that agree.
        Unless given, it adds the pair (x, y) to a frozenset.
    state : hashable
        The class; equal states stand for equal version spaces.

    Examples
    --------
    One secret number, too many for a list:

    >>> def dimension(seen):
    ...     positive = {x for x, y in seen if y}
    ...     if len(positive) > 1 or any((x, False) in seen for x in positive):
    ...         return -1
    ...     return 0 if positive else 1
    >>> secret = OracleClass(range(2**62), dimension)
    >>> secret.soa(7), secret.restrict(7, True).soa(7), secret.restrict(7, True).soa(8)
    (False, True, False)
    """

    __slots__ = ("_formula", "_instances", "_known", "_now", "_restriction")

    def __init__(
        self,
        instances: Sequence[Instance] | npt.NDArray[Any],
        dimension: Callable[[Any], int],
        restriction: Callable[[Any, Instance, bool], Hashable] = _remember,
        state: Hashable = frozenset(),
    ) -> None:
        listed = instances.tolist() if isinstance(instances, np.ndarray) else instances
        domain = tuple(listed) if isinstance(listed, list) else listed
        self._enter(domain, dimension, restriction, state)

    def _enter(
        self,
        instances: Sequence[Instance],
        dimension: Callable[[Any], int],
        restriction: Callable[[Any, Instance, bool], Hashable],
        state: Hashable,
    ) -> None:
        self._state = instances, dimension, restriction, state
        self._instances, self._formula, self._restriction, self._now = instances, dimension, restriction, state
        self._known: int | None = None

    @property
    def instances(self) -> Sequence[Instance]:
        """The domain that was given."""
        return self._instances

    @property
    def state(self) -> Hashable:
        """The version space, as the owner's functions know it."""
        return self._now

    def restrict(self, x: Instance, y: bool) -> OracleClass:
        """See `HypothesisClass`."""
        if x not in self._instances:
            raise InputError(f"the instance {short(x)} is not in the domain; give one of {short(self._instances)}.")
        state = self._restriction(self._now, x, as_label(y))
        if state == self._now:
            return self
        return self._at(self._instances, self._formula, self._restriction, state)

    def littlestone_dimension(self) -> int:
        """See `HypothesisClass`; asked for once."""
        if self._known is None:
            self._known = self._formula(self._now)
        return self._known

    def members(self) -> Iterator[LabelTable]:
        """See `HypothesisClass`: found by restricting the class instance by instance."""
        return (LabelTable(self._instances, labels) for labels in labellings(self, self._instances))
