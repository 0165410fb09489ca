"""`rt.run(Dartboard)` against numpy's own column sum of the same array, numpy Hedge, and river's EWARegressor."""

from __future__ import annotations

import numpy as np
import pytest
from bench_live import river_rounds
from measure import print_ratio

import reticent as rt


@pytest.mark.parametrize(("rounds", "n_experts"), [(100_000, 100), (10_000, 10_000)])
@pytest.mark.parametrize("kind", [np.float64, np.float32, np.uint8])
def test_run_against_the_column_sum(rounds: int, n_experts: int, kind: type) -> None:
    generator = np.random.default_rng(1)
    losses = generator.random((rounds, n_experts), dtype=np.float32).astype(kind)
    if kind is np.uint8:
        losses = (generator.random((rounds, n_experts), dtype=np.float32) < 0.2).astype(kind)
    algorithm = rt.experts.Dartboard(n_experts, 1.0, 1e-6, horizon=rounds)
    print_ratio(
        f"rt.run(Dartboard), {kind.__name__}, T = {rounds}, N = {n_experts}, secure noise, over numpy's column sum",
        lambda: rt.run(algorithm, losses),
        lambda: losses.sum(axis=0),
        pairs=51,
    )


def numpy_hedge(losses: np.ndarray, rate: float, uniforms: np.ndarray) -> float:
    """Hedge as one writes it in numpy, a round at a time."""
    cumulative = np.zeros(losses.shape[1])
    total = 0.0
    for t in range(len(losses)):
        weights = np.exp(-rate * (cumulative - cumulative.min()))
        sums = np.cumsum(weights)
        choice = np.searchsorted(sums, uniforms[t] * sums[-1])
        total += losses[t, choice]
        cumulative += losses[t]
    return total


def test_run_against_numpy_hedge() -> None:
    losses = np.random.default_rng(1).random((100_000, 100))
    uniforms = np.random.default_rng(2).random(100_000)
    algorithm = rt.experts.Dartboard(100, 1.0, 1e-6, horizon=len(losses))
    print_ratio(
        "rt.run(Dartboard), T = 100000, N = 100, over numpy Hedge a round at a time",
        lambda: rt.run(algorithm, losses),
        lambda: numpy_hedge(losses, 0.01, uniforms),
        pairs=3,
    )


def test_run_against_river() -> None:
    losses = np.random.default_rng(1).random((100_000, 100))
    algorithm = rt.experts.Dartboard(100, 1.0, 1e-6, horizon=len(losses))
    print_ratio(
        "rt.run(Dartboard), T = 100000, N = 100, over 1000 rounds of river's EWARegressor",
        lambda: rt.run(algorithm, losses),
        lambda: river_rounds(100, 1000),
        pairs=3,
    )
