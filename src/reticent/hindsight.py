"""The default beside the best setting in hindsight of every private algorithm. FOR THE CURATOR ONLY."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from reticent.comparison import Entry, compare
from reticent.experts import (
    Dartboard,
    DartboardParameters,
    Doubling,
    EveryRounds,
    ExpertsAlgorithm,
    GeometricTimes,
    GuardedEpochs,
    Hedge,
    PrivateHedge,
    ScheduledHedge,
    SparseVectorExperts,
    auto,
)
from reticent.mechanisms import DecayingRates, EqualRates
from reticent.privacy import Neighbours

__all__ = ["Hindsight", "hindsight", "settings_in_hindsight"]

Settings = dict[str, list[ExpertsAlgorithm]]

_FINALISTS = 5


@dataclass(frozen=True)
class Hindsight:
    """One stream: the default without hindsight, and each private algorithm at its best setting in hindsight.

    Parameters
    ----------
    stream : str
    default, private_hedge, hedge : Entry
        The library's recommendation, the textbook algorithm, and non-private Hedge tuned to the horizon.
    best : dict of str to Entry
        For each algorithm the setting with the least mean regret on this very stream, played again afterwards.
    n_settings : int
        How many settings were tried.
    least : float
        Regrets below this count as this much in ratios: ln(N) / epsilon.
    """

    stream: str
    default: Entry
    private_hedge: Entry
    hedge: Entry
    best: dict[str, Entry] = field(repr=False)
    n_settings: int
    least: float

    @property
    def winner(self) -> Entry:
        """The best of all private algorithms in hindsight, the default's own settings left out."""
        return min((e for n, e in self.best.items() if n != self.default.algorithm.name), key=_mean_regret)

    @property
    def winner_of_all(self) -> Entry:
        """The best of all private algorithms in hindsight, the default's own settings included."""
        return min([self.default, *self.best.values()], key=_mean_regret)

    def ratio(self, to: Entry) -> float:
        """The default's mean regret over another's; both count as `least` where they are below it."""
        return max(self.default.mean_regret, self.least) / max(to.mean_regret, self.least)

    def to_dict(self) -> dict[str, Any]:
        """The figures as one JSON object."""
        return {
            "warning": "computed from the private losses; for the curator only",
            "stream": self.stream,
            "default": {"algorithm": self.default.algorithm.name, **_figures(self.default)},
            "private_hedge": _figures(self.private_hedge),
            "hedge": _figures(self.hedge),
            "best_in_hindsight": {name: _figures(entry) for name, entry in self.best.items()},
            "settings_tried": self.n_settings,
            "ratio": self.ratio(self.winner),
            "ratio_own_settings_included": self.ratio(self.winner_of_all),
            "ratio_to_private_hedge": self.ratio(self.private_hedge),
            "regrets_below_count_as": self.least,
        }


def hindsight(
    losses: Any,
    *,
    n_experts: int,
    horizon: int,
    epsilon: float,
    delta: float,
    runs: int = 20,
    search_runs: int = 4,
    seed: int | None = None,
    stream: str = "losses",
    progress: bool = True,
) -> Hindsight:
    """Try a stated grid of settings on a stream, and play the best of each algorithm again.

    Parameters
    ----------
    losses : as in `reticent.run`, but not an iterator: it is read twice
    n_experts, horizon : int
    epsilon, delta : float
    runs, search_runs : int
        How often the best setting, and how often each setting of the grid, is played.
    seed : int, optional
        For reproducible simulations; secure randomness without it.
    stream : str
    progress : bool
    """
    grid = settings_in_hindsight(n_experts, horizon, epsilon, delta)
    # Settings that gamble look good in few runs: the finalists of each algorithm are played more often.
    finalists = _best(grid, _FINALISTS, losses, search_runs, seed, progress)
    winners = _best(finalists, 1, losses, 4 * search_runs, None if seed is None else seed + 1, progress)
    best = {name: algorithms[0] for name, algorithms in winners.items()}
    judged: Sequence[ExpertsAlgorithm] = [
        auto(n_experts, epsilon, delta),
        PrivateHedge(n_experts, epsilon, delta, horizon=horizon),
        Hedge(n_experts, horizon=horizon),
        *best.values(),
    ]
    default, private_hedge, hedge, *played = compare(
        judged, losses, runs=runs, seed=None if seed is None else seed + 2, stream=stream, progress=progress
    ).entries
    return Hindsight(
        stream=stream,
        default=default,
        private_hedge=private_hedge,
        hedge=hedge,
        best=dict(zip(best, played, strict=True)),
        n_settings=sum(map(len, grid.values())),
        least=math.log(n_experts) / epsilon,
    )


def _best(grid: Settings, keep: int, losses: Any, runs: int, seed: int | None, progress: bool) -> Settings:
    """The `keep` settings of each algorithm with the least mean regret over `runs` runs."""
    tried = [(name, algorithm) for name, algorithms in grid.items() for algorithm in algorithms]
    entries = compare([a for _, a in tried], losses, runs=runs, seed=seed, progress=progress).entries
    best: Settings = {}
    for name in grid:
        own = [entry for (of, _), entry in zip(tried, entries, strict=True) if of == name]
        best[name] = [entry.algorithm for entry in sorted(own, key=_mean_regret)[:keep]]
    return best


def settings_in_hindsight(n_experts: int, horizon: int, epsilon: float, delta: float) -> Settings:
    """The grid of settings that hindsight may choose from, for each private algorithm."""
    grids = {
        "Dartboard, capped": _capped_dartboards,
        "Dartboard, decaying": _decaying_dartboards,
        "SparseVectorExperts": _sparse_vectors,
        "ScheduledHedge": _schedules,
        "Doubling": _doublings,
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


def _mean_regret(entry: Entry) -> float:
    return entry.mean_regret


def _figures(entry: Entry) -> dict[str, Any]:
    return {
        "mean_regret": entry.mean_regret,
        "spread": entry.spread,
        "runs": len(entry.regrets),
        "settings": entry.algorithm.settings,
    }
