"""Several algorithms on one stream, several times each. FOR THE CURATOR ONLY: regrets are not private."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from reticent.errors import ParameterError
from reticent.experts import ExpertsAlgorithm
from reticent.randomness import SeededSource, Source
from reticent.runner import Curve, play

if TYPE_CHECKING:
    from reticent.report.display import ComparisonDisplay

__all__ = ["Comparison", "Entry", "compare"]


@dataclass(frozen=True)
class Entry:
    """One algorithm's runs. For the curator only.

    Parameters
    ----------
    algorithm : ExpertsAlgorithm
    regrets : tuple of float
        One for each run.
    losses : tuple of float
    switches : tuple of int
    curve : Curve
        The mean over the runs.
    """

    algorithm: ExpertsAlgorithm
    regrets: tuple[float, ...]
    losses: tuple[float, ...]
    switches: tuple[int, ...]
    curve: Curve = field(repr=False)

    @property
    def mean_regret(self) -> float:
        """The mean over the runs."""
        return math.fsum(self.regrets) / len(self.regrets)

    @property
    def spread(self) -> float:
        """The standard deviation between runs (0 for a single run)."""
        return float(np.std(self.regrets, ddof=1)) if len(self.regrets) > 1 else 0.0

    @property
    def mean_switches(self) -> float:
        """The mean over the runs."""
        return sum(self.switches) / len(self.switches)

    @property
    def private(self) -> bool:
        """Whether the algorithm promises privacy, given a secure source."""
        return math.isfinite(self.algorithm.privacy.epsilon)


@dataclass(frozen=True, repr=False)
class Comparison:
    """Algorithms beside each other on one stream. For the curator only.

    Parameters
    ----------
    stream : str
        What the stream is called.
    rounds, n_experts : int
    best_loss, uniform_loss : float
    best_expert : str
    entries : tuple of Entry
        In the order asked for.
    noise : str
        The source of randomness of the runs.
    seeded : bool
        Whether the runs were reproducible simulations.
    """

    stream: str
    rounds: int
    n_experts: int
    best_loss: float
    uniform_loss: float
    best_expert: str
    entries: tuple[Entry, ...]
    noise: str
    seeded: bool

    def __str__(self) -> str:
        lines = [f"{self.stream}: {self.rounds:,} rounds, {self.n_experts:,} experts; {self.warning}"]
        for entry in sorted(self.entries, key=lambda e: e.mean_regret):
            private = "" if entry.private else "  (not private)"
            lines.append(f"  {entry.algorithm.name:24} mean regret {entry.mean_regret:12,.1f}{private}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return str(self)

    @property
    def warning(self) -> str:
        """What nobody may overlook."""
        curator_only = "computed from the private losses; for the curator only"
        return f"NOT PRIVATE ({self.noise}): for simulation only; {curator_only}" if self.seeded else curator_only

    def plot(self) -> ComparisonDisplay:
        """Mean cumulative regrets; needs matplotlib (extra ``plot``)."""
        from reticent.report.display import ComparisonDisplay

        return ComparisonDisplay(self).plot()

    def to_dict(self) -> dict[str, Any]:
        """The figures as one JSON object."""
        return {
            "warning": self.warning,
            "stream": self.stream,
            "rounds": self.rounds,
            "experts": self.n_experts,
            "noise": self.noise,
            "seeded": self.seeded,
            "best_expert": self.best_expert,
            "best_loss": self.best_loss,
            "uniform_loss": self.uniform_loss,
            "algorithms": [
                {
                    "algorithm": entry.algorithm.name,
                    "private": entry.private and not self.seeded,
                    "settings": entry.algorithm.settings,
                    "mean_regret": entry.mean_regret,
                    "spread": entry.spread,
                    "regrets": list(entry.regrets),
                    "mean_switches": entry.mean_switches,
                }
                for entry in self.entries
            ],
        }


def compare(
    algorithms: Sequence[ExpertsAlgorithm],
    losses: Any,
    *,
    runs: int = 20,
    seed: int | None = None,
    names: Sequence[str] | None = None,
    stream: str | None = None,
    progress: bool = True,
) -> Comparison:
    """Play each algorithm several times on one stream, which is read once.

    Parameters
    ----------
    algorithms : sequence of ExpertsAlgorithm
    losses : as in `reticent.run`
    runs : int
        How often each algorithm is played.
    seed : int, optional
        For reproducible simulations; secure randomness without it.
    names : sequence of str, optional
        The experts' names.
    stream : str, optional
        What the report calls the stream.
    progress : bool

    Returns
    -------
    Comparison

    Notes
    -----
    **Guarantee.** None: this is for judging algorithms on data that one may see. To release choices, use
    `reticent.run` once; each further release on the same data is paid again.
    """
    if runs < 1:
        raise ParameterError(f"runs is {runs!r}; give a whole number from 1 on.")
    if isinstance(algorithms, ExpertsAlgorithm):
        raise ParameterError(f"algorithms is one algorithm, {algorithms.name}; give a list of them.")
    if not algorithms:
        raise ParameterError("algorithms is empty; give at least one.")
    repeated = [algorithm for algorithm in algorithms for _ in range(runs)]
    sources: list[Source | None] = [None] * len(repeated)
    if seed is not None:
        sources = [SeededSource(seed + k) for k in range(len(repeated))]
    results = play(repeated, losses, sources=sources, names=names, progress=progress)
    entries = []
    for first in range(0, len(results), runs):
        same = results[first : first + runs]
        one = same[0].curator.curve
        mean = np.mean([r.curator.curve.loss for r in same], axis=0)
        entries.append(
            Entry(
                algorithm=same[0].algorithm,
                regrets=tuple(r.regret for r in same),
                losses=tuple(r.loss for r in same),
                switches=tuple(r.switches for r in same),
                curve=Curve(one.rounds, mean, one.best_loss, one.uniform_loss),
            )
        )
    any_run = results[0]
    return Comparison(
        stream=stream or "losses",
        rounds=any_run.curator.rounds,
        n_experts=any_run.algorithm.n_experts,
        best_loss=any_run.best_loss,
        uniform_loss=any_run.curator.uniform_loss,
        best_expert=any_run.names[any_run.best_expert],
        entries=tuple(entries),
        noise=any_run.noise if seed is None else f"seeded from {seed} on",
        seeded=seed is not None,
    )
