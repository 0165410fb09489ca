"""Parities: linear functions of bits over the field of two elements."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

from reticent.classes.arguments import MOST_VARIABLES, as_label, as_mask, whole_number
from reticent.classes.base import Instance
from reticent.classes.closed_form import ClosedForm
from reticent.classes.domains import BooleanVectors

__all__ = ["Parities", "Parity"]


@dataclass(frozen=True, slots=True)
class Parity:
    """The hypothesis that is the sum, modulo 2, of some bits and of a constant.

    Parameters
    ----------
    n_variables : int
    variables : int
        Which bits: a number whose highest bit, 2**(n-1), stands for the first of them.
    constant : int
        0 or 1.
    """

    n_variables: int
    variables: int
    constant: int = 0

    def __call__(self, x: Any) -> bool:
        """The label of x."""
        return bool(((as_mask(x, self.n_variables) & self.variables).bit_count() + self.constant) & 1)

    def __repr__(self) -> str:
        n = self.n_variables
        terms = [f"x{i}" for i in range(n) if self.variables >> (n - 1 - i) & 1]
        return " + ".join(terms + ["1"] * self.constant) or "0"


class Parities(ClosedForm):
    """The sums, modulo 2, of some of n bits; with a constant, 0 or 1, where they are affine.

    What was seen is a system of linear equations for the coefficients, kept reduced. With rank r the dimension is
    n - r (affine: n + 1 - r). The standard optimal algorithm says what the equations force, and 1 elsewhere: there
    both labels lose dimension.

    Instances are tuples of n zeros and ones; rows of numpy arrays of whole numbers or booleans do as well.

    Parameters
    ----------
    n_variables : int
        n, from 1 to 4096.
    affine : bool
        Whether the complements of the parities belong to the class.

    Examples
    --------
    >>> parities = Parities(3).restrict((1, 0, 0), True).restrict((0, 1, 1), False)
    >>> parities.littlestone_dimension(), parities.soa((1, 1, 1)), list(parities.members())
    (1, True, [x0, x0 + x1 + x2])
    """

    __slots__ = ("_affine", "_equations", "_n", "_rank_left")

    def __init__(self, n_variables: int, *, affine: bool = False) -> None:
        self._enter(whole_number("n_variables", n_variables, 1, MOST_VARIABLES), bool(affine), ())

    def _enter(self, n: int, affine: bool, equations: tuple[int, ...]) -> None:
        """Reduced equations: the coefficients' bits and below them the label; 1 alone says 0 = 1."""
        self._state = n, affine, equations
        self._n, self._affine, self._equations = n, affine, equations
        self._rank_left = -1 if equations == (1,) else n + affine - len(equations)

    @property
    def instances(self) -> BooleanVectors:
        """The tuples of n zeros and ones."""
        return BooleanVectors(self._n)

    def restrict(self, x: Instance, y: bool) -> Parities:
        """See `HypothesisClass`."""
        row = self._reduced(x) ^ as_label(y)
        if row == 0 or self._rank_left < 0:
            return self
        if row == 1:
            return self._at(self._n, self._affine, (1,))
        pivot = 1 << row.bit_length() - 1
        rows = [row, *(other ^ row if other & pivot else other for other in self._equations)]
        return self._at(self._n, self._affine, tuple(sorted(rows, reverse=True)))

    def littlestone_dimension(self) -> int:
        """See `HypothesisClass`."""
        return self._rank_left

    def size(self) -> int:
        """See `HypothesisClass`."""
        return 1 << self._rank_left if self._rank_left >= 0 else 0

    def soa(self, x: Instance) -> bool:
        """See `HypothesisClass`."""
        row = self._reduced(x)
        return row != 0 and self._rank_left >= 0

    def members(self) -> Iterator[Parity]:
        """See `HypothesisClass`."""
        if self._rank_left < 0:
            return
        pivots = [1 << equation.bit_length() - 1 for equation in self._equations]
        bits = [2 << k for k in range(self._n + self._affine)]
        for free in product(*((0, bit) for bit in reversed(bits) if bit not in pivots)):
            solution = sum(free)
            # Reduced equations know no pivot but their own, and 1 stands for their label.
            for pivot, equation in zip(pivots, self._equations, strict=True):
                solution |= pivot * ((equation & (sum(free) | 1)).bit_count() & 1)
            coefficients = solution >> 1
            yield Parity(self._n, coefficients & ((1 << self._n) - 1), coefficients >> self._n)

    def _reduced(self, x: Instance) -> int:
        """The equation of x with label 0, less the others: 0 or 1 where the label is forced to be that."""
        row = as_mask(x, self._n) << 1
        if self._affine:
            row |= 2 << self._n
        for equation in self._equations:
            row = min(row, row ^ equation)  # without its highest bit
        return row
