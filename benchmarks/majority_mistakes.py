"""Mistakes of MajorityPredictor beside the other predictors, at (1, 1e-6), with secure noise.

python benchmarks/majority_mistakes.py 5  # so many runs of each
"""

from __future__ import annotations

import sys
import time
from fractions import Fraction

import numpy as np

from reticent.classes import FiniteClass, HypothesisClass, Points, Thresholds
from reticent.classes.labellings import labellings
from reticent.mechanisms import VoteRule
from reticent.prediction import (
    LittlestonePredictor,
    MajorityPredictor,
    OnlinePredictionAlgorithm,
    PointPredictor,
    auto,
)

BUDGET = 1.0, 1e-6
Stream = tuple[np.ndarray, np.ndarray]


def points(rounds: int) -> Stream:
    """The point in every other round."""
    xs = np.where(np.arange(rounds) % 2, np.random.default_rng(rounds).integers(4, 8, rounds), 3)
    return xs, xs == 3


def thresholds(rounds: int) -> Stream:
    """Instances at random; the label 1 from the middle on."""
    xs = np.random.default_rng(rounds).integers(0, 8, rounds)
    return xs, xs >= 4


def searched(rounds: int) -> Stream:
    """Binary search for a threshold, each step until most copies must have taken it, and all again and again."""
    steps = np.array([4, 6, 5, 7, 3, 0])
    xs = steps[np.minimum(np.arange(rounds) * 12 // rounds, 11) % 6]
    return xs, xs >= 6


def finite(hypotheses: HypothesisClass) -> FiniteClass:
    domain = list(hypotheses.instances)
    return FiniteClass(list(labellings(hypotheses, domain)), domain)


def rows(rounds: int) -> list[tuple[str, Stream, OnlinePredictionAlgorithm]]:
    """A cap for points alone, below what is proved to be enough, goes with fewer copies and a larger rate."""
    cheap = VoteRule(5000, Fraction(9, 2000), 1650, Fraction(1, 16), 270)
    eight, ten = Thresholds(8), Points(10)
    majority = {cls: MajorityPredictor(cls, *BUDGET, horizon=rounds) for cls in (eight, ten)}
    return [
        ("points", points(rounds), PointPredictor(*BUDGET)),
        ("points", points(rounds), majority[ten]),
        ("points, small cap", points(rounds), MajorityPredictor(ten, *BUDGET, horizon=rounds, rule=cheap)),
        ("points", points(rounds), LittlestonePredictor(finite(ten), *BUDGET)),
        ("thresholds", thresholds(rounds), majority[eight]),
        ("thresholds, searched", searched(rounds), majority[eight]),
        ("thresholds", thresholds(rounds), auto(eight, *BUDGET, horizon=rounds)),
        ("thresholds, searched", searched(rounds), auto(eight, *BUDGET, horizon=rounds)),
        ("thresholds", thresholds(rounds), LittlestonePredictor(finite(eight), *BUDGET)),
    ]


if __name__ == "__main__":
    columns = ("T", "stream", "predictor", "copies", "bound", "mean", "largest", "rounds a second")
    print(f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}")
    for rounds in (10**5, 10**6):
        for kind, (xs, ys), algorithm in rows(rounds):
            begin = time.perf_counter()
            runs = 1 if "Littlestone" in algorithm.name else int(sys.argv[1])
            made = [int((algorithm.start().update_block(xs, ys) != ys).sum()) for _ in range(runs)]
            speed = runs * rounds / (time.perf_counter() - begin)
            copies = algorithm.votes.voters if isinstance(algorithm, MajorityPredictor) else ""
            bound = getattr(algorithm, "mistake_bound", None)
            bound = bound(rounds) if callable(bound) else bound
            bound = f"{bound:.2g}" if bound and bound > 10**9 else bound
            row = (
                f"{rounds:.0e}",
                kind,
                algorithm.name,
                copies,
                bound,
                f"{np.mean(made):.0f}",
                max(made),
                f"{speed:.2g}",
            )
            print(f"| {' | '.join(map(str, row))} |", flush=True)
