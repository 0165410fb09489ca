"""Mistakes of PointPredictor at (1, 1e-6) against adversaries that watch it, on streams of 1e3 to 1e7 rounds.

python benchmarks/point_adversaries.py streams 1000  # T log-uniform; at least 30 with T = 1e7; secure noise
python benchmarks/point_adversaries.py lengths 390   # so many streams each at T = 1e4, 1e5, 1e6, 1e7; secure noise
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Iterator

import numpy as np

from reticent.adversaries.watching_points import POINT_STRATEGIES, play_points
from reticent.prediction import PointPredictor

ALGORITHM = PointPredictor(1.0, 1e-6)
NUMBERS = (ALGORITHM.batch, ALGORITHM.rule.delay, ALGORITHM.rule.delay + ALGORITHM.rule.schedule.rounds)
STRATEGIES = list(POINT_STRATEGIES.items())


def mistakes(number: int, rounds: int) -> int:
    _, strategy = STRATEGIES[number % len(STRATEGIES)]
    return play_points(ALGORITHM.start(), strategy, rounds, number, NUMBERS)


def streams(number: int) -> Iterator[str]:
    draw = np.random.default_rng(number)
    yield f"bound {ALGORITHM.mistake_bound}, {len(STRATEGIES)} strategies, {number} streams"
    lengths = np.where(np.arange(number) % 28 == 0, 10**7, (10 ** draw.uniform(3, 7, number)).astype(int)).tolist()
    begin = time.perf_counter()
    made = np.array([mistakes(i, rounds) for i, rounds in enumerate(lengths)])
    seconds = time.perf_counter() - begin
    yield f"{sum(lengths):.3g} rounds in {seconds:.0f} s; largest {made.max()}, mean {made.mean():.1f}"
    yield "| strategy | streams | mean | largest |\n|---|---|---|---|"
    for k, (name, _) in enumerate(STRATEGIES):
        of = made[k :: len(STRATEGIES)]
        yield f"| {name} | {len(of)} | {of.mean():.1f} | {of.max()} |"


def lengths(number: int) -> Iterator[str]:
    yield "| T | streams | mean | where the point came up | standard error | largest |\n|---|---|---|---|---|---|"
    for rounds in (10**4, 10**5, 10**6, 10**7):
        made = np.array([mistakes(i, rounds) for i in range(number)])
        some = made[made > 0]
        error = some.std(ddof=1) / math.sqrt(len(some))
        yield f"| {rounds:.0e} | {number} | {made.mean():.1f} | {some.mean():.1f} | {error:.1f} | {made.max()} |"


if __name__ == "__main__":
    for line in {"streams": streams, "lengths": lengths}[sys.argv[1]](int(sys.argv[2])):
        print(line, flush=True)
