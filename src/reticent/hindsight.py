"""The default beside the best setting in hindsight of every private algorithm. FOR THE CURATOR ONLY."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Any

from reticent.comparison import Entry, compare
from reticent.errors import ParameterError
from reticent.experts import (
    Dartboard,
    DartboardParameters,
    Doubling,
    EveryRounds,
    ExpertsAlgorithm,
    GeometricTimes,
    GuardedEpochs,
    Hedge,
    LazyParameters,
    LazyToPrivate,
    PrivateHedge,
    ScheduledHedge,
    ShrinkingDartboard,
    ShrinkingParameters,
    SparseVectorExperts,
    TreeFTPL,
    auto,
)
from reticent.mechanisms import DecayingRates, EqualRates, LaplaceNodes
from reticent.privacy import Neighbours
from reticent.report.progress import Progress
from reticent.streams import HeldStream, open_losses

__all__ = ["Hindsight", "hindsight", "settings_in_hindsight", "summary"]

Settings = dict[str, list[ExpertsAlgorithm]]

#: How many settings of each algorithm are played again, and how much more often than in the search.
_FINALISTS, _MORE_OFTEN = 5, 4

#: Until its end a run holds its choices; runs that together hold more than about this are played in turn.
_HELD_BYTES = 1 << 25


@dataclass(frozen=True)
class Hindsight:
    """One stream: the default without hindsight, and each private algorithm at its best setting in hindsight.

    Parameters
    ----------
    stream : str
    rounds, n_experts : int
    default, private_hedge, hedge : Entry
        The library's recommendation, the textbook algorithm, and non-private Hedge tuned to the horizon.
    best : dict of str to Entry
        For each algorithm the setting with the least mean regret on this very stream, played again afterwards.
    n_settings : int
        How many settings were tried.
    least : float
        Regrets below this count as this much in ratios: ln(N) / epsilon.
    seeded : bool
        Whether the runs were reproducible simulations.
    """

    stream: str
    rounds: int
    n_experts: int
    default: Entry
    private_hedge: Entry
    hedge: Entry
    best: dict[str, Entry] = field(repr=False)
    n_settings: int
    least: float
    seeded: bool

    @property
    def winner(self) -> Entry:
        """The best of all private algorithms in hindsight, the default's own settings left out."""
        rivals = (e for e in self.best.values() if e.algorithm.name != self.default.algorithm.name)
        return min(rivals, key=_mean_regret)

    @property
    def winner_of_all(self) -> Entry:
        """The best of all private algorithms in hindsight, the default and its own settings included."""
        return min([self.default, *self.best.values()], key=_mean_regret)

    @property
    def ratios(self) -> dict[str, float]:
        """The default's mean regret over that of `winner`, of `winner_of_all` and of `private_hedge`."""
        return {
            "ratio": self.ratio(self.winner),
            "ratio_own_settings_included": self.ratio(self.winner_of_all),
            "ratio_to_private_hedge": self.ratio(self.private_hedge),
        }

    def ratio(self, to: Entry) -> float:
        """The default's mean regret over another's; both count as `least` where they are below it."""
        return max(self.default.mean_regret, self.least) / max(to.mean_regret, self.least)

    def name_of(self, entry: Entry) -> str:
        """What tables call one of the entries in hindsight."""
        names = (name for name, own in self.best.items() if own is entry)
        return next(names, f"{entry.algorithm.name}, untuned")

    def to_dict(self) -> dict[str, Any]:
        """The figures as one JSON object."""
        return {
            "warning": "computed from the private losses; for the curator only",
            "stream": self.stream,
            "rounds": self.rounds,
            "experts": self.n_experts,
            "seeded": self.seeded,
            "default": {"algorithm": self.default.algorithm.name, **_figures(self.default)},
            "private_hedge": _figures(self.private_hedge),
            "hedge": _figures(self.hedge),
            "best_in_hindsight": {name: _figures(entry) for name, entry in self.best.items()},
            "winner": self.name_of(self.winner),
            "winner_own_settings_included": self.name_of(self.winner_of_all),
            "settings_tried": self.n_settings,
            **self.ratios,
            "regrets_below_count_as": self.least,
        }


def summary(results: Sequence[Hindsight]) -> dict[str, dict[str, float]]:
    """The geometric mean and the largest of each ratio over several streams."""
    ratios = [result.ratios for result in results]
    return {
        kind: {
            "geometric_mean": math.exp(math.fsum(math.log(each[kind]) for each in ratios) / len(ratios)),
            "largest": max(each[kind] for each in ratios),
        }
        for kind in ratios[0]
    }


def hindsight(
    losses: Any,
    *,
    epsilon: float,
    delta: float,
    horizon: int | None = None,
    runs: int = 20,
    search_runs: int = 4,
    seed: int | None = None,
    stream: str = "losses",
    progress: bool = True,
) -> Hindsight:
    """Try a stated grid of settings on a stream, and play the best of each algorithm again.

    Parameters
    ----------
    losses : as in `reticent.run`
        Read once, and kept in memory; N >= 2.
    epsilon, delta : float
    horizon : int, optional
        The public number of rounds; that of the stream unless given.
    runs, search_runs : int
        How often the best setting, and how often each setting of the grid, is played.
    seed : int, optional
        For reproducible simulations; secure randomness without it.
    stream : str
        What reports call the stream.
    progress : bool
        Show a bar on a terminal's stderr.

    Notes
    -----
    **Guarantee.** None: the settings are chosen by looking at the private losses.
    """
    if runs < 1 or search_runs < 1:
        raise ParameterError(f"runs is {runs!r} and search_runs {search_runs!r}; give whole numbers from 1 on.")
    opened = open_losses(losses)
    if opened.n_experts < 2:
        raise ParameterError(f"{opened.source} has one column, which leaves no choice; give at least two experts.")
    held = HeldStream(opened)
    n_experts, horizon = held.n_experts, held.rounds if horizon is None else horizon
    default = auto(n_experts, epsilon, delta)
    private_hedge = PrivateHedge(n_experts, epsilon, delta, horizon=horizon)
    grid = settings_in_hindsight(n_experts, horizon, epsilon, delta)
    n_settings = sum(map(len, grid.values()))
    n_finalists = sum(min(_FINALISTS, len(algorithms)) for algorithms in grid.values())
    total = search_runs * (n_settings + _MORE_OFTEN * n_finalists) + runs * (3 + len(grid))
    with Progress(total, unit="runs", enabled=progress) as bar:
        games = _Games(held, seed, bar)
        # Settings that gamble look good in few runs: the finalists of each algorithm are played more often.
        finalists = games.best(grid, _FINALISTS, search_runs)
        winners = games.best(finalists, 1, _MORE_OFTEN * search_runs)
        in_hindsight = [algorithms[0] for algorithms in winners.values()]
        judged = games.play([default, private_hedge, Hedge(n_experts, horizon=horizon), *in_hindsight], runs)
    return Hindsight(
        stream=stream,
        rounds=held.rounds,
        n_experts=n_experts,
        default=judged[0],
        private_hedge=judged[1],
        hedge=judged[2],
        best=dict(zip(winners, judged[3:], strict=True)),
        n_settings=n_settings,
        least=math.log(n_experts) / epsilon,
        seeded=seed is not None,
    )


class _Games:
    """Plays algorithms on one stream, each run with noise that no run before it had."""

    def __init__(self, losses: HeldStream, seed: int | None, bar: Progress) -> None:
        self._losses = losses
        self._seed = seed
        self._bar = bar

    def play(self, algorithms: Sequence[ExpertsAlgorithm], runs: int) -> list[Entry]:
        """Each algorithm's runs."""
        at_once = max(1, _HELD_BYTES // (8 * self._losses.rounds * runs))
        entries: list[Entry] = []
        for first in range(0, len(algorithms), at_once):
            some = algorithms[first : first + at_once]
            entries += compare(some, self._losses.again(), runs=runs, seed=self._seed, progress=False).entries
            if self._seed is not None:
                self._seed += runs * len(some)
            self._bar.advance(runs * len(some))
        return entries

    def best(self, grid: Settings, keep: int, runs: int) -> Settings:
        """The `keep` settings of each algorithm with the least mean regret over `runs` runs."""
        entries = iter(self.play([a for algorithms in grid.values() for a in algorithms], runs))
        return {name: _least(keep, [next(entries) for _ in algorithms]) for name, algorithms in grid.items()}


def _least(keep: int, entries: Iterable[Entry]) -> list[ExpertsAlgorithm]:
    return [entry.algorithm for entry in sorted(entries, key=_mean_regret)[:keep]]


def settings_in_hindsight(n_experts: int, horizon: int, epsilon: float, delta: float) -> Settings:
    """The grid of settings that hindsight may choose from, for each private algorithm."""
    grids = {
        "Dartboard, capped": _capped_dartboards,
        "Dartboard, decaying": _decaying_dartboards,
        "SparseVectorExperts": _sparse_vectors,
        "ShrinkingDartboard": _shrinking_dartboards,
        "ScheduledHedge": _schedules,
        "Doubling": _doublings,
        "LazyToPrivate": _lazy_to_privates,
        "TreeFTPL": _trees,
        "GuardedEpochs": _guarded_epochs,
    }
    return {name: list(grid(n_experts, horizon, epsilon, delta)) for name, grid in grids.items()}


def _capped_dartboards(n: int, horizon: int, epsilon: float, delta: float) -> Iterator[Dartboard]:
    for share1 in (0.15, 0.3, 0.5):
        for cap in (3, 6, 12, 25, 60, 150, 400):
            share2 = 0.15 if cap <= 12 else 0.05  # the coin costs at least eta, and few draws have a large one
            left = epsilon * (1 - share1 - share2) * (1 - 1e-9)
            rates = EqualRates.calibrated(cap, left, delta, Neighbours())
            eta = min(rates.learning_rate, Fraction(epsilon) * Fraction(share2))
            for delay in (15, 40, 100):
                yield _dartboard(n, epsilon, delta, share1, share2, delay / epsilon, EqualRates(eta, cap))


def _decaying_dartboards(n: int, horizon: int, epsilon: float, delta: float) -> Iterator[Dartboard]:
    for share1, share2 in ((0.2, 0.05), (0.4, 0.05)):
        for exponent in (1.5, 2.0, 3.0):
            for offset in (0, 5, 20):
                power = Fraction(exponent) / (1 if delta == 0 else 2)
                left = epsilon * (1 - share1 - share2) * (1 - 1e-9)
                rates = DecayingRates.calibrated(power, offset, left, delta, Neighbours())
                for delay in (15, 40, 100):
                    yield _dartboard(n, epsilon, delta, share1, share2, delay / epsilon, rates)


def _dartboard(
    n: int,
    epsilon: float,
    delta: float,
    share1: float,
    share2: float,
    delay: float,
    rates: EqualRates | DecayingRates,
) -> Dartboard:
    eps1, eps2 = Fraction(epsilon) * Fraction(share1), Fraction(epsilon) * Fraction(share2)
    return Dartboard(n, epsilon, delta, parameters=DartboardParameters(eps1, eps2, delay, rates))


def _sparse_vectors(n: int, horizon: int, epsilon: float, delta: float) -> Iterator[SparseVectorExperts]:
    for share in (0.15, 0.4):
        for redraws in (2, 3, 6, 12, 25, 60, 150):
            for delay in (20, 40, 80, 160):
                yield SparseVectorExperts(
                    n, epsilon, delta, redraws=redraws, delay=delay / epsilon, threshold_share=share
                )


def _shrinking_dartboards(n: int, horizon: int, epsilon: float, delta: float) -> Iterator[ShrinkingDartboard]:
    for share, cap in product((0.1, 0.3), (12, 25, 60, 150, 400)):
        coin, rates = _coin_and_rates(share, cap, epsilon, delta, coin_range=1)
        for batch in (1, 8, 64, 512):
            parameters = ShrinkingParameters(coin, batch, rates)
            yield ShrinkingDartboard(n, epsilon, delta, horizon=horizon, parameters=parameters)


def _lazy_to_privates(n: int, horizon: int, epsilon: float, delta: float) -> Iterator[LazyToPrivate]:
    for share, cap in product((0.1, 0.3), (60, 150, 400)):
        coin, rates = _coin_and_rates(share, cap, epsilon, delta, coin_range=2)
        for batch in (8, 64, 512):
            parameters = LazyParameters(coin, batch, rates)
            yield LazyToPrivate(n, epsilon, delta, horizon=horizon, parameters=parameters)


def _coin_and_rates(
    share: float, cap: int, epsilon: float, delta: float, *, coin_range: int
) -> tuple[Fraction, EqualRates]:
    coin = Fraction(epsilon) * Fraction(share)
    rates = EqualRates.calibrated(cap, epsilon * (1 - share) * (1 - 1e-9), delta, Neighbours())
    return coin, EqualRates(min(rates.learning_rate, coin / coin_range), cap)


def _schedules(n: int, horizon: int, epsilon: float, delta: float) -> Iterator[ScheduledHedge]:
    for growth in (1.25, 2.0, 4.0, 16.0):
        for first in (16, 64, 256):
            schedule = GeometricTimes(growth, math.ceil(first / epsilon))
            yield ScheduledHedge(n, epsilon, delta, horizon=horizon, schedule=schedule)
    for draws in (5, 50, 500):
        yield ScheduledHedge(n, epsilon, delta, horizon=horizon, schedule=EveryRounds(max(1, horizon // draws)))


def _doublings(n: int, horizon: int, epsilon: float, delta: float) -> Iterator[Doubling]:
    for first in (16.0, 128.0, 1024.0):
        for patience in (1.0, 2.0):
            yield Doubling(n, epsilon, delta, horizon=horizon, first_best_loss=first, patience=patience)


def _guarded_epochs(n: int, horizon: int, epsilon: float, delta: float) -> Iterator[GuardedEpochs]:
    default = GuardedEpochs(n, epsilon).first_epoch_rounds
    for guard in (0.1, 0.2, 0.3):
        for stretch in (0.5, 1.0, 2.0):
            yield GuardedEpochs(n, epsilon, delta, guard_share=guard, first_epoch=math.ceil(stretch * default))


def _trees(n: int, horizon: int, epsilon: float, delta: float) -> Iterator[TreeFTPL]:
    yield TreeFTPL(n, epsilon, delta, horizon=horizon)
    if delta > 0:
        yield TreeFTPL(n, epsilon, delta, horizon=horizon, noise=LaplaceNodes)


def _mean_regret(entry: Entry) -> float:
    return entry.mean_regret


def _figures(entry: Entry) -> dict[str, Any]:
    return {
        "mean_regret": entry.mean_regret,
        "spread": entry.spread,
        "runs": len(entry.regrets),
        "settings": entry.algorithm.settings,
    }
