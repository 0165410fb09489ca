"""Copies of private state as bytes: equal bytes, equal state."""

from __future__ import annotations

import io
import pickle
from dataclasses import fields
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
        if not (type(obj) is Fraction or _is_frozen(type(obj))):
            return None
        number = self._by_identity.get(id(obj))
        if number is None:
            key = _constant(obj)
            if key is None:
                return None
            number = self._by_value.setdefault(key, len(self._values))
            if number == len(self._values):
                self._values.append(obj)
            self._seen.append(obj)  # while it lives its identity is its own
            self._by_identity[id(obj)] = number
        return number


def _is_frozen(kind: type) -> bool:
    parameters = getattr(kind, "__dataclass_params__", None)
    return parameters is not None and parameters.frozen


def _constant(obj: Any) -> Any:
    """What tells this value from all others, its type included; None where something in it could change.

    Equality is not asked for: a class may leave fields out of it.
    """
    kind = type(obj)
    if obj is None or kind in (bool, int, str, bytes):
        return kind, obj
    if kind is float:
        return kind, obj.hex()
    if kind is Fraction:
        return kind, obj.numerator, obj.denominator
    if isinstance(obj, type):
        return type, obj
    if kind is tuple:
        parts = obj
    elif _is_frozen(kind):
        parts = tuple(getattr(obj, field.name) for field in fields(obj))
    else:
        return None
    keys = tuple(map(_constant, parts))
    return None if None in keys else (kind, keys)
