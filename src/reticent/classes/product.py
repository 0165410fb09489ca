"""Disjoint products: one hypothesis for each of several domains."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

from reticent.classes.arguments import as_index, short
from reticent.classes.base import Hypothesis, HypothesisClass, Instance
from reticent.classes.closed_form import ClosedForm
from reticent.classes.domains import DisjointUnion
from reticent.errors import InputError, ParameterError

__all__ = ["ProductClass", "Together"]


@dataclass(frozen=True, slots=True)
class Together:
    """The hypothesis that is the k-th of these on the k-th domain."""

    parts: tuple[Hypothesis, ...]

    def __call__(self, x: Any) -> bool:
        """The label of x."""
        part, inner = x
        return bool(self.parts[part](inner))

    def __repr__(self) -> str:
        return f"({', '.join(map(repr, self.parts))})"


class ProductClass(ClosedForm):
    """The choices of one hypothesis of each part, on the disjoint union of the parts' domains.

    The dimension is the sum of the parts' dimensions, and the standard optimal algorithm is the part's.

    Parameters
    ----------
    *parts : HypothesisClass
        At least one. An instance is a pair (k, x): an instance x of the k-th part, counted from 0.

    Examples
    --------
    >>> from reticent.classes import Points, Thresholds
    >>> both = ProductClass(Points(10), Thresholds(100))
    >>> both.littlestone_dimension(), both.size(), both.soa((1, 90))
    (7, 1010, True)
    >>> both.restrict((1, 90), False).littlestone_dimension()
    4
    """

    __slots__ = ("_dimension", "_parts")

    def __init__(self, *parts: HypothesisClass) -> None:
        if not parts or not all(isinstance(part, HypothesisClass) for part in parts):
            raise ParameterError("a product needs at least one part, and hypothesis classes only.")
        self._enter(*parts)

    def _enter(self, *parts: HypothesisClass) -> None:
        self._state = self._parts = parts
        self._dimension: int | None = None

    @property
    def parts(self) -> tuple[HypothesisClass, ...]:
        """The parts as they are now."""
        return self._parts

    @property
    def instances(self) -> DisjointUnion:
        """The pairs (k, x), part by part."""
        return DisjointUnion([part.instances for part in self._parts])

    def restrict(self, x: Instance, y: bool) -> ProductClass:
        """See `HypothesisClass`."""
        k, inner = self._place(x)
        part = self._parts[k].restrict(inner, y)
        return self if part == self._parts[k] else self._at(*self._parts[:k], part, *self._parts[k + 1 :])

    def littlestone_dimension(self) -> int:
        """See `HypothesisClass`."""
        if self._dimension is None:
            of_parts = [part.littlestone_dimension() for part in self._parts]
            self._dimension = -1 if -1 in of_parts else sum(of_parts)
        return self._dimension

    def size(self) -> int:
        """See `HypothesisClass`."""
        return math.prod(part.size() for part in self._parts)

    def is_empty(self) -> bool:
        """See `HypothesisClass`."""
        return any(part.is_empty() for part in self._parts)

    def soa(self, x: Instance) -> bool:
        """See `HypothesisClass`."""
        k, inner = self._place(x)
        return self._parts[k].soa(inner) and not self.is_empty()

    def members(self) -> Iterator[Together]:
        """See `HypothesisClass`."""
        return map(Together, product(*(part.members() for part in self._parts)))

    def _place(self, x: Any) -> tuple[int, Instance]:
        try:
            k, inner = x if type(x) is tuple else ()
            return as_index(k, len(self._parts)), inner
        except (ValueError, InputError):
            raise InputError(
                f"the instance {short(x)} is not in the domain; give a pair (k, x) of a part's number, "
                f"from 0 to {len(self._parts) - 1}, and an instance of that part."
            ) from None
