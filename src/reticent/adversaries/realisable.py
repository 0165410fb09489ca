"""What the adversaries against learners make: streams that a hypothesis of the class labels, fixed in advance."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import KW_ONLY, dataclass
from typing import ClassVar

from reticent.classes import Hypothesis, HypothesisClass, Instance
from reticent.errors import ParameterError
from reticent.learning import OnlineLearningAlgorithm
from reticent.prediction import OnlinePredictionAlgorithm
from reticent.randomness import Source, secure_unless_given

__all__ = ["Adversary", "FixedStream", "ObliviousAdversary", "Opponent", "RealisableStream", "Repeated"]

#: An example, and for how many rounds it comes.
Repeated = tuple[Instance, bool, int]

#: Whom the adversaries are against: a learner or a predictor, with its public parameters.
Opponent = OnlineLearningAlgorithm | OnlinePredictionAlgorithm


@dataclass(frozen=True)
class RealisableStream:
    """A stream of dummy and informative examples, and a hypothesis that labels all of them.

    Iterating gives one example (x, y) a round.

    Parameters
    ----------
    dummy : pair (instance, label)
        What every round holds that is not informative.
    parts : tuple of triples (instance, label, times)
        The stream, in order: each example with the number of rounds for which it comes, of any size.
    concept : Hypothesis
        Of the class; it labels the whole stream.

    Examples
    --------
    >>> from reticent.classes import Points
    >>> stream = RealisableStream((2, False), ((2, False, 3), (0, True, 1)), next(Points(3).members()))
    >>> list(stream), stream.informative
    ([(2, False), (2, False), (2, False), (0, True)], 1)
    """

    dummy: tuple[Instance, bool]
    parts: tuple[Repeated, ...]
    concept: Hypothesis

    @property
    def rounds(self) -> int:
        """How many rounds there are."""
        return sum(times for _, _, times in self.parts)

    @property
    def informative(self) -> int:
        """In how many rounds the example is not the dummy."""
        return sum(times for x, y, times in self.parts if (x, y) != self.dummy)

    def __iter__(self) -> Iterator[tuple[Instance, bool]]:
        return ((x, y) for x, y, times in self.parts for _ in range(times))


def among_dummies(
    rounds: int, dummy: tuple[Instance, bool], example: tuple[Instance, bool], places: Iterable[int], copies: int = 1
) -> tuple[Repeated, ...]:
    """The parts of a stream with so many copies of an example from each of the places on, and dummies elsewhere.

    Parameters
    ----------
    rounds : int
    dummy, example : pairs (instance, label)
    places : iterable of int
        Rounds counted from 0, ascending, at least `copies` apart.
    copies : int
    """
    parts: list[Repeated] = []
    done = 0
    for place in places:
        parts += [(*dummy, place - done), (*example, copies)]
        done = place + copies
    parts.append((*dummy, rounds - done))
    return tuple(part for part in parts if part[2])


@dataclass(frozen=True)
class Adversary(ABC):
    """The public parameters of an adversary against learners; its streams are fixed before the learner runs.

    Parameters
    ----------
    rounds : int
        T, the length of the streams, of any size.
    hypothesis_class : HypothesisClass
        Its hypotheses label the streams.
    """

    name: ClassVar[str]

    rounds: int
    _: KW_ONLY
    hypothesis_class: HypothesisClass

    def __post_init__(self) -> None:
        if isinstance(self.rounds, bool) or not isinstance(self.rounds, int) or self.rounds < 1:
            raise ParameterError(f"rounds is {self.rounds!r}; give a whole number from 1 on.")
        if not isinstance(self.hypothesis_class, HypothesisClass):
            raise ParameterError(
                f"hypothesis_class is {self.hypothesis_class!r}; give a class such as reticent.classes.Points(3)."
            )

    @abstractmethod
    def against(self, opponent: Opponent, source: Source | None = None) -> ObliviousAdversary:
        """The law of the streams against this opponent.

        Parameters
        ----------
        opponent : OnlineLearningAlgorithm or OnlinePredictionAlgorithm
            Its law is looked at where the adversary needs it, and never a run that will be counted.
        source : Source, optional
            The adversary's coins, never the opponent's; a `SecureSource` unless given.
        """

    @abstractmethod
    def forced_mistakes(self, epsilon: float, delta: float = 0.0) -> float | None:
        """How many mistakes on informative examples every (epsilon, delta)-private learner makes at least.

        On average over the coins of both. None where the theorem, with the constants of its proof, forces nothing.
        """


class ObliviousAdversary(Adversary):
    """An adversary whose streams have one law against every opponent."""

    def against(self, opponent: Opponent, source: Source | None = None) -> ObliviousAdversary:
        """Itself."""
        return self

    def stream(self, source: Source | None = None) -> RealisableStream:
        """Draw a stream.

        Parameters
        ----------
        source : Source, optional
            The adversary's coins; a `SecureSource` unless given.
        """
        return self._stream(secure_unless_given(source))

    @abstractmethod
    def _stream(self, source: Source) -> RealisableStream: ...


@dataclass(frozen=True)
class FixedStream(ObliviousAdversary):
    """Always the same stream.

    Parameters
    ----------
    rounds, hypothesis_class
        See `Adversary`.
    fixed : RealisableStream
    """

    name: ClassVar[str] = "FixedStream"

    _: KW_ONLY
    fixed: RealisableStream

    def _stream(self, source: Source) -> RealisableStream:
        return self.fixed

    def forced_mistakes(self, epsilon: float, delta: float = 0.0) -> float | None:
        """None: no stream is hard for every learner."""
        return None
