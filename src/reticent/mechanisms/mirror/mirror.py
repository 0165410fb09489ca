"""Mirror: when to begin to answer "now", so that nobody can tell how often it was asked."""

from __future__ import annotations

from fractions import Fraction
from typing import Protocol

import numpy as np
import numpy.typing as npt

from reticent.mechanisms.arguments import check_whole
from reticent.randomness import Source

__all__ = ["Mirror", "MirrorSchedule"]

BoolArray = npt.NDArray[np.bool_]


class MirrorSchedule(Protocol):
    """Public chances of "now" on the active rounds 1, 2, .. of Mirror's random zone, and what they cost.

    Three are shipped: `IndependentCoins`, `LogisticCoins` and `SingleSwitch`; `calibrate_mirror` takes the shortest.
    """

    @property
    def rounds(self) -> int:
        """m: how many active rounds the random zone has; after it the answer is always "now"."""

    @property
    def epsilon(self) -> Fraction:
        """What Mirror costs, in joint differential privacy."""

    @property
    def delta(self) -> Fraction:
        """An upper bound on what it costs besides."""

    def says_now(self, n: int, before: bool, source: Source) -> bool:
        """The answer on round n = 1, .., m of the zone, when the one on round n - 1 was `before`."""


class Mirror:
    """On active rounds: "not yet" D times, then by chance for m rounds, then "now" for ever; else always "not yet".

    Parameters
    ----------
    schedule : MirrorSchedule
        The chances of the m rounds.
    delay : int
        D >= 0; any public number.
    source : Source

    Notes
    -----
    **Guarantee.** On every stream that is fixed in advance the answers are jointly (schedule.epsilon,
    schedule.delta)-DP: when the activity of one round is changed, the answers of all *other* rounds have laws this
    close; the answer of the changed round itself is not covered. For every value of its randomness it says "not
    yet" on inactive rounds and on the first D active ones, and "now" on every active round after the first D + m.
    Source: Cohen, Lyu, Nelson, Sarlos and Stemmer 2024, Algorithm 2; Sanyal, Fact 4;
    docs/proofs/prediction-mechanisms.md, section 3.

    >>> from fractions import Fraction
    >>> from reticent.mechanisms import SingleSwitch
    >>> from reticent.randomness import SeededSource
    >>> mirror = Mirror(SingleSwitch.calibrated(Fraction(1), Fraction(1, 100)), 2, SeededSource(3))
    >>> "".join(".N"[mirror.respond(True)] for _ in range(16))
    '.........NNNNNNN'
    """

    __slots__ = ("_before", "_delay", "_seen", "_source", "schedule")

    def __init__(self, schedule: MirrorSchedule, delay: int, source: Source) -> None:
        self.schedule = schedule
        self._delay = check_whole("delay", delay, least=0)
        self._source = source
        self._seen = 0
        self._before = False

    @property
    def quiet(self) -> int:
        """For how many more active rounds the answer is "not yet", whatever is drawn."""
        return max(0, self._delay - self._seen)

    @property
    def settled(self) -> bool:
        """Whether every answer on an active round to come is "now"."""
        return self._seen >= self._delay + self.schedule.rounds

    def respond(self, active: bool) -> bool:
        """Whether to act now.

        Parameters
        ----------
        active : bool
            Whether this round is active.
        """
        if not active:
            return False
        self._seen += 1
        n = self._seen - self._delay
        if n > self.schedule.rounds:
            return True
        self._before = n > 0 and self.schedule.says_now(n, self._before, self._source)
        return self._before

    def respond_many(self, active: BoolArray) -> BoolArray:
        """The same answers to many rounds; only those of the random zone take time.

        Parameters
        ----------
        active : bool array of shape (rounds,)

        Returns
        -------
        bool array of shape (rounds,)
        """
        answers = np.zeros(len(active), dtype=np.bool_)
        where = np.flatnonzero(active)
        quiet = min(self.quiet, len(where))
        self._seen += quiet
        for position, row in enumerate(where[quiet:].tolist(), quiet):
            if self.settled:
                answers[where[position:]] = True
                break
            answers[row] = self.respond(True)
        return answers
