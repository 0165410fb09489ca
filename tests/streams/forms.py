"""The same losses in every form that `open_losses` takes."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.csv
import pyarrow.feather
import pyarrow.parquet

Array = np.ndarray[Any, Any]

NAMES = ("stump", "a, b", "delay > 15")


class Capsule:
    """What any library with the Arrow C stream interface looks like, such as a DuckDB relation."""

    def __init__(self, table: pa.Table) -> None:
        self._table = table

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._table.__arrow_c_stream__(requested_schema)


def table(losses: Array) -> pa.Table:
    return pa.table({name: losses[:, j] for j, name in enumerate(NAMES)})


def in_pieces(losses: Array) -> Iterator[Array]:
    for start in range(0, len(losses), 3):
        yield losses[start : start + 3]


#: Forms in memory: each makes of an array of shape (rows, 3) something to open.
IN_MEMORY: dict[str, Callable[[Array], object]] = {
    "array": lambda losses: losses,
    "array in Fortran order": np.asfortranarray,
    "array of other byte order": lambda losses: losses.astype(losses.dtype.newbyteorder()),
    "lists": lambda losses: losses.tolist(),
    "pandas": lambda losses: pd.DataFrame(losses, columns=NAMES),
    "pandas with pyarrow dtypes": lambda losses: table(losses).to_pandas(types_mapper=pd.ArrowDtype),
    "polars": lambda losses: pl.DataFrame(losses, schema=NAMES),
    "pyarrow table": table,
    "pyarrow table in chunks": lambda losses: pa.concat_tables([table(piece) for piece in in_pieces(losses)]),
    "pyarrow reader": lambda losses: table(losses).to_reader(2),
    "Arrow C stream": lambda losses: Capsule(table(losses)),
    "iterator of arrays": in_pieces,
    "list of arrays": lambda losses: list(in_pieces(losses)),
    "iterator of pandas": lambda losses: (pd.DataFrame(piece, columns=NAMES) for piece in in_pieces(losses)),
    "iterator of polars": lambda losses: (pl.DataFrame(piece, schema=NAMES) for piece in in_pieces(losses)),
    "iterator of tables": lambda losses: map(table, in_pieces(losses)),
    "list of record batches": lambda losses: table(losses).to_batches(max_chunksize=2),
}


def _write_ipc_stream(losses: Array, path: Path) -> None:
    whole = table(losses)
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_stream(file, whole.schema) as writer:
        writer.write_table(whole, max_chunksize=3)


def _write_text(losses: Array, path: Path, separator: str, end: str = "\n") -> None:
    pd.DataFrame(losses, columns=NAMES).to_csv(path, sep=separator, index=False, lineterminator=end)


#: Forms as files: suffix and writer.
FILES: dict[str, tuple[str, Callable[[Array, Path], object]]] = {
    "CSV": (".csv", lambda losses, path: _write_text(losses, path, ",")),
    "CSV from Windows": (".CSV", lambda losses, path: _write_text(losses, path, ",", "\r\n")),
    "TSV": (".tsv", lambda losses, path: _write_text(losses, path, "\t")),
    "Parquet": (".parquet", lambda losses, path: pa.parquet.write_table(table(losses), path, row_group_size=4)),
    "Parquet by polars": (".parquet", lambda losses, path: pl.DataFrame(losses, schema=NAMES).write_parquet(path)),
    "Feather": (".feather", lambda losses, path: pa.feather.write_feather(table(losses), path, chunksize=4)),
    "Feather by polars": (".arrow", lambda losses, path: pl.DataFrame(losses, schema=NAMES).write_ipc(path)),
    "IPC stream": (".ipc", _write_ipc_stream),
    "npy": (".npy", lambda losses, path: np.save(path, losses)),
    "npy in Fortran order": (".npy", lambda losses, path: np.save(path, np.asfortranarray(losses))),
}


class StandardInput:
    """Stands in for sys.stdin."""

    def __init__(self, data: bytes, terminal: bool = False) -> None:
        self.buffer = io.BytesIO(data)
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal
