"""SignGuessing forces on the private algorithms what no oblivious stream with L* = 0 can."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from reticent.adversaries import FAMILIES, SignGuessing
from reticent.errors import ParameterError
from reticent.experts import (
    Dartboard,
    ExpertsAlgorithm,
    GeometricTimes,
    GuardedEpochs,
    Hedge,
    LazyToPrivate,
    PrivateHedge,
    ScheduledHedge,
    ShrinkingDartboard,
    Subsampled,
    auto,
    registry,
)
from reticent.experts.grid import LossBlock
from reticent.games import AdaptiveGame, oblivious_bound, play_adaptively
from reticent.randomness import SeededSource

COLUMNS, ROUNDS, RUNS = 256, 10_000, 5
ADVERSARY = SignGuessing(COLUMNS)

#: Those whose oblivious bound, with its constants, says something at a length that a test can play.
PROVED = {
    "dartboard": (1.0, ROUNDS),
    "dartboard-paper": (10.0, 25_000),  # at epsilon = 1 it says something from T = 2e5 on: docs/lower-bounds.md
    "doubling": (1.0, ROUNDS),
    "lazy-to-private": (1.0, ROUNDS),
    "scheduled-hedge": (1.0, ROUNDS),
    "shrinking-dartboard": (1.0, ROUNDS),
    "sparse-vector": (1.0, ROUNDS),
}

#: Those without one: measured on oblivious streams, and allowed ten times as much.
MEASURED = ("guarded-epochs", "dartboard-decaying")


def made(name: str, epsilon: float = 1.0, rounds: int = ROUNDS) -> ExpertsAlgorithm:
    return registry.make(name, ADVERSARY.n_experts, epsilon, 1e-6, horizon=rounds)


def played(algorithm: ExpertsAlgorithm, rounds: int = ROUNDS) -> AdaptiveGame:
    return play_adaptively(algorithm, ADVERSARY, rounds, runs=RUNS, source=SeededSource(6))


def certain(game: AdaptiveGame) -> float:
    """A lower bound at 95 % on the expected regret, whatever its law in [0, T] (Hoeffding)."""
    return game.regret.mean - game.rounds * math.sqrt(math.log(20) / (2 * game.runs))


def largest_measured(algorithm: ExpertsAlgorithm, rounds: int = ROUNDS) -> float:
    """The mean regret on the worst of the oblivious families with L* = 0."""
    means = []
    for family in FAMILIES.values():
        regrets = []
        for seed in range(3):
            block = LossBlock(family(rounds, algorithm.n_experts, 0.0, seed), algorithm.grid, algorithm.n_experts)
            choices = algorithm.start(SeededSource(seed)).update_block(block)
            regrets.append(block.loss_of(choices) / algorithm.grid.units)
            assert block.totals.min() == 0
        means.append(float(np.mean(regrets)))
    return max(means)


@pytest.mark.long
@pytest.mark.parametrize("name", list(PROVED))
def test_an_adaptive_adversary_forces_more_than_the_oblivious_bound(name: str) -> None:
    """Catches an adversary that spares the choice, and a bound that would hold on adaptive streams."""
    epsilon, rounds = PROVED[name]
    algorithm = made(name, epsilon, rounds)
    bound = oblivious_bound(algorithm, rounds)
    assert bound is not None
    game = played(algorithm, rounds)
    assert game.best_loss == 0
    assert certain(game) > bound.value
    assert game.regret.at_least(0.95) > 0.97 * rounds
    assert game.replayed.mean < min(bound.value, game.regret.mean / 20)


@pytest.mark.long
@pytest.mark.parametrize("name", MEASURED)
def test_where_no_bound_is_proved_it_forces_ten_times_what_was_ever_measured(name: str) -> None:
    """Catches the same where only measurements say what oblivious streams allow."""
    algorithm = made(name)
    assert oblivious_bound(algorithm, ROUNDS) is None
    game = played(algorithm)
    assert game.best_loss == 0
    assert certain(game) > 10 * max(largest_measured(algorithm), game.replayed.mean)


@pytest.mark.long
def test_fresh_draws_keep_their_bound_which_is_above_that_of_the_dartboard() -> None:
    """Catches the claim that everything is broken: Hedge's bound holds on adaptive streams where draws are fresh.

    But it is no bound for small losses: what the adversary forces here exceeds what the Dartboard's allows at L* = 0.
    """
    game, hedge = played(made("private-hedge")), played(Hedge(ADVERSARY.n_experts, horizon=ROUNDS))
    bound, small = oblivious_bound(made("private-hedge"), ROUNDS), oblivious_bound(made("dartboard"), ROUNDS)
    assert bound is not None
    assert small is not None
    assert small.value < game.regret.at_least(0.95) < game.regret.mean < 1.01 * bound.value
    assert hedge.regret.interval()[0] < hedge.algorithm.regret_bound(ROUNDS, 0.0)


@pytest.mark.long
def test_noise_that_is_partly_fresh_is_forced_beyond_what_was_ever_measured() -> None:
    """Catches the same for TreeFTPL, of which no bound is proved here, and which half the nodes renew each round."""
    rounds = 2000
    algorithm = made("tree-ftpl", rounds=rounds)
    assert oblivious_bound(algorithm, rounds) is None
    game = played(algorithm, rounds)
    assert game.best_loss == 0
    assert game.regret.at_least(0.95) > max(1.5 * largest_measured(algorithm, rounds), game.replayed.mean)


def test_the_registry_has_no_other_private_algorithm() -> None:
    """Catches an algorithm that was added and never attacked."""
    names = set(registry.algorithm_names()) - {"hedge", "auto", "private-hedge", "tree-ftpl"}
    assert names == {*PROVED, *MEASURED}
    assert auto(10, 1.0) == GuardedEpochs(10, 1.0)


def test_replayed_streams_are_fixed_for_the_second_learner() -> None:
    """Catches a second learner that shares the coins of the first, or that the adversary listens to."""
    two = play_adaptively(Hedge(2, horizon=50), SignGuessing(1), 50, runs=40, source=SeededSource(1))
    # One column: nothing is retired, so both play the same stream, with other coins.
    assert two.regret.values != two.replayed.values
    assert two.regret.mean == pytest.approx(two.replayed.mean, rel=0.5)


def test_games_repeat_with_a_seed_and_say_what_they_are() -> None:
    """Catches coins from elsewhere, and a repr that hides that this is a simulation."""
    one, other = (
        play_adaptively(auto(8, 1.0), SignGuessing(4), 50, runs=3, source=SeededSource(2)) for _ in range(2)
    )
    assert (one.regret, one.replayed) == (other.regret, other.replayed)
    assert "simulated" in repr(one)
    assert one.noise == "seeded with 2"


@pytest.mark.parametrize(("name", "value"), [("rounds", 0), ("rounds", 1.5), ("runs", 1), ("runs", True)])
def test_bad_numbers_are_named(name: str, value: Any) -> None:
    """Catches an interval from one run."""
    numbers: dict[str, Any] = {"rounds": 10, "runs": 2, name: value}
    with pytest.raises(ParameterError, match=f"{name} is"):
        play_adaptively(auto(2, 1.0), SignGuessing(1), numbers.pop("rounds"), **numbers)


def test_the_numbers_of_experts_must_agree() -> None:
    """Catches a learner that is fed losses of other experts."""
    with pytest.raises(ParameterError, match="adversary has 4 experts and the algorithm 3"):
        play_adaptively(auto(3, 1.0), SignGuessing(2), 10)


def test_oblivious_bounds_by_hand() -> None:
    """Catches a lost constant."""
    hedge = PrivateHedge(10, 1.0, 1e-6, horizon=1000)
    eta = float(hedge.rates.learning_rate)
    found = oblivious_bound(hedge, 1000)
    assert found is not None
    assert found.value == min(math.log(10) / -math.expm1(-eta), math.log(10) / eta + eta * 125)
    assert hedge.regret_bound(1001, 0.0) is None
    for rival in (LazyToPrivate(10, 1.0, 1e-6, horizon=1000), ShrinkingDartboard(10, 1.0, 1e-6, horizon=1000)):
        found = oblivious_bound(rival, 1000)
        assert found is not None
        assert (found.value, found.condition) == (rival.regret_bound(1000, 0.0), "the cap is not reached")
    inner = Dartboard(10, 1.0, 1e-6, horizon=1000)
    subsampled = oblivious_bound(Subsampled(inner, 0.5), 1000)
    assert subsampled is not None
    assert subsampled.value == 2 * inner.regret_bound(1000, 0.0)
    assert oblivious_bound(ScheduledHedge(10, 1.0, schedule=GeometricTimes(3.0)), 1000) is None
    assert oblivious_bound(ScheduledHedge(10, 1.0, horizon=500), 1000) is None


def test_the_bound_of_scheduled_draws_holds_on_iid_losses() -> None:
    """Catches a slip in its proof, on rates that make it as bad as it can be."""
    rounds, n = 2**12, 64
    algorithm = ScheduledHedge(n, 1.0, 1e-6, horizon=rounds)
    bound = oblivious_bound(algorithm, rounds)
    assert bound is not None
    chance = np.random.default_rng(1)
    worst = 0.0
    for rate in (0.5, 0.1, 0.02, 0.005):
        rates = np.full(n, rate)
        rates[0] = 0
        losses = chance.random((rounds, n)) < rates
        runs = [algorithm.start(SeededSource(seed)).update_block(losses) for seed in range(10)]
        worst = max(worst, float(np.mean([losses[np.arange(rounds), choices].sum() for choices in runs])))
    assert 0.05 * bound.value < worst < bound.value


@pytest.mark.parametrize("m", [1, 3])
def test_several_rounds_a_person_cost_regret_in_the_bound(m: int) -> None:
    """Catches a bound that forgets that noise for m rounds a person is m times as wide."""
    algorithm = Dartboard(10, 3.0, 1e-6, horizon=1000, rounds_per_person=m)
    parameters = algorithm.derived
    longest = parameters.delay + 1 + 2 * m * math.log(1000) / float(parameters.threshold_epsilon)
    eta = float(parameters.redraws.rate(1) or 0)
    expected = math.exp(2 * eta * longest) * math.log(10) / -math.expm1(-eta) + 1
    assert algorithm.regret_bound(1000, 0.0) == pytest.approx(expected)


def test_the_papers_constants_give_a_bound_for_the_papers_noise() -> None:
    """Catches a bound with the noise of another algorithm: alpha = 8 (ln T + ln(2 T^2)) / eps1 (Lemma 3.2)."""
    algorithm = Dartboard(10, 10.0, 1e-6, horizon=1000, parameters="paper")
    alpha = 8 * (math.log(1000) + math.log(2e6)) / 2.5
    longest = 1 / 2.5 + alpha + alpha + 1
    eta = float(algorithm.derived.redraws.rate(1) or 0)
    expected = math.exp(2 * eta * longest) * math.log(10) / -math.expm1(-eta) + 1
    assert algorithm.regret_bound(1000, 0.0) == pytest.approx(expected)
    bound = oblivious_bound(algorithm, 1000)
    assert bound is not None
    assert bound.value == pytest.approx(expected + 1)


@pytest.mark.parametrize(("algorithm", "adversary"), [(None, SignGuessing(3)), (auto(8, 1.0), None)])
def test_what_cannot_play_is_named(algorithm: Any, adversary: Any) -> None:
    with pytest.raises(ParameterError, match="None is no "):
        play_adaptively(algorithm, adversary, 5)
