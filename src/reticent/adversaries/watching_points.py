"""Adversaries of predictors for points: they watch every prediction, and some point labels all that they show.

Each is a strategy that plays a `PointGame`. They know the algorithm's public numbers, but no randomness of its.
"""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType

import numpy as np

from reticent.prediction import OnlinePredictor
from reticent.randomness import Generator, SeededSource, simulation_generator

__all__ = ["POINT_STRATEGIES", "PointGame", "PointStrategy", "play_points"]

#: So many rounds at the end are the point's.
_LAST = 2000


class PointGame:
    """A predictor, the rounds that are left, and labels that some point, or the zero function, gives.

    Attributes
    ----------
    mistakes : int
        Of the predictor, so far.
    left : int
        Rounds.
    draw : Generator
        For the adversary's whims.
    """

    def __init__(self, predictor: OnlinePredictor, rounds: int, draw: Generator) -> None:
        self._predictor = predictor
        self.draw = draw
        self.left = rounds
        self.mistakes = 0
        self._point: int | None = None
        self._refused: set[int] = set()

    def ask(self, x: int, spiteful: bool = True) -> bool:
        """One round; the label is that which makes the prediction a mistake, if a point can still give it.

        Parameters
        ----------
        x : int
        spiteful : bool
            False for the label 0 wherever a point can give it.

        Returns
        -------
        bool
            Whether the prediction was a mistake.
        """
        if not self.left:
            return False
        predicted = self._predictor.predict(x)
        wanted = spiteful and not predicted
        if self._point is None and wanted and x not in self._refused:
            self._point = x
        label = x == self._point
        if not label:
            self._refused.add(x)
        self._predictor.update(label)
        self.left -= 1
        self.mistakes += predicted != label
        return predicted != label

    def show(self, x: int, times: int) -> int:
        """Many rounds with one instance that is, or becomes, the point; how many mistakes it made."""
        if self._point is None and x not in self._refused:
            self._point = x
        return self._block(np.full(min(max(times, 0), self.left), x))

    def rest(self, times: int, width: int = 1) -> int:
        """A quiet stretch of so many instances, in turn, that have the label 0."""
        times = min(max(times, 0), self.left)
        others = np.array([x for x in range(-width - 1, 0) if x != self._point][:width], dtype=np.int16)
        self._refused.update(others.tolist())
        return self._block(np.tile(others, times // len(others) + 1)[:times])

    def finish(self, times: int) -> None:
        """The point, if there is one, in the last rounds: so that no predictor gets away."""
        if self._point is not None:
            self.show(self._point, times)

    def rehearsal(self, seed: int) -> PointGame:
        """The same game with a predictor of the adversary's own."""
        return PointGame(self._predictor.algorithm.start(SeededSource(seed)), self.left, self.draw)

    def _block(self, xs: np.ndarray[tuple[int], np.dtype[np.int64 | np.int16]]) -> int:
        labels = np.full(len(xs), False) if self._point is None else xs == self._point
        wrong = int(np.count_nonzero(self._predictor.update_block(xs, labels) != labels))
        self.left -= len(xs)
        self.mistakes += wrong
        return wrong


PointStrategy = Callable[[PointGame, tuple[int, ...]], None]


def steady(game: PointGame, numbers: tuple[int, ...]) -> None:
    """The point at equal distances over the whole stream."""
    hits = int(game.draw.integers(1, 1500))
    gap = game.left // hits
    for _ in range(hits):
        game.show(7, 1)
        game.rest(gap - 1, width=int(game.draw.integers(1, 50)))


def early(game: PointGame, numbers: tuple[int, ...]) -> None:
    """The point first, then nothing but others, then the point again."""
    game.show(7, int(game.draw.integers(1, 1500)))
    game.rest(game.left - 500)
    game.show(7, game.left)


def late(game: PointGame, numbers: tuple[int, ...]) -> None:
    """Nothing happens until the last moment."""
    game.rest(game.left - int(game.draw.integers(1, 1500)), width=20)
    game.show(7, game.left)


def bursts(game: PointGame, numbers: tuple[int, ...]) -> None:
    """Bunches of the point whose distances double."""
    gap = int(game.draw.integers(1, 100))
    while game.left:
        game.show(7, int(game.draw.integers(1, 120)))
        game.rest(gap, width=3)
        gap *= 2


def interleaved(game: PointGame, numbers: tuple[int, ...]) -> None:
    """The point among instances that look like it, one round at a time; then a long rest, and the end."""
    for _ in range(int(game.draw.integers(500, 3000))):
        game.ask(int(game.draw.choice([7, 7 + 2**61 - 1, -7, 6, 8])))  # equal hashes, too
    game.rest(game.left - 100)
    game.show(7, game.left)


def spiteful(game: PointGame, numbers: tuple[int, ...]) -> None:
    """Every label is the opposite of what was predicted, as long as a point can give it; instances at random."""
    domain = int(game.draw.integers(1, 12))
    for _ in range(4000):
        game.ask(int(game.draw.integers(domain)))
    game.rest(game.left)


def patient(game: PointGame, numbers: tuple[int, ...]) -> None:
    """Many instances are burnt with the label 0 before the opposite of a prediction is insisted on."""
    for x in range(int(game.draw.integers(1, 1000))):
        game.ask(x, spiteful=False)
    game.rest(game.left // 2)
    last = int(game.draw.integers(1000, 2000))
    while game.left and game.mistakes < 2 * sum(numbers):
        if not game.ask(last) and game.draw.random() < 0.05:
            game.rest(game.left // 4)


def watching(game: PointGame, numbers: tuple[int, ...]) -> None:
    """Shows the point until it is predicted, looks away for ever longer, and comes back."""
    away = 1
    while game.left:
        if not game.ask(7):
            game.rest(away, width=2)
            away *= 2


def at_the_switches(game: PointGame, numbers: tuple[int, ...]) -> None:
    """Comes up to each public number of the algorithm, rests, and passes it one round at a time among negatives."""
    shown = 0
    for number in sorted(numbers):
        before = max(0, number - int(game.draw.integers(1, 4)) - shown)
        game.show(7, before)
        game.rest(game.left // 3)
        for step in range(8):
            game.ask(7)
            game.ask(-1 - step, spiteful=False)
        shown += before + 8
    game.rest(game.left - 400)
    game.show(7, game.left)


def one_short(game: PointGame, numbers: tuple[int, ...]) -> None:
    """One mistake less than a public number, a very long rest, and then all the rest of them."""
    game.show(7, int(game.draw.choice(numbers)) - int(game.draw.integers(0, 3)))
    game.rest(int(0.9 * game.left), width=4)
    while game.left:
        game.show(7, int(game.draw.integers(1, 10)))
        game.rest(int(game.draw.integers(0, 10**4)))


def never(game: PointGame, numbers: tuple[int, ...]) -> None:
    """No instance ever has the label 1."""
    while game.left:
        game.rest(1 + game.left // 3, width=int(game.draw.integers(1, 500)))
        for x in range(30):
            game.ask(x, spiteful=False)


def chain(game: PointGame, numbers: tuple[int, ...]) -> None:
    """Short pieces of everything, in any order."""
    while game.left:
        kind = game.draw.random()
        if kind < 0.3:
            game.show(7, int(game.draw.geometric(0.02)))
        elif kind < 0.6:
            for _ in range(int(game.draw.integers(1, 30))):
                game.ask(int(game.draw.integers(5, 10)) if game.draw.random() < 0.5 else 7)
        else:
            game.rest(int(10 ** (7 * game.draw.random() ** 2)), width=int(game.draw.integers(1, 30)))


def searched(game: PointGame, numbers: tuple[int, ...]) -> None:
    """The worst of many plans, tried on predictors of the adversary's own, and changed here and there."""

    def rehearsed(plan: np.ndarray[tuple[int, int], np.dtype[np.int64]]) -> int:
        trial = game.rehearsal(int(game.draw.integers(2**32)))
        for hits, rest in plan.tolist():
            trial.show(7, hits)
            trial.rest(rest)
        return trial.mistakes

    worst = game.draw.integers(0, 80, (12, 2))
    found = rehearsed(worst)
    for _ in range(10):
        plan = np.where(game.draw.random((12, 2)) < 0.3, game.draw.integers(0, 160, (12, 2)), worst)
        made = rehearsed(plan)
        if made >= found:
            worst, found = plan, made
    scale = max(1, game.left // (2 * int(worst[:, 1].sum()) + 1))
    for hits, rest in worst.tolist():
        game.show(7, hits)
        game.rest(scale * rest)


#: By name; each gets the game and the algorithm's public numbers.
POINT_STRATEGIES: MappingProxyType[str, PointStrategy] = MappingProxyType(
    {
        each.__name__.replace("_", " "): each
        for each in (
            *(steady, early, late, bursts, interleaved, spiteful),
            *(patient, watching, at_the_switches, one_short, never, chain, searched),
        )
    }
)


def play_points(
    predictor: OnlinePredictor, strategy: PointStrategy, rounds: int, seed: int, numbers: tuple[int, ...]
) -> int:
    """The mistakes of a new predictor on so many rounds.

    Parameters
    ----------
    predictor : OnlinePredictor
    strategy : PointStrategy
    rounds : int
        At most; a strategy may end earlier. In the last ones, up to 2000, there is nothing but the point.
    seed : int
        For the adversary.
    numbers : tuple of int
        Public numbers of the algorithm, at which something happens.

    Examples
    --------
    >>> from reticent.prediction import PointPredictor
    >>> from reticent.randomness import SeededSource
    >>> algorithm = PointPredictor(1.0, 1e-6)
    >>> numbers = algorithm.batch, algorithm.rule.delay
    >>> play_points(algorithm.start(SeededSource(1)), POINT_STRATEGIES["late"], 5000, 1, numbers) <= 751
    True
    """
    last = min(_LAST, rounds // 2)
    game = PointGame(predictor, rounds - last, simulation_generator(seed))
    strategy(game, numbers)
    game.left = last
    game.finish(last)
    return game.mistakes
