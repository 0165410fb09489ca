"""How losses lie in memory: C order, in one of four dtypes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from reticent.streams.stream import Block

__all__ = ["BLOCKS_PER_PART", "as_block", "gather", "gathered_dtype", "rows_per_block"]

#: Columns are taken from a library in parts of so many blocks: each part costs it up to a tenth of a millisecond a
#: column. Parts are bounded, because some columns are unpacked or converted.
BLOCKS_PER_PART = 8


_BLOCK_DTYPES = (np.dtype(np.float64), np.dtype(np.float32), np.dtype(np.bool_), np.dtype(np.uint8))


def as_block(values: npt.NDArray[Any]) -> Block:
    """The same numbers as a block; no copy where they lie and are typed as a block already.

    Small signed integers become uint8 (unless one is negative), half precision becomes single, and all other
    numbers become float64.
    """
    dtype = values.dtype.newbyteorder("=")
    if dtype == np.int8:
        values = values.view(np.uint8) if values.min(initial=0) >= 0 else values.astype(np.float64)
    elif dtype == np.float16:
        values = values.astype(np.float32)
    elif dtype not in _BLOCK_DTYPES:
        values = values.astype(np.float64)
    return np.ascontiguousarray(values, dtype=values.dtype.newbyteorder("="))


def gathered_dtype(dtypes: Sequence[npt.DTypeLike]) -> np.dtype[Any]:
    """The dtype in which columns of these dtypes are gathered: the common one if it is small, else float64."""
    common = np.result_type(*dtypes)
    return common if common in (*_BLOCK_DTYPES, np.int8, np.float16) else np.dtype(np.float64)


def gather(columns: Sequence[npt.NDArray[Any]], dtype: np.dtype[Any], rows: int) -> Iterator[Block]:
    """Columns of equal length side by side, as blocks of so many rows.

    One strided copy a column and block: while a block fits in the processor's cache this runs at several GB/s, and
    a tiled transposition is no faster. Such a copy takes its time by the item, so bytes go four at a time.
    """
    columns = [column.astype(dtype, copy=False) for column in columns]
    n_rows, n_columns = len(columns[0]), len(columns)
    if dtype.itemsize == 1:
        columns = _four_by_four(columns)
    for start in range(0, n_rows, rows):
        values = np.empty((min(rows, n_rows - start), n_columns), dtype=dtype)
        octets = values.view(np.uint8)
        left = 0
        for column in columns:
            right = left + column.itemsize
            octets[:, left:right].view(column.dtype)[:, 0] = column[start : start + rows]
            left = right
        yield as_block(values)


def _four_by_four(columns: list[npt.NDArray[Any]]) -> list[npt.NDArray[Any]]:
    """Columns of bytes, four of them joined to one column of four bytes; up to three are left over."""
    whole = len(columns) // 4 * 4
    fours = zip(*(columns[k:whole:4] for k in range(4)), strict=True)
    return [_joined(_joined(a, b), _joined(c, d)) for a, b, c, d in fours] + columns[whole:]


def _joined(low: npt.NDArray[Any], high: npt.NDArray[Any]) -> npt.NDArray[Any]:
    bits = 8 * low.itemsize
    wide = high.view(f"<u{low.itemsize}").astype(f"<u{2 * low.itemsize}")
    wide <<= bits
    wide |= low.view(f"<u{low.itemsize}")
    return wide


def rows_per_block(n_columns: int, dtype: np.dtype[Any], block_bytes: int) -> int:
    """How many rows fill a block."""
    return max(1, block_bytes // (n_columns * dtype.itemsize))
