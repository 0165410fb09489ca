"""Constants so small that every outcome of every short stream can be listed."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from reticent.classes import FiniteClass
from reticent.mechanisms import Replacement
from reticent.prediction import CandidatePredictor, CandidateSequence, Constants
from reticent.prediction.candidate_sequence import Example
from reticent.randomness import Source

Stream = tuple[Example, ...]

CLASS = FiniteClass([[1, 0, 0], [0, 1, 0], [0, 0, 1]], ["a", "b", "c"])
EXAMPLES: tuple[Example, ...] = (("a", False), ("a", True), ("b", True))


def toy(candidates: int = 1, *, groups: int = 1, batch: int = 1, **settings: Any) -> Constants:
    return Constants(
        1,
        settings.pop("samples", 1),
        3,
        candidates,
        groups,
        batch,
        selection=(Fraction(24), Fraction(1, 20)),
        acceptance=(Fraction(4), Fraction(1, 40)),
        mirror=(Fraction(4), Fraction(1, 20)),
        **settings,
    )


class Hasty(Constants):
    """A planted fault: there is no schedule."""

    def delay(self, j: int) -> int:
        return 1

    def __post_init__(self) -> None:
        """Nothing is checked."""


def online(algorithm: CandidatePredictor, stream: Stream, source: Source) -> tuple[bool, ...]:
    predictor = algorithm.start(source)
    predictions = []
    for x, y in stream:
        predictions.append(predictor.predict(x))
        predictor.update(y)
    return tuple(predictions)


def offline(algorithm: CandidatePredictor, stream: Stream, source: Source) -> tuple[bool, ...]:
    """A_N of the proof: all candidates first, from the whole stream, be their batches full or not."""
    constants = algorithm.constants
    sequence = CandidateSequence(algorithm.hypothesis_class, constants, source)
    first = algorithm.hypothesis_class.soa_hypothesis()
    candidates = [first]
    for _ in range(constants.candidates):
        mistakes = [(x, y) for x, y in stream if candidates[-1](x) != y]
        candidates.append(sequence.following(mistakes[: constants.batch]) or first)
    predictions = [first(x) for x, _ in stream]
    for j, candidate in enumerate(candidates[1:], 1):
        replacement = Replacement[bool](constants.rule(j), source)
        for t, (x, y) in enumerate(stream):
            predictions[t] = replacement.predict(predictions[t], candidate(x))
            replacement.update(y)
    return tuple(predictions)
