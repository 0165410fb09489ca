"""One round live, choice and update, against numpy Hedge and (when installed) river's EWARegressor."""

from __future__ import annotations

import numpy as np
import pytest
from measure import print_ratio

import reticent as rt

ROUNDS = 20_000


def play(algorithm: rt.experts.ExpertsAlgorithm, rows: list[np.ndarray]) -> int:
    learner = algorithm.start()
    total = 0
    for row in rows:
        total += learner.choice
        learner.update(row)
    return total


def numpy_hedge(rows: list[np.ndarray]) -> int:
    cumulative = np.zeros(len(rows[0]))
    uniforms = np.random.default_rng(1).random(len(rows))
    total = 0
    for row, uniform in zip(rows, uniforms, strict=True):
        sums = np.cumsum(np.exp(-0.01 * (cumulative - cumulative.min())))
        total += int(np.searchsorted(sums, uniform * sums[-1]))
        cumulative += row
    return total


def river_rounds(n_experts: int, rounds: int) -> None:
    from river import ensemble, optim
    from river.linear_model import LinearRegression

    model = ensemble.EWARegressor([LinearRegression(optimizer=optim.SGD(0.0)) for _ in range(n_experts)])
    for t in range(rounds):
        x = {"a": 1.0}
        model.predict_one(x)
        model.learn_one(x, float(t % 2))


@pytest.mark.parametrize("n_experts", [10, 100])
@pytest.mark.parametrize("name", ["auto", "Dartboard"])
def test_live_rounds(n_experts: int, name: str) -> None:
    rows = list(np.random.default_rng(1).random((ROUNDS, n_experts)) * np.linspace(0.01, 1, n_experts))
    algorithm = {"auto": rt.experts.auto, "Dartboard": rt.experts.Dartboard}[name](n_experts, 1.0, 1e-6)
    title = f"{ROUNDS} live rounds of {name}, N = {n_experts}, secure noise"
    print_ratio(f"{title}, over numpy Hedge", lambda: play(algorithm, rows), lambda: numpy_hedge(rows), pairs=5)
    few = ROUNDS // 20
    print_ratio(
        f"{title}, over a twentieth as many rounds of river's EWARegressor",
        lambda: play(algorithm, rows),
        lambda: river_rounds(n_experts, few),
        pairs=3,
    )
