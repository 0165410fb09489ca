"""Rounds a second of LittlestonePredictor with the paper's constants, for dimensions 1 to 4."""

from __future__ import annotations

import time

import numpy as np

from reticent.classes import FiniteClass, labellings, named
from reticent.prediction import LittlestonePredictor

ROUNDS = 100_000


def test_rounds_a_second_with_the_papers_constants() -> None:
    print(f"\nLittlestonePredictor(.., 1, 1e-6) with the paper's constants, T = {ROUNDS}, secure noise")
    for name in ("points:50", "sparse:12,2", "sparse:10,3", "sparse:10,4"):
        cls = named(name)
        points = list(cls.instances)
        table = FiniteClass(list(labellings(cls, points)), points)
        algorithm = LittlestonePredictor(table, 1.0, 1e-6, constants="paper")
        target = list(table.members())[-1]
        xs = np.random.default_rng(1).choice(points, ROUNDS)
        ys = np.array([target(x) for x in xs.tolist()])
        predictor = algorithm.start()
        start = time.perf_counter()
        for x, y in zip(xs.tolist(), ys.tolist(), strict=True):
            predictor.predict(x)
            predictor.update(y)
        live = ROUNDS / (time.perf_counter() - start)
        predictor = algorithm.start()
        start = time.perf_counter()
        predictor.update_block(xs, ys)
        block = ROUNDS / (time.perf_counter() - start)
        print(f"  d = {table.littlestone_dimension()}: {live:.0f} a second live, {block:.0f} in a block")
