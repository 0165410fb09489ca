"""PointPredictors so small that every outcome of every short stream can be listed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product

from reticent.classes import Instance
from reticent.mechanisms import Replacement, ReplacementRule, SingleSwitch, SparseSelection, TruncatedLaplace
from reticent.prediction import PointPredictor
from reticent.randomness import Source

Example = tuple[Instance, bool]
Stream = tuple[Example, ...]

#: An example of label 0, one of label 1 at the same instance, one of label 1 elsewhere.
EXAMPLES: tuple[Example, ...] = (("a", False), ("a", True), ("b", True))


@dataclass(frozen=True)
class ToyPoints(PointPredictor):
    """Its numbers, which are free for privacy, are given; `shortening` is what the delay lacks."""

    size: int = 2
    #: A large epsilon lets few mistakes be selected with a small delta.
    each: Fraction = Fraction(4)
    zone: tuple[int, ...] = (1, 53, 1)
    shortening: int = 0

    @cached_property
    def selection(self) -> SparseSelection:
        return SparseSelection.calibrated(3 * self.each, Fraction(1, 20), length=1)

    @cached_property
    def batch(self) -> int:
        return self.size

    @cached_property
    def rule(self) -> ReplacementRule:
        noise, schedule = TruncatedLaplace(self.each, 1), SingleSwitch(self.zone, self.each)
        rule = ReplacementRule.quiet_for(self.batch - 1, self.tolerance, noise, schedule)
        return ReplacementRule(rule.delay - self.shortening, self.tolerance, noise, schedule)

    @property
    def price(self) -> tuple[float, float]:
        parts = (self.selection, self.rule.noise, self.rule.schedule)
        return sum(float(part.epsilon) for part in parts), sum(float(part.delta) for part in parts)


def online(algorithm: PointPredictor, stream: Stream, source: Source) -> tuple[bool, ...]:
    """What ships."""
    predictor = algorithm.start(source)
    predictions = []
    for x, y in stream:
        predictions.append(predictor.predict(x))
        predictor.update(y)
    return tuple(predictions)


def offline(algorithm: ToyPoints, stream: Stream, source: Source) -> tuple[bool, ...]:
    """A_1 of the proof: the candidate is selected first, from the whole stream, be the batch full or not."""
    batch = [((x,),) for x, y in stream if y][: algorithm.batch]
    chosen = algorithm.selection.select(batch, source) if batch else None
    replacement = Replacement[bool](algorithm.rule, source)
    predictions = []
    for x, y in stream:
        predictions.append(replacement.predict(False, chosen is not None and x == chosen[0]))
        replacement.update(y)
    return tuple(predictions)


def streams(rounds: int) -> Iterator[Stream]:
    return product(EXAMPLES, repeat=rounds)


def neighbours(rounds: int) -> Iterator[tuple[Stream, Stream]]:
    for stream in streams(rounds):
        for t, example in product(range(rounds), EXAMPLES):
            if example > stream[t]:
                yield stream, (*stream[:t], example, *stream[t + 1 :])
