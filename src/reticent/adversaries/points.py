"""The adversary of the lower bound for three points: few informative examples, at places that a recursion draws."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from fractions import Fraction
from numbers import Real
from typing import ClassVar

from reticent.adversaries.information import information_bound
from reticent.adversaries.realisable import ObliviousAdversary, RealisableStream, among_dummies
from reticent.classes import HypothesisClass, Instance, Points
from reticent.errors import ParameterError
from reticent.randomness import Source

__all__ = ["THREE_POINTS", "PointAdversary", "check_two_labels", "labelled_by", "stages_of"]

#: The class of the lower bound: the paper's points 1, 2, 3 are 0, 1, 2 here.
THREE_POINTS = Points(3)


@dataclass(frozen=True)
class PointAdversary(ObliviousAdversary):
    """Hide a fair label B in a stream of dummies, at places where a private learner has not learned it yet.

    ::

        draw B uniformly from {0, 1}; every round holds (x0, 0)
        A = the first 3^L rounds
        for t = 1..L:
            cut A into three equal parts, and draw one of them uniformly
            if it is the middle one: draw a round of the first part uniformly,
                and with probability p put (x, B) there
            A = the part that was drawn

    With one or two rounds (x, B) stands in the first.

    Parameters
    ----------
    rounds : int
        T, of any size; L is the largest whole number with 3^L <= T.
    p : float or Fraction
        In (0, 1], the probability of an insertion.
    hypothesis_class : HypothesisClass, optional
        Three points unless given. Some hypothesis must give the dummy the label 0, and both labels to x beside it.
    dummy : instance, optional
        x0, the last of three points unless given.
    x : instance, optional
        The informative instance, the first point unless given.

    Notes
    -----
    **Guarantee.** The stream is realisable and holds L p / 3 informative examples on average. If
    `information_bound` (L, p, epsilon, delta) is at most 1/4, then every (epsilon, delta)-private learner makes at
    least L p / 12 mistakes on them on average (Sanyal 2026, Algorithm 1, Lemmas 1, 2 and 4, Theorem 1). Predictors
    promise less (joint privacy), and it forces nothing on them.

    Examples
    --------
    >>> from reticent.randomness import SeededSource
    >>> adversary = PointAdversary(3**12)
    >>> adversary.stages, adversary.forced_mistakes(epsilon=0.01)
    (12, 1.0)
    >>> stream = adversary.stream(SeededSource(1))
    >>> stream.rounds, stream.informative, all(stream.concept(x) == y for x, y, _ in stream.parts)
    (531441, 4, True)
    """

    name: ClassVar[str] = "PointAdversary"

    p: float | Fraction = 1
    _: KW_ONLY
    hypothesis_class: HypothesisClass = THREE_POINTS
    dummy: Instance = 2
    x: Instance = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        if isinstance(self.p, bool) or not isinstance(self.p, Real) or not 0 < self.p <= 1:
            raise ParameterError(f"p is {self.p!r}; give a number in (0, 1].")
        check_two_labels(self.hypothesis_class, self.dummy, self.x)

    @property
    def stages(self) -> int:
        """L: 3^L is the largest power of three that is at most T."""
        return stages_of(self.rounds)

    @property
    def expected_informative(self) -> float:
        """L p / 3, or 1 with fewer than three rounds: how many informative examples there are on average."""
        return self.stages * float(self.p) / 3 if self.stages else 1.0

    def _stream(self, source: Source) -> RealisableStream:
        label = bool(source.uniform_index(2))
        parts = among_dummies(self.rounds, (self.dummy, False), (self.x, label), self.places(source))
        return labelled_by(self.hypothesis_class, self.dummy, self.x, label, parts)

    def places(self, source: Source) -> list[int]:
        """Draw the rounds of the informative examples, ascending, counted from 0.

        Parameters
        ----------
        source : Source
        """
        if self.stages == 0:
            return [0]
        p = Fraction(self.p)
        places = []
        start, size = 0, 3**self.stages
        while size > 1:
            size //= 3
            third = source.uniform_index(3)
            if third == 1:
                place = start + source.uniform_index(size)
                if source.bernoulli(p):
                    places.append(place)
            start += third * size
        return places

    def forced_mistakes(self, epsilon: float, delta: float = 0.0) -> float | None:
        """See `Adversary`: L p / 12, or 1/2 with fewer than three rounds."""
        if self.stages == 0:
            return 0.5
        if information_bound(self.stages, self.p, epsilon, delta) > 0.25:
            return None
        return self.stages * float(self.p) / 12


def stages_of(rounds: int) -> int:
    """The largest L with 3^L <= rounds."""
    stages, power = 0, 3
    while power <= rounds:
        stages, power = stages + 1, 3 * power
    return stages


def check_two_labels(hypotheses: HypothesisClass, dummy: Instance, x: Instance) -> None:
    """Raise a ParameterError unless the class gives x both labels beside (dummy, 0)."""
    beside = hypotheses.restrict(dummy, False)
    if any(beside.restrict(x, label).is_empty() for label in (False, True)):
        raise ParameterError(
            f"hypotheses that give {dummy!r} the label 0 do not give both labels to {x!r}; "
            "choose another dummy, x or hypothesis_class."
        )


def labelled_by(
    hypotheses: HypothesisClass,
    dummy: Instance,
    x: Instance,
    label: bool,
    parts: tuple[tuple[Instance, bool, int], ...],
) -> RealisableStream:
    """The stream of these parts, with some hypothesis that says 0 at the dummy and the label at x."""
    concept = next(iter(hypotheses.restrict(dummy, False).restrict(x, label).members()))
    return RealisableStream((dummy, False), parts, concept)
