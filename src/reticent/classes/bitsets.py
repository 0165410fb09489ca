"""Sets of hypotheses as Python integers: bit i stands for row i of a table."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

__all__ = ["compress", "pack_columns", "unpack", "unpack_all"]

Bits = npt.NDArray[np.bool_]


def pack_columns(labels: Bits) -> list[int]:
    """For each column of the matrix, the set of rows with a 1 in it."""
    packed = np.packbits(labels.T, axis=1, bitorder="little")
    return [int.from_bytes(column.tobytes(), "little") for column in packed]


def unpack(rows: int, length: int) -> Bits:
    """The set as an array of `length` booleans."""
    bits: Bits = unpack_all([rows], length)[0]
    return bits


def unpack_all(sets: Sequence[int], length: int) -> Bits:
    """The sets as rows of a boolean matrix."""
    width = (length + 7) // 8
    packed = np.frombuffer(b"".join(one.to_bytes(width, "little") for one in sets), np.uint8)
    bits = np.unpackbits(packed.reshape(len(sets), width), axis=1, count=length, bitorder="little")
    return bits.astype(np.bool_)


def compress(sets: Sequence[int], rows: int, length: int) -> list[int]:
    """Each set's intersection with `rows`, the rows numbered anew without gaps.

    Examples
    --------
    >>> [bin(one) for one in compress([0b10110, 0b01001], 0b11010, 5)]
    ['0b101', '0b10']
    """
    return pack_columns(unpack_all(sets, length)[:, unpack(rows, length)].T)
