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

from reticent.randomness import IntArray

__all__ = ["column_sums"]

Losses = npt.NDArray[Any]

#: Bytes of a slice that stays in a core's private cache while numpy passes over it three times.
_SLICE_BYTES = 1 << 19

#: From this many experts on the sums no longer fit in the fastest cache: four rows share one visit to each.
_WIDE = 1024


def column_sums(losses: Losses, bits: int) -> tuple[bool, IntArray]:
    """Whether every loss is in [0, 1], and the sum of each column in units of 2**-bits.

    Parameters
    ----------
    losses : C-contiguous array of shape (rounds, n_experts); float64, float32, bool or uint8
    bits : int

    Returns
    -------
    valid : bool
    sums : int64 array of shape (n_experts,); meaningless when not valid
    """
    if losses.dtype == np.bool_:
        losses = losses.view(np.uint8)
    fused = _fused_kernels()
    if fused is None:
        return _sums_in_slices(losses, bits)
    of_bytes, of_rows, of_row_quads = fused
    if losses.dtype == np.uint8:
        counts = np.zeros(losses.shape[1], dtype=np.int64)
        valid = of_bytes(losses, counts)
        return valid, counts << bits
    shift = 1.5 * 2.0 ** (52 - bits)
    sums = np.zeros(losses.shape[1], dtype=np.float64)
    in_quads = len(losses) // 4 * 4 if losses.shape[1] >= _WIDE else 0
    valid = of_row_quads(losses[:in_quads], shift, sums) and of_rows(losses[in_quads:], shift, sums)
    return valid, (sums * (1 << bits)).astype(np.int64) if valid else np.zeros(losses.shape[1], dtype=np.int64)


def _sums_in_slices(losses: Losses, bits: int) -> tuple[bool, IntArray]:
    n_rounds, n_experts = losses.shape
    sums = np.zeros(n_experts, dtype=np.int64)
    if n_rounds == 0:
        return True, sums
    if losses.dtype == np.uint8:
        return bool(losses.max() <= 1), losses.sum(axis=0, dtype=np.int64) << bits
    shift = np.float64(1.5 * 2.0 ** (52 - bits))
    pattern_of_shift = int(shift.view(np.int64))
    rows = min(n_rounds, max(1, _SLICE_BYTES // (8 * n_experts)))
    shifted = np.empty((rows, n_experts), dtype=np.float64)
    for start in range(0, n_rounds, rows):
        part = losses[start : start + rows]
        if not (part.min() >= 0.0 and part.max() <= 1.0):
            return False, sums
        rounded = shifted[: len(part)]
        np.add(part, shift, out=rounded)
        rounded.view(np.int64).__isub__(pattern_of_shift)
        sums += rounded.view(np.int64).sum(axis=0)
    return True, sums


@cache
def _fused_kernels() -> tuple[Callable[..., bool], Callable[..., bool], Callable[..., bool]] | None:
    try:
        from numba import njit
    except ImportError:
        return None

    @njit(cache=True, nogil=True)
    def of_bytes(losses, counts):  # type: ignore[no-untyped-def]
        largest = np.uint8(0)
        for t in range(losses.shape[0]):
            for i in range(losses.shape[1]):
                loss = losses[t, i]
                largest = max(largest, loss)
                counts[i] += loss
        return largest <= 1

    # In both, the shift rounds to the grid (see Grid); without fast-math the compiler may not cancel it.

    @njit(cache=True, nogil=True)
    def of_rows(losses, shift, sums):  # type: ignore[no-untyped-def]
        bad = False
        for t in range(losses.shape[0]):
            for i in range(losses.shape[1]):
                loss = np.float64(losses[t, i])
                bad |= not (0.0 <= loss <= 1.0)
                sums[i] += (loss + shift) - shift
        return not bad

    @njit(cache=True, nogil=True)
    def of_row_quads(losses, shift, sums):  # type: ignore[no-untyped-def]
        bad = False
        for t in range(0, losses.shape[0], 4):
            for i in range(losses.shape[1]):
                a, b = np.float64(losses[t, i]), np.float64(losses[t + 1, i])
                c, d = np.float64(losses[t + 2, i]), np.float64(losses[t + 3, i])
                bad |= not (0.0 <= a <= 1.0)
                bad |= not (0.0 <= b <= 1.0)
                bad |= not (0.0 <= c <= 1.0)
                bad |= not (0.0 <= d <= 1.0)
                sums[i] += (((a + shift) - shift) + ((b + shift) - shift)) + (
                    ((c + shift) - shift) + ((d + shift) - shift)
                )
        return not bad

    return of_bytes, of_rows, of_row_quads
