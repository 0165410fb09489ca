"""The exact law of what a learner's hypotheses say at one instance, on every stream that is asked for.

The unchanged learner runs on an enumerated source, and is saved after each round: saved learners that are equal byte
for byte have the same future and are continued once, and streams share what their beginnings have in common.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from reticent.audit.snapshots import Snapshots
from reticent.audit.transcripts import TranscriptSource, every_outcome
from reticent.classes import Instance
from reticent.learning import OnlineLearner, OnlineLearningAlgorithm

__all__ = ["Example", "LabelLaw", "LabelLaws", "mixture"]

Example = tuple[Instance, bool]

#: The probabilities of label histories, by the state that the learner is in: the keys are sorted.
_Reached = dict[bytes, "LabelLaw"]

#: Follows a script of decisions.
_Begin = Callable[[list[int]], tuple[OnlineLearner, TranscriptSource]]


@dataclass(frozen=True, eq=False)
class LabelLaw:
    """A law, or a part of one, on sequences of labels.

    Attributes
    ----------
    histories : int64 array, ascending
        Each a sequence y_1, .., y_r read as a binary number.
    probabilities : float64 array
    """

    histories: npt.NDArray[np.int64]
    probabilities: npt.NDArray[np.float64]

    def first(self, labels: int, of: int) -> LabelLaw:
        """The law of the first so many labels."""
        return _merged(self.histories >> (of - labels), self.probabilities)

    def at(self, histories: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """The probabilities of these histories."""
        places = np.minimum(np.searchsorted(self.histories, histories), len(self.histories) - 1)
        return np.where(self.histories[places] == histories, self.probabilities[places], 0.0)


class LabelLaws:
    """The law of h_1(x), .., h_T(x) on streams of T examples.

    Parameters
    ----------
    algorithm : OnlineLearningAlgorithm
        Small enough to be enumerated.
    x : instance
        Where the hypotheses are asked.
    mass : float
        The most that one draw's support may leave out.
    """

    def __init__(self, algorithm: OnlineLearningAlgorithm, x: Instance, mass: float) -> None:
        self._algorithm = algorithm
        self._x = x
        self._mass = mass
        self._snapshots = Snapshots()
        self._known: dict[tuple[Example, ...], _Reached] = {}
        self._moves: dict[tuple[bytes, Example], list[tuple[bytes, int, float]]] = {}
        self._ends: dict[tuple[bytes, Example], list[tuple[int, float]]] = {}

    def law(self, stream: tuple[Example, ...]) -> LabelLaw:
        """The law of the labels before the first example, .., before the last; of at least two."""
        # What the last example teaches shows in no label.
        *earlier, example, _ = stream
        return mixture(
            [
                (probability, LabelLaw(2 * law.histories + label, law.probabilities))
                for before, law in self._after(tuple(earlier)).items()
                for label, probability in self._last_labels(before, example)
            ]
        )

    def _after(self, examples: tuple[Example, ...]) -> _Reached:
        known = self._known.get(examples)
        if known is None:
            known = self._known[examples] = self._continued(examples) if examples else self._begun()
        return known

    def _begun(self) -> _Reached:
        def begin(script: list[int]) -> tuple[OnlineLearner, TranscriptSource]:
            source = TranscriptSource(self._mass)
            source.rewind(script)
            return self._algorithm.start(source), source

        return _gathered(
            (state, LabelLaw(np.array([label]), np.array([probability])))
            for state, label, probability in self._outcomes(begin)
        )

    def _continued(self, examples: tuple[Example, ...]) -> _Reached:
        example = examples[-1]
        return _gathered(
            (state, LabelLaw(2 * law.histories + label, probability * law.probabilities))
            for before, law in self._after(examples[:-1]).items()
            for state, label, probability in self._played(before, example)
        )

    def _played(self, before: bytes, example: Example) -> list[tuple[bytes, int, float]]:
        """What may come of a state in a round with this example: the state, the next label, the probability."""
        moves = self._moves.get((before, example))
        if moves is None:
            moves = self._moves[before, example] = self._outcomes(self._round(before, example))
        return moves

    def _last_labels(self, before: bytes, example: Example) -> list[tuple[int, float]]:
        """The same where the game ends: states are not saved."""
        labels = self._ends.get((before, example))
        if labels is None:
            found = [0.0, 0.0]
            for learner, source in every_outcome(self._round(before, example)):
                found[learner.hypothesis(self._x)] += source.probability * math.exp(source.log_whole)
            labels = self._ends[before, example] = [(y, found[y]) for y in (0, 1) if found[y] > 0]
        return labels

    def _round(self, before: bytes, example: Example) -> _Begin:
        def begin(script: list[int]) -> tuple[OnlineLearner, TranscriptSource]:
            learner, source = self._snapshots.restore(before)
            source.rewind(script)
            learner.update(*example)
            return learner, source

        return begin

    def _outcomes(self, begin: _Begin) -> list[tuple[bytes, int, float]]:
        found: dict[tuple[bytes, int], float] = defaultdict(float)
        for learner, source in every_outcome(begin):
            probability = source.probability * math.exp(source.log_whole)
            label = int(learner.hypothesis(self._x))
            source.rewind(())
            found[self._snapshots.save((learner, source)), label] += probability
        return [(state, label, probability) for (state, label), probability in found.items()]


def mixture(parts: Sequence[tuple[float, LabelLaw]]) -> LabelLaw:
    """The sum of laws, each with its weight."""
    histories = np.concatenate([law.histories for _, law in parts])
    return _merged(histories, np.concatenate([weight * law.probabilities for weight, law in parts]))


def _merged(histories: npt.NDArray[np.int64], probabilities: npt.NDArray[np.float64]) -> LabelLaw:
    known, places = np.unique(histories, return_inverse=True)
    return LabelLaw(known, np.bincount(places, probabilities, minlength=len(known)).astype(np.float64))


def _gathered(parts: Iterable[tuple[bytes, LabelLaw]]) -> _Reached:
    of_state: dict[bytes, list[tuple[float, LabelLaw]]] = defaultdict(list)
    for state, law in parts:
        of_state[state].append((1.0, law))
    return {state: mixture(laws) for state, laws in of_state.items()}
