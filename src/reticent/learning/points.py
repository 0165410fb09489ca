"""Points, learned privately at the price of one selection: phases of AboveThreshold and one draw by votes."""

from __future__ import annotations

import math
from dataclasses import KW_ONLY, dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from reticent.classes import Hypothesis, Instance, Points
from reticent.classes.points import Point
from reticent.classes.sparse import Ones
from reticent.errors import ParameterError
from reticent.experts.base import LARGEST_SHARE, LEAST_SHARE, set_real, set_whole
from reticent.learning.base import ONE_RECORD_A_ROUND, RELEASED, OnlineLearner, OnlineLearningAlgorithm
from reticent.mechanisms import OneSidedNoise, RunningSumAboveThreshold, exponential_mechanism
from reticent.privacy import Component, Neighbours, PrivacyStatement
from reticent.randomness import Source

__all__ = ["ALL_ZERO", "PointLearner"]

#: The hypothesis that is 1 nowhere: where learning begins. No class of points holds it.
ALL_ZERO = Ones(frozenset())

#: Scores of the draw are multiples of 1 / _UNITS of a vote.
_UNITS = 1 << 20

#: Larger scores and delays would not fit 64 bits.
_MOST = 1 << 40

#: What the delay is made for when no horizon is given.
_HORIZON_GUESS = 1 << 17


@dataclass(frozen=True)
class PointLearner(OnlineLearningAlgorithm):
    """Learn points with pure differential privacy, whatever the number of points and the number of switches.

    ::

        h = all zero
        each phase: q = 0; votes = 0; draw rho
            for each round:
                release h; see (x, y)
                if h(x) != y:
                    q += 1
                    one vote for the point at x if y = 1, for all zero if y = 0
                draw fresh nu
                if q + nu >= delay + rho:                        # AboveThreshold fires, the phase ends
                    draw one of
                        h                   with weight exp(eta * loyalty)
                        "any"               with weight exp(eta * floor)
                        each g with votes   with weight exp(eta * votes of g)
                    h = what was drawn; for "any" uniform on the N points and all zero

    On streams that a point labels, a phase ends after some `delay` mistakes and nearly always with the right point,
    which makes no further mistake. A phase that ends too early, or a wrong point, costs a phase and not the rest of
    the stream.

    Parameters
    ----------
    hypothesis_class : Points
        On any number N of instances: time and memory grow with the mistakes of a phase, not with N.
    epsilon : float
        From 1e-9 to 1e6: the price of the whole run.
    horizon : int, optional
        The public number of rounds, for the delay only; 2**17 is assumed without it. Any length is private.
    rounds_per_person : int
        In how many rounds neighbouring streams may differ.
    watch_share : float
        The share of epsilon that AboveThreshold gets, 1/2 by default.
    delay : int, optional
        Any public number; ln(horizon) / eps1 + floor, rounded up, by default.
    loyalty : float, optional
        Any public number of votes; floor + 1 / eta by default.

    Notes
    -----
    **Guarantee.** The whole sequence of hypotheses is epsilon-DP (replace-one), at any length, also on adaptive
    streams, where examples depend on earlier hypotheses: max(2 eta, eps1 + eta) <= epsilon, however many phases there
    are (docs/proofs/learning.md). It needs floor >= ln((N + 1) / (1 - exp(-eta))) / eta. Assumption: the example of a
    round is a function of that round's record and of public things only. The learner is improper: all zero is none of
    the class. No bound on its mistakes is proved; docs/learning.md has measurements.

    Examples
    --------
    >>> algorithm = PointLearner(Points(1000), epsilon=1.0, horizon=100_000)
    >>> learner = algorithm.start()
    >>> learner.hypothesis(7)
    False
    >>> for _ in range(200):
    ...     learner.update(7, True)
    >>> learner.hypothesis
    point at 7
    """

    name: ClassVar[str] = "PointLearner"

    hypothesis_class: Points
    epsilon: float
    _: KW_ONLY
    horizon: int | None = None
    rounds_per_person: int = 1
    watch_share: float = 0.5
    delay: int | None = None
    loyalty: float | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.hypothesis_class, Points):
            raise ParameterError(
                f"PointLearner learns points, and hypothesis_class is {self.hypothesis_class!r}; give Points, or use "
                "HypothesisExperts."
            )
        set_real(self, "epsilon", 1e-9, 1e6)
        set_real(self, "watch_share", LEAST_SHARE, LARGEST_SHARE)
        set_whole(self, "rounds_per_person")
        if self.horizon is not None:
            set_whole(self, "horizon")
        if self.delay is not None and (isinstance(self.delay, bool) or not isinstance(self.delay, int)):
            raise ParameterError(f"delay is {self.delay!r}; give a whole number of mistakes.")
        if self.loyalty is not None:
            set_real(self, "loyalty", 0, _MOST)
        if not max(abs(self.delay_used), self.floor, self.loyalty_used) < _MOST:
            raise ParameterError(
                f"epsilon is {self.epsilon:g} for {self.rounds_per_person} rounds a person, too little for the noise "
                "to fit 64 bits; give a larger epsilon."
            )

    @cached_property
    def watch_epsilon(self) -> Fraction:
        """eps1, the price of AboveThreshold."""
        return Fraction(self.epsilon) * Fraction(self.watch_share)

    @cached_property
    def eta(self) -> Fraction:
        """The rate of the draw a vote: with m rounds a person m eta is what eps1 leaves of epsilon, or half of it."""
        epsilon = Fraction(self.epsilon)
        return min(epsilon - self.watch_epsilon, epsilon / 2) / self.rounds_per_person

    @cached_property
    def floor(self) -> float:
        """The score of "any", in votes: a first vote must not raise a point's probability by more than exp(eta)."""
        rate = float(self.eta)
        return (math.log(_n_hypotheses(self)) - math.log(-math.expm1(-rate))) / rate

    @property
    def floor_units(self) -> int:
        """`floor` in units of the draw, rounded up: more is private, less is not."""
        return math.ceil(self.floor * (1 + 1e-12) * _UNITS)

    @property
    def loyalty_used(self) -> float:
        """The score of the current hypothesis, in votes."""
        return self.floor + 1 / float(self.eta) if self.loyalty is None else self.loyalty

    @property
    def delay_used(self) -> int:
        """The threshold of AboveThreshold, in mistakes."""
        if self.delay is not None:
            return int(self.delay)
        scale = self.rounds_per_person / float(self.watch_epsilon)
        return math.ceil(math.log(self.horizon or _HORIZON_GUESS) * scale + self.floor)

    @cached_property
    def privacy(self) -> PrivacyStatement:
        """See `OnlineLearningAlgorithm`."""
        m = self.rounds_per_person
        return PrivacyStatement(
            epsilon=float(self.epsilon),
            delta=0.0,
            neighbours=Neighbours("replace-one", m),
            components=(
                Component("mistakes", float(self.watch_epsilon), 0.0, "AboveThreshold, one-sided noise"),
                Component("draw", float(m * self.eta), 0.0, "votes; twice this where the share above is not spent"),
            ),
            adaptive=True,
            released=RELEASED,
            assumption=ONE_RECORD_A_ROUND,
        )

    @property
    def settings(self) -> dict[str, Any]:
        """See `OnlineLearningAlgorithm`."""
        return {
            "eps1": float(self.watch_epsilon),
            "eta": float(self.eta),
            "delay": self.delay_used,
            "floor": self.floor,
            "loyalty": self.loyalty_used,
        }

    def _start(self, source: Source) -> PointLearnerState:
        return PointLearnerState(self, source)


class PointLearnerState(OnlineLearner):
    """A running `PointLearner`."""

    def __init__(self, algorithm: PointLearner, source: Source) -> None:
        super().__init__(algorithm, source)
        self._noise = OneSidedNoise(algorithm.watch_epsilon, algorithm.rounds_per_person, 1)
        self._delay = algorithm.delay_used
        self._rate = algorithm.eta
        self._n_hypotheses = _n_hypotheses(algorithm)
        self._scores = [algorithm.floor_units, round(algorithm.loyalty_used * _UNITS)]
        self._hypothesis = ALL_ZERO
        self._phases = 0
        self._begin()

    @property
    def phases(self) -> int:
        """How many phases have begun; the proof lets it be seen beside the hypotheses."""
        return self._phases

    def _begin(self) -> None:
        """A phase: nothing of the phases before is kept, so each record is paid for once."""
        self._phases += 1
        self._votes: dict[Hypothesis, int] = {}
        self._watch = RunningSumAboveThreshold(self._delay, self._noise, self._source)

    def _observe(self, x: Instance, y: bool) -> None:
        mistake = self._hypothesis(x) != y
        if mistake:
            better = _hypothesis(x) if y else ALL_ZERO
            self._votes[better] = self._votes.get(better, 0) + 1
        if self._watch.add(int(mistake)):
            self._end()

    def _end(self) -> None:
        self._hypothesis = self._draw()
        self._begin()

    def _draw(self) -> Hypothesis:
        # The exponential mechanism prefers small losses; here a vote is a loss of minus one.
        votes = [count * _UNITS for count in self._votes.values()]
        losses = -np.array(self._scores + votes, dtype=np.int64)
        drawn = exponential_mechanism(self._source, losses, self._rate, _UNITS)
        if drawn == 0:
            x = self._source.uniform_index(self._n_hypotheses)
            return ALL_ZERO if x == self._n_hypotheses - 1 else Point(x)
        return self._hypothesis if drawn == 1 else list(self._votes)[drawn - 2]


def _n_hypotheses(algorithm: PointLearner) -> int:
    """All points of the domain, and all zero."""
    return algorithm.hypothesis_class.instances.stop + 1


def _hypothesis(x: Instance) -> Point:
    assert isinstance(x, int)
    return Point(x)
