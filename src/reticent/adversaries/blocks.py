"""The lower bound for every epsilon: copies of the informative examples, or fewer of them."""

from __future__ import annotations

import math
from dataclasses import KW_ONLY, dataclass
from fractions import Fraction
from functools import cached_property
from typing import ClassVar

from reticent.adversaries.information import largest_insertion
from reticent.adversaries.points import THREE_POINTS, PointAdversary, check_two_labels, labelled_by, stages_of
from reticent.adversaries.realisable import ObliviousAdversary, RealisableStream, among_dummies
from reticent.classes import HypothesisClass, Instance
from reticent.errors import ParameterError
from reticent.experts.base import is_real
from reticent.randomness import Source

__all__ = ["BASE_EPSILON", "BlockAdversary"]

#: The epsilon that the lower bound for three points is proved at.
BASE_EPSILON = 0.01


@dataclass(frozen=True)
class BlockAdversary(ObliviousAdversary):
    """Make `PointAdversary`, which is made for epsilon = 1/100, fit every epsilon up to 1.

    ::

        epsilon < 1/100 and T >= 1/epsilon:
            q = floor(1 / (100 epsilon)); w = 16 q
            draw a stream of PointAdversary of floor(T / (2 w)) rounds
            each of its rounds becomes a block of 2 w rounds: a dummy becomes dummies, and (x, B) becomes
                q copies of (x, B), of which the first stands at a uniform place among the first w
        epsilon < 1/100 and T < 1/epsilon:
            every round is (x, B)
        epsilon >= 1/100:
            draw a stream of PointAdversary of T rounds, and keep each informative example
                with probability r = (e^(1/100) - 1) / (e^epsilon - 1)

    The first 3^L rounds of the auxiliary stream are used, and a stream of one or two rounds has (x, B) in the first.

    Parameters
    ----------
    rounds : int
        T, of any size.
    epsilon : float
        In (0, 1]: the privacy of the learners that it is made against.
    delta : float
        In [0, min(epsilon^2, 1/4)].
    hypothesis_class, dummy, x : optional
        See `PointAdversary`.

    Notes
    -----
    **Guarantee.** The stream is realisable, and every (epsilon, delta)-private learner makes at least
    `forced_mistakes` mistakes on the informative examples on average (Sanyal 2026, Lemmas 4 and 5; with the constants
    of `information_bound`, which are better than those printed).

    Examples
    --------
    >>> adversary = BlockAdversary(10**9, epsilon=1e-4)
    >>> adversary.copies, adversary.window, adversary.auxiliary.rounds
    (100, 1600, 312500)
    >>> adversary.forced_mistakes(epsilon=1e-4)  # doctest: +ELLIPSIS
    79.5...
    """

    name: ClassVar[str] = "BlockAdversary"

    epsilon: float
    delta: float = 0.0
    _: KW_ONLY
    hypothesis_class: HypothesisClass = THREE_POINTS
    dummy: Instance = 2
    x: Instance = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        if not is_real(self.epsilon) or not 0 < self.epsilon <= 1:
            raise ParameterError(f"epsilon is {self.epsilon!r}; give a number in (0, 1].")
        if not is_real(self.delta) or not 0 <= self.delta <= min(self.epsilon**2, 0.25):
            raise ParameterError(f"delta is {self.delta!r}; give a number from 0 to min(epsilon^2, 1/4).")
        check_two_labels(self.hypothesis_class, self.dummy, self.x)

    @property
    def copies(self) -> int:
        """q, how many copies of each informative example there are."""
        if self.epsilon >= BASE_EPSILON:
            return 1
        return self.rounds if self._is_short else math.floor(BASE_EPSILON / self.epsilon)

    @property
    def window(self) -> int:
        """w, how many rounds the first copy may stand in."""
        return 1 if self.epsilon >= BASE_EPSILON or self._is_short else 16 * self.copies

    @property
    def block(self) -> int:
        """How many rounds a round of the auxiliary stream becomes."""
        return self.copies if self.window == 1 else 2 * self.window

    @property
    def kept(self) -> Fraction:
        """r, the probability with which an informative example of the auxiliary stream is kept; rounded down."""
        if self.epsilon <= BASE_EPSILON:
            return Fraction(1)
        return Fraction(math.expm1(BASE_EPSILON) / math.expm1(self.epsilon) * (1 - 1e-12))

    @cached_property
    def auxiliary(self) -> PointAdversary:
        """The adversary whose rounds become blocks; keeping its insertions with probability r makes its p smaller."""
        rounds = self.rounds // self.block
        stages = stages_of(rounds)
        if self.epsilon >= BASE_EPSILON:
            p = self.kept * largest_insertion(stages, BASE_EPSILON, float(self.kept) * self.delta)
        else:
            p = largest_insertion(stages, self.copies * self.epsilon, self._group_delta)
        return PointAdversary(
            rounds,
            p if stages else 1,
            hypothesis_class=self.hypothesis_class,
            dummy=self.dummy,
            x=self.x,
        )

    @property
    def _is_short(self) -> bool:
        return self.rounds * self.epsilon < 1

    @property
    def _group_delta(self) -> float:
        """Group privacy (Fact 1): the delta for streams that differ in q rounds; rounded up."""
        return self.delta * math.expm1(self.copies * self.epsilon) / math.expm1(self.epsilon) * (1 + 1e-12)

    def _stream(self, source: Source) -> RealisableStream:
        label = bool(source.uniform_index(2))
        places = [place * self.block + source.uniform_index(self.window) for place in self.auxiliary.places(source)]
        parts = among_dummies(self.rounds, (self.dummy, False), (self.x, label), places, self.copies)
        return labelled_by(self.hypothesis_class, self.dummy, self.x, label, parts)

    def forced_mistakes(self, epsilon: float, delta: float = 0.0) -> float | None:
        """See `Adversary`; None for learners that promise less than it is made against."""
        if epsilon > self.epsilon or delta > self.delta:
            return None
        informative = self.auxiliary.expected_informative
        on_first_copies = informative / (4 if self.auxiliary.stages else 2)
        q = self.copies
        if q == 1:
            return on_first_copies
        shifted = 0.0 if self.window == 1 else informative * (q - 1) / (2 * self.window)
        least = q * (math.exp(-q * self.epsilon) * (on_first_copies - shifted) - informative * self._group_delta)
        return max(0.0, least)
