"""What most voters say, round after round, at a price that only close votes have to pay."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
import numpy.typing as npt

from reticent.errors import LearnerStateError, ParameterError
from reticent.mechanisms.above_threshold import OneSidedNoise, RunningSumAboveThreshold
from reticent.mechanisms.arguments import check_delta, check_epsilon, check_whole
from reticent.mechanisms.bounds import exponential_above
from reticent.privacy import renyi_epsilon
from reticent.randomness import Source

__all__ = ["MajorityVote", "VoteRule"]

FloatArray = npt.NDArray[np.float64]

#: More than the roundings of one formula.
_UP = 1 + 2.0**-44
_HALF = Fraction(1, 2)


@dataclass(frozen=True)
class VoteRule:
    """The public numbers of a `MajorityVote`.

    Parameters
    ----------
    voters : int
        k >= 1.
    rate : Fraction
        r > 0: one voter more moves the log-odds of neighbouring answers by r.
    cap : int
        V >= 1: no more votes than this are close.
    guard : Fraction
        The epsilon of the AboveThreshold that counts close votes.
    slack : int
        From 1 to V: the AboveThreshold may end the votes when V - slack have been close.

    Raises
    ------
    ParameterError
        When a number is out of its range.

    >>> rule = VoteRule(3000, Fraction(1, 200), cap=1500, guard=Fraction(1, 16), slack=270)
    >>> rule.width, f"{rule.epsilon_at(Fraction(1, 10**6)):.4f}"
    (278, '0.9884')
    """

    voters: int
    rate: Fraction
    cap: int
    guard: Fraction
    slack: int

    def __post_init__(self) -> None:
        check_whole("voters", self.voters)
        object.__setattr__(self, "rate", check_epsilon(self.rate))
        object.__setattr__(self, "guard", check_epsilon(self.guard))
        if check_whole("slack", self.slack) > check_whole("cap", self.cap):
            raise ParameterError(f"slack is {self.slack} and cap {self.cap}; give a slack up to the cap.")

    @cached_property
    def width(self) -> int:
        """2 w, the least whole number with e^{-2 w r} <= 1/4; within w votes of a tie a vote is mostly close."""
        width = max(1, math.floor(math.log(4) / self.rate) - 1)
        while exponential_above(self.rate * width) > Fraction(1, 4):
            width += 1
        return width

    def scores(self, votes: int) -> tuple[int, int, int]:
        """Of the answers 0, "close" and 1: their probabilities are proportional to e^{-r score / 2}."""
        lead = 2 * votes - self.voters
        return lead + self.width, 0, self.width - lead

    def charge(self, order: FloatArray) -> FloatArray:
        """What a close vote adds to `order` times the Renyi divergence at alpha = 1 + order; inf for order < 1."""
        r = float(self.rate) * _UP
        with np.errstate(over="ignore"):
            share = order * (order + 1) / 2 * r**2 * np.exp(order * r + r**2 / 3) * _UP
        valid = (order >= 1) & (share < 1)
        paid: FloatArray = -np.log1p(-np.where(valid, share, 0.0)) * _UP
        return np.where(valid, paid, math.inf)

    @property
    def guard_delta(self) -> Fraction:
        """How often the cap may end the votes before the AboveThreshold does: e^{-guard slack}, rounded up."""
        return exponential_above(self.guard * self.slack)

    def epsilon_at(self, delta: Fraction) -> float:
        """What all votes together cost at delta, rounded up; inf where `guard_delta` is more."""
        rest = check_delta(delta) - self.guard_delta
        if rest <= 0:
            return math.inf
        cost = renyi_epsilon(
            lambda order: self.cap * self.charge(order) / order,
            self.cap * float(self.rate) ** 2 / 2,
            float(rest) * (1 - 2.0**-50),
        )
        return (float(self.guard) + cost) * _UP

    def log_chances(self, votes: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Logarithms of how likely "close" and the answer 1 are at so many votes for 1; utility only."""
        lead = (2 * votes - self.voters) * float(self.rate) / 2
        outer = float(self.width * self.rate) / 2
        close: FloatArray = -np.logaddexp(np.logaddexp(-lead - outer, 0.0), lead - outer)
        return close, close + lead - outer


class MajorityVote:
    """0, 1 or, when the vote is close, a fair coin; after too many close votes it ends.

    ::

        in each round: answer 0, "close" or 1 with weights e^{-r (c - k/2 + w)}, 1, e^{r (c - k/2 - w)}, c votes for 1
                       when close: the answer is a fair coin
                       AboveThreshold counts the close votes: when it fires, or they are V, end

    Parameters
    ----------
    rule : VoteRule
    source : Source

    Notes
    -----
    **Guarantee.** Let two streams of votes differ arbitrarily in one round i, by at most one vote in the rounds after
    it, and not before. Then the answers of all rounds but i, and when it ends, are
    (`rule.epsilon_at` (delta), delta)-close, for every delta and however many rounds there are. It holds for streams
    of votes that are fixed in advance. Source: the idea is Kaplan, Mansour, Moran, Nissim and Stemmer 2023; the
    mechanism and the proof are docs/proofs/prediction-mechanisms.md, section 6.
    """

    __slots__ = ("_close", "_ended", "_guard", "_half_rate", "_source", "rule")

    def __init__(self, rule: VoteRule, source: Source) -> None:
        self.rule = rule
        self._source = source
        self._half_rate = rule.rate / 2
        self._guard = RunningSumAboveThreshold(rule.cap - rule.slack, OneSidedNoise(rule.guard, 1, 1), source)
        self._close = 0
        self._ended = False

    @property
    def ended(self) -> bool:
        """Whether there will be no further answer."""
        return self._ended

    def decide(self, votes: int) -> bool:
        """The answer of this round.

        Parameters
        ----------
        votes : int
            How many of the k voters are for 1.
        """
        if self._ended:
            raise LearnerStateError("the votes have ended; ask nothing more of this MajorityVote.")
        if not 0 <= votes <= self.rule.voters:
            raise ParameterError(f"votes is {votes}; give a whole number from 0 to {self.rule.voters}.")
        answer = self._answer(votes)
        close = answer == 1
        self._close += close
        self._ended = self._guard.add(int(close)) or self._close == self.rule.cap
        return self._source.bernoulli(_HALF) if close else answer == 2

    def _answer(self, votes: int) -> int:
        """0, 1 for "close", 2 for the answer 1."""
        return self._source.softmin_index(np.array(self.rule.scores(votes), dtype=np.int64), self._half_rate)
