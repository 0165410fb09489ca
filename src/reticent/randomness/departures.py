"""A delayed coin over a block of rounds in machine code; whatever that cannot be sure of is decided exactly.

The decisions, and the words that they take, are those of the single verbs: for each round a `geometric_exceeds`; when
it is true a `bernoulli_exp`; when that is false, where redraws are done here as well, a `softmin_index`; and when a
coin was tossed a `geometric`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from reticent.compiled import compiled
from reticent.randomness.bits import Bits, WordArray
from reticent.randomness.coins import falls
from reticent.randomness.digits import LARGEST_SCALE, digit_table
from reticent.randomness.softmin import (
    compiled_search_row,
    compiled_weight,
    search_row,
    softmin_index_of,
    softmin_numbers,
    weight,
    y_per_unit,
)
from reticent.randomness.source import IntArray
from reticent.randomness.tails import GeometricTail, tail_table

__all__ = ["DelayRules", "Departure", "DepartureSearch", "ScoreTable", "Stay", "departure_search"]

#: Words are asked for in chunks that grow: most searches end early, and long ones should not pay for that.
_FIRST_CHUNK, _LAST_CHUNK = 512, 8192
#: Words for the draws and the coins among the rounds.
_SPARE = 64
#: Sums of two numbers within this limit cannot overflow int64; up to the other a float64 counts exactly.
_SAFE, _EXACT = 1 << 61, 1 << 53
#: A word is left to exact arithmetic when it is so near to a probability: by the error of a `weight` (2**-44 of it,
#: the rest is for roundings here), or by the digits that the word does not show.
_RELATIVE_MARGIN, _MARGIN = 2.0**-42, 2.0**-63

_GOING, _LEFT, _DOUBTFUL, _UNDRAWN = 0, 1, 2, 3

_NOTHING: IntArray = np.zeros(1, np.int64)


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


class ScoreTable(NamedTuple):
    """A block of rounds, each of which adds a number of units to the score of each index.

    Parameters
    ----------
    additions : array of shape (rounds, n)
        As floats or small integers: x stands for ((x + shift) - shift) * units units, which is exact.
    shift : float
    units : int
    sums : int64 array of shape (1 + ceil(rounds / every), n)
        Row k holds the sums of the first min(k * every, rounds) rows, in units.
    every : int
    scores : int64 array of shape (n,)
        Before the first round.
    """

    additions: npt.NDArray[Any]
    shift: float
    units: int
    sums: IntArray
    every: int
    scores: IntArray


class Stay(NamedTuple):
    """An index, and what has happened since it was chosen.

    Parameters
    ----------
    row : int
        Rounds of the block so far.
    choice : int
        The index.
    redraws : int
        How often it may still be redrawn at once.
    added : int
        To its score, since it was chosen.
    """

    row: int
    choice: int
    redraws: int
    added: int


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
        y_per_unit_of_each = y_per_unit(1 / rules.query_scale), y_per_unit(rules.coin_rate)
        self._public = (rules.delay, rules.floor, *self._tail.cells, *y_per_unit_of_each, *self._digits.limits)

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
        additions = np.diff(running)[:, np.newaxis]
        table = ScoreTable(additions, 0.0, 1, _NOTHING[:, np.newaxis], 1, _NOTHING)
        choices = np.empty(len(additions), np.int64)
        start = Departure(0, remaining, suffered)
        found = self.play(table, Fraction(1), Stay(0, 0, 0, 0), start, choices, bits)
        return None if found is None else found[0]

    def play(
        self, table: ScoreTable, rate: Fraction, stay: Stay, departure: Departure, choices: IntArray, bits: Bits
    ) -> tuple[Departure, Stay] | None:
        """Go on to the first departure that has no redraw left, or to the end; None where there is no machine code.

        Parameters
        ----------
        table : ScoreTable
        rate : Fraction
            A departing choice is redrawn with probability proportional to exp(-rate * score).
        stay : Stay
        departure : Departure
            The state of the coin; its row does not count.
        choices : int64 array of shape (rounds,)
            Filled from row `stay.row` on.
        bits : Bits

        Returns
        -------
        departure : Departure
            Its row is the round after which the choice leaves, or the number of rounds.
        stay : Stay
            With `row` one more, or the number of rounds.
        """
        loop = _compiled_play()
        rules = self._rules
        rounds, n = table.additions.shape
        (_, remaining, suffered), (row, choice, redraws, added) = departure, stay
        largest = max(abs(remaining or 0), abs(rules.delay), suffered, rules.floor)
        if loop is None or largest > self._most or table.every * table.units > _EXACT:
            return None
        softmin = softmin_numbers(rate, n)
        shown = _ShownWords(bits)
        size = _FIRST_CHUNK
        drawn, remaining = remaining is not None, remaining or 0
        while row < rounds:
            if shown.at == len(shown.words):
                shown.fetch(min(size, rounds - row + _SPARE))
                size = min(4 * size, _LAST_CHUNK)
            state, row, choice, redraws, added, shown.at, drawn, remaining, suffered = loop(
                *table, choices, shown.words, row, choice, redraws, added, shown.at, drawn, remaining, suffered,
                *self._public, *softmin,
            )  # fmt: skip
            if state == _DOUBTFUL and not drawn:
                remaining, suffered, drawn = rules.delay + self._digits.geometric(shown), 0, True
            elif state == _DOUBTFUL:  # what this round adds has been added, and the next word decides
                choices[row] = choice
                row += 1
                drawn = not self._tail.decide(remaining, shown.take(), bits)
                if not drawn and not falls(rules.coin_rate * max(suffered, rules.floor), shown.take(), bits):
                    state = _LEFT
            elif state == _UNDRAWN:  # the word has been looked at: with a fresh one the law would be another
                choice = softmin_index_of(shown.take(), _scores_after(table, row), rate, bits)
                redraws, added = redraws - 1, 0
            if state == _LEFT:
                shown.put_back()
                return Departure(row - 1, None, 0), Stay(row, choice, redraws, added)
        shown.put_back()
        departure = Departure(row, remaining, suffered) if drawn else Departure(row, None, 0)
        return departure, Stay(row, choice, redraws, added)


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


def _scores_after(table: ScoreTable, rows: int) -> IntArray:
    part = rows // table.every
    rest = table.additions[part * table.every : rows].astype(np.float64)
    added = (((rest + table.shift) - table.shift) * table.units).astype(np.int64).sum(axis=0)
    scores: IntArray = table.scores + table.sums[part] + added
    return scores


@lru_cache(maxsize=64)
def departure_search(rules: DelayRules) -> DepartureSearch:
    """The search for these rules; built once from public parameters."""
    return DepartureSearch(rules)


@cache
def _compiled_play() -> Callable[..., tuple[int, int, int, int, int, int, bool, int, int]] | None:
    def play(  # type: ignore[no-untyped-def]
        additions, shift, units, sums, every, scores,
        choices, words, row, choice, redraws, added, at, drawn, remaining, suffered,
        delay, floor, possibly, offset, cell_shift, query_per_unit, coin_per_unit, limits, kept,
        per_unit, powers, relative_error,
    ):  # fmt: skip
        last, slots = len(possibly) - 1, len(limits)
        state = _GOING
        while row < len(additions) and at < len(words):
            if not drawn:
                rho = 0
                certain = at + slots // 4 <= len(words)
                for slot in range(slots if certain else 0):
                    short = words[at + slot // 4] >> np.uint64(16 * (slot % 4)) & np.uint64(0xFFFF)
                    certain &= short != limits[slot] and not (slot == kept and short < limits[slot])
                    if slot < kept and short < limits[slot]:
                        rho |= 1 << slot
                if not certain or rho > _SAFE:
                    state = _DOUBTFUL
                    break
                drawn, remaining, suffered = True, delay + rho, 0
                at += slots // 4
                continue
            loss = np.int64(((np.float64(additions[row, choice]) + shift) - shift) * units)
            remaining -= loss
            suffered += loss
            added += loss
            cell = min(max((remaining - 1 >> cell_shift) + offset, 0), last)
            leaves = False
            if words[at] <= possibly[cell]:
                u, p = words[at] * 2.0**-64, weight(max(remaining, 0) * query_per_unit, powers)
                if u + _MARGIN < p * (1 - _RELATIVE_MARGIN) and at + 1 < len(words):  # AboveThreshold surely fires
                    u, p = words[at + 1] * 2.0**-64, weight(max(suffered, floor) * coin_per_unit, powers)
                    leaves = u > p * (1 + _RELATIVE_MARGIN)
                    if not leaves and u + _MARGIN >= p * (1 - _RELATIVE_MARGIN):
                        state = _DOUBTFUL
                        break
                    at += 1
                    drawn = False
                elif u <= p * (1 + _RELATIVE_MARGIN):
                    state = _DOUBTFUL
                    break
            choices[row] = choice
            row += 1
            at += 1
            if leaves:
                if redraws == 0 or at == len(words):
                    state = _LEFT
                    break
                rest = np.zeros(len(scores))
                for t in range(row // every * every, row):
                    for i in range(len(rest)):
                        rest[i] += (np.float64(additions[t, i]) + shift) - shift
                now = scores + sums[row // every]
                for i in range(len(rest)):
                    now[i] += np.int64(rest[i] * units)
                index = search_row(now, per_unit, words[at] * 2.0**-64, powers, relative_error)
                if index < 0:
                    state = _UNDRAWN
                    break
                choice, added = index, 0
                redraws -= 1
                at += 1
        return state, row, choice, redraws, added, at, drawn, remaining, suffered

    row_search, one_weight = compiled_search_row(), compiled_weight()
    if row_search is None or one_weight is None:
        return None
    return compiled(play, search_row=row_search, weight=one_weight)
