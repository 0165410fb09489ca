"""What every class asks of its arguments."""

from __future__ import annotations

import reprlib
from typing import Any

import numpy as np

from reticent.errors import InputError, ParameterError

__all__ = [
    "MOST_INSTANCES",
    "MOST_VARIABLES",
    "as_depth",
    "as_index",
    "as_label",
    "as_mask",
    "as_points",
    "short",
    "whole_number",
]

#: Any key of 128 bits.
MOST_INSTANCES = 1 << 128

#: Far more than what can be learnt from, and few enough for exact sizes.
MOST_VARIABLES = 4096

_AS_DIGITS = bytes.maketrans(b"\0\1", b"01")


def whole_number(name: str, value: Any, least: int, most: int | None = None) -> int:
    """A public parameter of a class: a whole number from `least` to `most`."""
    if not _is_whole(value) or value < least or (most is not None and value > most):
        reach = f"from {least} on" if most is None else f"from {least} to {most}"
        raise ParameterError(f"{name} is {short(value)}; give a whole number {reach}.")
    return int(value)


def short(value: Any) -> str:
    """The value as errors show it: not too long, and there also for what cannot be shown."""
    try:
        return reprlib.repr(value)
    except ValueError:  # Python does not print whole numbers of more than 4,300 digits
        return f"{type(value).__name__} with too many digits to show"


def as_depth(depth: Any) -> int:
    """The depth of a tree: a whole number of any size and sign."""
    if type(depth) is not int and not _is_whole(depth):
        raise ParameterError(f"depth is {short(depth)}; give a whole number.")
    return int(depth)


def as_points(name: str, points: Any) -> list[Any]:
    """Instances in order; `name` is what errors call them."""
    if isinstance(points, set | frozenset):
        raise InputError(f"{name}: a set has no order; give a list or a tuple.")
    try:
        return list(points)
    except TypeError:
        raise InputError(f"{name}: {short(points)} is no sequence of instances; give a list or a tuple.") from None


def as_label(y: Any) -> bool:
    """A label: 0 or 1, as any kind of whole number or bool."""
    if not (_is_whole(y) or isinstance(y, bool | np.bool_)) or y not in (0, 1):
        raise InputError(f"the label is {short(y)}; give 0 or 1.")
    return bool(y)


def as_index(x: Any, n_instances: int) -> int:
    """An instance of ``range(n_instances)``."""
    if not _is_whole(x) or not 0 <= x < n_instances:
        raise InputError(
            f"the instance {short(x)} is not in the domain; give a whole number from 0 to {n_instances - 1}."
        )
    return int(x)


def as_mask(x: Any, n_variables: int) -> int:
    """An instance of bits as one whole number, whose highest bit is the first of them.

    Examples
    --------
    >>> as_mask((1, 0, 0), 3), as_mask(np.array([False, True, True]), 3)
    (4, 3)
    """
    try:
        bits = bytes(x if type(x) is tuple else x.tolist())
    except (TypeError, ValueError, AttributeError):
        bits = b"?"
    if bits.translate(None, b"\0\1") or len(bits) != n_variables:
        raise InputError(
            f"the instance {short(x)} is not in the domain; give a tuple of {n_variables} zeros and ones."
        )
    return int(bits.translate(_AS_DIGITS), 2)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)
