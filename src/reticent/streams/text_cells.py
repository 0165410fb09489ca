"""Numbers in lines of text: a fast parser for the good chunks, a careful look at the bad one."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from reticent.errors import InputError
from reticent.streams.cells import missing, not_a_number
from reticent.streams.stream import Block

if TYPE_CHECKING:
    from reticent.streams.text import TextStream

__all__ = ["first_error", "parser"]

Parser = Callable[[bytes, int, str], Block]


def parser() -> Parser:
    """The parser of pyarrow, or numpy's where pyarrow is not installed: (chunk, columns, delimiter) -> float64 block.

    Either raises ValueError for what it cannot parse, and may return another shape for ragged rows.
    """
    try:
        import pyarrow.csv  # noqa: F401
    except ImportError:
        return _parse_with_numpy
    return _parse_with_pyarrow


def _parse_with_pyarrow(chunk: bytes, columns: int, delimiter: str) -> Block:
    import pyarrow
    from pyarrow import csv as arrow_csv

    names = [str(j) for j in range(columns)]
    table = arrow_csv.read_csv(
        pyarrow.BufferReader(chunk),
        read_options=arrow_csv.ReadOptions(column_names=names),
        parse_options=arrow_csv.ParseOptions(delimiter=delimiter, ignore_empty_lines=False),
        convert_options=arrow_csv.ConvertOptions(
            column_types=dict.fromkeys(names, pyarrow.float64()), null_values=[""], strings_can_be_null=False
        ),
    )
    block = np.empty((table.num_rows, columns))
    for j, column in enumerate(table.columns):
        if column.null_count:
            raise ValueError("a value is missing")
        start = 0
        for piece in column.chunks:
            block[start : start + len(piece), j] = piece.to_numpy()
            start += len(piece)
    return block


def _parse_with_numpy(chunk: bytes, columns: int, delimiter: str) -> Block:
    if not chunk.strip():  # numpy would only warn
        raise ValueError("a line is empty")
    return np.loadtxt(io.StringIO(chunk.decode()), delimiter=delimiter, comments=None, quotechar='"', ndmin=2)


def first_error(chunk: bytes, stream: TextStream, first_row: int, delimiter: str) -> InputError:
    """The error for the first cell of the chunk that is no number, or the first row that is no row.

    Parameters
    ----------
    chunk : bytes
        Whole lines that do not parse.
    stream : TextStream
        Says what lines and columns are called.
    first_row : int
        The chunk's first row, counted from 0.
    delimiter : str
    """
    lines = chunk.removesuffix(b"\n").decode(errors="replace").split("\n")
    for row, line in enumerate(lines, first_row):
        try:
            cells = next(csv.reader([line.removesuffix("\r")], delimiter=delimiter), [])
        except csv.Error:
            return InputError(f"{stream.line(row)}: this is not a line of CSV; end every line with a line feed.")
        if not cells:
            return InputError(f"{stream.line(row)}: the line is empty; fill it in or remove it.")
        if len(cells) != stream.n_experts:
            return InputError(
                f"{stream.line(row)}: the number of values is {len(cells)}, but the header has {stream.n_experts} "
                "names; give one value for each name."
            )
        for column, cell in enumerate(cells):
            if not cell.strip():
                return missing(stream.locate(row, column))
            if not _is_number(cell):
                return not_a_number(stream.locate(row, column), cell.strip())
    return InputError(
        f"{stream.line(first_row)} and below: some value is in no plain notation; write numbers such as 0.25."
    )


def _is_number(cell: str) -> bool:
    # float also takes digits of other scripts and underscores, which the parsers do not.
    if not cell.isascii() or "_" in cell:
        return False
    try:
        float(cell)
    except ValueError:
        return False
    return True
