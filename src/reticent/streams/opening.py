"""One function that opens losses in any form."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path

from reticent.errors import InputError, ParameterError
from reticent.streams.chained import ChainedStream
from reticent.streams.files import open_file, open_standard_input
from reticent.streams.stream import LossStream
from reticent.streams.tables import open_block, open_table

__all__ = ["open_losses"]

_LOSSES = "the losses"
_BLOCK_BYTES = 1 << 21


def open_losses(data: object, *, names: Sequence[str] | None = None, block_bytes: int = _BLOCK_BYTES) -> LossStream:
    """Open losses for one pass, a column an expert and a row a round.

    Parameters
    ----------
    data : array, data frame, Arrow table or reader, iterator of such blocks, path, or LossStream
        A numpy array of shape (T, N); a data frame of any library that narwhals understands; a pyarrow Table,
        RecordBatch or RecordBatchReader, or an object with ``__arrow_c_stream__``; an iterator of such blocks,
        all with the same columns; the path of a .csv, .tsv, .parquet, .arrow, .feather, .ipc or .npy file; or
        "-" for CSV from standard input. CSV and TSV have a header line. A stream that is open already comes back
        as it is.
    names : sequence of str, optional
        What to call the experts, instead of the columns' names.
    block_bytes : int
        About how large a block may be. Memory does not grow with the number of rounds.

    Returns
    -------
    LossStream

    Raises
    ------
    InputError
        For data that are no table of numbers, where they can be seen before reading; the rest while reading.
    MissingExtraError
        For Parquet and Arrow files where pyarrow is not installed.

    Examples
    --------
    >>> import numpy as np
    >>> stream = open_losses(np.array([[0.0, 1.0], [0.5, 0.25]]), names=["stump", "tree"])
    >>> stream.rounds, stream.names, stream.locate(1, 0)
    (2, ('stump', 'tree'), "the losses, row 2 (counted from 1), column 'stump'")
    >>> [block.sum() for block in stream.blocks()]
    [np.float64(1.75)]
    """
    if isinstance(block_bytes, bool) or not isinstance(block_bytes, int) or block_bytes < 1:
        raise ParameterError(f"block_bytes is {block_bytes!r}; give a whole number of at least 1.")
    stream = _open(data, block_bytes)
    if stream.rounds == 0:
        raise InputError(f"{stream.source}: there are no rows; give at least one round.")
    if names is not None:
        stream.rename(names)
    return stream


def _open(data: object, block_bytes: int) -> LossStream:
    if isinstance(data, LossStream):
        return data
    if isinstance(data, str) and data == "-":
        return open_standard_input(block_bytes)
    if isinstance(data, str | Path):
        return open_file(Path(data), block_bytes)
    table = open_table(data, _LOSSES, block_bytes)
    if table is not None:
        return table
    if isinstance(data, Iterable) and not isinstance(data, Mapping | bytes | bytearray):
        return ChainedStream(iter(data), partial(open_block, block_bytes=block_bytes), _LOSSES)
    raise InputError(
        f"{_LOSSES}: an object of type {type(data).__name__} is no table; give a 2-D array, a data frame, "
        "an Arrow table, an iterator of such blocks, or the path of a file."
    )
