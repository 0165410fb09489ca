"""The default beside the best setting in hindsight of every private algorithm. FOR THE CURATOR ONLY."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from reticent.comparison import Entry, compare
from reticent.errors import ParameterError
from reticent.experts import ExpertsAlgorithm, Hedge, PrivateHedge, auto
from reticent.report.progress import Progress
from reticent.settings_grid import Settings, settings_in_hindsight
from reticent.streams import HeldStream, open_losses

__all__ = ["Hindsight", "hindsight", "settings_in_hindsight", "summary"]

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


def _mean_regret(entry: Entry) -> float:
    return entry.mean_regret


def _figures(entry: Entry) -> dict[str, Any]:
    return {
        "mean_regret": entry.mean_regret,
        "spread": entry.spread,
        "runs": len(entry.regrets),
        "settings": entry.algorithm.settings,
    }
