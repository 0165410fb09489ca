"""The pictures of docs/theory.md that no command draws.

python benchmarks/theory_figures.py docs/images  # all of them: some minutes
python benchmarks/theory_figures.py docs/images mirror regret  # some
"""

from __future__ import annotations

import math
import sys
from fractions import Fraction
from functools import partial
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import reticent as rt
from reticent import bounds
from reticent.adversaries import (
    PointAdversary,
    SimulatedChoice,
    TreeAdversary,
    families,
    information_bound,
    largest_insertion,
)
from reticent.classes import Points, Thresholds
from reticent.experts import Dartboard, Doubling, PrivateHedge
from reticent.games import play, proof_quantities
from reticent.learning import HypothesisExperts, NameAndShameLearner, PointLearner, SOALearner
from reticent.mechanisms import LogisticCoins, SingleSwitch, shaped_coins
from reticent.randomness import SeededSource
from reticent.report.drawing import CYCLE, GREY, legend_below, thousands, title

EPSILON = 0.01  # the epsilon of the lower bounds
STREAMS = 20


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


def information(axes: Axes) -> None:
    """Lemma 2: what the released hypotheses reveal of the label after t stages, enumerated."""
    hedge = partial(PrivateHedge, grid_bits=0)
    shown = (
        ("SOALearner, not private", SOALearner(Points(3)), 3, EPSILON, 0.0),
        ("NameAndShameLearner, delta = 0.05", NameAndShameLearner(Points(3), 0.05), 3, EPSILON, 0.05),
        ("PointLearner, epsilon = 0.1", PointLearner(Points(3), 0.1, delay=0), 2, 0.1, 0.0),
        (
            "HypothesisExperts, epsilon = 0.01",
            HypothesisExperts(Points(3), EPSILON, horizon=9, algorithm=hedge),
            2,
            EPSILON,
            0.0,
        ),
    )
    for (colour, dashes, marker), (label, learner, stages, epsilon, delta) in zip(CYCLE, shown, strict=False):
        found = proof_quantities(learner, stages, epsilon=epsilon, delta=delta, mass=1e-12).mean_information
        print(label, found)
        axes.semilogy(range(1, stages + 1), found[1:], color=colour, linestyle=dashes, marker=marker, label=label)
    bound = [information_bound(t, 1, EPSILON) for t in (1, 2, 3)]
    axes.semilogy([1, 2, 3], bound, color="black", linewidth=1, label="Lemma 2 at epsilon = 0.01, delta = 0")
    axes.axhline(0.25, color=GREY, linewidth=0.8, linestyle=":", label="1/4: enough for Theorem 1")
    axes.set(xlabel="stages t", ylabel="E I_t")
    axes.set_xticks([1, 2, 3])
    title(axes, "What is revealed of the hidden label, p = 1", "", GREY)
    legend_below(axes, columns=2)


def phases(axes: Axes) -> None:
    """Theorem 2: a private learner of thresholds against the adversary made for it."""
    dimensions = range(2, 7)
    means, errors, forced = [], [], []
    for d in dimensions:
        thresholds = Thresholds(2**d - 1)
        adversary = TreeAdversary(5 * 3**7, EPSILON, hypothesis_class=thresholds, choice=SimulatedChoice(12, 8))
        learner = HypothesisExperts(thresholds, EPSILON, horizon=adversary.rounds)
        forced.append(adversary.forced_mistakes(EPSILON))
        # Each game draws a stream of its own, and keeps it in all its runs.
        games = [play(learner, adversary, runs=10, source=SeededSource(100 * d + k)) for k in range(STREAMS)]
        made = [game.informative_mistakes.mean for game in games]
        means.append(np.mean(made))
        errors.append(2 * np.std(made, ddof=1) / math.sqrt(STREAMS))
        print(f"d = {d}: {means[-1]:.2f} +- {errors[-1]:.2f}, forced {forced[-1]:.3f}")
    measured = f"HypothesisExperts, mean of {STREAMS} streams and two standard errors"
    proved = "forced, with the proof's constants"
    axes.errorbar(dimensions, means, yerr=errors, color=CYCLE[0][0], marker="o", capsize=4, label=measured)
    axes.plot(dimensions, forced, color=CYCLE[1][0], linestyle="--", marker="s", label=proved)
    axes.set(
        xlabel="Littlestone dimension d of thresholds", ylabel="mistakes on informative examples", ylim=(0, None)
    )
    axes.set_xticks(list(dimensions))
    title(axes, "A phase for each node of a path, T = 10,935, epsilon = 1/100", "", GREY)
    legend_below(axes)


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
        (bounds.experts.dartboard, "Li and Ye, Lemma 3.5 as shipped, explicit"),
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
    "information": information,
    "phases": phases,
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
