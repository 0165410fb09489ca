"""What the classes with a known formula have in common: a version space is a few numbers."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable
from typing import Any, Self

from reticent.classes.arguments import short
from reticent.classes.base import HypothesisClass

__all__ = ["ClosedForm", "floor_log2"]


class ClosedForm(HypothesisClass):
    """A class whose version spaces are described by a small state, and whose dimension is a function of the state.

    Version spaces with equal states are equal, and hash alike.
    """

    __slots__ = ("_state",)
    _state: tuple[Hashable, ...]

    @abstractmethod
    def _enter(self, *state: Any, **nothing: Any) -> None:
        """Take the state, public parameters first, and work out what every round needs. Sets `_state`, too."""

    @classmethod
    def _at(cls, *state: Any) -> Self:
        """The version space in this state."""
        version_space = object.__new__(cls)
        version_space._enter(*state)
        return version_space

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._state == other._state

    def __hash__(self) -> int:
        return hash((type(self), self._state))

    def __reduce__(self) -> tuple[Any, ...]:
        return self._at, self._state

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(short, self._state))})"


def floor_log2(m: int) -> int:
    """The floor of log2(m), and -1 for m = 0."""
    return m.bit_length() - 1
