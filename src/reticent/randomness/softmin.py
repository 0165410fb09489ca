"""An index with probability proportional to exp(-rate * score): floats of proved error, and exact in doubt."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from reticent.compiled import compiled
from reticent.randomness.bits import Bits, SingleWords, WordArray
from reticent.randomness.bounds import exponential_bounds
from reticent.randomness.source import IntArray

__all__ = [
    "compiled_search_row",
    "compiled_weight",
    "draw_softmin_index",
    "draw_softmin_indices",
    "search_row",
    "softmin_index_of",
    "softmin_numbers",
    "weight",
    "weight_powers",
    "y_per_unit",
]

_FloatArray = npt.NDArray[np.float64]

#: Weights computed at once, so that all temporaries stay in the cache.
_CHUNK = 16384
#: Up to here one row is searched through the plain cumulative sum of its weights.
_LONG_ROW = 1024

#: exp(-x) = 2**(-y / 2048) with y = x / _STEP; ln 2 is all that has to be known of the exponential.
_STEP = 0.6931471805599453 / 2048
_SERIES = (-_STEP * _STEP * _STEP / 6, _STEP * _STEP / 2, -_STEP)
#: Weights below 2**-96 are taken for 2**-96.
_LARGEST_Y = 96.0 * 2048
#: At this rate or a larger one all weights but the largest are below 2**-96.
_STEEP = 1 << 20

#: Relative errors: of a weight, and of one rounding.
_WEIGHT_ERROR, _ROUNDING = 2.0**-44, 2.0**-53
_WORD = 64


def draw_softmin_indices(scores: IntArray, rate: Fraction, bits: Bits) -> IntArray:
    """One index for each row of scores, with probability proportional to exp(-rate * score) exactly.

    A row takes one word, the first 64 digits of a uniform U; its index is the first whose cumulative weight
    exceeds U times the total weight. The weights are floats of proved error; when U * total is so near to a
    cumulative weight that the error could matter, the row is decided in integer arithmetic of rising precision.

    Timing does not depend on the scores, except in that case; its probability is below N * 2**-39 for N up to a
    million scores, whatever they are.

    Parameters
    ----------
    scores : int64 array of shape (k, N), N >= 1
    rate : Fraction
        At least 0, per unit of score.
    bits : Bits

    Returns
    -------
    int64 array of shape (k,)
    """
    rows, columns = scores.shape
    indices = np.empty(rows, np.int64)
    step = max(1, _CHUNK // columns)
    for start in range(0, rows, step):
        chunk = scores[start : start + step]
        words = bits.take_many(len(chunk))
        found, doubtful = _search(chunk, rate, words)
        for row in np.flatnonzero(doubtful).tolist():
            found[row] = _exact_index(chunk[row].tolist(), rate, int(words[row]), bits)
        indices[start : start + step] = found
    return indices


def draw_softmin_index(scores: IntArray, rate: Fraction, bits: Bits) -> int:
    """The index of a single row: as `draw_softmin_indices`, with less ado."""
    return softmin_index_of(bits.take(), scores, rate, bits)


def softmin_index_of(word: int, scores: IntArray, rate: Fraction, bits: SingleWords) -> int:
    """The index that this word decides; `bits` refine it in doubt."""
    if len(scores) > _LONG_ROW:
        found, doubtful = _search(scores[None, :], rate, np.array([word], np.uint64))
        index = -1 if doubtful[0] else int(found[0])
    else:
        search = compiled_search_row() or _search_short
        per_unit, powers, error = softmin_numbers(rate, len(scores))
        index = int(search(scores, per_unit, word * 2.0**-_WORD, powers, error))
    return _exact_index(scores.tolist(), rate, word, bits) if index < 0 else index


def softmin_numbers(rate: Fraction, length: int) -> tuple[float, IntArray, float]:
    """What the search of one row needs besides the scores and the word."""
    return y_per_unit(rate), weight_powers(), _relative_error(length)


def _search_short(scores: IntArray, per_unit: float, u: float, powers: IntArray, relative_error: float) -> int:
    """The first index whose cumulative weight exceeds u * total; -1 when rounding errors leave it in doubt."""
    y = (scores - scores.min()).view(np.uint64).astype(np.float64)
    y *= per_unit
    ends = _weights(y).cumsum()
    total = float(ends[-1])
    target, error = total * u, total * relative_error
    last = len(scores) - 1
    index = min(int(ends.searchsorted(target, "right")), last)
    near_lower = index > 0 and target - ends.item(index - 1) <= error
    near_upper = index < last and ends.item(index) - target <= error
    return -1 if near_lower or near_upper else index


def search_row(scores: IntArray, per_unit: float, u: float, powers: IntArray, relative_error: float) -> int:
    """`_search_short` in one loop of the same operations, for machine code: the same bounds on its errors hold.

    Its arguments beside the scores and u = word * 2**-64 are the `softmin_numbers`.
    """
    least = scores.min()
    ends = np.empty(len(scores))
    exponents = np.empty(len(scores), np.int64)
    for i in range(len(scores)):
        y = min(np.float64(np.uint64(scores[i] - least)) * per_unit, _LARGEST_Y)
        nearest = np.rint(y)
        y -= nearest
        ends[i] = ((y * _SERIES[0] + _SERIES[1]) * y + _SERIES[2]) * y + 1.0
        whole = np.int64(nearest)
        exponents[i] = powers[whole & 2047] - ((whole & -2048) << 41)
    factors = exponents.view(np.float64)
    total = 0.0
    for i in range(len(scores)):
        total += ends[i] * factors[i]
        ends[i] = total
    target, error, last = total * u, total * relative_error, len(scores) - 1
    index = 0
    while index < last and ends[index] <= target:
        index += 1
    near_lower = index > 0 and target - ends[index - 1] <= error
    near_upper = index < last and ends[index] - target <= error
    return -1 if near_lower or near_upper else index


@cache
def compiled_search_row() -> Callable[..., int] | None:
    """`search_row` in machine code."""
    return compiled(search_row)


def weight(y: float, powers: IntArray) -> float:
    """One of the `_weights` by itself, for machine code: 2**(-y / 2048), wrong by at most a factor 1 +- 2**-44."""
    y = min(y, _LARGEST_Y)
    whole = np.int64(np.rint(y))
    y -= whole
    series = ((y * _SERIES[0] + _SERIES[1]) * y + _SERIES[2]) * y + 1.0
    power = np.array([powers[whole & 2047] - ((whole & -2048) << 41)]).view(np.float64)
    return float(series * power[0])


@cache
def compiled_weight() -> Callable[..., float] | None:
    """`weight` in machine code."""
    return compiled(weight)


def _search(scores: IntArray, rate: Fraction, words: WordArray) -> tuple[IntArray, npt.NDArray[np.bool_]]:
    """The index of each row, and whether the rounding errors leave it in doubt.

    The weights are summed in about sqrt(N) blocks: first the block is found and then the index within it.
    """
    rows, columns = scores.shape
    size = math.isqrt(columns - 1) + 1
    blocks = -(-columns // size)
    y = np.empty((rows, blocks * size))
    distances = (scores - scores.min(axis=1, keepdims=True)).view(np.uint64)  # to 2**64 - 1: they cannot overflow
    np.multiply(distances, y_per_unit(rate), out=y[:, :columns])
    y[:, columns:] = _LARGEST_Y
    weights = _weights(y).reshape(rows * blocks, size)
    ends = np.einsum("ij->i", weights).reshape(rows, blocks).cumsum(axis=1)
    total = ends[:, -1]
    target = total * (words * 2.0**-_WORD)

    row = np.arange(rows)
    block = np.minimum((ends <= target[:, None]).sum(axis=1), blocks - 1)
    before = np.where(block > 0, ends[row, block - 1], 0.0)
    within = weights[row * blocks + block].cumsum(axis=1)
    within += before[:, None]
    index = np.minimum((within <= target[:, None]).sum(axis=1), size - 1)
    index = np.minimum(index, columns - 1 - block * size)
    lower = np.where(index > 0, within[row, index - 1], before)
    upper = within[row, index]
    index += block * size

    error = total * _relative_error(size + blocks)
    near_lower = (index > 0) & (target - lower <= error)
    near_upper = (index < columns - 1) & (upper - target <= error)
    return index, near_lower | near_upper


def _relative_error(additions: int) -> float:
    """How far a cumulative weight and U * total can be wrong together, relative to the total.

    Each is wrong by the weights' errors, by one rounding for each addition, and by a few for the word and the
    product. What _WEIGHT_ERROR is larger than proved covers the terms of second order and the rounding of the
    comparison. The total is at least 1, so weights taken for 2**-96 do not count.
    """
    return 2 * _WEIGHT_ERROR + 2 * (additions + 8) * _ROUNDING


def y_per_unit(rate: Fraction) -> float:
    """The y of one unit of score, see `_weights`."""
    steep = rate.numerator > _STEEP * rate.denominator
    return (_STEEP if steep else rate.numerator / rate.denominator) / _STEP


def _weights(y: _FloatArray) -> _FloatArray:
    """2**(-y / 2048), wrong by at most a factor 1 +- 2**-44, or by 2**-96; y is overwritten.

    Only additions, multiplications and roundings of IEEE arithmetic follow the 2048 table entries: no mathematical
    library is trusted. With u = 2**-53: at most five roundings (rate, _STEP, their quotient, distance, product)
    enter y <= 96 * 2048, which moves the weight by a factor within 96 ln 2 * 5.01 u < 334 u; the split y = k + f is
    exact; the series of 2**(-f / 2048), abs(f) <= 1/2, leaves out less than u and rounds by less than 2 u; the table
    entry and the last product add 2 u. Together less than 340 u < 2**-44 = 512 u.
    """
    np.minimum(y, _LARGEST_Y, out=y)
    nearest = np.rint(y)
    y -= nearest
    weights = y * _SERIES[0]
    for coefficient in _SERIES[1:]:
        weights += coefficient
        weights *= y
    weights += 1.0
    whole = nearest.astype(np.int64)
    power = weight_powers().take(whole & 2047)
    whole &= -2048
    whole <<= 41  # whole powers of two come off the exponent, which begins at bit 52 = 41 + 11
    power -= whole
    weights *= power.view(np.float64)
    return weights


@cache
def weight_powers() -> IntArray:
    """2**(-k / 2048), k = 0, .., 2047, correctly rounded, as the bits of a float."""
    width = 128
    root = 1 << width - 1
    for _ in range(11):
        root = math.isqrt(root << width)
    # root is 2**(-1 / 2048) to two units of 2**-128. Its powers lose less than 2**13 such units, far too little to
    # move one of these roundings to 53 bits (a test looks at each).
    powers = [1 << width]
    for _ in range(2047):
        powers.append(powers[-1] * root >> width)
    return np.array([((power >> width - 54) + 1 >> 1) * _ROUNDING for power in powers]).view(np.int64)


def _exact_index(scores: list[int], rate: Fraction, digits: int, bits: SingleWords) -> int:
    """The first index whose cumulative weight exceeds U * total, for a uniform U with these first 64 digits."""
    least = min(scores)
    count = _WORD
    while True:
        weights = {score: exponential_bounds(rate * (score - least), 2 * count) for score in set(scores)}
        lower = list(accumulate(weights[score][0] for score in scores))
        upper = list(accumulate(weights[score][1] for score in scores))
        # digits * lower[-1] <= U * total * 2**count < (digits + 1) * upper[-1]
        index = bisect_right(lower, (digits + 1) * upper[-1] - 1 >> count)
        if index == 0 or upper[index - 1] << count <= digits * lower[-1]:
            return index
        digits = digits << count | bits.refine(count)
        count *= 2
