"""Losses from a table in memory, whatever library made it."""

from __future__ import annotations

import sys
from typing import Any

import narwhals.stable.v1 as nw
import numpy as np

from reticent.errors import InputError
from reticent.streams.arrays import ArrayStream
from reticent.streams.arrow import ArrowStream, require_pyarrow
from reticent.streams.frames import FrameStream
from reticent.streams.stream import LossStream, distinct_names

__all__ = ["open_block", "open_table"]


def open_table(data: Any, source: str, block_bytes: int) -> LossStream | None:
    """A stream of a table in memory, or None where the data are something else."""
    if isinstance(data, np.ndarray):
        return ArrayStream(data, source, block_bytes)
    pyarrow = sys.modules.get("pyarrow")  # only who has imported it can hand over its types
    if pyarrow and isinstance(data, pyarrow.RecordBatch):
        data = pyarrow.Table.from_batches([data])
    if pyarrow and isinstance(data, pyarrow.Table):
        return ArrowStream(lambda rows: data.to_batches(rows), data.schema, source, block_bytes, data.num_rows)
    if pyarrow and isinstance(data, pyarrow.RecordBatchReader):
        return ArrowStream(lambda _: data, data.schema, source, block_bytes)
    frame = _as_frame(data, source)
    if frame is not None:
        return FrameStream(frame, source, block_bytes)
    if hasattr(data, "__array__"):
        return ArrayStream(np.asarray(data), source, block_bytes)
    if hasattr(data, "__arrow_c_stream__"):
        reader = require_pyarrow(f"reading a {type(data).__name__}").RecordBatchReader.from_stream(data)
        return ArrowStream(lambda _: reader, reader.schema, source, block_bytes)
    if isinstance(data, list | tuple) and data and all(isinstance(row, list | tuple) for row in data):
        return ArrayStream(_as_array(data, source), source, block_bytes)
    return None


def open_block(block: object, source: str, block_bytes: int) -> LossStream:
    """A stream of one block of an iterator.

    Raises
    ------
    InputError
        For a block that is no table, above all for a single row.
    """
    table = open_table(block, source, block_bytes)
    if table is None:
        raise InputError(
            f"{source}: an object of type {type(block).__name__} is no table; "
            "give two-dimensional blocks, a row for each round."
        )
    return table


def _as_frame(data: Any, source: str) -> nw.DataFrame[Any] | None:
    try:
        frame = nw.from_native(data, pass_through=True)
    except ValueError:
        distinct_names(list(data.columns), source)
        raise
    if isinstance(frame, nw.LazyFrame) and not hasattr(data, "__arrow_c_stream__"):
        raise InputError(
            f"{source}: an object of type {type(data).__name__} holds no rows yet; call its collect() first."
        )
    return frame if isinstance(frame, nw.DataFrame) else None


def _as_array(rows: list[Any] | tuple[Any, ...], source: str) -> np.ndarray[Any, Any]:
    try:
        return np.array(rows)
    except ValueError:
        raise InputError(f"{source}: the rows differ in length; give every row one value for each expert.") from None
