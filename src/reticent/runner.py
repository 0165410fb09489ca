"""Play algorithms on a stream of losses: one pass over the data, block by block, the same choices as step by step."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from reticent.errors import ParameterError
from reticent.experts import ExpertsAlgorithm, ExpertsLearner, Grid, LossBlock
from reticent.privacy import PrivacyStatement
from reticent.randomness import IntArray, SecureSource, Source
from reticent.report.labels import not_private
from reticent.report.progress import Progress
from reticent.report.text import run_text
from reticent.streams import LossStream, open_losses

if TYPE_CHECKING:
    from reticent.report.display import RunDisplay

__all__ = ["Curator", "Curve", "Released", "Run", "play", "run"]

Floats = npt.NDArray[np.float64]

#: Bytes of losses handed to the learners at a time: a few of these fit in the processor's shared cache.
_BLOCK_BYTES = 1 << 23

#: Fewer rows would cost more in overhead than they save, and more would make curves coarse.
_LEAST_ROWS, _MOST_ROWS = 64, 1 << 14

#: The first blocks are short and double, so that curves show how a run begins.
_FIRST_ROWS = 64


@dataclass(frozen=True, eq=False)
class Released:
    """What may be released under the run's privacy statement.

    Parameters
    ----------
    choices : int64 array of shape (rounds,)
        The expert of each round.
    privacy : PrivacyStatement
    """

    choices: IntArray
    privacy: PrivacyStatement

    @property
    def switches(self) -> int:
        """How often the choice differs from the round before."""
        return int(np.count_nonzero(np.diff(self.choices)))


@dataclass(frozen=True, eq=False)
class Curve:
    """Cumulative losses at some rounds. FOR THE CURATOR ONLY: computed from private losses.

    Parameters
    ----------
    rounds : int64 array of shape (points,)
    loss, best_loss, uniform_loss : float64 arrays of shape (points,)
        Up to that round: of the choices, of the best expert up to that round, and the mean over all experts.
    """

    rounds: IntArray
    loss: Floats
    best_loss: Floats
    uniform_loss: Floats

    @property
    def regret(self) -> Floats:
        """Loss minus the loss of the best expert so far."""
        return self.loss - self.best_loss


@dataclass(frozen=True, eq=False)
class Curator:
    """FOR THE CURATOR ONLY: figures computed from the private losses; releasing them is not covered.

    Parameters
    ----------
    loss : float
        Total loss of the choices (on the grid).
    best_expert : int
    best_loss : float
    uniform_loss : float
        The mean of all experts' total losses.
    rounds : int
    curve : Curve
    """

    loss: float
    best_expert: int
    best_loss: float
    uniform_loss: float
    rounds: int
    curve: Curve = field(repr=False)

    @property
    def regret(self) -> float:
        """Total loss minus the best expert's."""
        return self.loss - self.best_loss

    @property
    def mean_loss(self) -> float:
        """Loss a round."""
        return self.loss / self.rounds


@dataclass(frozen=True, eq=False, repr=False)
class Run:
    """A finished run; what may be released and what is for the curator only are apart.

    Parameters
    ----------
    algorithm : ExpertsAlgorithm
    released : Released
    curator : Curator
    names : tuple of str
        What the experts are called.
    private : bool
        False for seeded runs and for algorithms that promise nothing.
    noise : str
        The source of randomness.
    seconds : float
    """

    algorithm: ExpertsAlgorithm
    released: Released
    curator: Curator
    names: tuple[str, ...] = field(repr=False)
    private: bool
    noise: str
    seconds: float

    @property
    def choices(self) -> IntArray:
        """Releasable: the expert of each round."""
        return self.released.choices

    @property
    def switches(self) -> int:
        """Releasable: how often the choice changed."""
        return self.released.switches

    @property
    def privacy(self) -> PrivacyStatement:
        """Releasable: what the choices promise."""
        return self.released.privacy

    @property
    def loss(self) -> float:
        """Curator only: total loss."""
        return self.curator.loss

    @property
    def best_expert(self) -> int:
        """Curator only: the best expert in hindsight."""
        return self.curator.best_expert

    @property
    def best_loss(self) -> float:
        """Curator only: its total loss."""
        return self.curator.best_loss

    @property
    def regret(self) -> float:
        """Curator only: total loss minus the best expert's."""
        return self.curator.regret

    @property
    def mean_loss(self) -> float:
        """Curator only: loss a round."""
        return self.curator.mean_loss

    def plot(self) -> RunDisplay:
        """Four views of the run, two of them for the curator only; needs matplotlib (extra ``plot``)."""
        from reticent.report.display import RunDisplay

        return RunDisplay.from_run(self).plot()

    def plot_released(self) -> RunDisplay:
        """The two views that may be released; needs matplotlib (extra ``plot``)."""
        from reticent.report.display import RunDisplay

        return RunDisplay.from_run(self).plot_released()

    def __repr__(self) -> str:
        mark = "" if self.private else f"NOT PRIVATE ({self.noise}), "
        return f"<run of {self.algorithm.name}, {mark}{len(self.choices):,} rounds, {self.switches:,} switches>"

    def to_dict(self) -> dict[str, Any]:
        """The run as one JSON object, without the choices."""
        n_experts = self.algorithm.n_experts
        statement = self.privacy.to_dict()
        warning = not_private(self)
        return {
            **({} if warning is None else {"warning": f"{warning}; for simulation only, release nothing."}),
            "algorithm": self.algorithm.name,
            "parameters": {**self.algorithm.public_parameters, **self.algorithm.settings},
            "rounds": self.curator.rounds,
            "experts": n_experts,
            "epsilon": statement["epsilon"],
            "delta": statement["delta"],
            "relation": statement["relation"],
            "private": self.private,
            "noise": self.noise,
            "privacy": statement,
            "released": {"switches": self.switches, "choices_file": None},
            "curator": {
                "warning": "computed from the private losses; for the curator only",
                "loss": self.loss,
                "best_expert": self.names[self.best_expert],
                "best_loss": self.best_loss,
                "regret": self.regret,
                "mean_loss": self.mean_loss,
                "uniform_loss": self.curator.uniform_loss,
            },
            "seconds": self.seconds,
        }

    def __str__(self) -> str:
        return run_text(self)


class _Tally:
    """What one learner has done so far."""

    def __init__(self, learner: ExpertsLearner, rounds: int | None) -> None:
        self.learner = learner
        self.loss = 0
        self.losses: list[int] = []
        self._choices = np.empty(rounds or _MOST_ROWS, dtype=np.int64)
        self._rounds = 0

    @property
    def choices(self) -> IntArray:
        return self._choices[: self._rounds]

    def play(self, block: LossBlock) -> None:
        choices = self.learner.update_block(block)
        done = self._rounds + len(choices)
        if done > len(self._choices):
            self._choices = np.concatenate([self.choices, np.empty(done, dtype=np.int64)])
        self._choices[self._rounds : done] = choices
        self._rounds = done
        self.loss += block.loss_of(choices)
        self.losses.append(self.loss)


def run(
    algorithm: ExpertsAlgorithm,
    losses: Any,
    *,
    source: Source | None = None,
    names: Sequence[str] | None = None,
    progress: bool = True,
) -> Run:
    """Play one algorithm on a stream of losses.

    Parameters
    ----------
    algorithm : ExpertsAlgorithm
    losses : array of shape (rounds, n_experts), data frame, Arrow table, path, or an iterator of such blocks
        Numbers in [0, 1]. Each row must be a function of that round's record alone.
    source : Source, optional
        A fresh `SecureSource` unless given; a `SeededSource` gives a reproducible simulation that is reported as
        NOT private.
    names : sequence of str, optional
        The experts' names, where the data carry none.
    progress : bool
        Show a bar on a terminal's stderr when the run takes more than two seconds.

    Returns
    -------
    Run

    Raises
    ------
    InputError
        When the losses are not what they should be; no round of the faulty block is played.

    Notes
    -----
    **Guarantee.** `Run.released` is what the algorithm's privacy statement covers. `Run.curator` is not private.

    Examples
    --------
    >>> import numpy as np
    >>> import reticent as rt
    >>> losses = np.tile([0.0, 1.0, 1.0], (1000, 1))
    >>> result = run(rt.experts.Dartboard(3, 1.0, 1e-6), losses)
    >>> result.private, result.best_expert, len(result.choices)
    (True, 0, 1000)
    """
    (result,) = play([algorithm], losses, sources=[source], names=names, progress=progress)
    return result


def play(
    algorithms: Sequence[ExpertsAlgorithm],
    losses: Any,
    *,
    sources: Sequence[Source | None] | None = None,
    names: Sequence[str] | None = None,
    progress: bool = True,
) -> list[Run]:
    """Play several algorithms on one stream of losses that is read once; arguments as in `run`.

    The runs are independent, each with its own source. Releasing several of them adds up their prices.
    """
    begin = time.perf_counter()
    stream = open_losses(losses, names=names, block_bytes=_BLOCK_BYTES)
    for algorithm in algorithms:
        if not isinstance(algorithm, ExpertsAlgorithm):
            raise ParameterError(
                f"{algorithm!r} is no algorithm with its parameters; give one, such as "
                f"auto({stream.n_experts}, epsilon=1.0)."
            )
        if algorithm.n_experts != stream.n_experts:
            raise ParameterError(
                f"{algorithm.name} has n_experts = {algorithm.n_experts}, but there are {stream.n_experts} columns "
                f"in {stream.source}; give one column for each expert."
            )
    if len({algorithm.grid for algorithm in algorithms}) != 1:
        raise ParameterError("give at least one algorithm, all with the same grid_bits.")
    chosen = [None] * len(algorithms) if sources is None else list(sources)
    started = [SecureSource() if source is None else source for source in chosen]
    tallies: list[_Tally] | None = None
    totals = np.zeros(stream.n_experts, dtype=np.int64)
    points: list[tuple[int, int, float]] = []
    done = 0
    with Progress(stream.rounds, enabled=progress) as bar:
        for block in _loss_blocks(stream, algorithms[0].grid):
            if tallies is None:  # the first block is valid: now, and not before, randomness may be drawn
                tallies = [_Tally(a.start(s), stream.rounds) for a, s in zip(algorithms, started, strict=True)]
            for tally in tallies:
                tally.play(block)
            totals += block.totals
            done += block.rounds
            points.append((done, int(totals.min()), int(totals.sum()) / stream.n_experts))
            bar.advance(block.rounds)
    if tallies is None:
        raise AssertionError("streams refuse to be empty")
    units = algorithms[0].grid.units
    rounds, best, uniform = (np.array(column) for column in zip(*points, strict=True))
    called = stream.names or tuple(f"expert {i}" for i in range(stream.n_experts))
    seconds = time.perf_counter() - begin
    results = []
    for tally in tallies:
        statement = tally.learner.privacy
        curve = Curve(rounds, np.array(tally.losses) / units, best / units, uniform / units)
        results.append(
            Run(
                algorithm=tally.learner.algorithm,
                released=Released(tally.choices, statement),
                curator=Curator(
                    loss=tally.loss / units,
                    best_expert=int(totals.argmin()),
                    best_loss=int(totals.min()) / units,
                    uniform_loss=float(totals.mean()) / units,
                    rounds=done,
                    curve=curve,
                ),
                names=called,
                private=statement.private,
                noise=statement.noise or "",
                seconds=seconds,
            )
        )
    return results


def _loss_blocks(stream: LossStream, grid: Grid) -> Iterator[LossBlock]:
    first_round, rows = 0, _FIRST_ROWS
    for chunk in stream.blocks():
        most = max(_LEAST_ROWS, min(_MOST_ROWS, _BLOCK_BYTES // max(1, chunk.itemsize * stream.n_experts)))
        start = 0
        while start < len(chunk):
            rows = min(rows, most)
            part = chunk[start : start + rows]
            yield LossBlock(part, grid, stream.n_experts, first_round=first_round, locate=stream.locate)
            start += len(part)
            first_round += len(part)
            rows *= 2
