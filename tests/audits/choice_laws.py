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
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from reticent.experts import ExpertsAlgorithm, ExpertsLearner
from reticent.randomness import EnumeratedSource

__all__ = ["ChoiceLaws", "choice_laws"]

FloatArray = npt.NDArray[np.float64]
Losses = tuple[float, ...]
Pair = tuple[ExpertsLearner, EnumeratedSource]
Save = Callable[[ExpertsLearner, EnumeratedSource], int]


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


_END = -1


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
        self._constants = _Constants()
        self._futures: dict[tuple[int, int], _Future] = {}

    def start(self) -> _Moves:
        """The first choice."""

        def begin(script: list[int]) -> Pair:
            source = EnumeratedSource(script, self._mass)
            return self._algorithm.start(source), source

        return self._moves(begin, self._save)

    def future(self, state: int, rounds: int) -> _Future:
        """The next `rounds` choices from a saved state."""
        known = self._futures.get((state, rounds))
        if known is None:
            known = self._futures[state, rounds] = self._look_ahead(state, rounds)
        return known

    def _look_ahead(self, state: int, rounds: int) -> _Future:
        n_experts, n_vectors = self._algorithm.n_experts, len(self.vectors)
        probabilities = np.zeros((n_vectors,) * rounds + (n_experts,) * rounds)
        truncated = np.zeros((n_vectors,) * rounds)
        if rounds == 0:
            return _Future(np.ones(()), truncated)
        later = (slice(None),) * (rounds - 1)
        for number, losses in enumerate(self.vectors):
            round_ = self._round(state, losses, self._save if rounds > 1 else _forget)
            truncated[number] += round_.truncated
            for move in round_.moves:
                future = self.future(move.state, rounds - 1)
                probabilities[(number, *later, move.choice)] += move.probability * future.probabilities
                truncated[number] += move.probability * future.truncated
        return _Future(probabilities, truncated)

    def _round(self, state: int, losses: Losses, save: Save) -> _Moves:
        def begin(script: list[int]) -> Pair:
            learner, source = self._restore(state)
            source.script = script
            learner.update(losses)
            return learner, source

        return self._moves(begin, save)

    def _moves(self, begin: Callable[[list[int]], Pair], save: Save) -> _Moves:
        """Every outcome of what `begin` does, by re-execution."""
        kept: dict[tuple[int, int], float] = {}
        lost = 0.0
        script: list[int] = []
        while True:
            learner, source = begin(list(script))
            whole = math.exp(source.log_whole)
            lost -= source.probability * math.expm1(source.log_whole)
            script, sizes, probability = source.script, source.sizes, source.probability
            after = (learner.choice, save(learner, source))
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
        saved = self._constants.dumps((learner, source))
        number = self._numbers.setdefault(saved, len(self._saved))
        if number == len(self._saved):
            self._saved.append(saved)
        return number

    def _restore(self, state: int) -> Pair:
        learner, source = self._constants.loads(self._saved[state])
        return learner, source


def _forget(learner: ExpertsLearner, source: EnumeratedSource) -> int:
    """All states are one where no round is left."""
    return _END


class _Constants:
    """Pickling that shares what cannot change (frozen dataclasses, fractions) and writes the rest."""

    def __init__(self) -> None:
        self._values: list[Any] = []
        self._seen: list[Any] = []
        self._by_identity: dict[int, int] = {}
        self._by_value: dict[Any, int] = {}

    def dumps(self, state: Any) -> bytes:
        buffer = io.BytesIO()
        pickler = pickle.Pickler(buffer, pickle.HIGHEST_PROTOCOL)
        pickler.persistent_id = self._number
        pickler.dump(state)
        return buffer.getvalue()

    def loads(self, saved: bytes) -> Any:
        unpickler = pickle.Unpickler(io.BytesIO(saved))
        unpickler.persistent_load = self._values.__getitem__
        return unpickler.load()

    def _number(self, obj: Any) -> int | None:
        if not _is_constant(type(obj)):
            return None
        number = self._by_identity.get(id(obj))
        if number is None:
            number = self._by_value.setdefault(obj, len(self._values))
            if number == len(self._values):
                self._values.append(obj)
            self._seen.append(obj)  # keeps its identity its own
            self._by_identity[id(obj)] = number
        return number


@cache
def _is_constant(kind: type) -> bool:
    frozen = "__dataclass_params__" in vars(kind) and vars(kind)["__dataclass_params__"].frozen
    return kind is Fraction or frozen
