"""Which of an adversary's streams is the hardest for a given opponent: by simulation, or exactly for tiny ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from reticent.adversaries.playing import draw_seed, mistakes_of, simulated
from reticent.adversaries.realisable import ObliviousAdversary, Opponent, RealisableStream, Repeated
from reticent.errors import ParameterError
from reticent.randomness import Source, enumerate_outcomes

__all__ = ["Choice", "EnumeratedChoice", "SimulatedChoice"]

#: Streams without an informative example force nothing; so many of them are passed over for each candidate.
_PATIENCE = 200


class Choice(Protocol):
    """How a stream is chosen from a law, for an opponent that has already seen the parts before it."""

    def __call__(
        self, opponent: Opponent, before: tuple[Repeated, ...], law: ObliviousAdversary, source: Source
    ) -> RealisableStream:
        """The stream for this opponent; the coins of the source are the adversary's."""


@dataclass(frozen=True)
class SimulatedChoice:
    """Draw a few candidates, and take the one on which simulated runs of the opponent err most.

    All candidates are tried with the same seeds, which are drawn from the adversary's source: the runs that are
    counted later have coins of their own.

    Parameters
    ----------
    candidates : int
        How many streams are tried; those without informative examples are passed over where others come.
    runs : int
        How often each is tried.
    """

    candidates: int = 16
    runs: int = 16

    def __post_init__(self) -> None:
        for name in ("candidates", "runs"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise ParameterError(f"{name} is {value!r}; give a whole number from 1 on.")

    def __call__(
        self, opponent: Opponent, before: tuple[Repeated, ...], law: ObliviousAdversary, source: Source
    ) -> RealisableStream:
        """See `Choice`."""
        streams = self._draw(law, source)
        seeds = [draw_seed(source) for _ in range(self.runs)]

        def forced(stream: RealisableStream) -> int:
            made = 0
            for seed in seeds:
                player = simulated(opponent, seed)
                mistakes_of(player, before, stream.dummy)
                made += mistakes_of(player, stream.parts, stream.dummy).informative
            return made

        return max(streams, key=forced)

    def _draw(self, law: ObliviousAdversary, source: Source) -> list[RealisableStream]:
        drawn: dict[tuple[Repeated, ...], RealisableStream] = {}
        for _ in range(_PATIENCE * self.candidates):
            stream = law.stream(source)
            if stream.informative:
                drawn.setdefault(stream.parts, stream)
                if len(drawn) == self.candidates:
                    break
        return list(drawn.values()) or [stream]


@dataclass(frozen=True)
class EnumeratedChoice:
    """Take the stream with the largest expected number of mistakes: all streams, exactly, by enumeration.

    For a handful of rounds only: the paths of the opponent's decisions are gone through one by one.

    Parameters
    ----------
    mass : float
        The most that the support of one draw may leave out.
    """

    mass: float = 1e-12

    def __call__(
        self, opponent: Opponent, before: tuple[Repeated, ...], law: ObliviousAdversary, source: Source
    ) -> RealisableStream:
        """See `Choice`; no coins of the source are used."""
        streams = enumerate_outcomes(law.stream, mass=self.mass).probabilities
        return max(streams, key=partial(self.expected_mistakes, opponent, before))

    def expected_mistakes(self, opponent: Opponent, before: tuple[Repeated, ...], stream: RealisableStream) -> float:
        """The expected number of mistakes on the informative examples of a stream that comes after other parts."""
        law = enumerate_outcomes(_informative(opponent, before, stream), mass=self.mass)
        return sum(mistakes * probability for mistakes, probability in law.probabilities.items())


def _informative(
    opponent: Opponent, before: tuple[Repeated, ...], stream: RealisableStream
) -> Callable[[Source], int]:
    def run(source: Source) -> int:
        player = opponent.start(source)
        mistakes_of(player, before, stream.dummy)
        return mistakes_of(player, stream.parts, stream.dummy).informative

    return run
