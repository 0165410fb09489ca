"""What algorithms derive from public parameters: schedules, tuning, weights."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import reticent.experts as ex
from reticent.experts import tuning
from reticent.mechanisms import DworkRothNoise, EqualRates
from reticent.privacy import Neighbours
from reticent.randomness import SeededSource


@given(growth=st.floats(1.01, 50), first=st.integers(1, 1000), rounds=st.integers(0, 10**7))
def test_the_next_geometric_time_is_later_and_none_is_skipped(growth: float, first: int, rounds: int) -> None:
    """Catches a time that is reached twice, or passed over by rounding."""
    schedule = ex.GeometricTimes(growth, first)
    after = schedule.next_after(rounds)
    assert after > rounds
    earlier = 0
    while earlier <= rounds:
        earlier = schedule.next_after(earlier)
    assert earlier == after


@given(period=st.integers(1, 1000), rounds=st.integers(0, 10**9))
def test_equal_times_are_multiples_of_the_period(period: int, rounds: int) -> None:
    """Catches an off-by-one that would draw once more than was paid for."""
    after = ex.EveryRounds(period).next_after(rounds)
    assert after % period == 0
    assert rounds < after <= rounds + period


@pytest.mark.parametrize("n_experts", [10, 100])
@pytest.mark.parametrize("best_loss", [0.0, 1e3, 1e4])
def test_tuning_minimises_the_bound(n_experts: int, best_loss: float) -> None:
    """Catches a search that minimises something else, or misses settings that a person would try."""
    tuned = tuning.tuned(n_experts, 100_000, 1.0, 1e-6, best_loss, Neighbours())
    bound = tuning.typical_regret(tuned, n_experts, best_loss)
    for share1, share2 in ((0.6, 0.15), (0.5, 0.1), (0.3, 0.05)):
        for cap in (8, 12, 23, 48):
            eta = EqualRates.calibrated(cap, 1 - share1 - share2, 1e-6, Neighbours()).learning_rate
            mu = math.log(n_experts) + float(eta) * best_loss
            if cap < 1.3 * mu + 3 * math.sqrt(mu) + 4 or eta > share2:
                continue
            delay = tuning._delay(float(eta), share1, share2, 100_000)
            tried = ex.DartboardParameters(Fraction(share1), Fraction(share2), delay, EqualRates(eta, cap))
            assert bound <= 1.05 * tuning.typical_regret(tried, n_experts, best_loss)


def test_the_tuned_bound_is_that_of_the_derivation() -> None:
    """Catches another formula (90-proofs 1.4: T = 1e5, N = 10, L* = 0: about 385)."""
    tuned = tuning.tuned(10, 100_000, 1.0, 1e-6, 0.0, Neighbours())
    assert tuning.typical_regret(tuned, 10, 0.0) == pytest.approx(385, rel=0.25)


def test_the_papers_parameters_are_those_of_its_theorems() -> None:
    """Catches a constant copied wrongly (Theorem 1.1, T = 1e5, N = 100, epsilon = 1, L* = 100)."""
    T, L, epsilon = 100_000, 100.0, 1.0
    derived = ex.Dartboard(100, epsilon, horizon=T, expected_best_loss=L, parameters="paper").derived
    alpha = 8 * (math.log(T) + math.log(2 * T * T)) / (epsilon / 4)
    c1 = 71 * math.log(100) + 72 + 280 * math.log(T)
    assert derived.noise is DworkRothNoise
    assert float(derived.threshold_epsilon) == float(derived.coin_epsilon) == epsilon / 4
    assert derived.delay == pytest.approx(4 / epsilon + alpha)
    assert isinstance(derived.redraws, EqualRates)
    eta = min(
        1 / (4 / epsilon + 2 * alpha + 1),
        epsilon / (8 * c1),
        math.sqrt(epsilon / (568 * L)),
        math.sqrt(math.log(100) / ((4 / epsilon + 2 * alpha + 1) * L)),
    )
    assert float(derived.redraws.learning_rate) == pytest.approx(eta)
    assert derived.redraws.cap == math.ceil(c1 + 71 * eta * L)


@given(
    n_experts=st.integers(2, 1000),
    epsilon=st.floats(0.05, 8),
    best_loss=st.floats(0, 1e5),
    delta=st.sampled_from([0.0, 1e-6]),
)
def test_tuning_never_overspends(n_experts: int, epsilon: float, best_loss: float, delta: float) -> None:
    """Catches a setting whose exact price exceeds the budget that its search approximated."""
    for rule in (tuning.tuned, tuning.paper, tuning.decaying):
        parameters = rule(n_experts, 50_000, epsilon, delta, best_loss, Neighbours())
        assert parameters.epsilon(delta, Neighbours()) <= epsilon


@pytest.mark.parametrize("relation", ["replace-one", "add-remove"])
@pytest.mark.parametrize("m", [1, 3])
def test_a_round_is_weighed_within_its_budget(relation: str, m: int) -> None:
    """Catches selection weights of a round that add up to more than was paid for."""
    algorithm = ex.GuardedEpochs(50, 1.0, relation=relation, rounds_per_person=m)
    assert (algorithm.selection_weights.sum(axis=1) <= 1 << 12).all()
    assert (algorithm.selection_weights >= 0).all()
    total = algorithm.selection_rate * int(algorithm.selection_weights.sum(axis=1).max())
    assert total * algorithm.neighbours.score_range <= algorithm.selection_epsilon
    assert algorithm.guard_epsilon + algorithm.rate_epsilon + algorithm.selection_epsilon == 1


def test_epochs_double() -> None:
    """Catches an epoch that ends early or never."""
    algorithm = ex.GuardedEpochs(2, 1.0, first_epoch=10, guard_share=0.01)
    learner = algorithm.start(SeededSource(1))
    ends = []
    for t in range(1, 700):
        learner.update([0.0, 0.0])
        if not ends or learner._epoch_start != ends[-1]:
            ends.append(learner._epoch_start)
    assert [end for end in ends if end] == [10, 20, 40, 80, 160, 320, 640]


def test_the_default_finds_the_best_expert_and_notices_when_it_fails() -> None:
    """Catches a default that does not learn, or that trusts an expert for ever."""
    losses = np.full((40_000, 5), 0.5)
    losses[:20_000, 2] = 0.0
    losses[20_000:, 3] = 0.0
    choices = ex.auto(5, 1.0).start(SeededSource(3)).update_block(losses)
    assert np.mean(choices[5_000:20_000] == 2) > 0.95
    assert np.mean(choices[21_000:] == 3) > 0.9


def test_public_weights_cannot_be_changed() -> None:
    """Catches weights that a caller changes behind the statement's back."""
    with pytest.raises(ValueError, match="read-only"):
        ex.auto(5, 1.0).selection_weights[:] *= 100


@pytest.mark.parametrize("bits", [0, 20, 30])
def test_scores_fit_in_int64_at_the_longest_epoch(bits: int) -> None:
    """Catches an overflow, after which one record decides the choice."""
    algorithm = ex.GuardedEpochs(2, 1e-3, grid_bits=bits)
    units = 1 << bits
    longest = algorithm.longest_epoch * units
    assert algorithm.first_epoch_rounds <= algorithm.longest_epoch
    heaviest = algorithm.selection_weights.max(axis=0)
    assert int(heaviest.sum()) * longest < 1 << 63


@pytest.mark.parametrize("kind", [ex.ShrinkingParameters, ex.LazyParameters, ex.DartboardParameters])
def test_the_coin_costs_at_least_what_its_exact_rate_says(kind: type) -> None:
    """Two roundings may fall below by more than one step up mends."""
    m, rate = 9, Fraction(527800157049, 524214592358)
    redraws = EqualRates(rate, 1)
    if kind is ex.DartboardParameters:
        parameters = kind(Fraction(1), Fraction(1, 1000), 0.0, redraws)
    else:
        parameters = kind(Fraction(1, 1000), 1, redraws)
    relation = "add-remove" if kind is ex.LazyParameters else "replace-one"  # a range of m losses in either
    assert Fraction(parameters.coin_price(Neighbours(relation, m))) >= m * rate
