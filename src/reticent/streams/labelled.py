"""Labelled rounds: some columns are the instance, one is its label."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from reticent.classes import Instance
from reticent.errors import InputError, ParameterError
from reticent.streams.opening import open_losses
from reticent.streams.stream import Block, LossStream

__all__ = ["LabelledStream", "open_labelled"]

#: Rounds that are handed on at a time.
_ROWS = 4096


def open_labelled(data: object, x: Sequence[str] | None = None, y: str | None = None) -> LabelledStream:
    """Open labelled rounds for one pass.

    Parameters
    ----------
    data : LabelledStream, LossStream, or anything that `open_losses` opens
        A row a round; whole numbers.
    x : sequence of str, optional
        The columns of the instance: of one it is a whole number, of several a tuple of them. All but `y` by default.
    y : str, optional
        The column of the label, 0 or 1: the one that is called y by default, and otherwise the last.

    Returns
    -------
    LabelledStream

    Raises
    ------
    InputError
        For data that cannot be opened, and for a header that would be lost as a round.
    ParameterError
        For a column that is not there.

    Examples
    --------
    >>> import numpy as np
    >>> stream = open_labelled(np.array([[3, 0], [7, 1]]))
    >>> [examples for _, examples in stream.blocks()]
    [[(3, False), (7, True)]]
    """
    if isinstance(data, LabelledStream):
        return data
    table = open_losses(data)
    if table.names is None:
        several = table.n_experts > 2
        table.rename([*(f"x{j + 1}" if several else "x" for j in range(table.n_experts - 1)), "y"])
    elif x is None and y is None and _looks_like_a_round(table.names):
        raise InputError(
            f"{table.source}: the columns are called {', '.join(map(repr, table.names))}, as if the header were a "
            "round; write a header line above it, or name the columns of x and y."
        )
    return LabelledStream(table, x, y)


def _looks_like_a_round(names: tuple[str, ...]) -> bool:
    # Arrays written through a data frame have the header 0, 1, .., N - 1.
    return all(map(str.isdecimal, names)) and names != tuple(map(str, range(len(names))))


class LabelledStream:
    """Labelled rounds, read once.

    Parameters
    ----------
    table : LossStream
        With names.
    x, y
        See `open_labelled`.
    """

    def __init__(self, table: LossStream, x: Sequence[str] | None, y: str | None) -> None:
        names = table.names or ()
        label = y if y is not None else "y" if "y" in names else names[-1]
        instance = tuple(name for name in names if name != label) if x is None else tuple(x)
        for name in (*instance, label):
            if name not in names:
                raise ParameterError(
                    f"{table.source}: there is no column {name!r}; its columns are {', '.join(map(repr, names))}."
                )
        if not instance or label in instance or len(set(instance)) < len(instance):
            raise ParameterError(
                f"{table.source}: x is {', '.join(map(repr, instance)) or 'no column'} and y is {label!r}; give one "
                "column for y, and one or more others for x."
            )
        self.source = table.source
        self.rounds = table.rounds
        self.x = instance
        self.y = label
        self._table = table
        self._columns = [names.index(name) for name in (*instance, label)]

    def blocks(self) -> Iterator[tuple[int, list[tuple[Instance, bool]]]]:
        """The number of the first round, counted from 0, and the examples of consecutive rounds.

        Raises
        ------
        InputError
            For a value that is no whole number, a label that is neither 0 nor 1, and what cannot be read.
        """
        row = 0
        for block in self._table.blocks():
            for start in range(0, len(block), _ROWS):
                part = self._whole(block[start : start + _ROWS, self._columns], row)
                yield row, self._examples(part, row)
                row += len(part)

    def locate(self, row: int) -> str:
        """Where the instance of a round stands, in words."""
        return self._table.locate(row, self._columns[0])

    def _whole(self, part: Block, row: int) -> npt.NDArray[np.int64]:
        with np.errstate(invalid="ignore"):
            whole = np.isfinite(part) & (np.abs(part, dtype=np.float64) <= 2**53) & (np.floor(part) == part)
        if not whole.all():
            below, column = np.argwhere(~whole)[0]
            place = self._table.locate(row + int(below), self._columns[int(column)])
            raise InputError(f"{place}: the value is {part[below, column]}; give a whole number of at most 2**53.")
        return part.astype(np.int64)

    def _examples(self, part: npt.NDArray[np.int64], row: int) -> list[tuple[Instance, bool]]:
        labels = part[:, -1]
        wrong = np.flatnonzero((labels != 0) & (labels != 1))
        if len(wrong):
            place = self._table.locate(row + int(wrong[0]), self._columns[-1])
            raise InputError(f"{place}: the label is {labels[wrong[0]]}; give 0 or 1.")
        instances: list[Instance] = (
            part[:, 0].tolist() if part.shape[1] == 2 else [tuple(values) for values in part[:, :-1].tolist()]
        )
        return list(zip(instances, labels.astype(bool).tolist(), strict=True))
