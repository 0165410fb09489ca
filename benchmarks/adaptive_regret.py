"""The tables of docs/lower-bounds.md: what an adaptive adversary forces, beside what oblivious streams allow.

python benchmarks/adaptive_regret.py 20     # so many seeded runs
"""

from __future__ import annotations

import math
import sys

import numpy as np

from reticent.adversaries import FAMILIES, SignGuessing
from reticent.experts import ExpertsAlgorithm, registry
from reticent.experts.grid import LossBlock
from reticent.games import AdaptiveGame, oblivious_bound, play_adaptively
from reticent.randomness import SeededSource

DELTA, COLUMNS = 1e-6, 256


def certain(game: AdaptiveGame) -> float:
    """A lower bound on the expected regret at 95 %, whatever the law of a regret in [0, T] is (Hoeffding)."""
    return game.regret.mean - game.rounds * math.sqrt(math.log(20) / (2 * game.runs))


def worst_family(algorithm: ExpertsAlgorithm, rounds: int, runs: int) -> tuple[float, str]:
    """The largest mean regret on the oblivious families with L* = 0, and its family."""
    means = {}
    for name, family in FAMILIES.items():
        regrets = []
        for seed in range(runs):
            block = LossBlock(family(rounds, algorithm.n_experts, 0.0, seed), algorithm.grid, algorithm.n_experts)
            choices = algorithm.start(SeededSource(1000 + seed)).update_block(block)
            regrets.append((block.loss_of(choices) - int(block.totals.min())) / algorithm.grid.units)
        means[name] = float(np.mean(regrets))
    worst = max(means, key=lambda name: means[name])
    return means[worst], worst


def row(name: str, epsilon: float, rounds: int, columns: int, runs: int) -> str:
    adversary = SignGuessing(columns)
    algorithm = registry.make(name, adversary.n_experts, epsilon, DELTA, horizon=rounds)
    bound = oblivious_bound(algorithm, rounds)
    measured, family = worst_family(algorithm, rounds, runs)
    game = play_adaptively(algorithm, adversary, rounds, runs=runs, source=SeededSource(1))
    assert game.best_loss == 0
    stated = "none proved" if bound is None else f"{bound.value:,.0f} ({bound.condition or 'nothing else'})"
    return (
        f"| {name} | {stated} | {measured:,.0f} ({family}) | {game.replayed.mean:,.1f} | {game.regret.mean:,.0f} "
        f"| {certain(game):,.0f} |"
    )


def main(runs: int) -> None:
    names = [name for name in registry.algorithm_names() if name != "hedge"]
    print("## epsilon = 1, T = 10,000, N = 512")
    for name in names:
        print(row(name, 1.0, 10_000, COLUMNS, runs), flush=True)
    print("## epsilon = 1, T = 200,000, N = 512, and epsilon = 10, T = 20,000")
    print(row("dartboard-paper", 1.0, 200_000, COLUMNS, runs), flush=True)
    print(row("dartboard-paper", 10.0, 20_000, COLUMNS, runs), flush=True)
    print("## epsilon = 1, T = 2,000, N = 4,002")
    for name in ("private-hedge", "dartboard"):
        print(row(name, 1.0, 2_000, 2_001, runs), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]))
