"""MajorityVote: its law, its price against exact oracles, and faults that its audit rejects."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest

from reticent.audit import exact_joint
from reticent.errors import LearnerStateError, ParameterError
from reticent.mechanisms import MajorityVote, VoteRule
from reticent.privacy import renyi_epsilon
from reticent.randomness import SeededSource, enumerate_outcomes

QUARTER = Fraction(1, 4)


def rule(voters: int = 100, rate: Fraction = Fraction(3, 10), cap: int = 2, slack: int = 1) -> VoteRule:
    return VoteRule(voters, rate, cap, guard=Fraction(4), slack=slack)


def weights(given: VoteRule, votes: int) -> np.ndarray:
    w = np.exp(-float(given.rate) / 2 * np.array(given.scores(votes), dtype=float))
    return w / w.sum()


# The law.


def test_the_answers_have_the_stated_law() -> None:
    """Catches a wrong sign, rate or width; the close answer is a fair coin."""
    given = VoteRule(5, QUARTER, 1, Fraction(1), 1)
    for votes in range(6):
        law = enumerate_outcomes(lambda source, c=votes: MajorityVote(given, source).decide(c)).probabilities
        zero, close, one = weights(given, votes)
        assert law[True] == pytest.approx(one + close / 2, abs=1e-12)
        assert law[False] == pytest.approx(zero + close / 2, abs=1e-12)
        log_close, log_one = given.log_chances(np.array([float(votes)]))
        assert (math.exp(log_close[0]), math.exp(log_one[0])) == pytest.approx((close, one))


@pytest.mark.parametrize("rate", [Fraction(1, 3), Fraction(1, 100), Fraction(7, 10**5), Fraction(3)])
def test_the_width_is_the_least_that_the_theorem_allows(rate: Fraction) -> None:
    """The theorem needs e^{-2 w r} <= 1/4: one half vote less, and the middle costs more than is charged."""
    given = VoteRule(10, rate, 1, Fraction(1), 1)
    assert math.exp(-given.width * rate) <= 0.25 + 1e-12
    assert given.width == 1 or math.exp(-(given.width - 1) * rate) > 0.25


def test_too_many_close_votes_end_it() -> None:
    """Catches a cap that is ignored, and a guard that never fires."""
    ends = []
    for seed in range(200):
        vote, asked = MajorityVote(rule(cap=30, slack=8), SeededSource(seed)), 0
        while not vote.ended:
            vote.decide(50)
            asked += 1
        assert vote._close <= 30
        assert vote._close >= 30 - 8 - 5
        ends.append(vote._close)
        with pytest.raises(LearnerStateError, match="ended"):
            vote.decide(50)
    assert len(set(ends)) >= 3


# The price.


def moment(given: VoteRule, votes: int, other: int, order: float) -> tuple[float, float, float]:
    """E_P[(P/Q)^order] over the answers that are not close, and over those that are; and P(close)."""
    p, q = weights(given, votes), weights(given, other)
    terms = p * (p / q) ** order
    return terms[0] + terms[2], terms[1], p[1]


@pytest.mark.parametrize("rate", [Fraction(1, 2), Fraction(3, 10), Fraction(1, 10), Fraction(1, 50)])
@pytest.mark.parametrize("order", [1.0, 1.5, 3.0, 8.0, 20.0])
def test_no_vote_costs_more_than_its_charge(rate: Fraction, order: float) -> None:
    """The inequality that the proof adds up, at every number of votes; and it is nearly the least that holds."""
    given = VoteRule(int(30 / rate), rate, 1, Fraction(1), 1)
    charge = float(given.charge(np.array([order]))[0])
    if charge == math.inf:
        assert order * float(rate) > 0.3
        return
    least = 0.0
    for votes in range(given.voters):
        for one, other in ((votes, votes + 1), (votes + 1, votes)):
            clear, close, chance = moment(given, one, other, order)
            assert clear + close * math.exp(-charge) <= 1 + 1e-13
            if chance > 1e-5:  # below it rounding errors rule
                least = max(least, -math.log((1 - clear) / close))
    assert charge < least * (1 + order * float(rate) + 0.05)


def test_a_narrower_middle_would_cost_more() -> None:
    """Catches a test of the charge that could not fail: with half the width it does."""

    class Narrow(VoteRule):
        @property
        def width(self) -> int:  # type: ignore[override]
            return super().width // 3

    given = Narrow(300, Fraction(1, 10), 1, Fraction(1), 1)
    charge = float(given.charge(np.array([3.0]))[0])
    clear, close, _ = moment(given, 150, 151, 3.0)
    assert clear + close * math.exp(-charge) > 1


def delta_of_votes(given: VoteRule, votes: int, cap: int, epsilon: float) -> float:
    """The exact delta of rounds with `votes` or one more until so many were close: a negative multinomial."""
    laws = [weights(given, c) for c in (votes, votes + 1)]
    clear = [np.arange(int(cap * max(law[i] / law[1] for law in laws) * 3 + 60)) for i in (0, 2)]
    a, b = np.meshgrid(*clear, indexing="ij")
    factorial = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1.0, a.max() + b.max() + cap + 2)))])
    ways = factorial[a + b + cap - 1] - factorial[a] - factorial[b] - factorial[cap - 1]
    p, q = (np.exp(ways + a * np.log(w[0]) + b * np.log(w[2]) + cap * np.log(w[1])) for w in laws)
    assert p.sum() > 1 - 1e-9
    return max(float(np.maximum(x - math.exp(epsilon) * y, 0).sum()) for x, y in ((p, q), (q, p)))


@pytest.mark.parametrize("votes", [20, 25, 30, 35])
def test_the_price_of_endless_votes_is_an_upper_bound(votes: int) -> None:
    """An exact oracle without the guard; and with four times as many close votes the promise is broken."""
    given, delta = VoteRule(60, Fraction(1, 10), 40, Fraction(1), 1), 1e-3
    epsilon = renyi_epsilon(lambda order: 40 * given.charge(order) / order, 40 * 0.01 / 2, delta)
    assert delta_of_votes(given, votes, 40, epsilon) <= delta
    assert delta_of_votes(given, votes, 160, epsilon) > delta


def test_the_price_counts_the_guard() -> None:
    """Catches a guard that is free, and a delta below what the cap takes."""
    given = rule()
    assert given.epsilon_at(Fraction(1, 10)) > 4.0
    assert given.epsilon_at(given.guard_delta) == math.inf
    assert given.guard_delta >= Fraction(math.exp(-4))
    dear = VoteRule(100, Fraction(3, 10), 20, Fraction(4), 1)
    assert dear.epsilon_at(QUARTER) > given.epsilon_at(QUARTER)


# Audits.


def audit(kind: type[MajorityVote], given: VoteRule, pairs: Any, delta: Fraction = Fraction(1, 10)) -> Any:
    def run(stream: tuple[int, ...], source: Any) -> tuple[bool | None, ...]:
        vote = kind(given, source)
        return tuple(None if vote.ended else vote.decide(votes) for votes in stream)

    return exact_joint(run, pairs, given.epsilon_at(delta), float(delta))


#: Close votes, and in the second round a close or a clear one.
CLOSE = [((50, 50, 50), (50, 0, 50))]


def test_the_changed_rounds_own_vote_is_hidden() -> None:
    """Catches a guard that tells whether the vote of the round that is left out was close."""
    found = audit(MajorityVote, rule(), CLOSE)
    assert found.passed, found


def test_a_cap_without_the_guard_is_rejected() -> None:
    """The number of close votes includes that of the changed round: an exact end tells whether it was close."""

    class Exact(MajorityVote):
        def __init__(self, given: VoteRule, source: Any) -> None:
            super().__init__(given, source)
            self._guard = NeverFires()  # type: ignore[assignment]

    class NeverFires:
        def add(self, close: int) -> bool:
            return False

    found = audit(Exact, rule(), CLOSE)
    assert not found.passed
    assert found.delta_found > 0.2


def test_a_vote_without_noise_is_rejected() -> None:
    """Without noise one vote decides."""

    class Plain(MajorityVote):
        def _answer(self, votes: int) -> int:
            return 2 if 2 * votes > self.rule.voters else 0

    class Lifted(Plain):
        """In the rounds after the first a vote more, if that had one."""

        lift = 0

        def _answer(self, votes: int) -> int:
            answer = super()._answer(votes + self.lift)
            self.lift = max(self.lift, votes - 50)
            return answer

    assert audit(Lifted, rule(), [((51, 50), (50, 50))]).delta_found > 0.9


# Refusals.


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"voters": 0}, "voters"),
        ({"rate": Fraction(0)}, "epsilon"),
        ({"cap": 0}, "cap"),
        ({"slack": 3}, "slack is 3 and cap 2"),
    ],
)
def test_bad_numbers_are_named(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        rule(**arguments)


@pytest.mark.parametrize("votes", [-1, 101])
def test_votes_beyond_the_voters_are_refused_before_anything_is_drawn(votes: int) -> None:
    """Catches a count that is no count; the same vote then answers as if nothing had happened."""
    one, other = (MajorityVote(rule(cap=50, slack=10), SeededSource(3)) for _ in range(2))
    with pytest.raises(ParameterError, match="from 0 to 100"):
        one.decide(votes)
    answers = [[vote.decide(50) for _ in range(10)] for vote in (one, other)]
    assert answers[0] == answers[1]


def test_huge_numbers_neither_overflow_nor_allocate() -> None:
    """Catches tables as long as there are voters."""
    given = VoteRule(10**12, Fraction(1, 10**9), 10**12, Fraction(1, 100), 10**4)
    assert given.epsilon_at(Fraction(1, 10**6)) < 0.1
    assert MajorityVote(given, SeededSource(1)).decide(9 * 10**11)
    assert partial(given.scores, 0)() == (given.width - 10**12, 0, given.width + 10**12)
