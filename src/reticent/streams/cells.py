"""The sentences for cells that are no numbers, and where in an array the first of them stands."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

from reticent.errors import InputError

__all__ = ["first_stranger", "missing", "not_a_number", "refuse_inexact"]

#: What stands for a label in words.
_TRUTH_VALUES = {"true": "1", "false": "0"}

#: Every whole number up to here is a float64.
_EXACT = 2**53


def missing(place: str) -> InputError:
    """The error for a value that is not there."""
    return InputError(f"{place}: the value is missing; fill it in or leave the row out.")


def not_a_number(place: str, value: object) -> InputError:
    """The error for a value that is no number."""
    instead = _TRUTH_VALUES.get(str(value).strip().lower(), "a number")
    return InputError(f"{place}: {value!r} is not a number; write {instead} in its place.")


def first_stranger(values: Iterable[object]) -> tuple[int, object] | None:
    """The first value that is no real number, and its position; missing values come back as None."""
    for position, value in enumerate(values):
        if isinstance(value, float) and math.isnan(value):
            return position, None
        if not isinstance(value, Real | np.bool_):
            return position, value
    return None


def refuse_inexact(values: npt.NDArray[Any], locate: Callable[[int, int], str], row: int, column: int = 0) -> None:
    """Refuse 64-bit integers that float64 would round: a label would silently become another one.

    Parameters
    ----------
    values : array of shape (rows, columns)
        Their top left corner stands at (`row`, `column`) of the stream.
    locate : callable (row, column) -> str

    Raises
    ------
    InputError
    """
    if values.dtype.kind not in "iu" or values.dtype.itemsize < 8:
        return
    if values.max(initial=0) <= _EXACT and (values.dtype.kind == "u" or values.min(initial=0) >= -_EXACT):
        return
    below, right = np.argwhere((values > _EXACT) | (values < -_EXACT))[0]
    place = locate(row + int(below), column + int(right))
    raise InputError(
        f"{place}: the integer {values[below, right]} is too large for a float64; keep to 2**53 in absolute value."
    )
