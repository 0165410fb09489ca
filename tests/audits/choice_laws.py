"""The exact law of the choices of an experts algorithm, on every stream over a tiny alphabet of loss vectors.

The unchanged learner runs on an `EnumeratedSource`, and is saved after each round. Two saved learners that are equal
byte for byte have the same future, whatever led to them; so each is continued once, and streams share what they can.
"""

from __future__ import annotations

import io
import math
import pickle
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from reticent.experts import ExpertsAlgorithm, ExpertsLearner
from reticent.randomness import EnumeratedSource

__all__ = ["ChoiceLaws", "choice_laws"]

FloatArray = npt.NDArray[np.float64]
Losses = tuple[float, ...]


@dataclass(frozen=True)
class ChoiceLaws:
    """The law of all choices, the one after the last update included, for each stream.

    Attributes
    ----------
    vectors : tuple of loss vectors
        What a round's losses can be.
    rounds : int
        T.
    probabilities : float array of shape (A,) * T + (N,) * (T + 1)
        ``probabilities[a_1, .., a_T, i_1, .., i_T+1]`` is the probability of the choices i_1, .., i_T+1 on the stream
        of the loss vectors number a_1, .., a_T, together with no draw being truncated.
    truncated : float array of shape (A,) * T
        The probability of truncation, which may belong to any choices.
    """

    vectors: tuple[Losses, ...]
    rounds: int
    probabilities: FloatArray
    truncated: FloatArray

    def stream(self, numbers: Sequence[int]) -> tuple[Losses, ...]:
        """The loss vectors with these numbers."""
        return tuple(self.vectors[number] for number in numbers)


def choice_laws(
    algorithm: ExpertsAlgorithm, vectors: Sequence[Losses], rounds: int, *, mass: float = 1e-40
) -> ChoiceLaws:
    """Run the algorithm on every stream.

    Parameters
    ----------
    algorithm : ExpertsAlgorithm
        Of few experts, on a coarse grid; the class of its learner must be importable, so that it can be saved.
    vectors : sequence of A loss vectors
    rounds : int
        T; there are A ** T streams.
    mass : float
        The most that one draw's support may leave out.
    """
    walk = _Walk(algorithm, [tuple(vector) for vector in vectors], mass)
    shape = (len(vectors),) * rounds
    probabilities = np.zeros(shape + (algorithm.n_experts,) * (rounds + 1))
    truncated = np.zeros(shape)
    first = walk.start()
    truncated += first.truncated
    for move in first.moves:
        future = walk.future(move.state, rounds)
        probabilities[(slice(None),) * rounds + (move.choice,)] += move.probability * future.probabilities
        truncated += move.probability * future.truncated
    return ChoiceLaws(tuple(walk.vectors), rounds, probabilities, truncated)


class _Move(NamedTuple):
    probability: float
    choice: int
    state: int


class _Moves(NamedTuple):
    """What may happen in one round."""

    moves: tuple[_Move, ...]
    truncated: float


class _Future(NamedTuple):
    """The law of the next choices, for all loss vectors that may come."""

    probabilities: FloatArray
    truncated: FloatArray


class _Walk:
    def __init__(self, algorithm: ExpertsAlgorithm, vectors: list[Losses], mass: float) -> None:
        self.vectors = vectors
        self._algorithm = algorithm
        self._mass = mass
        self._saved: list[bytes] = []
        self._numbers: dict[bytes, int] = {}
        self._futures: dict[int, _Future] = {}

    def start(self) -> _Moves:
        """The first choice."""

        def begin(script: list[int]) -> tuple[ExpertsLearner, EnumeratedSource]:
            source = EnumeratedSource(script, self._mass)
            return self._algorithm.start(source), source

        return self._moves(begin)

    def future(self, state: int, rounds: int) -> _Future:
        """The next `rounds` choices from a saved state, which has lived so long that so many are left."""
        known = self._futures.get(state)
        if known is None:
            known = self._futures[state] = self._look_ahead(state, rounds)
        return known

    def _look_ahead(self, state: int, rounds: int) -> _Future:
        n_experts, n_vectors = self._algorithm.n_experts, len(self.vectors)
        probabilities = np.zeros((n_vectors,) * rounds + (n_experts,) * rounds)
        truncated = np.zeros((n_vectors,) * rounds)
        if rounds == 0:
            return _Future(probabilities + 1.0, truncated)
        later = (slice(None),) * (rounds - 1)
        for number, losses in enumerate(self.vectors):
            round_ = self._round(state, losses)
            truncated[number] += round_.truncated
            for move in round_.moves:
                future = self.future(move.state, rounds - 1)
                probabilities[(number, *later, move.choice)] += move.probability * future.probabilities
                truncated[number] += move.probability * future.truncated
        return _Future(probabilities, truncated)

    def _round(self, state: int, losses: Losses) -> _Moves:
        def begin(script: list[int]) -> tuple[ExpertsLearner, EnumeratedSource]:
            learner, source = self._restore(state)
            source.script = script
            learner.update(losses)
            return learner, source

        return self._moves(begin)

    def _moves(self, begin: Callable[[list[int]], tuple[ExpertsLearner, EnumeratedSource]]) -> _Moves:
        """Every outcome of what `begin` does, by re-execution."""
        kept: dict[tuple[int, int], float] = {}
        lost = 0.0
        script: list[int] = []
        while True:
            learner, source = begin(list(script))
            whole = math.exp(source.log_whole)
            lost -= source.probability * math.expm1(source.log_whole)
            script, sizes, probability = source.script, source.sizes, source.probability
            after = (learner.choice, self._save(learner, source))
            kept[after] = kept.get(after, 0.0) + probability * whole
            while script and script[-1] + 1 == sizes[-1]:
                script.pop()
                sizes.pop()
            if not script:
                return _Moves(tuple(_Move(p, *after) for after, p in kept.items()), lost)
            script[-1] += 1

    def _save(self, learner: ExpertsLearner, source: EnumeratedSource) -> int:
        """The number of this state: what is known of a learner, apart from the path that led to it."""
        source.script, source.sizes, source.probability, source.log_whole = [], [], 1.0, 0.0
        buffer = io.BytesIO()
        _Pickler(buffer, self._algorithm).dump((learner, source))
        saved = buffer.getvalue()
        number = self._numbers.setdefault(saved, len(self._saved))
        if number == len(self._saved):
            self._saved.append(saved)
        return number

    def _restore(self, state: int) -> tuple[ExpertsLearner, EnumeratedSource]:
        learner, source = _Unpickler(io.BytesIO(self._saved[state]), self._algorithm).load()
        return learner, source


class _Pickler(pickle.Pickler):
    """Public parameters are shared, and only the private state is written."""

    def __init__(self, file: io.BytesIO, algorithm: ExpertsAlgorithm) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self._algorithm = algorithm

    def persistent_id(self, obj: Any) -> str | None:
        return "algorithm" if obj is self._algorithm else None


class _Unpickler(pickle.Unpickler):
    def __init__(self, file: io.BytesIO, algorithm: ExpertsAlgorithm) -> None:
        super().__init__(file)
        self._algorithm = algorithm

    def persistent_load(self, pid: Any) -> Any:
        return self._algorithm
