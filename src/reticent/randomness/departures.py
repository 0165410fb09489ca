"""A delayed coin over a block of rounds in machine code; whatever that cannot be sure of is decided exactly.

The decisions, and the words that they take, are those of the single verbs: for each round a `geometric_exceeds`; when
it is true a `bernoulli_exp`; and when that is true as well a `geometric`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np

from reticent.compiled import compiled
from reticent.randomness.bits import Bits, WordArray
from reticent.randomness.coins import CELLS_PER_UNIT, coin_cells, falls
from reticent.randomness.digits import LARGEST_SCALE, digit_table
from reticent.randomness.source import IntArray
from reticent.randomness.tails import GeometricTail, tail_table

__all__ = ["DelayRules", "Departure", "DepartureSearch", "departure_search"]

#: Words are asked for in chunks that grow: most searches end early, and long ones should not pay for that.
_FIRST_CHUNK, _LAST_CHUNK = 512, 8192
#: Words for the draws and the coins among the rounds.
_SPARE = 64
#: Sums of two numbers within this limit cannot overflow int64.
_SAFE = 1 << 61
#: The coin is left to exact arithmetic when x is so near to the end of a cell; the rounding of x is far below that.
_MARGIN = 2.0**-20

_GOING, _LEFT, _DOUBTFUL = 0, 1, 2


@dataclass(frozen=True)
class DelayRules:
    """The public numbers of a delayed coin, in grid units.

    Parameters
    ----------
    delay, floor : int
    threshold_scale, query_scale : Fraction
        Of the geometric noises.
    coin_rate : Fraction
        For each unit of loss.
    """

    delay: int
    floor: int
    threshold_scale: Fraction
    query_scale: Fraction
    coin_rate: Fraction


class Departure(NamedTuple):
    """Where a search ended.

    Parameters
    ----------
    row : int
        The round after which the choice leaves; the number of rounds when it stays.
    remaining : int or None
        What the sum lacks to the noisy threshold; None before that is drawn.
    suffered : int
        What the sum has grown by since then.
    """

    row: int
    remaining: int | None
    suffered: int


class DepartureSearch:
    """Finds the round after which a choice leaves.

    Parameters
    ----------
    rules : DelayRules
    """

    def __init__(self, rules: DelayRules) -> None:
        self._rules = rules
        self._tail = tail_table(GeometricTail, rules.query_scale)
        self._digits = digit_table(rules.threshold_scale)
        self._most = _SAFE if rules.query_scale <= LARGEST_SCALE else -1
        coin = (np.array(cells, np.uint64) for cells in coin_cells())
        x_per_unit = float(rules.coin_rate) * CELLS_PER_UNIT
        self._public = (rules.delay, rules.floor, x_per_unit, *self._tail.cells, *coin, *self._digits.limits)

    def __reduce__(self) -> tuple[object, ...]:
        return departure_search, (self._rules,)

    def first(self, running: IntArray, remaining: int | None, suffered: int, bits: Bits) -> Departure | None:
        """The first round after which the choice leaves, or None where machine code cannot be used.

        Parameters
        ----------
        running : int64 array of shape (rounds + 1,)
            The sum of the losses before each round and after the last, which does not fall.
        remaining, suffered : int
            As in `Departure`.
        bits : Bits
        """
        search = _compiled_search()
        rules = self._rules
        if search is None or max(abs(remaining or 0), abs(rules.delay), suffered, rules.floor) > self._most:
            return None
        rounds = len(running) - 1
        shown = _ShownWords(bits)
        row, size = 0, _FIRST_CHUNK
        drawn, remaining = remaining is not None, remaining or 0
        while row < rounds:
            if shown.at == len(shown.words):
                shown.fetch(min(size, rounds - row + _SPARE))
                size = min(4 * size, _LAST_CHUNK)
            state, row, shown.at, drawn, remaining, suffered = search(
                shown.words, running, row, shown.at, drawn, remaining, suffered, *self._public
            )
            if state == _LEFT:
                break
            if state == _DOUBTFUL and not drawn:
                remaining, suffered, drawn = rules.delay + self._digits.geometric(shown), 0, True
            elif state == _DOUBTFUL:  # the loss of this row has been added, and the next word decides
                drawn = not self._tail.decide(remaining, shown.take(), bits)
                if not drawn and not falls(rules.coin_rate * max(suffered, rules.floor), shown.take(), bits):
                    break
                row += 1
        shown.put_back()
        return Departure(row, remaining, suffered) if drawn else Departure(row, None, 0)


class _ShownWords:
    """Words that were shown and are not all taken; as `SingleWords`, it gives these first and then fresh ones."""

    __slots__ = ("_bits", "at", "words")

    def __init__(self, bits: Bits) -> None:
        self._bits = bits
        self.words: WordArray = np.empty(0, np.uint64)
        self.at = 0

    def fetch(self, count: int) -> None:
        """Go on to the next words, when all are taken."""
        self._bits.skip(self.at)
        self.words, self.at = self._bits.peek(count), 0

    def put_back(self) -> None:
        """Leave the words that are not taken to others."""
        self._bits.skip(self.at)
        self.words, self.at = self.words[:0], 0

    def take(self) -> int:
        if self.at == len(self.words):
            self.put_back()
            return self._bits.take()
        self.at += 1
        return int(self.words[self.at - 1])

    def refine(self, count: int) -> int:
        return self._bits.refine(count)


@lru_cache(maxsize=64)
def departure_search(rules: DelayRules) -> DepartureSearch:
    """The search for these rules; built once from public parameters."""
    return DepartureSearch(rules)


@cache
def _compiled_search() -> Callable[..., tuple[int, int, int, bool, int, int]] | None:
    def search(  # type: ignore[no-untyped-def]
        words, running, row, at, drawn, remaining, suffered,
        delay, floor, x_per_unit, surely, possibly, offset, shift, surely_stays, possibly_stays, limits, kept,
    ):  # fmt: skip
        last, largest_x, slots = len(possibly) - 1, len(surely_stays) - 1.0, len(limits)
        while row < len(running) - 1 and at < len(words):
            if not drawn:
                rho = 0
                certain = at + slots // 4 <= len(words)
                for slot in range(slots if certain else 0):
                    short = words[at + slot // 4] >> np.uint64(16 * (slot % 4)) & np.uint64(0xFFFF)
                    certain &= short != limits[slot] and not (slot == kept and short < limits[slot])
                    if slot < kept and short < limits[slot]:
                        rho |= 1 << slot
                if not certain or rho > _SAFE:
                    return _DOUBTFUL, row, at, drawn, remaining, suffered
                drawn, remaining, suffered = True, delay + rho, 0
                at += slots // 4
                continue
            loss = running[row + 1] - running[row]
            remaining -= loss
            suffered += loss
            cell = min(max((remaining - 1 >> shift) + offset, 0), last)
            if words[at] <= possibly[cell]:
                # AboveThreshold fires if that is sure, and so does the coin.
                x = max(suffered, floor) * x_per_unit
                within = x - np.floor(x)
                certain = words[at] < surely[cell] and at + 1 < len(words)
                if not (certain and x < largest_x and _MARGIN < within < 1 - _MARGIN):
                    return _DOUBTFUL, row, at, drawn, remaining, suffered
                at += 1
                if words[at] > possibly_stays[int(x)]:
                    return _LEFT, row, at + 1, False, remaining, suffered
                if words[at] >= surely_stays[int(x)]:
                    return _DOUBTFUL, row, at - 1, drawn, remaining, suffered
                drawn = False
            row += 1
            at += 1
        return _GOING, row, at, drawn, remaining, suffered

    return compiled(search)
