"""One pass over a block of losses: check, round to the grid, and add up the columns.

With numba (the extra ``fast``) the pass is fused; without it numpy does the same in cache-sized slices. Both give
the same integers, because rounding comes before adding and every partial sum is exact in float64 or int64.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from reticent.compiled import compiled
from reticent.randomness import IntArray

__all__ = ["chosen_sum", "column_sums", "running_column"]

Losses = npt.NDArray[Any]
Kernel = Callable[..., int]

#: Bytes of a slice that stays in a core's private cache while numpy passes over it three times.
_SLICE_BYTES = 1 << 19

#: Up to this many units a float64 counts exactly.
_EXACT = 1 << 53

#: From this many experts on the sums no longer fit in the fastest cache: four rows share one visit to each.
_WIDE = 1024


def column_sums(losses: Losses, bits: int, every: int) -> tuple[bool, IntArray]:
    """Whether every loss is in [0, 1], and the running sums of the columns in units of 2**-bits.

    Parameters
    ----------
    losses : C-contiguous array of shape (rounds, n_experts)
        float64, float32, bool or uint8.
    bits : int
        The public grid.
    every : int
        After how many rows the sums so far are kept; a multiple of 4.

    Returns
    -------
    valid : bool
    sums : int64 array of shape (1 + ceil(rounds / every), n_experts)
        Row k holds the sums of the first min(k * every, rounds) rows; meaningless when not valid.
    """
    if losses.dtype == np.bool_:
        losses = losses.view(np.uint8)
    n_rounds, n_experts = losses.shape
    sums = np.empty((1 + -(-n_rounds // every), n_experts), dtype=np.int64)
    sums[0] = 0
    fused = _fused_kernels()
    if fused is None or n_rounds << bits > _EXACT:
        return _sums_in_slices(losses, bits, every, sums), sums
    of_bytes, of_rows, of_row_quads, *_ = fused
    if losses.dtype == np.uint8:
        return bool(of_bytes(losses, bits, every, sums)), sums
    of_floats = of_row_quads if n_experts >= _WIDE else of_rows
    return bool(of_floats(losses, 1.5 * 2.0 ** (52 - bits), 1 << bits, every, sums)), sums


def running_column(losses: Losses, column: int, bits: int) -> IntArray:
    """The sum of one column before each row and after the last, in units of 2**-bits, shape (rounds + 1,).

    The losses are as for `column_sums`, and valid.
    """
    if losses.dtype == np.bool_:
        losses = losses.view(np.uint8)
    shift = 1.5 * 2.0 ** (52 - bits)
    running = np.zeros(len(losses) + 1, dtype=np.int64)
    fused = _fused_kernels()
    if fused is None or len(losses) << bits > _EXACT:
        units = losses[:, column].astype(np.float64) + shift
        np.cumsum(units.view(np.int64) - np.float64(shift).view(np.int64), out=running[1:])
    else:
        fused[3](losses, column, shift, 1 << bits, running)
    return running


def chosen_sum(losses: Losses, choices: IntArray, bits: int) -> int:
    """The sum of one loss a row, that of the chosen column, in units of 2**-bits; the losses as for `column_sums`."""
    if losses.dtype == np.bool_:
        losses = losses.view(np.uint8)
    shift = np.float64(1.5 * 2.0 ** (52 - bits))
    fused = _fused_kernels()
    if fused is None or len(losses) << bits > _EXACT:
        units = losses[np.arange(len(losses)), choices].astype(np.float64) + shift
        return int((units.view(np.int64) - shift.view(np.int64)).sum())
    return int(fused[4](losses, choices, shift, 1 << bits))


def _sums_in_slices(losses: Losses, bits: int, every: int, sums: IntArray) -> bool:
    """Fill `sums` with numpy alone; whether the losses are valid."""
    n_experts = losses.shape[1]
    shift = np.float64(1.5 * 2.0 ** (52 - bits))
    pattern_of_shift = shift.view(np.int64)
    slice_rows = max(1, _SLICE_BYTES // (8 * n_experts))
    shifted = np.empty((min(len(losses), slice_rows), n_experts), dtype=np.float64)
    for k in range(1, len(sums)):
        sums[k] = sums[k - 1]
        rows = losses[(k - 1) * every : k * every]
        for start in range(0, len(rows), slice_rows):
            part = rows[start : start + slice_rows]
            if not (part.min() >= 0 and part.max() <= 1):
                return False
            if losses.dtype == np.uint8:
                sums[k] += part.sum(axis=0, dtype=np.int64) << bits
                continue
            rounded = shifted[: len(part)]
            np.add(part, shift, out=rounded, dtype=np.float64)  # numpy 1 would add float32 in float32
            units = rounded.view(np.int64)
            units -= pattern_of_shift
            sums[k] += units.sum(axis=0)
    return True


@cache
def _fused_kernels() -> tuple[Kernel, ...] | None:
    def of_bytes(losses, bits, every, sums):  # type: ignore[no-untyped-def]
        largest = np.uint8(0)
        counts = np.zeros(losses.shape[1], np.int64)
        for k in range(1, len(sums)):
            for t in range((k - 1) * every, min(k * every, len(losses))):
                for i in range(losses.shape[1]):
                    loss = losses[t, i]
                    largest = max(largest, loss)
                    counts[i] += loss
            for i in range(losses.shape[1]):
                sums[k, i] = counts[i] << bits
        return largest <= 1

    # Below, the shift rounds to the grid (see Grid); without fast-math the compiler may not cancel it.

    def of_rows(losses, shift, units, every, sums):  # type: ignore[no-untyped-def]
        bad = False
        totals = np.zeros(losses.shape[1])
        for k in range(1, len(sums)):
            for t in range((k - 1) * every, min(k * every, len(losses))):
                for i in range(losses.shape[1]):
                    loss = np.float64(losses[t, i])
                    bad |= not (0.0 <= loss <= 1.0)
                    totals[i] += (loss + shift) - shift
            if bad:
                return False
            for i in range(losses.shape[1]):
                sums[k, i] = np.int64(totals[i] * units)
        return True

    def of_row_quads(losses, shift, units, every, sums):  # type: ignore[no-untyped-def]
        bad = False
        totals = np.zeros(losses.shape[1])
        for k in range(1, len(sums)):
            stop = min(k * every, len(losses))
            quads = (stop - (k - 1) * every) // 4 * 4 + (k - 1) * every
            for t in range((k - 1) * every, quads, 4):
                for i in range(losses.shape[1]):
                    a, b = np.float64(losses[t, i]), np.float64(losses[t + 1, i])
                    c, d = np.float64(losses[t + 2, i]), np.float64(losses[t + 3, i])
                    bad |= not (0.0 <= a <= 1.0)
                    bad |= not (0.0 <= b <= 1.0)
                    bad |= not (0.0 <= c <= 1.0)
                    bad |= not (0.0 <= d <= 1.0)
                    totals[i] += (((a + shift) - shift) + ((b + shift) - shift)) + (
                        ((c + shift) - shift) + ((d + shift) - shift)
                    )
            for t in range(quads, stop):
                for i in range(losses.shape[1]):
                    loss = np.float64(losses[t, i])
                    bad |= not (0.0 <= loss <= 1.0)
                    totals[i] += (loss + shift) - shift
            if bad:
                return False
            for i in range(losses.shape[1]):
                sums[k, i] = np.int64(totals[i] * units)
        return True

    def of_column(losses, column, shift, units, running):  # type: ignore[no-untyped-def]
        total = 0.0
        for t in range(losses.shape[0]):
            total += (np.float64(losses[t, column]) + shift) - shift
            running[t + 1] = np.int64(total * units)
        return True

    def of_choices(losses, choices, shift, units):  # type: ignore[no-untyped-def]
        total = 0.0
        for t in range(losses.shape[0]):
            total += (np.float64(losses[t, choices[t]]) + shift) - shift
        return np.int64(total * units)

    loops = [compiled(loop) for loop in (of_bytes, of_rows, of_row_quads, of_column, of_choices)]
    found = tuple(loop for loop in loops if loop is not None)
    return found if len(found) == len(loops) else None
