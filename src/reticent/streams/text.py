"""Losses from CSV and TSV, a chunk of whole lines at a time, so that errors know their line."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from itertools import chain
from typing import BinaryIO

from reticent.errors import InputError
from reticent.streams.stream import Block, LossStream
from reticent.streams.text_cells import first_error, parser

__all__ = ["TextStream"]


class TextStream(LossStream):
    """Lines of separated numbers below a header line with the experts' names.

    A line is a round: an empty line between two others is an error, because skipping it would shift the rounds.

    Parameters
    ----------
    open_file : callable () -> context manager of a binary file
    source : str
    delimiter : str
    block_bytes : int
        The bytes of text that make a block.

    Raises
    ------
    InputError
        For a header that does not name every column differently, and for a file without rows.
    """

    def __init__(
        self,
        open_file: Callable[[], AbstractContextManager[BinaryIO]],
        source: str,
        delimiter: str,
        block_bytes: int,
    ) -> None:
        chunks = _whole_lines(open_file, block_bytes)
        names = _header(next(chunks), source, delimiter)
        super().__init__(f"{source}, line 1", len(names), names=names)
        self.source = source
        self._delimiter = delimiter
        self._parse = parser()
        first = next(chunks, None)
        if first is None:
            raise InputError(f"{source}: there are no rows below the header; give at least one round.")
        self._chunks = chain([first], chunks)

    def read(self) -> Iterator[Block]:
        """The rows of one chunk after the other."""
        row = 0
        for chunk in self._chunks:
            rows = chunk.count(b"\n") + (not chunk.endswith(b"\n"))
            try:
                block = self._parse(chunk, self.n_experts, self._delimiter)
            except ValueError:
                block = None
            if block is None or block.shape != (rows, self.n_experts):
                # Only now are cells looked at one by one, and only those of this chunk.
                raise first_error(chunk, self, row, self._delimiter)
            yield block
            row += rows

    def locate(self, row: int, column: int) -> str:
        """The line, counted from 1 with the header, and the column's name."""
        return f"{self.line(row)}, {self.column(column)}"

    def line(self, row: int) -> str:
        """What errors call a row, counted from 0."""
        return f"{self.source}, line {row + 2}"


def _whole_lines(open_file: Callable[[], AbstractContextManager[BinaryIO]], size: int) -> Iterator[bytes]:
    """The first line; then chunks of whole lines, about `size` bytes each, without empty lines at the end."""
    with open_file() as file:
        yield file.readline()
        pending = b""
        while data := file.read(size):
            pending += data
            # What follows the last line break that is followed by something may be incomplete.
            whole = pending.rstrip(b"\r\n").rfind(b"\n") + 1
            if whole:
                yield pending[:whole]
                pending = pending[whole:]
        if pending := pending.rstrip(b"\r\n"):
            yield pending


def _header(line: bytes, source: str, delimiter: str) -> list[str]:
    if not line:
        raise InputError(
            f"{source}: this is empty; write a header line with the columns' names, then a line a round."
        )
    try:
        text = line.decode("utf-8-sig").rstrip("\r\n")
    except UnicodeDecodeError:
        raise InputError(f"{source}, line 1: the header is not UTF-8 text; give CSV in UTF-8.") from None
    try:
        names = [name.strip() for name in next(csv.reader([text], delimiter=delimiter, strict=True), [])]
    except csv.Error:
        raise InputError(
            f"{source}, line 1: the header is not a line of CSV; close its quotes, and end "
            "every line with a line feed."
        ) from None
    if not any(names):
        raise InputError(f"{source}, line 1: the header is empty; write the columns' names there.")
    if not all(names):
        raise InputError(
            f"{source}, line 1: column {names.index('') + 1} has no name; name it, "
            "or leave it out if it is an index (in pandas: index=False)."
        )
    other = next((sign for sign in ";\t|" if len(names) == 1 and sign in names[0] and sign != delimiter), None)
    if other is not None:
        raise InputError(
            f"{source}, line 1: the columns seem to be separated by {other!r}; separate them by {delimiter!r}."
        )
    if _looks_like_losses(names):
        raise InputError(
            f"{source}, line 1: the header holds only numbers and would be lost as a round; "
            "write a header line with the columns' names above it."
        )
    return names


def _looks_like_losses(names: list[str]) -> bool:
    # Arrays written through a data frame have the header 0, 1, .., N - 1.
    if names == [str(j) for j in range(len(names))]:
        return False
    try:
        return all(0 <= float(name) <= 1 for name in names)
    except ValueError:
        return False
