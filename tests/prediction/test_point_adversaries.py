"""PointPredictor at the usual budget against adversaries that watch it, on streams of up to ten million rounds."""

from __future__ import annotations

import random

import numpy as np
import pytest

from reticent.adversaries.watching_points import POINT_STRATEGIES, PointGame, play_points
from reticent.prediction import PointPredictor
from reticent.randomness import SeededSource, simulation_generator

ALGORITHM = PointPredictor(1.0, 1e-6)
NUMBERS = (ALGORITHM.batch, ALGORITHM.rule.delay, ALGORITHM.rule.delay + ALGORITHM.rule.schedule.rounds)
LONGEST = 10**7


def mistakes(name: str, rounds: int, seed: int) -> int:
    return play_points(ALGORITHM.start(SeededSource(seed)), POINT_STRATEGIES[name], rounds, seed, NUMBERS)


def lengths(number: int) -> list[int]:
    """From 1e3 to 1e7, evenly in the logarithm at first, then fewer; every 28th is 1e7."""
    draw = random.Random(number)
    return [LONGEST if i % 28 == 0 else int(10 ** (3 + 4 * draw.random() ** 2)) for i in range(number)]


@pytest.mark.long
def test_a_thousand_adversaries_stay_within_the_bound() -> None:
    """Catches a bound that some stream of some length exceeds; the bound is what was asked for, at most 900."""
    names = list(POINT_STRATEGIES)
    made = np.array([mistakes(names[i % len(names)], rounds, i) for i, rounds in enumerate(lengths(1000))])
    assert sum(rounds == LONGEST for rounds in lengths(1000)) >= 30
    assert made.max() <= ALGORITHM.mistake_bound <= 900
    assert made.max() > ALGORITHM.rule.delay + ALGORITHM.rule.schedule.rounds - 20


@pytest.mark.long
def test_mistakes_do_not_grow_with_the_rounds() -> None:
    """Catches a dependence on the horizon: means from T = 1e5 to 1e7 agree, strategy by strategy."""
    means, errors = [], []
    for rounds in (10**5, 10**6, 10**7):
        made = [mistakes(name, rounds, seed + rounds) for name in POINT_STRATEGIES for seed in range(4)]
        # Where the point has not come up often enough, nothing is left to compare.
        saturated = np.array([m for m in made if m > ALGORITHM.rule.delay])
        assert len(saturated) >= 44
        means.append(saturated.mean())
        errors.append(saturated.std(ddof=1) / len(saturated) ** 0.5)
    assert abs(means[2] - means[0]) < 5 * np.hypot(errors[0], errors[2])
    assert abs(means[1] - means[0]) < 5 * np.hypot(errors[0], errors[1])


def shown(name: str, rounds: int) -> list[tuple[int, bool]]:
    """The stream of one adversary."""
    seen: list[tuple[int, bool]] = []

    class Watched(PointGame):
        def ask(self, x: int, spiteful: bool = True) -> bool:
            left, made = self.left, super().ask(x, spiteful)
            if self.left < left:
                seen.append((x, x == self._point))
            return made

        def _block(self, xs: np.ndarray) -> int:
            seen.extend((x, x == self._point) for x in xs.tolist())
            return super()._block(xs)

    game = Watched(ALGORITHM.start(SeededSource(1)), rounds, simulation_generator(1))
    POINT_STRATEGIES[name](game, NUMBERS)
    assert len(seen) == rounds - game.left
    return seen


def test_some_point_labels_every_stream_and_each_another() -> None:
    """Catches an adversary that cheats, for then the bound would say nothing, and two that are the same."""
    patterns = set()
    for name in POINT_STRATEGIES:
        seen = shown(name, 20_000)
        points = {x for x, y in seen if y}
        assert len(points) <= 1
        assert all(y == (x in points) for x, y in seen)
        patterns.add(tuple(y for _, y in seen))
    assert len(patterns) == len(POINT_STRATEGIES)
