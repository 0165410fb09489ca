"""SignGuessing forces on the private algorithms what no oblivious stream with L* = 0 can."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from reticent.adversaries import SignGuessing
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
    TreeFTPL,
    auto,
    registry,
)
from reticent.games import AdaptiveGame, oblivious_bound, play_adaptively
from reticent.mechanisms import GaussianNodes, LaplaceNodes
from reticent.randomness import SeededSource

COLUMNS, ROUNDS, RUNS = 256, 10_000, 5
ADVERSARY = SignGuessing(COLUMNS)

#: Those whose oblivious bound, with its constants, says something at a length that a test can play.
PROVED = {
    "dartboard": (1.0, ROUNDS),
    "dartboard-decaying": (1.0, ROUNDS),
    "dartboard-paper": (10.0, 25_000),  # at epsilon = 1 it says something from T = 2e5 on: docs/lower-bounds.md
    "doubling": (1.0, ROUNDS),
    "guarded-epochs": (1.0, 2 * ROUNDS),
    "lazy-to-private": (1.0, ROUNDS),
    "scheduled-hedge": (1.0, ROUNDS),
    "shrinking-dartboard": (1.0, ROUNDS),
    "sparse-vector": (1.0, ROUNDS),
}


def made(name: str, epsilon: float = 1.0, rounds: int = ROUNDS) -> ExpertsAlgorithm:
    return registry.make(name, ADVERSARY.n_experts, epsilon, 1e-6, horizon=rounds)


def played(algorithm: ExpertsAlgorithm, rounds: int = ROUNDS) -> AdaptiveGame:
    return play_adaptively(algorithm, ADVERSARY, rounds, runs=RUNS, source=SeededSource(6))


def certain(game: AdaptiveGame) -> float:
    """A lower bound at 95 % on the expected regret, whatever its law in [0, T] (Hoeffding)."""
    return game.regret.mean - game.rounds * math.sqrt(math.log(20) / (2 * game.runs))


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
def test_noise_that_is_partly_fresh_is_forced_beyond_its_bound_where_experts_are_many() -> None:
    """Catches a bound of TreeFTPL that would hold on adaptive streams: half its nodes stay from round to round."""
    experts, rounds = 16_384, 12_000
    algorithm = TreeFTPL(experts, 1000.0, 1e-6, horizon=rounds)
    stream, learner = SignGuessing(experts // 2).start(SeededSource(1)), algorithm.start(SeededSource(2))
    loss = 0
    for _ in range(rounds):
        losses, choice = stream.losses.copy(), learner.choice
        loss += int(losses[choice])
        stream.observe(choice)
        learner.update(losses)
    assert stream.spotless
    bound = algorithm.regret_bound(rounds, 0.0)
    assert bound is not None
    assert loss > 1.2 * bound


def test_the_registry_has_no_other_private_algorithm() -> None:
    """Catches an algorithm that was added and never attacked."""
    names = set(registry.algorithm_names()) - {"hedge", "auto", "private-hedge", "tree-ftpl"}
    assert names == set(PROVED)
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
        assert (found.value, found.condition) == (rival.regret_bound(1000, 0.0), "")
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
    eps1, eta = float(parameters.threshold_epsilon), float(parameters.redraws.rate(1) or 0)
    longest = parameters.delay + 1 + 2 * m * math.log(1000) / eps1
    floor = parameters.floor(parameters.redraws.rate(1), algorithm.neighbours, 2**20) / 2**20
    # tau = r_min + m ln(T) / eps1, so that an interval ends too early with a chance of 1 / T in each round.
    departures = math.log(10) + eta * floor
    expected = departures * (1 / eta + longest) + longest + 1
    bound = algorithm.regret_bound(1000, 0.0)
    assert expected == pytest.approx(bound, rel=1e-3)
    assert expected <= bound


def test_the_papers_constants_give_a_bound_for_the_papers_noise() -> None:
    """Catches a bound with the noise of another algorithm: scales 2 / eps1 and 4 / eps1, for all rounds at once."""
    algorithm = Dartboard(10, 100.0, 1e-6, horizon=1000, parameters="paper")
    eps1, eta = 25.0, float(algorithm.derived.redraws.rate(1) or 0)
    longest = algorithm.derived.delay + 6 * math.log(2e6) / eps1 + 1
    expected = math.log(10) * (1 / eta + longest) + longest + 1
    assert expected < 1000
    assert algorithm.regret_bound(1000, 0.0) == pytest.approx(expected, rel=1e-3)


@pytest.mark.parametrize("name", ["dartboard", "dartboard-decaying", "shrinking-dartboard", "lazy-to-private"])
def test_bounds_hold_on_streams_that_force_many_departures(name: str) -> None:
    """Catches a lost constant: experts are spoiled one after another, as fast as it takes to leave them."""
    n, rounds = 64, 4096
    algorithm = registry.make(name, n, 1.0, 1e-6, horizon=rounds)
    bound = algorithm.regret_bound(rounds, 0.0)
    assert bound is not None
    worst = 0.0
    for period in (20, 64, 150, 400):
        losses = np.zeros((rounds, n))
        for expert in range(n - 1):
            losses[expert * period :, expert] = 1
        halves = np.zeros((rounds, n))
        for step in range(int(math.log2(n))):
            halves[step * period :, : n - (n >> (step + 1))] = 1
        for stream in (losses, halves):
            runs = [algorithm.start(SeededSource(seed)).update_block(stream) for seed in range(40)]
            lost = [stream[np.arange(rounds), choices].sum() for choices in runs]
            # The mean of forty runs is rarely three of its deviations above the truth; the seeds are fixed.
            assert np.mean(lost) - 3 * np.std(lost) / math.sqrt(40) < bound
            worst = max(worst, float(np.mean(lost)))
    assert worst > 0.05 * bound


def test_the_bound_of_the_default_holds_on_iid_losses() -> None:
    """Catches a slip in its proof."""
    n, rounds = 64, 2**13
    algorithm = GuardedEpochs(n, 1.0)
    bound = oblivious_bound(algorithm, rounds)
    assert bound is not None
    assert "i.i.d." in bound.condition
    fine = GuardedEpochs(n, 1.0, grid_bits=30)
    assert oblivious_bound(fine, 2 * fine.longest_epoch + 1) is None  # epochs double no longer
    chance = np.random.default_rng(1)
    worst = 0.0
    for rate in (0.5, 0.1, 0.02, 0.005):
        losses = (chance.random((rounds, n)) < rate) & (np.arange(n) > 0)
        runs = [algorithm.start(SeededSource(seed)).update_block(losses) for seed in range(10)]
        worst = max(worst, float(np.mean([losses[np.arange(rounds), choices].sum() for choices in runs])))
    assert 0.02 * bound.value < worst < bound.value


@pytest.mark.parametrize("noise", [LaplaceNodes, GaussianNodes])
def test_the_bound_of_the_tree_holds_where_few_nodes_are_summed(noise: type) -> None:
    """Catches a lost constant, on losses that come where the noise of the leader is least and where it is largest."""
    n, rounds = 16, 2**12
    algorithm = TreeFTPL(n, 50.0, 1e-6, horizon=rounds, noise=noise)
    bound = algorithm.regret_bound(rounds, 0.0)
    assert bound is not None
    assert algorithm.regret_bound(rounds + 1, 0.0) is None
    nodes = np.array([bin(t).count("1") for t in range(rounds)])
    worst = 0.0
    for most in (1, 3, 12):
        losses = np.zeros((rounds, n))
        losses[nodes <= most, 1:] = 1
        runs = [algorithm.start(SeededSource(seed)).update_block(losses) for seed in range(10)]
        worst = max(worst, float(np.mean([losses[np.arange(rounds), choices].sum() for choices in runs])))
    assert 0.004 * bound < worst < bound
