"""The public grid: losses in [0, 1] become integers, so that sums are exact whatever the block size."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from reticent.errors import InputError, ParameterError
from reticent.experts.column_sums import chosen_sum, column_sums, running_column
from reticent.randomness import IntArray, ScoreTable

__all__ = ["Grid", "LossBlock"]

#: A block keeps the sums so far at this many places, so that the sums up to any row cost little.
_PARTS = 32
_LEAST_ROWS = 32

_NO_ROWS: IntArray = np.empty(0, dtype=np.int64)

_PATTERN_OF_ONE = np.float64(1.0).view(np.uint64)

Locate = Callable[[int, int], str]


def _round_and_expert(row: int, column: int) -> str:
    return f"round {row}, expert {column}"


@dataclass(frozen=True, slots=True)
class Grid:
    """Integers in units of 2**-bits, rounded half to even.

    Adding ``shift`` to a number in [0, 1] leaves a float64 whose last bit is worth one unit: the sum rounds to
    the grid, half to even, and its bit pattern minus the pattern of ``shift`` is the number of units.

    Parameters
    ----------
    bits : int
        From 0 to 30.
    """

    bits: int = 20
    units: int = field(init=False, repr=False, compare=False)
    shift: float = field(init=False, repr=False, compare=False)
    _pattern: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if isinstance(self.bits, bool) or not isinstance(self.bits, int) or not 0 <= self.bits <= 30:
            raise ParameterError(f"grid_bits is {self.bits!r}; give a whole number from 0 to 30.")
        shift = np.float64(1.5 * 2.0 ** (52 - self.bits))
        object.__setattr__(self, "units", 1 << self.bits)
        object.__setattr__(self, "shift", float(shift))
        object.__setattr__(self, "_pattern", int(shift.view(np.int64)))

    def vector(self, losses: npt.ArrayLike, n_experts: int, round_: int) -> IntArray:
        """The units of one loss vector, shape (n_experts,); `round_` is what an error calls it."""
        values = _as_array(losses, n_experts)
        if values.dtype != np.float64:
            values = _as_float64(values)
        if values.shape != (n_experts,):
            raise InputError(
                f"round {round_} has losses of shape {values.shape}; give {n_experts} numbers, one for each expert."
            )
        # As bit patterns the numbers from 0 to 1 come first, before those above 1, NaN, and all with a sign.
        if values.view(np.uint64).max() > _PATTERN_OF_ONE and not (values.min() >= 0.0 and values.max() <= 1.0):
            _refuse(values[np.newaxis], round_, _round_and_expert)
        units = (values + self.shift).view(np.int64)
        units -= self._pattern
        return units

    def matrix(self, losses: npt.NDArray[Any]) -> IntArray:
        """The units of validated losses of any shape."""
        if losses.dtype.kind in "bu":
            return losses.astype(np.int64) << self.bits
        units = (losses.astype(np.float64, copy=False) + self.shift).view(np.int64)
        units -= self._pattern
        return units


class LossBlock:
    """A block of consecutive loss vectors, validated as a whole before anybody looks at one of them.

    It is read once: the column sums, the check that every loss lies in [0, 1] and the rounding to the grid are
    one pass. What learners ask for afterwards (one column, the sums of the first k rows) is remembered, so that
    many learners may share a block. The losses are not copied: do not change them while the block is in use.

    Parameters
    ----------
    losses : array of shape (rounds, n_experts)
        float64, float32, bool or unsigned integers (0 or 1); numbers in [0, 1].
    grid : Grid
    n_experts : int
    first_round : int
        The number of the block's first round, for error messages.
    locate : callable (row, column) -> str, optional
        Names the place of a bad loss, by its row in the whole stream.

    Raises
    ------
    InputError
        When the shape is wrong, or a loss is missing, infinite or outside [0, 1].
    """

    __slots__ = ("_columns", "_every", "_losses", "_prefixes", "_sums", "grid")

    def __init__(
        self,
        losses: npt.ArrayLike,
        grid: Grid,
        n_experts: int,
        *,
        first_round: int = 0,
        locate: Locate = _round_and_expert,
    ) -> None:
        values = _as_array(losses, n_experts)
        if values.ndim != 2 or values.shape[1] != n_experts:
            raise InputError(
                f"the losses from round {first_round} on have shape {values.shape}; "
                f"give a two-dimensional array with {n_experts} columns, one for each expert."
            )
        if values.dtype not in (np.float64, np.float32, np.bool_, np.uint8):
            values = _as_float64(values)
        values = np.ascontiguousarray(values)
        every = max(_LEAST_ROWS, len(values) // _PARTS // 4 * 4)
        valid, sums = column_sums(values, grid.bits, every)
        if not valid:
            _refuse(values, first_round, locate)
        self.grid = grid
        self._losses = values
        self._every, self._sums = every, sums
        self._columns: dict[int, tuple[int, IntArray]] = {}
        self._prefixes: dict[int, IntArray] = {}

    @property
    def rounds(self) -> int:
        """The number of rows."""
        return int(self._losses.shape[0])

    @property
    def n_experts(self) -> int:
        """The number of columns."""
        return int(self._losses.shape[1])

    @property
    def totals(self) -> IntArray:
        """The sum of each column, in units; do not write to it."""
        totals: IntArray = self._sums[-1]
        return totals

    def running(self, expert: int, start: int, stop: int) -> IntArray:
        """What the expert has lost before each of the rows start, .., stop - 1 and after the last, in units.

        Shape (stop - start + 1,); do not write to it. Only differences mean something: it need not begin at 0.
        """
        first, known = self._columns.get(expert, (0, _NO_ROWS))
        if start < first or stop >= first + len(known):
            first, known = start, running_column(self._losses[start:stop], expert, self.grid.bits)
            self._columns[expert] = first, known
        return known[start - first : stop - first + 1]

    def loss(self, expert: int, start: int, stop: int) -> int:
        """The expert's loss in rows start, .., stop - 1, in units."""
        if start == 0 and stop == self.rounds:
            return int(self.totals[expert])
        running = self.running(expert, start, stop)
        return int(running[-1] - running[0])

    def prefix(self, rows: int) -> IntArray:
        """The sum of each column over the first `rows` rows, in units; do not write to it."""
        known = self._prefixes.get(rows)
        if known is None:
            part, rest = divmod(rows, self._every)
            known = self._sums[part]
            if rest:
                known = known + column_sums(self._losses[rows - rest : rows], self.grid.bits, self._every)[1][-1]
            self._prefixes[rows] = known
        return known

    def units(self, start: int, stop: int) -> IntArray:
        """Rows start, .., stop - 1 in units, shape (stop - start, n_experts)."""
        return self.grid.matrix(self._losses[start:stop])

    def table(self, scores: IntArray) -> ScoreTable:
        """The block as what it adds to these scores, for loops in machine code; do not write to it."""
        losses = self._losses.view(np.uint8) if self._losses.dtype == np.bool_ else self._losses
        return ScoreTable(losses, self.grid.shift, self.grid.units, self._sums, self._every, scores)

    def loss_of(self, choices: IntArray) -> int:
        """The total loss of choices, one a row, in units."""
        if (choices == choices[:1]).all():
            return int(self.totals[choices[0]]) if len(choices) else 0
        return chosen_sum(self._losses, choices, self.grid.bits)


def _as_array(losses: npt.ArrayLike, n_experts: int) -> npt.NDArray[Any]:
    if isinstance(losses, np.ma.MaskedArray):
        raise InputError(
            f"the losses are a masked array, and some may be missing; give {n_experts} numbers in [0, 1] for each "
            "round."
        )
    try:
        return np.asarray(losses)
    except ValueError:
        raise InputError(
            f"the losses are no table of numbers; give {n_experts} numbers in [0, 1] for each round."
        ) from None


def _as_float64(values: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    if values.dtype.kind not in "bfiu":
        raise InputError(f"the losses have dtype {values.dtype}; give numbers in [0, 1].")
    return values.astype(np.float64)


def _refuse(values: npt.NDArray[Any], first_round: int, locate: Locate) -> None:
    if values.dtype == np.bool_:  # seen through, for other bytes than 0 and 1 count as true
        values = values.view(np.uint8)
    row, column = np.argwhere(~((values >= 0) & (values <= 1)))[0]
    loss = float(values[row, column])
    place = locate(first_round + int(row), int(column))
    if np.isnan(loss):
        raise InputError(f"{place}: the loss is missing (NaN); give a number in [0, 1] for every expert.")
    raise InputError(f"{place}: the loss {loss!r} is outside [0, 1]; divide the losses by a public bound.")
