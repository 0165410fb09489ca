"""Many independent runs on two streams, on all cores."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from reticent.audit.features import Features
from reticent.audit.processes import in_processes
from reticent.experts import ExpertsAlgorithm, LossBlock
from reticent.randomness import IntArray, SecureSource, SeededSource, Source

__all__ = ["play_many"]

Streams = tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]

#: Parts that the runs of a stream are cut into, so that all cores stay busy and progress shows.
_PARTS = 40


def play_many(
    algorithm: ExpertsAlgorithm,
    streams: Streams,
    features: Features,
    runs: int,
    seed: int | None,
    workers: int | None,
    progress: Callable[[int], object] | None,
) -> tuple[IntArray, IntArray, str]:
    """The features of `runs` runs on each stream, shape (runs, numbers), and what the noise was.

    A seeded run has a seed of its own, so that the features do not depend on the number of workers.
    """
    source = SecureSource() if seed is None else SeededSource(seed)  # refuses a bad seed before the work begins
    player = _Player(algorithm, streams, features, seed)
    parts = list(_parts(runs))
    rows: list[IntArray] = [np.empty((0, 0), np.int64)] * len(parts)
    for number, found in in_processes(player.play, parts, workers):
        rows[number] = found
        if progress is not None:
            progress(len(found))
    here, there = (
        np.concatenate([found for part, found in zip(parts, rows, strict=True) if part.stream == stream])
        for stream in (0, 1)
    )
    return here, there, source.description


@dataclass(frozen=True)
class _Part:
    stream: int
    first: int
    stop: int


def _parts(runs: int) -> Iterator[_Part]:
    size = -(-runs // _PARTS)
    for first in range(0, runs, size):
        for stream in (0, 1):
            yield _Part(stream, first, min(first + size, runs))


class _Player:
    """Plays on blocks that are checked once."""

    def __init__(self, algorithm: ExpertsAlgorithm, streams: Streams, features: Features, seed: int | None) -> None:
        self._algorithm = algorithm
        self._blocks = [LossBlock(losses, algorithm.grid, algorithm.n_experts) for losses in streams]
        self._features = features
        self._seed = seed

    def play(self, part: _Part) -> IntArray:
        rows = []
        for run in range(part.first, part.stop):
            learner = self._algorithm.start(self._source(2 * run + part.stream))
            choices = learner.update_block(self._blocks[part.stream])
            rows.append(self._features(np.append(choices, learner.choice)))
        return np.array(rows, dtype=np.int64)

    def _source(self, run: int) -> Source:
        return SecureSource() if self._seed is None else SeededSource((self._seed << 64) + run)
