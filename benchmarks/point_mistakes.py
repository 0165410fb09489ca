"""The tables of docs/learning.md: mistakes of `PointLearner` on streams that a point labels.

python benchmarks/point_mistakes.py kinds 40     # T = 1e5, round by round, secure noise, so many runs of each
python benchmarks/point_mistakes.py lengths 400  # T up to e^1000, event by event, seeded
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator

import numpy as np

from reticent.classes import Points
from reticent.learning import PointLearner
from reticent.learning.long_streams import simulate

ROUNDS, EPSILON = 100_000, 1.0

Stream = list[tuple[int, bool, int]]


def every(gap: int) -> Stream:
    """One positive example in so many rounds."""
    return [(0, False, gap - 1), (1, True, 1)] * (ROUNDS // gap)


KINDS: dict[str, Stream] = {
    "1 from the first round": [(1, True, ROUNDS)],
    "1 in the second half": [(0, False, ROUNDS // 2), (1, True, ROUNDS // 2)],
    "1 in the last 1000 rounds": [(0, False, ROUNDS - 1000), (1, True, 1000)],
    "1 in every 100th round": every(100),
    "1 in every 1000th round": every(1000),
    "1 in every 2000th round": every(2000),
}


def mistakes(algorithm: PointLearner, stream: Stream) -> int:
    learner = algorithm.start()
    made = 0
    for x, y, times in stream:
        for _ in range(times):
            made += learner.hypothesis(x) != y
            learner.update(x, y)
    return made


def kinds(runs: int) -> Iterator[str]:
    yield "| labels | points | mean | standard error | largest |\n|---|---|---|---|---|"
    for n_points in (3, 1000):
        algorithm = PointLearner(Points(n_points), EPSILON, horizon=ROUNDS)
        for kind, stream in KINDS.items():
            made = np.array([mistakes(algorithm, stream) for _ in range(runs)])
            error = made.std(ddof=1) / math.sqrt(runs)
            yield f"| {kind} | {n_points} | {made.mean():.1f} | {error:.1f} | {made.max()} |"


def lengths(runs: int) -> Iterator[str]:
    yield "| ln T | mean | standard error |\n|---|---|---|"
    for exponent in (5, 10, 20, 50, 100, 200, 500, 1000):
        rounds = 1 << round(exponent / math.log(2))
        algorithm = PointLearner(Points(3), EPSILON, horizon=rounds)
        stream = [(0, False, rounds // 2), (1, True, rounds // 2)]
        made = np.array([simulate(algorithm, stream, seed).mistakes for seed in range(runs)])
        yield f"| {exponent} | {made.mean():.1f} | {made.std(ddof=1) / math.sqrt(runs):.1f} |"


if __name__ == "__main__":
    for line in {"kinds": kinds, "lengths": lengths}[sys.argv[1]](int(sys.argv[2])):
        print(line, flush=True)
