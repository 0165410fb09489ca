"""The marginal lemma (90-proofs 1.3), by enumeration of the shipped learner.

With no cap, no effect of the floor and any rule for when to check, a check forced at time t makes the law of the
choice exactly that of multiplicative weights: P(i) proportional to exp(-eta W_i).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from reticent.experts import Dartboard, DartboardParameters
from reticent.experts.dartboard import DartboardLearner
from reticent.experts.lazy import Event
from reticent.mechanisms import DelayedCoin, EqualRates
from reticent.randomness import Source, enumerate_outcomes

#: delays[round][expert]: how many rounds after that round the next check of that expert comes.
Delays = tuple[tuple[int, ...], ...]
#: More redraws than there are rounds.
NO_CAP = partial(EqualRates, cap=20)


class ScheduledCoin(DelayedCoin):
    """The guard is replaced by public check times, which may depend on the time and on the current expert."""

    learner: ScheduledChecks
    now = due = 0

    def restart(self) -> None:
        super().restart()
        self.due = 0

    def add(self, loss: int) -> bool:
        if self.due <= self.now:  # an interval begins
            delays = self.learner.delays
            self.due = self.now + delays[self.now % len(delays)][self.learner.choice]
        self.now += 1
        self._suffered += loss
        return self.now == self.due and self.check()

    def check(self) -> bool:
        """Whether the coin says "leave"; for no loss it would stay surely, were it not for the floor."""
        if self._suffered > 0:
            return self._leaves()
        self.restart()
        return False


class CoinOfTheNextExpert(ScheduledCoin):
    """Falls for the loss of another expert in the interval."""

    before: Sequence[int] = (0, 0, 0)

    def check(self) -> bool:
        other = (self.learner.choice + 1) % self.learner.algorithm.n_experts
        cumulative = self.learner._cumulative.tolist()
        self._suffered = cumulative[other] - self.before[other]
        self.before = cumulative
        return super().check()


class ScheduledChecks(DartboardLearner):
    """A Dartboard that checks at public times."""

    kind: type[ScheduledCoin] = ScheduledCoin

    @property
    def delays(self) -> Delays:
        return self._parameters.delays  # type: ignore[attr-defined,no-any-return]

    def _coin(self, rate: Fraction) -> DelayedCoin:
        sound = super()._coin(rate)
        rules = sound._rules
        coin = self.kind(rules.delay, sound._noise, rules.floor, rules.coin_rate, self._source)
        coin.learner = self
        return coin

    def force_check(self) -> None:
        """A check now, whatever the delays say."""
        assert isinstance(self._guard, ScheduledCoin)
        if self._guard.check():
            self._on_event(Event(self._rounds, True, 0, self._cumulative.copy))


class WrongCoin(ScheduledChecks):
    kind = CoinOfTheNextExpert


@dataclass(frozen=True)
class ChecksAt(DartboardParameters):
    delays: Delays = ((1, 1),)


def law_of_choice(
    kind: type[ScheduledChecks], delays: Delays, stream: Sequence[Sequence[float]], eta: Fraction
) -> np.ndarray:
    """The law of the choice after a check that is forced after the last round."""
    n_experts = len(stream[0])
    # eps2 is so large that the floor is one unit of the grid, which every loss above 0 reaches.
    numbers = ChecksAt(Fraction(1), Fraction(40), 0.0, NO_CAP(eta), delays=delays)
    algorithm = Dartboard(n_experts, 1e3, parameters=numbers, grid_bits=1)
    assert numbers.floor(eta, algorithm.neighbours, 2) == 1

    def run(source: Source) -> int:
        learner = kind(algorithm, source, numbers)
        for losses in stream:
            learner.update(losses)
        learner.force_check()
        return learner.choice

    law = enumerate_outcomes(run)
    assert law.truncated == 0.0
    return np.array([law.probabilities.get(i, 0.0) for i in range(n_experts)])


def multiplicative_weights(stream: Sequence[Sequence[float]], eta: Fraction) -> np.ndarray:
    cumulative = np.sum(np.array(stream, dtype=float), axis=0)
    weights = np.exp(-float(eta) * (cumulative - cumulative.min()))
    return np.asarray(weights / weights.sum())


@st.composite
def situations(draw: st.DrawFn) -> tuple[Delays, list[list[float]], Fraction]:
    n_experts, rounds = draw(st.sampled_from([(2, 4), (3, 3)]))
    losses = st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=n_experts, max_size=n_experts)
    delay = st.lists(st.integers(1, 3), min_size=n_experts, max_size=n_experts).map(tuple)
    return (
        tuple(draw(st.lists(delay, min_size=rounds, max_size=rounds))),
        draw(st.lists(losses, min_size=rounds, max_size=rounds)),
        draw(st.fractions(Fraction(1, 50), 3, max_denominator=50)),
    )


@given(situations())
@settings(max_examples=40)
def test_a_forced_check_makes_the_law_that_of_multiplicative_weights(
    situation: tuple[Delays, list[list[float]], Fraction],
) -> None:
    """Catches a coin with the wrong rate or loss, and weights that leave out a round, for any rule of delays."""
    delays, stream, eta = situation
    found = law_of_choice(ScheduledChecks, delays, stream, eta)
    assert np.abs(found - multiplicative_weights(stream, eta)).max() < 1e-12


def test_without_the_forced_check_the_law_lags_behind() -> None:
    """Catches a test of the lemma that could not fail: before its check a choice has not heard of the last losses."""
    stream, eta = [[1.0, 0.0], [1.0, 0.0]], Fraction(1)
    numbers = ChecksAt(Fraction(1), Fraction(40), 0.0, NO_CAP(eta), delays=((3, 3),))
    algorithm = Dartboard(2, 1e3, parameters=numbers, grid_bits=1)

    def run(source: Source) -> int:
        learner = ScheduledChecks(algorithm, source, numbers)
        for losses in stream:
            learner.update(losses)
        return learner.choice

    assert enumerate_outcomes(run).probabilities == {0: 0.5, 1: 0.5}
    assert law_of_choice(ScheduledChecks, ((3, 3),), stream, eta)[0] < 0.2


def test_the_lemma_needs_the_coin_of_the_own_expert() -> None:
    """A coin of the wrong expert's loss costs no more privacy (it lies in one interval too), and breaks this."""
    stream, eta = [[1.0, 0.0], [0.5, 0.0], [1.0, 0.5]], Fraction(1)
    delays = ((1, 1),)
    found = law_of_choice(WrongCoin, delays, stream, eta)
    assert np.abs(found - multiplicative_weights(stream, eta)).max() > 0.05
