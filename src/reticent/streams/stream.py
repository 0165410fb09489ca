"""What a loss stream is, whatever the format it comes from."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy.typing as npt

from reticent.errors import InputError

__all__ = ["Block", "LossStream", "distinct_names"]

#: A C-contiguous array of shape (rows, experts): float64, float32, bool or uint8.
Block = npt.NDArray[Any]


class LossStream(ABC):
    """The losses of N experts, round by round: read once, in order, in blocks.

    A stream knows its format and nothing about losses: it refuses what is no table of numbers (missing values,
    text, ragged rows), and leaves the range [0, 1] to whoever reads the blocks.

    Parameters
    ----------
    source : str
        What errors call the stream: the file's name, "standard input" or "the losses".
    n_experts : int
        The number of columns, at least 1.
    names : sequence of str, optional
        What the experts are called, all different; None for a bare array.
    rounds : int, optional
        The number of rows where the format tells it beforehand.

    Raises
    ------
    InputError
        Without columns, or with a name that occurs twice.
    """

    def __init__(
        self, source: str, n_experts: int, *, names: Sequence[object] | None = None, rounds: int | None = None
    ) -> None:
        if n_experts == 0:
            raise InputError(f"{source}: there are no columns; give one column for each expert.")
        self.source = source
        self.n_experts = n_experts
        self.names = None if names is None else distinct_names(names, source)
        self.rounds = rounds
        self._started = False

    def blocks(self) -> Iterator[Block]:
        """The losses, as consecutive C-contiguous arrays of shape (rows, N): float64, float32, bool or uint8.

        Raises
        ------
        InputError
            When the rows cannot be read, when there are none, and when the stream has been read before.
        """
        if self._started:
            raise InputError(f"{self.source}: a stream is read only once; open it again.")
        self._started = True
        rows = 0
        for block in self.read():
            rows += len(block)
            yield block
        if rows == 0:
            raise InputError(f"{self.source}: there are no rows; give at least one round.")

    @abstractmethod
    def read(self) -> Iterator[Block]:
        """What `blocks` yields: each format brings its own."""

    def locate(self, row: int, column: int) -> str:
        """Where a loss stands, in words; `row` and `column` count from 0, the words count rows from 1."""
        return f"{self.source}, row {row + 1} (counted from 1), {self.column(column)}"

    def column(self, column: int) -> str:
        """What errors call a column, counted from 0."""
        return f"expert {column}" if self.names is None else f"column {self.names[column]!r}"

    def rename(self, names: Sequence[str]) -> None:
        """Call the experts by these names.

        Raises
        ------
        InputError
            Unless there are N different names.
        """
        if len(names) != self.n_experts:
            raise InputError(
                f"names: {len(names)} given for the {self.n_experts} columns of {self.source}; "
                "give one for each column."
            )
        self.names = distinct_names(names, "names")


def distinct_names(names: Sequence[object], source: str) -> tuple[str, ...]:
    """The names as strings; an error if one occurs twice."""
    known = tuple(str(name) for name in names)
    name, times = Counter(known).most_common(1)[0]
    if times > 1:
        raise InputError(f"{source}: the name {name!r} occurs {times} times; give each its own name.")
    return known
