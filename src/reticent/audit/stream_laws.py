"""The exact law of what an experts algorithm releases, on every stream over a tiny alphabet of loss vectors.

The unchanged learner runs on an `EnumeratedSource`, and is saved after each round. Two saved learners that are equal
byte for byte have the same future, whatever led to them: each is continued once, and streams share what they can.
"""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from reticent.audit.snapshots import Snapshots
from reticent.audit.transcripts import Observe, TranscriptSource, choice, every_outcome
from reticent.errors import ParameterError
from reticent.experts import ExpertsAlgorithm, ExpertsLearner
from reticent.randomness.laws import FloatArray

__all__ = ["Losses", "StreamLaws", "stream_laws"]

Losses = tuple[float, ...]

#: Ways in which one round may go, at most: they are walked one by one.
_MOST_WAYS = 1 << 18

Pair = tuple[ExpertsLearner, TranscriptSource]


@dataclass(frozen=True)
class StreamLaws:
    """The law of all outputs, the one after the last round included, for each stream.

    Attributes
    ----------
    vectors : tuple of A loss vectors
        What a round's losses can be.
    rounds : int
        T.
    outputs : tuple of T + 1 tuples
        What can be seen before the first round, after the first, .., after the last.
    probabilities : float array of shape (A, .., A, K_0, .., K_T)
        ``probabilities[a_1, .., a_T, k_0, .., k_T]`` is the probability of the outputs with these numbers on the
        stream of the loss vectors with those numbers, together with no draw being truncated.
    truncated : float array of shape (A, .., A)
        The probability of truncation, which may belong to any output.
    """

    vectors: tuple[Losses, ...]
    rounds: int
    outputs: tuple[tuple[tuple[Any, ...], ...], ...]
    probabilities: FloatArray
    truncated: FloatArray

    def stream(self, numbers: Sequence[int]) -> tuple[Losses, ...]:
        """The loss vectors with these numbers."""
        return tuple(self.vectors[number] for number in numbers)

    def choices(self) -> StreamLaws:
        """The laws of what is released; each output must be a tuple that ends with the choice."""
        probabilities, outputs = self.probabilities, []
        for time, known in enumerate(self.outputs):
            choices = sorted({output[-1] for output in known})
            groups = [[k for k, output in enumerate(known) if output[-1] == choice] for choice in choices]
            axis = self.rounds + time
            parts = [probabilities.take(group, axis).sum(axis, keepdims=True) for group in groups]
            probabilities = np.concatenate(parts, axis)
            outputs.append(tuple((choice,) for choice in choices))
        return StreamLaws(self.vectors, self.rounds, tuple(outputs), probabilities, self.truncated)

    def output(self, numbers: Sequence[int]) -> tuple[tuple[Any, ...], ...]:
        """The outputs with these numbers."""
        return tuple(known[number] for known, number in zip(self.outputs, numbers, strict=True))


def stream_laws(
    algorithm: ExpertsAlgorithm,
    vectors: Sequence[Losses],
    rounds: int,
    observe: Observe = choice,
    *,
    mass: float = 1e-40,
) -> StreamLaws:
    """Run the algorithm on every stream.

    Parameters
    ----------
    algorithm : ExpertsAlgorithm
        Of few experts, on a coarse grid; the class of its learner must be importable, so that it can be saved.
    vectors : sequence of A loss vectors
    rounds : int
        T; there are A ** T streams.
    observe : callable (learner, source) -> tuple
        What is seen after a round; its last entry is the choice.
    mass : float
        The most that one draw's support may leave out.
    """
    snapshots = Snapshots()
    walk = _Walk(algorithm, observe, mass, snapshots)
    levels = [*(_Level(snapshots) for _ in range(rounds)), _LastLevel(snapshots)]
    start = walk.start(levels[0])
    plays = [
        [[walk.play(state, losses, after) for losses in vectors] for state in before.states]
        for before, after in pairwise(levels)
    ]
    # Backwards: the law of all outputs still to come, from each state that a learner can be in.
    futures = [_Future(np.ones(()), np.zeros(()))] * len(levels[-1].states)
    for level, played in zip(reversed(levels[1:]), reversed(plays), strict=True):
        futures = [_stack([_mix(moves, futures, len(level.outputs)) for moves in state]) for state in played]
    law = _mix(start, futures, len(levels[0].outputs))
    outputs = tuple(tuple(level.outputs) for level in levels)
    # _mix and _stack put the newest axis first: k_0, a_1, k_1, .., a_T, k_T.
    order = [*range(1, 2 * rounds + 1, 2), *range(0, 2 * rounds + 1, 2)]
    return StreamLaws(tuple(map(tuple, vectors)), rounds, outputs, law.probabilities.transpose(order), law.truncated)


class _Move(NamedTuple):
    probability: float
    output: int
    state: int


class _Moves(NamedTuple):
    """What may happen in one round."""

    moves: tuple[_Move, ...]
    truncated: float


class _Future(NamedTuple):
    """The law of the outputs to come, for all loss vectors that may come."""

    probabilities: FloatArray
    truncated: FloatArray


class _Level:
    """After so many rounds: what may be seen last, and the states that a learner may be in, each numbered."""

    def __init__(self, snapshots: Snapshots) -> None:
        self.outputs: dict[tuple[Any, ...], int] = {}
        self.states: dict[bytes, int] = {}
        self._snapshots = snapshots

    def number(self, output: tuple[Any, ...], learner: ExpertsLearner, source: TranscriptSource) -> tuple[int, int]:
        state = self._save(learner, source)
        return (
            self.outputs.setdefault(output, len(self.outputs)),
            self.states.setdefault(state, len(self.states)),
        )

    def _save(self, learner: ExpertsLearner, source: TranscriptSource) -> bytes:
        source.rewind(())
        try:
            return self._snapshots.save((learner, source))
        except (AttributeError, TypeError, pickle.PicklingError) as error:
            raise ParameterError(
                f"{type(learner).__name__} cannot be saved ({error}); define its class at the top of a module, and "
                "keep what cannot be pickled out of its state."
            ) from None


class _LastLevel(_Level):
    """No round is left, so all states are alike."""

    def _save(self, learner: ExpertsLearner, source: TranscriptSource) -> bytes:
        return b""


class _Walk:
    def __init__(self, algorithm: ExpertsAlgorithm, observe: Observe, mass: float, snapshots: Snapshots) -> None:
        self._algorithm = algorithm
        self._observe = observe
        self._mass = mass
        self._snapshots = snapshots

    def start(self, level: _Level) -> _Moves:
        """What may happen before the first round."""

        def begin(script: list[int]) -> Pair:
            source = TranscriptSource(self._mass)
            source.rewind(script)
            return self._algorithm.start(source), source

        return self._moves(begin, level)

    def play(self, state: bytes, losses: Losses, after: _Level) -> _Moves:
        """What may happen in a round with these losses."""

        def begin(script: list[int]) -> Pair:
            learner, source = self._snapshots.restore(state)
            source.rewind(script)
            learner.update(losses)
            return learner, source

        return self._moves(begin, after)

    def _moves(self, begin: Callable[[list[int]], Pair], after: _Level) -> _Moves:
        kept: dict[tuple[int, int], float] = {}
        lost = 0.0
        for ways, (learner, source) in enumerate(every_outcome(begin), 1):
            if ways > _MOST_WAYS:
                raise ParameterError(
                    f"a round has more than {_MOST_WAYS:,} outcomes to enumerate; audit a version with fewer "
                    "experts, a coarser grid, or noise of fewer likely values."
                )
            kept_part = source.probability * math.exp(source.log_whole)
            lost -= source.probability * math.expm1(source.log_whole)
            output = self._observe(learner, source)
            move = after.number(output, learner, source)
            kept[move] = kept.get(move, 0.0) + kept_part
        return _Moves(tuple(_Move(p, *move) for move, p in kept.items()), lost)


def _mix(round_: _Moves, futures: list[_Future], outputs: int) -> _Future:
    """The law of a round's output and of all later ones."""
    probabilities = np.zeros((outputs, *futures[0].probabilities.shape))
    truncated = np.full(futures[0].truncated.shape, round_.truncated)
    for probability, output, state in round_.moves:
        probabilities[output] += probability * futures[state].probabilities
        truncated += probability * futures[state].truncated
    return _Future(probabilities, truncated)


def _stack(futures: list[_Future]) -> _Future:
    """One for each loss vector that may come."""
    return _Future(np.stack([f.probabilities for f in futures]), np.stack([f.truncated for f in futures]))
