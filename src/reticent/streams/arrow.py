"""Losses from Arrow record batches: in memory, in IPC files and in Parquet files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from reticent.errors import InputError, MissingExtraError
from reticent.streams.blocks import BLOCKS_PER_PART, gather, gathered_dtype, rows_per_block
from reticent.streams.cells import missing, refuse_inexact
from reticent.streams.stream import Block, LossStream

__all__ = ["ArrowStream", "open_ipc", "open_parquet", "require_pyarrow"]


def require_pyarrow(purpose: str) -> Any:
    """The module pyarrow.

    Raises
    ------
    MissingExtraError
        Where it is not installed.
    """
    try:
        import pyarrow
    except ImportError:
        raise MissingExtraError("pyarrow", "arrow", purpose) from None
    return pyarrow


class ArrowStream(LossStream):
    """The rows of record batches, a column an expert.

    Parameters
    ----------
    batches : callable (rows) -> iterable of pyarrow.RecordBatch
        Called once, when the stream is read; batches of about so many rows are read fast.
    schema : pyarrow.Schema
    source : str
    block_bytes : int
    rounds : int, optional

    Raises
    ------
    InputError
        For columns that are not numbers.
    """

    def __init__(
        self,
        batches: Callable[[int], Iterable[Any]],
        schema: Any,
        source: str,
        block_bytes: int,
        rounds: int | None = None,
    ) -> None:
        super().__init__(source, len(schema), names=schema.names, rounds=rounds)
        self._batches = batches
        self._dtype = gathered_dtype([self._numpy_dtype(j, type_) for j, type_ in enumerate(schema.types)])
        self._rows = rows_per_block(self.n_experts, self._dtype, block_bytes)

    def read(self) -> Iterator[Block]:
        """Consecutive rows, cut where a batch ends."""
        row = 0
        for batch in self._batch_by_batch():
            columns = [self._values(column, row, j) for j, column in enumerate(batch.columns)]
            yield from gather(columns, self._dtype, self._rows)
            row += batch.num_rows

    def _batch_by_batch(self) -> Iterator[Any]:
        rows = BLOCKS_PER_PART * self._rows
        for batch in self._batches(rows):
            for start in range(0, batch.num_rows, rows):
                yield batch.slice(start, rows)

    def _values(self, column: Any, row: int, j: int) -> npt.NDArray[Any]:
        if column.null_count:
            raise missing(self.locate(row + int(column.is_null().to_numpy(zero_copy_only=False).argmax()), j))
        values = column.to_numpy(zero_copy_only=False)
        refuse_inexact(values[:, np.newaxis], self.locate, row, j)
        return values  # type: ignore[no-any-return]

    def _numpy_dtype(self, column: int, type_: Any) -> np.dtype[Any]:
        import pyarrow.types as types

        if types.is_decimal(type_):
            return np.dtype(np.float64)
        if types.is_boolean(type_) or types.is_integer(type_) or types.is_floating(type_):
            dtype: np.dtype[Any] = np.dtype(type_.to_pandas_dtype())
            return dtype
        raise InputError(
            f"{self.source}, {self.column(column)}: its type is {type_}; convert the column to numbers or drop it."
        )


def open_parquet(path: Path, source: str, block_bytes: int) -> ArrowStream:
    """A Parquet file, read batch by batch.

    The file is mapped into memory and not buffered ahead: pyarrow would otherwise hold all its row groups at once.
    """
    pyarrow = require_pyarrow("reading Parquet files")
    import pyarrow.parquet as parquet

    damaged = _damaged(source, "Parquet")
    try:
        file = parquet.ParquetFile(path, memory_map=True, pre_buffer=False)
    except pyarrow.ArrowInvalid:
        raise damaged from None

    def batches(rows: int) -> Iterator[Any]:
        with file:
            yield from _whole(file.iter_batches(batch_size=rows), damaged)

    return ArrowStream(batches, file.schema_arrow, source, block_bytes, file.metadata.num_rows)


def open_ipc(path: Path, source: str, block_bytes: int) -> ArrowStream:
    """An Arrow IPC file (also known as Feather) or IPC stream, mapped into memory."""
    pyarrow = require_pyarrow("reading Arrow files")
    damaged = _damaged(source, "Arrow IPC")
    with path.open("rb") as file:
        random_access = file.read(6) == b"ARROW1"
    mapped = pyarrow.memory_map(str(path))
    try:
        reader = pyarrow.ipc.open_file(mapped) if random_access else pyarrow.ipc.open_stream(mapped)
        rounds = _count_rows(mapped) if random_access else None
    except (OSError, pyarrow.ArrowInvalid):
        raise damaged from None

    def batches(rows: int) -> Iterator[Any]:
        del rows  # they were fixed when the file was written
        with mapped:
            found = map(reader.get_batch, range(reader.num_record_batches)) if random_access else reader
            yield from _whole(found, damaged)

    return ArrowStream(batches, reader.schema, source, block_bytes, rounds)


def _count_rows(mapped: Any) -> int:
    import pyarrow.ipc as ipc

    # Only batches know their length; one column of them is enough to tell, and little to decompress.
    reader = ipc.open_file(mapped, options=ipc.IpcReadOptions(included_fields=[0]))
    return sum(reader.get_batch(k).num_rows for k in range(reader.num_record_batches))


def _whole(batches: Iterable[Any], damaged: InputError) -> Iterator[Any]:
    """The same batches; what pyarrow says of a file that is cut short becomes our error."""
    import pyarrow

    try:
        yield from batches
    except (OSError, pyarrow.ArrowException):
        raise damaged from None


def _damaged(source: str, format_: str) -> InputError:
    return InputError(f"{source}: this is not a whole {format_} file; it may be cut short, so write it again.")
