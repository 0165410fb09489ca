"""The pictures of docs/theory.md that no command draws.

python benchmarks/theory_figures.py docs/images  # all of them: some minutes
python benchmarks/theory_figures.py docs/images mirror regret  # some
"""

from __future__ import annotations

import math
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import reticent as rt
from reticent import bounds
from reticent.adversaries import PointAdversary, families, largest_insertion
from reticent.experts import Dartboard, Doubling
from reticent.mechanisms import LogisticCoins, SingleSwitch, shaped_coins
from reticent.randomness import SeededSource
from reticent.report.drawing import CYCLE, GREY, legend_below, thousands, title

EPSILON = 0.01  # the epsilon of the lower bounds


def figure2(axes: Axes) -> None:
    """Streams of Algorithm 1, one a row: where the informative examples stand."""
    adversary = PointAdversary(3**12)
    for row in range(40):
        places = adversary.places(SeededSource(row))
        axes.plot([place + 1 for place in places], [row] * len(places), "|", color=CYCLE[0][0], markersize=8)
    for third in range(1, 3):
        axes.axvline(third * 3**11, color=GREY, linewidth=0.8, linestyle=":")
    axes.set(xlabel="round", ylabel="stream", xlim=(-(3**12) // 60, 3**12), ylim=(-1, 40))
    thousands(axes.xaxis)
    title(axes, "Informative examples of Algorithm 1, T = 3^12, p = 1; dotted: the thirds", "", GREY)


def insertion(axes: Axes) -> None:
    """Lemma 2: how often the adversary may insert, and what that forces."""
    stages = np.unique(np.geomspace(1, 1e6, 200).astype(int))
    for (colour, dashes, _), delta in zip(CYCLE, (0.0, 1e-6, 1e-4, 1e-2), strict=False):
        p = [float(largest_insertion(int(stage), EPSILON, delta)) for stage in stages]
        axes.loglog(stages, p, color=colour, linestyle=dashes, label=f"delta = {delta:g}")
    axes.set(xlabel="stages L = log_3 T", ylabel="largest p with E I_t <= 1/4")
    title(axes, "What Lemma 2 allows at epsilon = 1/100", "", GREY)
    legend_below(axes, columns=2)


def theorem3(axes: Axes) -> None:
    """Theorem 3: powers of ten of the bounds on mistakes, whatever T."""
    dimensions = list(range(1, 7))
    for (colour, dashes, marker), (bound, label) in zip(
        CYCLE,
        (
            (bounds.prediction.theorem_3_constants, "Theorem 3 with its constants: delays 9^j D_0"),
            (bounds.prediction.theorem_3_arithmetic_constants, "the same constants: delays that add up"),
            (bounds.prediction.name_and_shame, "name and shame: d / delta"),
        ),
        strict=False,
    ):
        settings = [bounds.Setting(100.0, 1.0, math.log(1e6), d) for d in dimensions]
        powers = [bound.log_value(setting) / math.log(10) for setting in settings]
        axes.semilogy(dimensions, powers, color=colour, linestyle=dashes, marker=marker, label=label)
    axes.set(xlabel="Littlestone dimension d", ylabel="digits of the bound on mistakes")
    title(axes, "Bounds that do not grow with T, epsilon = 1, delta = 1e-6, C_0 = C_1 = C = 1", "", GREY)
    legend_below(axes)


def mirror(axes: Axes) -> None:
    """Fact 4: with which chance "now" was answered by the n-th active round of the random zone."""
    epsilon, delta = Fraction(1), Fraction(1, 10**6)
    switch = SingleSwitch.calibrated(epsilon, delta)
    weights = np.array([float(weight) for weight in switch.weights])
    shaped = shaped_coins(epsilon, delta)
    logistic = LogisticCoins(epsilon, delta)
    curves = (
        (f"one switch at random: {switch.rounds} rounds", np.cumsum(weights) / weights.sum()),
        (f"coins, shaped: {shaped.rounds} rounds", [float(chance) for chance in shaped.chances]),
        (
            f"coins, logistic: {logistic.rounds} rounds",
            [float(logistic.chance(n)) for n in range(1, logistic.rounds + 1)],
        ),
    )
    for (colour, dashes, _), (label, chances) in zip(CYCLE, curves, strict=False):
        axes.plot(range(1, len(chances) + 1), chances, color=colour, linestyle=dashes, label=label)
    axes.set(xlabel="active round after the first D", ylabel='chance of "now"', xscale="log")
    thousands(axes.xaxis)
    title(axes, "Mirror at epsilon = 1, delta = 1e-6", "", GREY)
    legend_below(axes)


def regret(axes: Axes) -> None:
    """Theorems 1.1 and 1.2: regret against the loss of the best expert."""
    rounds, n, epsilon, delta, runs = 100_000, 100, 1.0, 1e-6, 5
    losses = np.geomspace(1, 2e4, 60)
    shown = (
        (bounds.experts.dp_mw, "DP-MW, explicit"),
        (bounds.experts.afkt23a, "AFKT23a, constants 1"),
        (bounds.experts.afkt23b, "AFKT23b, constants 1"),
        (bounds.experts.li_ye_1_2, "Li and Ye, Theorem 1.2, constants 1"),
        (bounds.experts.dartboard, "Dartboard as shipped, explicit"),
        (bounds.experts.hedge, "Hedge, not private, explicit"),
    )
    for (colour, dashes, _), (bound, label) in zip(CYCLE, shown, strict=False):
        values = [
            bound(bounds.Setting.of(rounds, epsilon, delta, experts=n, best_loss=float(loss))) for loss in losses
        ]
        axes.loglog(losses, values, color=colour, linestyle=dashes, label=label)
    for marker, algorithm in (("o", Dartboard), ("s", Doubling)):
        at, means = [], []
        for rate in (1e-4, 1e-3, 1e-2, 1e-1):
            stream = families.iid(rounds, n, rate, seed=1)
            best = int(stream.sum(axis=0).min())
            tuned = {"expected_best_loss": best} if algorithm is Dartboard else {}
            done = [
                rt.run(algorithm(n, epsilon, delta, horizon=rounds, **tuned), stream, source=SeededSource(seed))
                for seed in range(runs)
            ]
            at.append(max(best, 1))
            means.append(np.mean([run.regret for run in done]))
            print(f"{algorithm.__name__}, L* = {best}: {means[-1]:.0f}")
        axes.plot(
            at, means, marker, color="black", markersize=7, label=f"{algorithm.__name__}, mean of {runs} runs, i.i.d."
        )
    axes.set(xlabel="loss L* of the best expert", ylabel="regret")
    thousands(axes.xaxis)
    thousands(axes.yaxis)
    title(axes, "100 experts, T = 100,000, epsilon = 1, delta = 1e-6", "", GREY)
    legend_below(axes, columns=2)


PICTURES = {
    "figure2": figure2,
    "insertion": insertion,
    "theorem3": theorem3,
    "mirror": mirror,
    "regret": regret,
}


def main(folder: Path, names: list[str]) -> None:
    for name in names or PICTURES:
        figure = Figure(figsize=(8.0, 5.4), layout="constrained")
        PICTURES[name](figure.subplots())
        figure.savefig(folder / f"{name}.png", dpi=130)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
