"""The picture of docs/learning.md: mistakes of a private learner and of a private predictor against the rounds.

python benchmarks/separation.py 40 docs/images/separation.png  # so many seeded runs for each length

Both are played event by event on the same streams, up to e^1000 rounds, with the laws of round by round.
"""

from __future__ import annotations

import math
import sys

import numpy as np
from matplotlib.figure import Figure

from reticent.classes import Points
from reticent.learning import PointLearner
from reticent.prediction import HypothesisPredictor, PointPredictor
from reticent.prediction.long_streams import simulate
from reticent.report.drawing import BLUE, GREEN, VERMILION

LOG_ROUNDS = (5, 7, 10, 14, 20, 30, 50, 70, 100, 140, 200, 300, 500, 700, 1000)


def mistakes(algorithm: PointPredictor | HypothesisPredictor, log_rounds: int, runs: int) -> float:
    """Label 1 at one of three points in the second half of e^log_rounds rounds, or a few more."""
    half = 1 << round(log_rounds / math.log(2)) - 1
    stream = [(0, False, half), (1, True, half)]
    return float(np.mean([simulate(algorithm, stream, seed).mistakes for seed in range(runs)]))


def learner(log_rounds: int) -> HypothesisPredictor:
    """Its hypotheses make the mistakes that its labels make."""
    return HypothesisPredictor(PointLearner(Points(3), 1.0, horizon=1 << round(log_rounds / math.log(2))))


def main(runs: int, file: str) -> None:
    lines = {
        "PointLearner: hypotheses (epsilon = 1)": [mistakes(learner(k), k, runs) for k in LOG_ROUNDS],
    }
    bounds = []
    for delta in (1e-6, 1e-2):
        predictor = PointPredictor(1.0, delta)
        label = f"PointPredictor: labels (epsilon = 1, delta = {delta:g}); its bound at any length is dashed"
        lines[label] = [mistakes(predictor, k, runs) for k in LOG_ROUNDS]
        bounds.append(predictor.mistake_bound)
    for row in zip(LOG_ROUNDS, *lines.values(), strict=True):
        print("| {} | {:.1f} | {:.1f} | {:.1f} |".format(*row))
    print("bounds", *bounds)
    figure = Figure(figsize=(7.5, 4.8), layout="constrained")
    axes = figure.subplots()
    for (label, means), (colour, marker) in zip(
        lines.items(), ((VERMILION, "o"), (BLUE, "s"), (GREEN, "D")), strict=True
    ):
        axes.loglog(LOG_ROUNDS, means, color=colour, marker=marker, label=label)
    for bound, colour in zip(bounds, (BLUE, GREEN), strict=True):
        axes.axhline(bound, color=colour, linestyle="--", linewidth=1.0)
    axes.set_xlabel("ln T, T the number of rounds")
    axes.set_ylabel("mistakes (mean)")
    axes.set_xticks([5, 10, 20, 50, 100, 200, 500, 1000], [5, 10, 20, 50, 100, 200, 500, 1000])
    axes.set_yticks([10, 20, 50, 100, 200, 500, 1000, 2000], [10, 20, 50, 100, 200, 500, 1000, 2000])
    axes.minorticks_off()
    axes.set_title("One of three points, label 1 in the second half")
    figure.legend(loc="outside lower center", frameon=False)
    figure.savefig(file, dpi=150)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
