"""Coins that fall with probability exp(-x): one word, one table look-up, and exact arithmetic for words in doubt."""

from __future__ import annotations

from fractions import Fraction
from functools import cache, partial

from reticent.randomness.bits import SingleWords, is_below
from reticent.randomness.bounds import exponential_bounds

__all__ = ["coin_cells", "falls"]

#: The x of cell i lie in [i, i + 1) / _CELLS_PER_UNIT.
_CELLS_PER_UNIT = 64

_WORD = 64
#: exp(-x) is below 2**-64 from here on.
_LAST_CELL = 45 * _CELLS_PER_UNIT
#: Precision of the recurrence that fills the table; its 2,880 steps lose about twelve of the 64 spare bits.
_WIDTH = 128


@cache
def coin_cells() -> tuple[list[int], list[int]]:
    """For each cell the largest number below which a word surely falls, and the largest word that possibly does.

    The last cell stands for all larger x, where no word surely falls.
    """
    factor = exponential_bounds(Fraction(1, _CELLS_PER_UNIT), _WIDTH)
    lower = upper = 1 << _WIDTH
    surely, possibly = [], []
    for _ in range(_LAST_CELL):
        possibly.append(-(-upper >> _WIDTH - _WORD) - 1)
        lower, upper = lower * factor[0] >> _WIDTH, -(-upper * factor[1] >> _WIDTH)
        surely.append(lower >> _WIDTH - _WORD)
    return [*surely, 0], [*possibly, 0]


def falls(x: Fraction, word: int, bits: SingleWords) -> bool:
    """Whether U < exp(-x), for a uniform U with these first 64 digits."""
    surely, possibly = coin_cells()
    cell = min(x.numerator * _CELLS_PER_UNIT // x.denominator, _LAST_CELL)
    if word > possibly[cell]:
        return False
    return word < surely[cell] or is_below(word, _WORD, partial(exponential_bounds, x), bits)
