"""Many copies of the standard optimal algorithm, each example learned by one of them, and what most of them say."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import KW_ONLY, dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

from reticent.classes import HypothesisClass, Instance
from reticent.errors import InputError, ParameterError
from reticent.mechanisms import MajorityVote, VoteRule
from reticent.mechanisms.arguments import check_whole
from reticent.prediction.base import OnlinePredictionAlgorithm, OnlinePredictor, check_number, joint_statement
from reticent.prediction.name_and_shame import check_class
from reticent.prediction.vote_rules import VoteBounds, best_vote_rule
from reticent.privacy import Component, PrivacyStatement
from reticent.randomness import Source

__all__ = ["MajorityPredictor", "RunningMajority"]


@dataclass(frozen=True)
class MajorityPredictor(OnlinePredictionAlgorithm):
    """Predicts what most of k copies of the standard optimal algorithm say; an example teaches one copy, at random.

    ::

        k copies of the standard optimal algorithm
        each round: predict `MajorityVote` (the copies' labels of x)
                    draw one copy; if its label of x was wrong, it learns (x, y)
        when the votes have ended: predict as a copy before any example

    It works for every class whose version spaces can be held, finite or not, and the price of a record is one vote.

    Parameters
    ----------
    hypothesis_class : HypothesisClass
    epsilon : float
        Between 1e-3 and 100.
    delta : float
        Between 1e-100 and 1/2.
    horizon : int
        T, for which the numbers are chosen; privacy does not depend on it, and streams may be longer.
    failure : float, optional
        In (0, 1): how often at most the bound on mistakes may fail; delta unless given.
    rule : VoteRule, optional
        How many copies, and how they vote; by a search for the smallest bound unless given.

    Raises
    ------
    ParameterError
        When a parameter is out of its range, or the rule costs more than (epsilon, delta).

    Notes
    -----
    **Guarantee.** Jointly (epsilon, delta)-DP on streams that are fixed in advance, of any length, when the example
    (x, y) of one round is replaced by any other: what is predicted in all *other* rounds has laws this close. With
    probability at least 1 - failure it makes at most `mistake_bound` mistakes in T rounds that some hypothesis of the
    class labels. Source: after Kaplan, Mansour, Moran, Nissim and Stemmer, *Black-box differential privacy for
    interactive ML*, 2023 (their algorithm POP; the mechanism and all proofs are ours): docs/proofs/prediction.md,
    section 4.

    >>> from reticent.classes import Points, Thresholds
    >>> MajorityPredictor(Points(1000), 1.0, 1e-6, horizon=100_000).mistake_bound
    6291
    >>> MajorityPredictor(Thresholds(9), 1.0, 1e-6, horizon=1_000_000).mistake_bound
    48694
    """

    name: ClassVar[str] = "MajorityPredictor"

    hypothesis_class: HypothesisClass
    epsilon: float
    delta: float
    _: KW_ONLY
    horizon: int
    failure: float | None = None
    rule: VoteRule | None = None

    def __post_init__(self) -> None:
        check_class(self.hypothesis_class)
        object.__setattr__(self, "epsilon", check_number("epsilon", self.epsilon, 0.001, 100))
        object.__setattr__(self, "delta", check_number("delta", self.delta, 1e-100, 0.5))
        check_whole("horizon", self.horizon)
        failure = self.delta if self.failure is None else self.failure
        object.__setattr__(self, "failure", check_number("failure", failure, 1e-300, 1))
        if self.rule is None:
            best = best_vote_rule(Fraction(self.epsilon), Fraction(self.delta), self.bounds)
            object.__setattr__(self, "rule", best)
        elif not isinstance(self.rule, VoteRule):
            raise ParameterError(f"rule is {self.rule!r}; give a VoteRule, or none for the best one.")
        price = self.votes.epsilon_at(Fraction(self.delta))
        if price > self.epsilon:
            raise ParameterError(
                f"rule costs ({price:g}, {self.delta:g}), more than epsilon {self.epsilon:g}; give one with a "
                "smaller rate or cap, or a larger budget."
            )

    @property
    def votes(self) -> VoteRule:
        """The rule, given or found."""
        assert self.rule is not None
        return self.rule

    @cached_property
    def bounds(self) -> VoteBounds:
        """On the mistakes and on the close votes."""
        assert self.failure is not None
        return VoteBounds(self.hypothesis_class.littlestone_dimension(), self.horizon, self.failure)

    @property
    def unmet(self) -> str | None:
        """Why there is no bound on the mistakes, in a few words; None where there is one."""
        needed, allowed = self.bounds.close_votes(self.votes), self.bounds.early_end(self.votes)
        if needed <= allowed:
            return None
        return f"the cap allows {max(0.0, allowed):.0f} close votes, and there may be {needed:.0f}"

    @property
    def mistake_bound(self) -> int | None:
        """On T rounds that the class labels, with probability at least 1 - `failure`; None where `unmet` says why."""
        return None if self.unmet else math.ceil(self.bounds.mistakes(self.votes))

    @property
    def bound_holds(self) -> str:
        """See `OnlinePredictionAlgorithm`."""
        return f"in {self.horizon:,} rounds, but for a probability of {self.failure:g}"

    def check(self, x: Instance) -> None:
        """See `OnlinePredictionAlgorithm`."""
        self.hypothesis_class.restrict(x, False)

    @cached_property
    def privacy(self) -> PrivacyStatement:
        """See `OnlinePredictionAlgorithm`: what was asked for; the components may cost a little less."""
        guard, rest = float(self.votes.guard), float(self.votes.guard_delta)
        price = self.votes.epsilon_at(Fraction(self.delta))
        return joint_statement(
            self.epsilon,
            self.delta,
            (
                Component("votes", price - guard, self.delta - rest, f"at most {self.votes.cap} close votes"),
                Component("guard", guard, rest, "AboveThreshold on the number of close votes"),
            ),
        )

    @property
    def settings(self) -> dict[str, Any]:
        """See `OnlinePredictionAlgorithm`."""
        return {
            "copies": self.votes.voters,
            "rate": float(self.votes.rate),
            "most_close_votes": self.votes.cap,
            "mistake_bound": self.mistake_bound,
            "unmet": self.unmet,
        }

    def _start(self, source: Source) -> RunningMajority:
        return RunningMajority(self, source)


class RunningMajority(OnlinePredictor):
    """A running `MajorityPredictor`."""

    def __init__(self, algorithm: MajorityPredictor, source: Source) -> None:
        super().__init__(algorithm, source)
        self._vote = MajorityVote(algorithm.votes, source)
        self._untaught = algorithm.hypothesis_class
        #: What the copies that were wrong have learned, as the hypotheses that agree with their mistakes.
        self._spaces: dict[int, HypothesisClass] = {}
        #: How many copies have learned the same, and what they say.
        self._alike = Counter({self._untaught: algorithm.votes.voters})

    def _check(self, x: Any) -> None:
        try:
            self._untaught.restrict(x, False)
        except TypeError:
            raise InputError(f"the instance {x!r} is not in the domain.") from None

    def _predict(self, x: Instance) -> bool:
        if self._vote.ended:
            return self._untaught.soa(x)
        return self._vote.decide(sum(number for space, number in self._alike.items() if space.soa(x)))

    def _observe(self, x: Instance, y: bool) -> None:
        if self._vote.ended:
            return
        copy = self._source.uniform_index(self._vote.rule.voters)
        space = self._spaces.get(copy, self._untaught)
        if space.soa(x) == y:
            return
        learned = space.restrict(x, y)
        if learned.is_empty():  # no hypothesis of the class agrees with this copy's mistakes: it learns no more
            return
        self._spaces[copy] = learned
        self._alike[learned] += 1
        self._alike[space] -= 1
        if not self._alike[space]:
            del self._alike[space]
