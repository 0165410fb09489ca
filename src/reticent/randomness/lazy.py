"""Integers that were drawn but not yet looked at: what makes the enumeration of a run short."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import index
from typing import Any

import numpy as np

from reticent.randomness.laws import FloatArray, NoiseLaw
from reticent.randomness.source import IntArray

__all__ = ["LazyInteger", "PendingDraw"]

#: choose(probabilities) is the number of the outcome that happens on the walk.
Choose = Callable[[Sequence[float] | FloatArray], int]


class PendingDraw:
    """One draw of a noise: the values that it can still have and their probabilities given all answers so far."""

    __slots__ = ("_choose", "values", "weights")

    def __init__(self, law: NoiseLaw, choose: Choose) -> None:
        self.values: IntArray = law.values
        self.weights: FloatArray = law.weights
        self._choose = choose

    def settle(self) -> int:
        """Look: the value, after a branch on all of them."""
        if len(self.values) > 1:
            chosen = self._choose(self.weights)
            self.values = self.values[chosen : chosen + 1]
            self.weights = np.ones(1)
        return int(self.values[0])

    def decide(self, yes: FloatArray, no: FloatArray) -> bool:
        """Answer one question, given the probability of either answer for each value; only the answer branches."""
        if_yes, if_no = self.weights * yes, self.weights * no
        probabilities = [float(if_no.sum()), float(if_yes.sum())]
        answer = self._choose(probabilities)
        self.weights = (if_yes if answer else if_no) / probabilities[answer]
        return bool(answer)


class LazyInteger:
    """sign * draw + offset, where the draw is still open.

    Sums and differences with integers stay lazy and share the draw. A comparison branches on its answer and leaves
    the draw open. Everything else (``int``, a hash, other arithmetic) looks at the draw.
    """

    __slots__ = ("draw", "offset", "sign")

    #: numpy integers leave sums and differences with a lazy integer to it.
    __array_ufunc__ = None

    def __init__(self, draw: PendingDraw, sign: int = 1, offset: int = 0) -> None:
        self.draw = draw
        self.sign = sign
        self.offset = offset

    def ends(self) -> tuple[int, int]:
        """The integer for the first and for the last value of the draw."""
        values = self.draw.values
        return self.sign * int(values[0]) + self.offset, self.sign * int(values[-1]) + self.offset

    def __repr__(self) -> str:
        first, last = self.ends()
        return f"LazyInteger({min(first, last)}..{max(first, last)})"

    def __index__(self) -> int:
        return self.sign * self.draw.settle() + self.offset

    __int__ = __index__

    def __float__(self) -> float:
        return float(int(self))

    def __bool__(self) -> bool:
        return int(self) != 0

    def __hash__(self) -> int:
        return hash(int(self))

    def __neg__(self) -> LazyInteger:
        return LazyInteger(self.draw, -self.sign, -self.offset)

    def __abs__(self) -> int:
        return abs(int(self))

    def __add__(self, other: Any) -> Any:
        try:
            return LazyInteger(self.draw, self.sign, self.offset + index(other))
        except TypeError:
            return int(self) + other

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        try:
            return LazyInteger(self.draw, self.sign, self.offset - index(other))
        except TypeError:
            return int(self) - other

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __mul__(self, other: Any) -> Any:
        return int(self) * other

    __rmul__ = __mul__

    def __floordiv__(self, other: Any) -> Any:
        return int(self) // other

    def __mod__(self, other: Any) -> Any:
        return int(self) % other

    def __truediv__(self, other: Any) -> Any:
        return int(self) / other

    def __eq__(self, other: object) -> bool:
        return self._answer(np.equal, other)

    def __lt__(self, other: Any) -> bool:
        return self._answer(np.less, other)

    def __le__(self, other: Any) -> bool:
        return self._answer(np.less_equal, other)

    def __gt__(self, other: Any) -> bool:
        return self._answer(np.greater, other)

    def __ge__(self, other: Any) -> bool:
        return self._answer(np.greater_equal, other)

    def _answer(self, comparison: np.ufunc, other: Any) -> bool:
        """Branch on the answer only, and leave the draw open."""
        if isinstance(other, LazyInteger):
            other = int(other)
        yes = comparison(self.sign * self.draw.values + self.offset, other)
        return self.draw.decide(yes, ~yes)
