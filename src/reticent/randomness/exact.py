"""The verbs of `Source` with exact laws, from any stream of uniform bits."""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction
from functools import partial
from operator import index

from reticent.errors import ParameterError
from reticent.randomness.arguments import (
    check_count,
    check_exponent,
    check_probability,
    check_queries,
    check_rate,
    check_scale,
    check_scores,
    check_size,
    check_variance,
)
from reticent.randomness.bits import Bits, is_below
from reticent.randomness.bounds import fraction_bounds
from reticent.randomness.coins import falls
from reticent.randomness.departures import (
    DelayRules,
    Departure,
    DepartureSearch,
    ScoreTable,
    Stay,
    departure_search,
)
from reticent.randomness.digits import LARGEST_SCALE, DigitTable, digit_table
from reticent.randomness.gaussians import GaussianTable, gaussian_table
from reticent.randomness.softmin import draw_softmin_index, draw_softmin_indices
from reticent.randomness.source import IntArray
from reticent.randomness.tails import DiscreteLaplaceTail, GeometricTail, TailTable, tail_table

__all__ = ["ExactSource"]

_WORD = 64


class ExactSource(ABC):
    """All verbs of `Source`, with exactly the stated laws, from a stream of uniform bits.

    Every decision is of the form "is the uniform number U below p", where U is read digit by digit and p is known
    by certified bounds of any precision: nothing is rounded, whatever the scale. No verb gives up on a tie.

    Parameters
    ----------
    bits : Bits
        Independent uniform bits.
    """

    __slots__ = ("_bits", "_departures", "_digits", "_gaussian", "_geometric_tail", "_laplace_tail")

    def __init__(self, bits: Bits) -> None:
        self._bits = bits
        # The last scale met by each verb and its table. Learners pass the same Fraction object every round, and
        # comparing identities is much cheaper than comparing or hashing Fractions.
        self._geometric_tail: tuple[Fraction, TailTable] | None = None
        self._laplace_tail: tuple[Fraction, TailTable] | None = None
        self._digits: tuple[Fraction, DigitTable] | None = None
        self._gaussian: tuple[Fraction, GaussianTable] | None = None
        self._departures: tuple[DelayRules, DepartureSearch] | None = None

    @property
    @abstractmethod
    def private(self) -> bool:
        """Whether a release made with this source may be called private."""

    @property
    @abstractmethod
    def description(self) -> str:
        """One phrase for reports."""

    def uniform_index(self, n: int) -> int:
        """An integer uniform on 0, .., n - 1: floor(n U), with as many digits of U as decide it."""
        n = check_count(n)
        digits, count = self._bits.take(), _WORD
        while True:
            whole, rest = digits * n >> count, digits * n & (1 << count) - 1
            if rest + n <= 1 << count:
                return whole
            digits = digits << count | self._bits.refine(count)
            count *= 2

    def bernoulli(self, p: Fraction) -> bool:
        """True with probability exactly p, 0 <= p <= 1."""
        bounds = partial(fraction_bounds, check_probability(p))
        return is_below(self._bits.take(), _WORD, bounds, self._bits)

    def bernoulli_exp(self, x: Fraction) -> bool:
        """True with probability exactly exp(-x), x >= 0; one word, whatever x is."""
        return falls(check_exponent(x), self._bits.take(), self._bits)

    def geometric(self, scale: Fraction) -> int:
        """An integer Z >= 0 with P(Z = z) proportional to exp(-z / scale), for scales up to 2**52."""
        return self._digit_table(scale).geometric(self._bits)

    def discrete_laplace(self, scale: Fraction) -> int:
        """An integer Z with P(Z = z) proportional to exp(-abs(z) / scale), for scales up to 2**52."""
        return self._digit_table(scale).discrete_laplace(self._bits)

    def discrete_gaussian(self, variance: Fraction) -> int:
        """An integer Z with P(Z = z) proportional to exp(-z**2 / (2 * variance)), for variances up to 2**104."""
        return int(self._gaussian_table(variance).draws(1, self._bits)[0])

    def geometrics(self, scale: Fraction, size: int) -> IntArray:
        """`size` independent `geometric` draws."""
        size = check_size(size)
        return self._digit_table(scale).geometrics(size, self._bits)

    def discrete_laplaces(self, scale: Fraction, size: int) -> IntArray:
        """`size` independent `discrete_laplace` draws."""
        size = check_size(size)
        return self._digit_table(scale).discrete_laplaces(size, self._bits)

    def discrete_gaussians(self, variance: Fraction, size: int) -> IntArray:
        """`size` independent `discrete_gaussian` draws."""
        size = check_size(size)
        return self._gaussian_table(variance).draws(size, self._bits)

    def geometric_exceeds(self, gap: int, scale: Fraction) -> bool:
        """True iff a fresh `geometric` draw is >= gap; one word, whatever the gap."""
        return self._geometric_table(scale).reaches(index(gap), self._bits)

    def discrete_laplace_exceeds(self, gap: int, scale: Fraction) -> bool:
        """True iff a fresh `discrete_laplace` draw is >= gap; one word, whatever the gap."""
        return self._laplace_table(scale).reaches(index(gap), self._bits)

    def first_geometric_excess(self, threshold: int, queries: IntArray, scale: Fraction) -> int:
        """The first k with ``geometric_exceeds(threshold - queries[k], scale)``, or len(queries)."""
        return self._geometric_table(scale).first(index(threshold), check_queries(queries), self._bits)

    def first_discrete_laplace_excess(self, threshold: int, queries: IntArray, scale: Fraction) -> int:
        """The first k with ``discrete_laplace_exceeds(threshold - queries[k], scale)``, or len(queries)."""
        return self._laplace_table(scale).first(index(threshold), check_queries(queries), self._bits)

    def first_departure(
        self, rules: DelayRules, running: IntArray, remaining: int | None, suffered: int
    ) -> Departure | None:
        """Many rounds of a delayed coin at once: see `DepartureSearch.first`."""
        return self._search(rules).first(running, remaining, suffered, self._bits)

    def redraw_at_departures(
        self,
        rules: DelayRules,
        table: ScoreTable,
        rate: Fraction,
        stay: Stay,
        departure: Departure,
        choices: IntArray,
    ) -> tuple[Departure, Stay] | None:
        """Many rounds of a delayed coin and the redraws that it asks for at once: see `DepartureSearch.play`."""
        return self._search(rules).play(table, check_rate(rate), stay, departure, choices, self._bits)

    def _search(self, rules: DelayRules) -> DepartureSearch:
        known = self._departures
        if known is None or known[0] is not rules:
            self._digit_table(rules.threshold_scale)  # refuses what is too large
            known = self._departures = rules, departure_search(rules)
        return known[1]

    def softmin_index(self, scores: IntArray, rate: Fraction) -> int:
        """An index i with probability proportional to exp(-rate * scores[i]); one word.

        The time does not depend on the scores, except with a probability below len(scores) * 2**-39.
        """
        return draw_softmin_index(check_scores(scores, 1), check_rate(rate), self._bits)

    def softmin_indices(self, scores: IntArray, rate: Fraction) -> IntArray:
        """One `softmin_index` for each row of the (k, N) array scores."""
        return draw_softmin_indices(check_scores(scores, 2), check_rate(rate), self._bits)

    def _geometric_table(self, scale: Fraction) -> TailTable:
        known = self._geometric_tail
        if known is None or known[0] is not scale:
            known = self._geometric_tail = scale, tail_table(GeometricTail, check_scale(scale))
        return known[1]

    def _laplace_table(self, scale: Fraction) -> TailTable:
        known = self._laplace_tail
        if known is None or known[0] is not scale:
            known = self._laplace_tail = scale, tail_table(DiscreteLaplaceTail, check_scale(scale))
        return known[1]

    def _gaussian_table(self, variance: Fraction) -> GaussianTable:
        known = self._gaussian
        if known is None or known[0] is not variance:
            exact = check_variance(variance)
            if exact > LARGEST_SCALE**2:
                raise ParameterError(
                    f"variance is about {float(exact):.3g}; draws need one of at most 2**104 square grid units."
                )
            known = self._gaussian = variance, gaussian_table(exact)
        return known[1]

    def _digit_table(self, scale: Fraction) -> DigitTable:
        known = self._digits
        if known is None or known[0] is not scale:
            exact = check_scale(scale)
            if exact > LARGEST_SCALE:
                raise ParameterError(
                    f"scale is about {float(exact):.3g}; draws need a scale of at most 2**52 grid units."
                )
            known = self._digits = scale, digit_table(exact)
        return known[1]
