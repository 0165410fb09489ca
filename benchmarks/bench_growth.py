"""How the time of a run grows with rounds, experts and redraws: slopes on log axes, and a picture on request.

python benchmarks/bench_growth.py growth.png
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from fractions import Fraction
from statistics import median

import numpy as np
from measure import seconds

import reticent as rt
from reticent.mechanisms import EqualRates

Curve = list[tuple[float, float]]


def timed(work: Callable[[], object]) -> float:
    work()
    return median(seconds(work) for _ in range(5))


def by_rounds() -> Curve:
    losses = np.random.default_rng(1).random((1_000_000, 20))
    algorithm = rt.experts.auto(20, 1.0)
    return [(t, timed(lambda t=t: rt.run(algorithm, losses[:t]))) for t in (10_000, 100_000, 1_000_000)]


def by_experts() -> Curve:
    losses = np.random.default_rng(1).random((10_000, 10_000), dtype=np.float32)
    return [
        (n, timed(lambda n=n: rt.run(rt.experts.auto(n, 1.0), np.ascontiguousarray(losses[:, :n]))))
        for n in (100, 1_000, 10_000)
    ]


def by_redraws() -> Curve:
    losses = np.random.default_rng(1).random((100_000, 100))
    curve = []
    for cap in (10, 100, 1000):
        rates = EqualRates(Fraction(1, 10), cap)
        parameters = rt.experts.DartboardParameters(Fraction(1), Fraction(1), 1.0, rates)
        algorithm = rt.experts.Dartboard(100, 1e6, parameters=parameters)
        curve.append((cap, timed(lambda a=algorithm: rt.run(a, losses))))
    return curve


def slope(curve: Curve) -> float:
    return float(np.polyfit(*np.log(np.array(curve)).T, 1)[0])


def test_growth() -> None:
    curves = {"rounds T": by_rounds(), "experts N": by_experts(), "redraws V": by_redraws()}
    for name, curve in curves.items():
        points = ", ".join(f"{x:g}: {y * 1e3:.3g} ms" for x, y in curve)
        print(f"time against {name}: slope {slope(curve):.2f} on log axes ({points})")
    if len(sys.argv) > 1 and sys.argv[1].endswith(".png"):
        draw(curves, sys.argv[1])


def draw(curves: dict[str, Curve], file: str) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10, 3.2), layout="constrained")
    for axes, (name, curve) in zip(figure.subplots(1, 3), curves.items(), strict=True):
        axes.loglog(*zip(*curve, strict=True), marker="o", color="#0072B2")
        axes.set(xlabel=name, ylabel="seconds", title=f"slope {slope(curve):.2f}")
    figure.savefig(file, dpi=150)


if __name__ == "__main__":
    test_growth()
