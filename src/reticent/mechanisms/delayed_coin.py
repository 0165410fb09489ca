"""The delayed coin of Li and Ye's Algorithm 1: whether to leave the current expert, asked only now and then."""

from __future__ import annotations

from fractions import Fraction

from reticent.errors import ParameterError
from reticent.mechanisms.above_threshold import LaplaceNoise, OneSidedNoise
from reticent.randomness import DelayRules, Departure, ExactSource, IntArray, ScoreTable, Source, Stay

__all__ = ["DelayedCoin"]


class DelayedCoin:
    """AboveThreshold instances one after another over a sum of losses, and a coin whenever one of them fires.

    ::

        q = 0; draw rho
        for each round:
            q += loss; draw fresh nu
            if q + nu >= tau + rho:                     # AboveThreshold fires, the instance ends
                r = max(q, r_min)
                leave with probability 1 - exp(-eta * r)
                q = 0; draw new rho

    Parameters
    ----------
    delay : int
        tau in grid units; any public number.
    noise : OneSidedNoise, or LaplaceNoise (DworkRothNoise is one)
        Of rho and nu.
    floor : int
        r_min in grid units.
    coin_rate : Fraction
        eta for a grid unit.
    source : Source

    Notes
    -----
    **Guarantee.** The sequence of answers, "leave" or "stay" after each round, is (eps1 + max(m eta, eps2))-DP when
    up to m = noise.sensitivity of the losses are replaced by others in [0, 1], where eps1 = noise.epsilon, eta is
    per loss, and r_min >= (1 / eta) ln(1 + (1 - exp(-eta)) / (exp(eps2 / m) - 1)) in losses
    (docs/proofs/dartboard.md). After "leave" it is restarted, which costs nothing more, for the rounds are others.
    """

    __slots__ = ("_noise", "_remaining", "_rules", "_source", "_suffered")

    def __init__(
        self, delay: int, noise: OneSidedNoise | LaplaceNoise, floor: int, coin_rate: Fraction, source: Source
    ) -> None:
        self._rules = DelayRules(delay, floor, noise.threshold_scale, noise.query_scale, coin_rate)
        self._noise = noise
        self._source = source
        self.restart()

    def restart(self) -> None:
        """Begin afresh: the next round finds a new instance, and draws its threshold."""
        # What the sum still lacks to the noisy threshold; a lazy number when the source is enumerated.
        self._remaining: int | None = None
        self._suffered = 0

    def add(self, loss: int) -> bool:
        """Add the loss of the next round; whether the choice leaves after it.

        Parameters
        ----------
        loss : int
            In grid units, in [0, units].
        """
        if not 0 <= loss <= self._noise.units:
            raise ParameterError(f"the loss of a round is {loss} units; it must lie in [0, {self._noise.units}].")
        self._remaining = self._gap() - loss
        self._suffered += loss
        return self._noise.exceeds(self._source, self._remaining) and self._leaves()

    def _gap(self) -> int:
        if self._remaining is None:
            self._remaining = self._rules.delay + self._noise.draw_threshold(self._source)
        return self._remaining

    def _leaves(self) -> bool:
        """At the end of an instance: the coin."""
        charged = max(self._suffered, self._rules.floor)
        self.restart()
        return not self._source.bernoulli_exp(self._rules.coin_rate * charged)

    def add_block(self, running: IntArray) -> int:
        """Add many rounds' losses, up to the first round after which the choice leaves.

        Parameters
        ----------
        running : int64 array of shape (rounds + 1,)
            The sum of the losses before each round and after the last, non-decreasing by at most `units` a round.

        Returns
        -------
        int
            The number of that round, counted from 0, or `rounds` when the choice stays. The same answers as `add`,
            one by one.
        """
        if isinstance(self._source, ExactSource) and type(self._noise) is OneSidedNoise:
            found = self._source.first_departure(self._rules, running, self._remaining, self._suffered)
            if found is not None:
                row, self._remaining, self._suffered = found
                return row
        row, rounds = 0, len(running) - 1
        while row < rounds:
            before = int(running[row])
            gap = self._gap()
            fired = row + self._noise.first_excess(self._source, gap + before, running[row + 1 :])
            stop = min(fired + 1, rounds)
            loss = int(running[stop]) - before
            self._remaining = gap - loss
            self._suffered += loss
            if fired < rounds and self._leaves():
                return fired
            row = stop
        return rounds

    def redraw_at_departures(
        self, table: ScoreTable, rate: Fraction, stay: Stay, choices: IntArray
    ) -> tuple[bool, Stay] | None:
        """Add many rounds' losses, and redraw the choice wherever it leaves, as long as `stay` has redraws left.

        Parameters
        ----------
        table : ScoreTable
            The losses, in grid units.
        rate : Fraction
            The choice is redrawn with probability proportional to exp(-rate * score).
        stay : Stay
            The choice, and the row to begin with.
        choices : int64 array of shape (rounds,)
            Filled from that row on with the choice of each round.

        Returns
        -------
        leaves : bool
            Whether a choice leaves that has to be redrawn elsewhere.
        stay : Stay
            Its `row` is the number of rounds that were added. The same answers, and the same words of the source,
            as `add` and single redraws. None, and nothing is done, where no machine code can be used.
        """
        if not isinstance(self._source, ExactSource) or type(self._noise) is not OneSidedNoise:
            return None
        coin = Departure(stay.row, self._remaining, self._suffered)
        found = self._source.redraw_at_departures(self._rules, table, rate, stay, coin, choices)
        if found is None:
            return None
        (row, self._remaining, self._suffered), stay = found
        return row < stay.row, stay
