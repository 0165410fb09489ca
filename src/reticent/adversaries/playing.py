"""How an opponent fares on the parts of a stream: simulated as fast as its law allows. Nothing here is a release."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from reticent.adversaries.realisable import Opponent, Repeated
from reticent.classes import Instance
from reticent.errors import ParameterError
from reticent.learning import OnlineLearner, OnlineLearningAlgorithm, long_streams
from reticent.prediction import OnlinePredictionAlgorithm, OnlinePredictor
from reticent.randomness import SeededSource, Source

__all__ = ["Mistakes", "Player", "check_opponent", "draw_seed", "mistakes_of", "simulated"]

#: A running opponent.
Player = OnlineLearner | OnlinePredictor

#: Rounds that a predictor is given at a time.
_ROWS = 1 << 16


@dataclass(frozen=True)
class Mistakes:
    """How often an opponent erred.

    Attributes
    ----------
    everywhere : int
    informative : int
        In the rounds that do not hold the dummy.
    """

    everywhere: int
    informative: int


def check_opponent(opponent: object) -> None:
    """Raise a ParameterError unless it is a learner or a predictor with its parameters."""
    if not isinstance(opponent, OnlineLearningAlgorithm | OnlinePredictionAlgorithm):
        raise ParameterError(
            f"{opponent!r} is no learner or predictor with its parameters; give one, such as "
            "learning.auto(classes.Points(3), epsilon=1.0)."
        )


def draw_seed(source: Source) -> int:
    """A fresh seed for a simulated run."""
    return source.uniform_index(1 << 62)


def simulated(opponent: Opponent, seed: int) -> Player:
    """Start a simulated run: the opponent itself, or where there is one a faster learner with the same law."""
    if isinstance(opponent, OnlineLearningAlgorithm):
        return long_streams.simulated(opponent, seed)
    return opponent.start(SeededSource(seed))


def mistakes_of(player: Player, parts: Iterable[Repeated], dummy: tuple[Instance, bool]) -> Mistakes:
    """Play the parts of a stream, one after the other."""
    everywhere = informative = 0
    for x, y, times in parts:
        made = player.repeat(x, y, times) if isinstance(player, OnlineLearner) else _predicted(player, x, y, times)
        everywhere += made
        informative += made if (x, y) != dummy else 0
    return Mistakes(everywhere, informative)


def _predicted(player: OnlinePredictor, x: Instance, y: bool, times: int) -> int:
    made = 0
    for start in range(0, times, _ROWS):
        rows = min(_ROWS, times - start)
        made += int(np.count_nonzero(player.update_block([x] * rows, [y] * rows) != y))
    return made
