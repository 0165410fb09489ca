"""Losses from an iterator of blocks, in whatever form each block comes."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from reticent.errors import InputError
from reticent.streams.stream import Block, LossStream

__all__ = ["ChainedStream"]


class ChainedStream(LossStream):
    """Blocks one after the other, all with the same columns.

    Parameters
    ----------
    blocks : iterator
        The first block is taken from it at once, to count the columns.
    open_block : callable (block, source) -> LossStream
    source : str

    Raises
    ------
    InputError
        Without a block, and for a block that is no table.
    """

    def __init__(
        self, blocks: Iterator[object], open_block: Callable[[object, str], LossStream], source: str
    ) -> None:
        self._parts = (open_block(block, f"block {k} of {source}") for k, block in enumerate(blocks, start=1))
        first = next(self._parts, None)
        if first is None:
            raise InputError(f"{source}: there are no blocks; give at least one round.")
        super().__init__(source, first.n_experts, names=first.names)
        self._part = first
        self._part_names = first.names
        self._start = 0

    def read(self) -> Iterator[Block]:
        """The blocks of each part."""
        while True:
            rows = 0
            for block in self._part.read():
                yield block
                rows += len(block)
            following = next(self._parts, None)
            if following is None:
                return
            self._check(following)
            self._start += rows
            self._part = following

    def locate(self, row: int, column: int) -> str:
        """The block, and the row in it, counted from 1."""
        if row < self._start:
            return super().locate(row, column)
        return f"{self._part.source}, row {row - self._start + 1} (counted from 1), {self.column(column)}"

    def _check(self, part: LossStream) -> None:
        if part.n_experts != self.n_experts:
            raise InputError(
                f"{part.source}: {part.n_experts} columns where the blocks before have {self.n_experts}; "
                "give every block the same columns."
            )
        if part.names != self._part_names:
            raise InputError(
                f"{part.source}: the columns are {_listed(part.names)} where the blocks before have "
                f"{_listed(self._part_names)}; give every block the same columns in the same order."
            )


def _listed(names: tuple[str, ...] | None) -> str:
    if names is None:
        return "not named"
    shown = ", ".join(repr(name) for name in names[:5])
    return shown + ", ..." if len(names) > 5 else shown
