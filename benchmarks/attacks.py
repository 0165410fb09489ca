"""The mistakes that the lower bounds' adversaries force: the tables and the picture of docs/learning.md.

python benchmarks/attacks.py docs/images/attack-learners.png  # seeded; some five minutes
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import fmean

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from reticent.adversaries import PointAdversary, TreeAdversary
from reticent.classes import HypothesisClass, Points, Thresholds
from reticent.experts import PrivateHedge
from reticent.games import Estimate, play
from reticent.learning import HypothesisExperts, OnlineLearningAlgorithm, PointLearner, SOALearner
from reticent.randomness import SeededSource
from reticent.report.drawing import BLUE, GREEN, GREY, VERMILION, legend_below, title

EPSILON = 0.01
STAGES = range(3, 13)
DEPTHS = range(2, 7)
TREE_ROUNDS = 5 * 3**8

#: Streams that the tree adversary chooses for a learner, each with coins of its own.
STREAMS = 10

STYLES = {
    "PointLearner": (BLUE, "o"),
    "HypothesisExperts": (GREEN, "s"),
    "HypothesisExperts, PrivateHedge": (VERMILION, "^"),
}


@dataclass(frozen=True)
class Curve:
    """One learner's means, each with half the width of its interval."""

    name: str
    places: list[int]
    means: list[float]
    margins: list[float]
    forced: list[float]


def learners(hypotheses: HypothesisClass, rounds: int) -> Iterator[tuple[str, OnlineLearningAlgorithm, int]]:
    """The learners, and how often each is run."""
    if isinstance(hypotheses, Points):
        yield "PointLearner", PointLearner(hypotheses, EPSILON, horizon=rounds), 1000
    yield "HypothesisExperts", HypothesisExperts(hypotheses, EPSILON, horizon=rounds), 100
    if isinstance(hypotheses, Points):
        hedge = HypothesisExperts(hypotheses, EPSILON, horizon=rounds, algorithm=PrivateHedge)
        yield "HypothesisExperts, PrivateHedge", hedge, 60
    yield "SOALearner", SOALearner(hypotheses), 100


def against_points() -> list[Curve]:
    """Mistakes on informative examples against log3 T."""
    points = Points(3)
    curves: dict[str, list[tuple[int, Estimate, float]]] = {}
    for stages in STAGES:
        adversary = PointAdversary(3**stages)
        for name, learner, runs in learners(points, 3**stages):
            game = play(learner, adversary, runs=runs, source=SeededSource(stages))
            curves.setdefault(name, []).append((stages, game.informative_mistakes, stages / 12))
    return [_curve(name, row) for name, row in curves.items()]


def against_trees() -> list[Curve]:
    """Mistakes on informative examples against d, over streams that are chosen with several coins."""
    curves: dict[str, list[tuple[int, Estimate, float]]] = {}
    for depth in DEPTHS:
        thresholds = Thresholds(2**depth - 1)
        adversary = TreeAdversary(TREE_ROUNDS, EPSILON, hypothesis_class=thresholds)
        forced = adversary.forced_mistakes(EPSILON) or 0.0
        for name, learner, _ in learners(thresholds, TREE_ROUNDS):
            games = [play(learner, adversary, runs=20, source=SeededSource(100 * depth + k)) for k in range(STREAMS)]
            made = Estimate(tuple(fmean(game.informative_mistakes.values) for game in games))
            curves.setdefault(name, []).append((depth, made, forced))
    return [_curve(name, row) for name, row in curves.items()]


def _curve(name: str, row: list[tuple[int, Estimate, float]]) -> Curve:
    places, made, forced = zip(*row, strict=True)
    means = [one.mean for one in made]
    margins = [one.interval()[1] - one.mean for one in made]
    return Curve(name, list(places), means, margins, list(forced))


def table(head: str, curves: list[Curve]) -> None:
    print(f"\n| {head} | " + " | ".join(curve.name for curve in curves) + " | forced |")
    print("|---" * (len(curves) + 2) + "|")
    for k, place in enumerate(curves[0].places):
        cells = [f"{curve.means[k]:.2f} +- {curve.margins[k]:.2f}" for curve in curves]
        print(f"| {place} | " + " | ".join(cells) + f" | {curves[0].forced[k]:.2f} |")


def draw(ax: Axes, curves: list[Curve], forced: str, label: str, heading: str) -> None:
    for k, curve in enumerate(curves):
        places = [place + 0.06 * (k - (len(curves) - 1) / 2) for place in curve.places]  # side by side
        if curve.name in STYLES:
            colour, marker = STYLES[curve.name]
            options = {"color": colour, "marker": marker, "label": f"{curve.name}, epsilon = {EPSILON}"}
        else:
            options = {"color": GREY, "marker": "x", "linestyle": ":", "label": f"{curve.name}, not private"}
        ax.errorbar(places, curve.means, yerr=curve.margins, capsize=3, **options)
    ax.plot(curves[0].places, curves[0].forced, color="black", linestyle="--", label=forced)
    ax.set_xticks(curves[0].places)
    ax.set_xlabel(label)
    ax.set_ylabel("mistakes on informative examples (mean)")
    ax.set_ylim(bottom=0)
    title(ax, heading, "simulated", GREY)
    legend_below(ax)


def main(file: str) -> None:
    points = against_points()
    table("log3 T", points)
    trees = against_trees()
    table("d", trees)
    figure = Figure(figsize=(12.5, 5.6), layout="constrained")
    left, right = figure.subplots(1, 2)
    draw(
        left, points, "forced on every private learner: log3 T / 12", "log3 T, T the number of rounds", "Three points"
    )
    heading = f"Thresholds, T = {TREE_ROUNDS:,}"
    phases = "forced: d - 1 phases of T / (d - 1) rounds"
    draw(right, trees, phases, "d, the Littlestone dimension", heading)
    figure.savefig(file, dpi=150)


if __name__ == "__main__":
    main(sys.argv[1])
