"""Losses from numpy arrays, and from .npy files, which are mapped and not read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from reticent.errors import InputError
from reticent.streams.blocks import as_block, rows_per_block
from reticent.streams.cells import first_stranger, missing, not_a_number, refuse_inexact
from reticent.streams.stream import Block, LossStream

__all__ = ["ArrayStream", "open_npy"]


class ArrayStream(LossStream):
    """The rows of a two-dimensional array; blocks are views of it where its dtype and order allow.

    Parameters
    ----------
    values : array of shape (rounds, experts)
        Numbers or booleans.
    source : str
    block_bytes : int

    Raises
    ------
    InputError
        For another number of dimensions, another dtype, and masked entries.
    """

    def __init__(self, values: npt.NDArray[Any], source: str, block_bytes: int) -> None:
        if values.ndim != 2:
            raise InputError(
                f"{source}: the array is {values.ndim}-dimensional; "
                "give two dimensions, a row for each round and a column for each expert."
            )
        super().__init__(source, values.shape[1], rounds=values.shape[0])
        self._values = np.asarray(values)
        self._rows = rows_per_block(self.n_experts, values.dtype, block_bytes)
        if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
            row, column = np.argwhere(np.ma.getmaskarray(values))[0]
            raise missing(self.locate(int(row), int(column)))
        if values.dtype.kind not in "bfiu":
            raise self._no_numbers()

    def read(self) -> Iterator[Block]:
        """Consecutive rows."""
        for row in range(0, len(self._values), self._rows):
            values = self._values[row : row + self._rows]
            refuse_inexact(values, self.locate, row)
            yield as_block(values)

    def _no_numbers(self) -> InputError:
        stranger = first_stranger(self._values.flat) if self._values.dtype.kind == "O" else None
        if stranger is not None:
            place = self.locate(*divmod(stranger[0], self.n_experts))
            return missing(place) if stranger[1] is None else not_a_number(place, stranger[1])
        return InputError(
            f"{self.source}: the array has dtype {self._values.dtype}; convert it to numbers, "
            "for example with .astype(float)."
        )


def open_npy(path: Path, source: str, block_bytes: int) -> ArrayStream:
    """The array in a .npy file, mapped into memory."""
    try:
        values = np.load(path, mmap_mode="r", allow_pickle=False)
    except (ValueError, EOFError):
        values = None
    if not isinstance(values, np.ndarray):
        raise InputError(
            f"{source}: this is not one whole array of numbers; write it again with numpy.save(path, array)."
        )
    return ArrayStream(values, source, block_bytes)
