"""One function that opens losses in any form."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import narwhals.stable.v1 as nw
import numpy as np

from reticent.errors import InputError, ParameterError
from reticent.streams.arrays import ArrayStream, open_npy
from reticent.streams.arrow import ArrowStream, open_ipc, open_parquet, require_pyarrow
from reticent.streams.chained import ChainedStream
from reticent.streams.frames import FrameStream
from reticent.streams.stream import LossStream
from reticent.streams.text import TextStream

__all__ = ["open_losses"]

_LOSSES = "the losses"
_BLOCK_BYTES = 1 << 23
_FORMS = "a 2-D array, a data frame, an Arrow table, an iterator of such blocks, or the path of a file"


def _open_csv(path: Path, source: str, block_bytes: int) -> LossStream:
    return TextStream(partial(path.open, "rb"), source, ",", block_bytes)


def _open_tsv(path: Path, source: str, block_bytes: int) -> LossStream:
    return TextStream(partial(path.open, "rb"), source, "\t", block_bytes)


_FILES: dict[str, Callable[[Path, str, int], LossStream]] = {
    ".csv": _open_csv,
    ".tsv": _open_tsv,
    ".parquet": open_parquet,
    ".arrow": open_ipc,
    ".feather": open_ipc,
    ".ipc": open_ipc,
    ".npy": open_npy,
}


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
        raise InputError(f"{stream.source}: there are no rows; give at least one round of losses.")
    if names is not None:
        stream.rename(names)
    return stream


def _open(data: object, block_bytes: int) -> LossStream:
    if isinstance(data, LossStream):
        return data
    if isinstance(data, str) and data == "-":
        return _open_standard_input(block_bytes)
    if isinstance(data, str | Path):
        return _open_file(Path(data), block_bytes)
    table = _open_table(data, _LOSSES, block_bytes)
    if table is not None:
        return table
    if isinstance(data, Iterable) and not isinstance(data, Mapping | bytes | bytearray):
        return ChainedStream(iter(data), partial(_open_block, block_bytes=block_bytes), _LOSSES)
    raise InputError(f"{_LOSSES}: a {type(data).__name__} is no table; give {_FORMS}.")


def _open_table(data: object, source: str, block_bytes: int) -> LossStream | None:
    """A stream of a table in memory, or None if the data are something else."""
    pyarrow = sys.modules.get("pyarrow")  # data of its types exist only where it has been imported
    if isinstance(data, np.ndarray):
        return ArrayStream(data, source, block_bytes)
    if pyarrow and isinstance(data, pyarrow.Table):
        return ArrowStream(
            lambda rows: data.to_batches(max_chunksize=rows), data.schema, source, block_bytes, data.num_rows
        )
    if pyarrow and isinstance(data, pyarrow.RecordBatch):
        return ArrowStream(lambda _: [data], data.schema, source, block_bytes, data.num_rows)
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


def _as_frame(data: Any, source: str) -> nw.DataFrame[Any] | None:
    try:
        frame = nw.from_native(data, pass_through=True)
    except ValueError:
        distinct_names(list(data.columns), source)
        raise
    if isinstance(frame, nw.LazyFrame) and not hasattr(data, "__arrow_c_stream__"):
        raise InputError(f"{source}: a {type(data).__name__} has no rows yet; call its .collect() first.")
    return frame if isinstance(frame, nw.DataFrame) else None


def _as_array(rows: Sequence[Sequence[object]], source: str) -> np.ndarray[Any, Any]:
    for position, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise InputError(
                f"{source}, row {position + 1} (counted from 1): {len(row)} values where the first row has "
                f"{len(rows[0])}; give every row one value for each expert."
            )
    # Without dtype=object numpy would turn [0.5, "x"] into text.
    values = np.array(rows, dtype=object)
    try: 
        return ...


def _open_block(block: object, source: str, *, block_bytes: int) -> LossStream:
    table = _open_table(block, source, block_bytes)
    if table is not None:
        return table
    raise InputError(f"{source}: a {type(block).__name__} is no table; give two-dimensional blocks, a row a round.")


def _open_standard_input(block_bytes: int) -> LossStream:
    if sys.stdin.isatty():
        raise InputError("standard input: this is a terminal; pipe a CSV file into it.")
    return TextStream(lambda: contextlib.nullcontext(sys.stdin.buffer), "standard input", ",", block_bytes)


def _open_file(path: Path, block_bytes: int) -> LossStream:
    source = str(path)
    if path.is_dir():
        raise InputError(f"{source}: this is a directory; name a file in it.")
    if not path.exists():
        raise InputError(f"{source}: there is no such file; check the name.")
    opener = _FILES.get(path.suffix.lower())
    if opener is None:
        raise InputError(f"{source}: the suffix {path.suffix!r} tells no format; use one of {', '.join(_FILES)}.")
    try:
        return opener(path, source, block_bytes)
    except OSError as error:
        raise InputError(f"{source}: the file cannot be opened ({error.strerror}); check its permissions.") from error
