"""A stream kept in memory, for those who must read it more than once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reticent.streams.stream import Block, LossStream

__all__ = ["HeldStream"]


class HeldStream:
    """Reads a stream to its end and keeps its blocks.

    Parameters
    ----------
    stream : LossStream
        Not read before. Blocks of an iterator must not be overwritten afterwards.

    Examples
    --------
    >>> import numpy as np
    >>> from reticent.streams import open_losses
    >>> held = HeldStream(open_losses(iter([np.zeros((2, 3)), np.ones((1, 3))])))
    >>> held.rounds, [sum(map(len, held.again().blocks())) for _ in range(2)]
    (3, [3, 3])
    """

    def __init__(self, stream: LossStream) -> None:
        self._stream = stream
        self._blocks = list(stream.blocks())
        self.n_experts = stream.n_experts
        self.rounds = sum(map(len, self._blocks))

    def again(self) -> LossStream:
        """The stream as it was before it was read; its errors name the same places."""
        return _Again(self._stream, self._blocks, self.rounds)


class _Again(LossStream):
    def __init__(self, stream: LossStream, blocks: Sequence[Block], rounds: int) -> None:
        super().__init__(stream.source, stream.n_experts, names=stream.names, rounds=rounds)
        self._stream = stream
        self._blocks = blocks

    def read(self) -> Iterator[Block]:
        return iter(self._blocks)

    def locate(self, row: int, column: int) -> str:
        return self._stream.locate(row, column)
