"""How the copies of `MajorityPredictor` should vote: bounds on mistakes and close votes, and the best numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from reticent.errors import ParameterError
from reticent.mechanisms import VoteRule

__all__ = ["VoteBounds", "best_vote_rule"]

FloatArray = npt.NDArray[np.float64]

#: Parts of epsilon and of delta for the AboveThreshold that counts close votes.
_GUARD, _GUARD_DELTA = Fraction(1, 16), Fraction(1, 16)
#: Rates are multiples of this part of one.
_RATE_UNITS = 2**40
#: How the rate is looked for, downwards.
_MOST_QUIET, _QUIET_STEP, _QUIET_STEPS, _LAST_QUIET_STEP = 4.0, 0.5, 100, 0.01
#: Numbers of events with a larger logarithm are as bad as this one.
_MOST_LOG = 700.0
#: Numbers of voters are looked at in steps of the first factor, and then of smaller ones.
_FEWEST_VOTERS, _VOTER_STEPS, _FIRST_STEP, _LAST_STEP = 8.0, 40, 2.0, 1.02
#: Where the votes for the wrong label are looked at, as parts of k; between them the bounds are monotone.
_PARTS = np.unique(np.concatenate([np.linspace(0.0, 1.0, 2049), np.geomspace(1e-6, 1.0, 512)]))
#: The exponents of the tail bounds.
_EXPONENTS = np.geomspace(1e-5, 0.5, 160)


@dataclass(frozen=True)
class VoteBounds:
    """What holds with high probability on every realisable stream, for copies that make at most d mistakes each.

    Parameters
    ----------
    dimension : int
        d.
    rounds : int
        T.
    failure : float
        How often at most any of the three bounds fails.
    """

    dimension: int
    rounds: int
    failure: float

    def close_votes(self, rule: VoteRule) -> float:
        """At most so many votes are close, with probability at least 1 - failure / 3."""
        close, _ = rule.log_chances(_PARTS / 2 * rule.voters)
        return self._total(rule, close, _PARTS / 2)

    def mistakes(self, rule: VoteRule) -> float:
        """At most so many answers are wrong before the votes end, with probability at least 1 - failure / 3."""
        close, wrong = rule.log_chances(_PARTS * rule.voters)
        return self._total(rule, np.logaddexp(wrong, close - math.log(2)), _PARTS)

    def early_end(self, rule: VoteRule) -> float:
        """With so many close votes in all the votes do not end, with probability at least 1 - failure / 3."""
        return rule.cap - rule.slack - (math.log(3 * self.rounds) - math.log(self.failure)) / float(rule.guard)

    def _total(self, rule: VoteRule, log_chance: FloatArray, part: FloatArray) -> float:
        """A bound on the number of events that have these chances when these parts of the votes are wrong.

        A wrong vote is asked to learn with probability 1 / k, and at most k d of them learn: docs/proofs/
        prediction.md, section 4.
        """
        # On [part_j, part_{j+1}] the chance is at most that of the right end. The first interval is of c = 1, .. .
        least = np.maximum(part[:-1], 1 / rule.voters)
        chance = np.exp(log_chance)
        rise = float(np.max((chance[1:] - chance[0]) / least))
        quiet = math.exp(min(_MOST_LOG, math.log(self.rounds) + float(log_chance[0])))
        grown = np.expm1(_EXPONENTS)
        with np.errstate(invalid="ignore", divide="ignore"):
            drift = -np.log1p(-np.where(rise * grown < 1, rise * grown, 1.0))
        budget = quiet * grown
        if self.dimension > 0:
            budget += drift * rule.voters * self.dimension
        return float(np.min((budget + math.log(3 / self.failure)) / _EXPONENTS))


@lru_cache(maxsize=64)
def best_vote_rule(epsilon: Fraction, delta: Fraction, bounds: VoteBounds) -> VoteRule:
    """The rule of this price with the smallest bound on mistakes; any rule is private, so this is utility only."""

    def mistakes(voters: float) -> float:
        rule = _sharpest(math.ceil(voters), epsilon, delta, bounds)
        return math.inf if rule is None else bounds.mistakes(rule)

    tried = {voters: mistakes(voters) for voters in _FEWEST_VOTERS * _FIRST_STEP ** np.arange(_VOTER_STEPS)}
    best, step = min(tried, key=tried.__getitem__), _FIRST_STEP
    while step > _LAST_STEP:
        step = math.sqrt(step)
        for voters in (best / step, best * step):
            tried[voters] = mistakes(voters)
        best = min(tried, key=tried.__getitem__)
    rule = _sharpest(math.ceil(best), epsilon, delta, bounds)
    if rule is None:
        raise ParameterError(
            f"epsilon {float(epsilon):g} and delta {float(delta):g} allow no vote; give a larger budget."
        )
    return rule


def _sharpest(voters: int, epsilon: Fraction, delta: Fraction, bounds: VoteBounds) -> VoteRule | None:
    """The largest rate that so many voters can pay for.

    The price is not monotone in the rate: at smaller ones quiet votes are close, too, and the cap is larger.
    """

    def rule(quiet: float) -> VoteRule | None:
        """At which a unanimous vote is close with probability about e^-quiet."""
        rate = Fraction(max(1, math.floor((2 * quiet + math.log(4)) / voters * _RATE_UNITS)), _RATE_UNITS)
        found = _with_cap(voters, rate, epsilon, delta, bounds)
        return found if found.epsilon_at(delta) <= epsilon else None

    quiet = math.log(bounds.rounds) + _MOST_QUIET
    step = max(_QUIET_STEP, quiet / _QUIET_STEPS)
    found = rule(quiet)
    while found is None and quiet > step:
        quiet -= step
        found = rule(quiet)
    while found is not None and step > _LAST_QUIET_STEP:
        step /= 2
        better = rule(quiet + step)
        if better is not None:
            quiet, found = quiet + step, better
    return found


def _with_cap(voters: int, rate: Fraction, epsilon: Fraction, delta: Fraction, bounds: VoteBounds) -> VoteRule:
    """With the least cap that close votes will not reach."""
    guard = epsilon * _GUARD
    slack = math.ceil(-math.log(delta * _GUARD_DELTA) / guard)
    draft = VoteRule(voters, rate, slack, guard, slack)
    needed = bounds.close_votes(draft) - bounds.early_end(draft)
    return VoteRule(voters, rate, slack + math.ceil(needed), guard, slack)
