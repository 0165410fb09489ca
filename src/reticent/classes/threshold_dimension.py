"""The threshold dimension: how long a sequence of thresholds a class contains, exactly."""

from __future__ import annotations

from collections.abc import Iterator

from reticent.classes.base import Hypothesis, Instance
from reticent.classes.finite import FiniteClass
from reticent.classes.projection import as_table
from reticent.classes.work import Work, limited

__all__ = ["embedded_thresholds", "threshold_dimension"]


def threshold_dimension(cls: FiniteClass) -> int:
    """The largest k with instances x_1 .. x_k and hypotheses h_1 .. h_k such that h_i(x_j) = 1 iff i <= j.

    A class whose Littlestone dimension is d has floor(log2 k) <= d, and the other way round d is bounded by 2^(2^k)
    (Shelah; Hodges; for learning Alon, Livni, Malliaris and Moran 2019).

    Parameters
    ----------
    cls : FiniteClass

    Returns
    -------
    int
        0 also for the empty class.

    Raises
    ------
    WorkLimitError
        When that takes more than `cls.work_limit` steps.

    Examples
    --------
    >>> threshold_dimension(FiniteClass([[0, 0, 0], [1, 0, 0], [1, 1, 0], [1, 1, 1]]))
    3
    """
    return len(embedded_thresholds(cls))


def embedded_thresholds(cls: FiniteClass) -> tuple[tuple[Instance, Hypothesis], ...]:
    """The pairs (x_1, h_1) .. (x_k, h_k) of a longest such sequence; parameters and errors as above."""
    search = _Search(as_table(cls))
    with limited(cls.work_limit, "the threshold dimension", search.bracket) as work:
        pairs = search.longest(work)
    return tuple((cls.instances[j], cls.table.rows[i]) for j, i in pairs)


#: Rows that are 0 on all chosen instances, and columns on which all chosen hypotheses are 1.
_State = tuple[int, int]


class _Search:
    """Sequences from their first pair on: after (x, h) only hypotheses that are 0 on x, and instances with h = 1."""

    def __init__(self, cls: FiniteClass) -> None:
        self._columns = cls.table.columns
        self._rows = [h.bits for h in cls.table.rows]
        self._steps = 1 + len(self._rows) // 1000
        self._start = (cls.space, (1 << len(self._columns)) - 1)
        # Bounds of the length, and the first pair of a sequence as long as the lower one, with the state after it.
        self._known: dict[_State, tuple[int, int, tuple[int, int, _State] | None]] = {}

    def bracket(self) -> tuple[int, int]:
        """What is known of the length; a sequence from any later state is one from the start too."""
        upper = min(len(self._rows), len(self._columns))
        lower = max((lower for lower, _, _ in self._known.values()), default=0)
        return lower, self._known[self._start][1] if self._start in self._known else upper

    def longest(self, work: Work) -> list[tuple[int, int]]:
        """The pairs (column, row) of a longest sequence."""
        # From above: lengths far beyond the truth are refused quickly.
        while not self._reaches(self._start, self._upper(self._start, work), work):
            pass
        pairs = []
        state = self._start
        while first := self._known[state][2]:
            column, row, state = first
            pairs.append((column, row))
        return pairs

    def _reaches(self, state: _State, length: int, work: Work) -> bool:
        upper = self._upper(state, work)
        lower, _, first = self._known[state]
        if lower < length <= upper:
            rows, columns = state
            after: dict[_State, tuple[int, int]] = {}
            for j in _elements(columns):
                ones = rows & self._columns[j]
                zeros = rows ^ ones
                work.spend(ones.bit_count() * self._steps)
                for i in _elements(ones):
                    after[zeros, columns & self._rows[i]] = (j, i)
            in_order = sorted(((self._upper(one, work), one) for one in after), reverse=True)
            for most, following in in_order:
                if most < length - 1 or lower == length:
                    break
                self._reaches(following, length - 1, work)
                if self._known[following][0] >= lower:
                    lower, first = self._known[following][0] + 1, (*after[following], following)
            self._known[state] = lower, upper if lower == length else length - 1, first
        return length <= lower

    def _upper(self, state: _State, work: Work) -> int:
        if state not in self._known:
            rows, columns = state
            work.spend(rows.bit_count() + columns.bit_count())
            upper = min(_staircase(self._rows, rows, columns), _staircase(self._columns, columns, rows))
            self._known[state] = 0, upper, None
        return self._known[state][1]


def _staircase(lines: list[int], chosen: int, across: int) -> int:
    """A bound of the length k: among the lines are some with at least 1, 2, .. k ones, and 0, 1, .. k - 1 zeros."""
    ones = sorted((lines[i] & across).bit_count() for i in _elements(chosen))
    width = across.bit_count()
    most_ones = most_zeros = 0
    for n in ones:
        most_ones += n > most_ones
    for n in reversed(ones):
        most_zeros += width - n >= most_zeros and n > 0
    return min(most_ones, most_zeros)


def _elements(bits: int) -> Iterator[int]:
    digits = bin(bits)[:1:-1]  # one pass, where taking away the lowest bit would copy a long number for each
    place = digits.find("1")
    while place >= 0:
        yield place
        place = digits.find("1", place + 1)
