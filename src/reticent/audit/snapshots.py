"""Copies of private state as bytes: equal bytes, equal state."""

from __future__ import annotations

import io
import pickle
from fractions import Fraction
from typing import Any

__all__ = ["Snapshots"]


class Snapshots:
    """Pickling that shares what cannot change (frozen dataclasses, fractions), and writes the rest."""

    def __init__(self) -> None:
        self._values: list[Any] = []
        self._by_value: dict[Any, int] = {}
        self._by_identity: dict[int, int] = {}
        self._seen: list[Any] = []
        self._constant: dict[type, bool] = {}

    def save(self, state: object) -> bytes:
        """The state as bytes."""
        buffer = io.BytesIO()
        pickler = pickle.Pickler(buffer, pickle.HIGHEST_PROTOCOL)
        pickler.persistent_id = self._number  # type: ignore[method-assign]
        pickler.dump(state)
        return buffer.getvalue()

    def restore(self, saved: bytes) -> Any:
        """A copy of the state that was saved."""
        unpickler = pickle.Unpickler(io.BytesIO(saved))
        unpickler.persistent_load = self._values.__getitem__  # type: ignore[method-assign]
        return unpickler.load()

    def _number(self, obj: Any) -> int | None:
        kind = type(obj)
        constant = self._constant.get(kind)
        if constant is None:
            constant = self._constant[kind] = _is_constant(kind)
        if not constant:
            return None
        number = self._by_identity.get(id(obj))
        if number is None:
            number = self._by_value.setdefault(obj, len(self._values))
            if number == len(self._values):
                self._values.append(obj)
            self._seen.append(obj)  # while it lives its identity is its own
            self._by_identity[id(obj)] = number
        return number


def _is_constant(kind: type) -> bool:
    parameters = getattr(kind, "__dataclass_params__", None)
    return kind is Fraction or (parameters is not None and parameters.frozen)
