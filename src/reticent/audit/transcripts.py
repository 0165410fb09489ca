"""What is seen of a learner under enumeration: its choices, or every answer that steers it besides."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any, TypeVar

from reticent.experts import ExpertsLearner
from reticent.randomness import EnumeratedSource, IntArray

__all__ = ["Observe", "TranscriptSource", "choice", "every_outcome", "transcript"]

Learner = TypeVar("Learner")


class TranscriptSource(EnumeratedSource):
    """An enumerated source that notes its answers since it was last rewound: all but the values of noise."""

    def __init__(self, mass: float) -> None:
        super().__init__((), mass)
        self.answers: list[int] = []

    def rewind(self, script: Sequence[int]) -> None:
        """From here on follow this script."""
        self.script, self.sizes, self.answers = list(script), [], []
        self.probability, self.log_whole = 1.0, 0.0

    def uniform_index(self, n: int) -> int:
        """See `Source`."""
        return self._noted(super().uniform_index(n))

    def bernoulli(self, p: Fraction) -> bool:
        """See `Source`."""
        return bool(self._noted(super().bernoulli(p)))

    def bernoulli_exp(self, x: Fraction) -> bool:
        """See `Source`."""
        return bool(self._noted(super().bernoulli_exp(x)))

    def softmin_index(self, scores: IntArray, rate: Fraction) -> int:
        """See `Source`."""
        return self._noted(super().softmin_index(scores, rate))

    def geometric_exceeds(self, gap: int, scale: Fraction) -> bool:
        """See `Source`."""
        return bool(self._noted(super().geometric_exceeds(gap, scale)))

    def discrete_laplace_exceeds(self, gap: int, scale: Fraction) -> bool:
        """See `Source`."""
        return bool(self._noted(super().discrete_laplace_exceeds(gap, scale)))

    def _noted(self, answer: int) -> int:
        self.answers.append(int(answer))
        return answer


def every_outcome(
    begin: Callable[[list[int]], tuple[Learner, TranscriptSource]],
) -> Iterator[tuple[Learner, TranscriptSource]]:
    """Every outcome of what `begin` does, by re-execution: it is called with one script after the other."""
    script: list[int] = []
    while True:
        learner, source = begin(script)
        script, sizes = source.script, source.sizes
        yield learner, source
        while script and script[-1] + 1 == sizes[-1]:
            script.pop()
            sizes.pop()
        if not script:
            return
        script[-1] += 1


#: What is seen after a round: a tuple that ends with the choice.
Observe = Callable[[ExpertsLearner, TranscriptSource], tuple[Any, ...]]


def choice(learner: ExpertsLearner, source: TranscriptSource) -> tuple[Any, ...]:
    """What is released."""
    return (learner.choice,)


def transcript(learner: ExpertsLearner, source: TranscriptSource) -> tuple[Any, ...]:
    """What the proofs allow to see besides: every answer of a guard, a coin and a draw."""
    return (*source.answers, learner.choice)
