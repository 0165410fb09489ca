"""Losses from any data frame that narwhals understands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import narwhals.stable.v1 as nw
import numpy as np
import numpy.typing as npt

from reticent.errors import InputError
from reticent.streams.blocks import BLOCKS_PER_PART, gather, gathered_dtype, rows_per_block
from reticent.streams.cells import first_stranger, missing, not_a_number, refuse_inexact
from reticent.streams.stream import Block, LossStream

__all__ = ["FrameStream"]

#: Columns of other numeric types become float64.
_SMALL = {
    nw.Boolean(): np.dtype(np.bool_),
    nw.Int8(): np.dtype(np.int8),
    nw.UInt8(): np.dtype(np.uint8),
    nw.Float32(): np.dtype(np.float32),
}


class FrameStream(LossStream):
    """The rows of an eager data frame (pandas, polars, modin, ...), a column an expert.

    Parameters
    ----------
    frame : narwhals DataFrame
    source : str
    block_bytes : int

    Raises
    ------
    InputError
        For columns that are not numbers.
    """

    def __init__(self, frame: nw.DataFrame[Any], source: str, block_bytes: int) -> None:
        super().__init__(source, len(frame.columns), names=frame.columns, rounds=len(frame))
        self._frame = frame
        dtypes = frame.schema.dtypes()
        for column, dtype in enumerate(dtypes):
            # numpy has no integers of 128 bits.
            if dtype in (nw.Int128, nw.UInt128) or not (dtype.is_numeric() or dtype == nw.Boolean()):
                raise self._no_numbers(column, dtype)
        self._dtype = gathered_dtype([_SMALL.get(dtype, np.dtype(np.float64)) for dtype in dtypes])
        self._rows = rows_per_block(self.n_experts, self._dtype, block_bytes)

    def read(self) -> Iterator[Block]:
        """Consecutive rows."""
        rows = BLOCKS_PER_PART * self._rows
        for row in range(0, len(self._frame), rows):
            part = self._frame[row : row + rows]
            columns = [self._values(part[:, j], row, j) for j in range(self.n_experts)]
            yield from gather(columns, self._dtype, self._rows)

    def _values(self, series: nw.Series[Any], row: int, column: int) -> npt.NDArray[Any]:
        if series.null_count():
            raise missing(self.locate(row + int(series.is_null().to_numpy().argmax()), column))
        values = series.to_numpy()
        refuse_inexact(values[:, np.newaxis], self.locate, row, column)
        return values

    def _no_numbers(self, column: int, dtype: nw.dtypes.DType) -> InputError:
        stranger = first_stranger(self._frame[:, column])
        if stranger is None or not isinstance(stranger[1], str | None):
            return InputError(
                f"{self.source}, {self.column(column)}: its type is {dtype}; "
                "convert the column to numbers or drop it."
            )
        place = self.locate(stranger[0], column)
        return missing(place) if stranger[1] is None else not_a_number(place, stranger[1])
