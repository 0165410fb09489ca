"""Mistakes of PointPredictor on long streams of several kinds: they do not grow with the number of rounds."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from reticent.prediction import PointPredictor

RUNS = 10
POINT = 3


def early(rounds: int, draw: np.random.Generator) -> np.ndarray:
    """The point first, then other instances and the point in turn."""
    xs = np.where(np.arange(rounds) % 2, draw.integers(10, 100, rounds), POINT)
    xs[:2000] = POINT
    return xs


def late(rounds: int, draw: np.random.Generator) -> np.ndarray:
    """The point at the end only."""
    xs = draw.integers(10, 100_000, rounds)
    xs[-2000:] = POINT
    return xs


def sparse(rounds: int, draw: np.random.Generator) -> np.ndarray:
    """2000 appearances anywhere."""
    xs = draw.integers(10, 100, rounds)
    xs[draw.choice(rounds, 2000, replace=False)] = POINT
    return xs


def bunched(rounds: int, draw: np.random.Generator) -> np.ndarray:
    """Bunches whose gaps double."""
    xs = draw.integers(10, 100, rounds)
    for start in np.geomspace(1, rounds - 200, 40).astype(int).tolist():
        xs[start : start + 100] = POINT
    return xs


def test_mistakes_do_not_grow_with_the_rounds() -> None:
    algorithm = PointPredictor(1.0, 1e-6)
    print(f"\nPointPredictor(1, 1e-6): at most {algorithm.mistake_bound} mistakes; {RUNS} secure runs each")
    kinds: list[Callable[[int, np.random.Generator], np.ndarray]] = [early, late, sparse, bunched]
    for kind in kinds:
        for rounds in (10**5, 10**6, 10**7):
            xs = kind(rounds, np.random.default_rng(rounds))
            ys = xs == POINT
            start = time.perf_counter()
            mistakes = [int((algorithm.start().update_block(xs, ys) != ys).sum()) for _ in range(RUNS)]
            seconds = (time.perf_counter() - start) / RUNS
            assert max(mistakes) <= algorithm.mistake_bound
            error = np.std(mistakes, ddof=1) / RUNS**0.5
            print(
                f"  {kind.__name__:8} T = {rounds:<9} mean {np.mean(mistakes):.1f} +- {error:.1f}, "
                f"largest {max(mistakes)}; {seconds:.2f} s a run"
            )
