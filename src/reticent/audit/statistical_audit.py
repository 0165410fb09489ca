"""The statistical audit: at real sizes, how large must epsilon be at least, for two streams and an event."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from reticent.audit.clopper_pearson import lower_bound, upper_bound
from reticent.audit.events import choose_event
from reticent.audit.features import AroundTheChange, Features
from reticent.audit.many_runs import play_many
from reticent.audit.promise import audited_promise
from reticent.errors import ParameterError
from reticent.experts import ExpertsAlgorithm
from reticent.privacy import Neighbours
from reticent.randomness import IntArray

__all__ = ["StatisticalAudit", "statistical"]

#: The chance with which a violation that is called detectable is found.
_POWER = 0.8


@dataclass(frozen=True)
class StatisticalAudit:
    """What a statistical audit found.

    Attributes
    ----------
    epsilon, delta : float
        The promise that was audited.
    epsilon_bound : float
        With the stated confidence the true epsilon, at this delta, is at least this; 0 where nothing was shown.
    confidence : float
        In (0, 1).
    detectable : float
        The power of the audit: had the event, as often as it was seen, belonged to an algorithm whose true epsilon is
        this, the promise would have been rejected with a chance of 80 %. Infinite where no violation could have
        been shown by such an event with so few runs.
    event : str
        What was tested.
    seen, seen_on_neighbour : int
        In how many of the tested runs: on the stream where the event is the likelier, and on the other.
    likelier_on_one : bool
        Whether the former is the first of the two streams.
    tested : int
        Runs on each stream in the test; as many more chose the event.
    noise : str
        The source of randomness.
    """

    epsilon: float
    delta: float
    epsilon_bound: float
    confidence: float
    detectable: float
    event: str
    seen: int
    seen_on_neighbour: int
    likelier_on_one: bool
    tested: int
    noise: str

    @property
    def passed(self) -> bool:
        """Whether the runs are compatible with the promise. They cannot prove it."""
        return self.epsilon_bound <= self.epsilon

    def __str__(self) -> str:
        likelier, rarer = ("first", "second") if self.likelier_on_one else ("second", "first")
        power = (
            f"an epsilon of {self.detectable:.4g} would have been detected with a chance of {_POWER:.0%}"
            if math.isfinite(self.detectable)
            else "so few runs could not have shown any violation by this event"
        )
        return (
            f"{'passed' if self.passed else 'REJECTED'}: promised ({self.epsilon:.6g}, {self.delta:.6g})-DP; with "
            f"confidence {self.confidence:.6g} epsilon is at least {self.epsilon_bound:.4g}\n"
            f"  event: {self.event}\n"
            f"  seen in {self.seen:,} of {self.tested:,} runs on the {likelier} stream, in "
            f"{self.seen_on_neighbour:,} on the {rarer}\n"
            f"  power: {power}"
        )

    def to_dict(self) -> dict[str, Any]:
        """The audit for JSON; an infinite detectable epsilon is None."""
        return {
            "passed": self.passed,
            "epsilon": self.epsilon,
            "delta": self.delta,
            "epsilon_bound": self.epsilon_bound,
            "confidence": self.confidence,
            "detectable": self.detectable if math.isfinite(self.detectable) else None,
            "event": self.event,
            "seen": self.seen,
            "seen_on_neighbour": self.seen_on_neighbour,
            "likelier_on": "one" if self.likelier_on_one else "other",
            "tested": self.tested,
            "noise": self.noise,
        }


def statistical(
    algorithm: ExpertsAlgorithm,
    one: npt.ArrayLike,
    other: npt.ArrayLike,
    *,
    runs: int = 10_000,
    confidence: float = 0.99,
    features: Features | None = None,
    epsilon: float | None = None,
    delta: float | None = None,
    seed: int | None = None,
    workers: int | None = None,
    progress: Callable[[int], object] | None = None,
) -> StatisticalAudit:
    """Run an algorithm many times on two neighbouring streams, and bound from below what epsilon must be.

    Half of the runs choose an event of the released choices that tells the streams apart; the other half test it.
    P(event) <= e^epsilon Q(event) + delta, with Clopper-Pearson bounds on P and Q, gives the bound on epsilon.

    Parameters
    ----------
    algorithm : ExpertsAlgorithm
        At any size.
    one, other : array_like of shape (rounds, n_experts)
        Neighbouring streams of losses.
    runs : int
        On each stream; at least 100.
    confidence : float
        In [1/2, 1): the chance that the bound is not above the true epsilon.
    features : callable (choices) -> sequence of int, optional
        What of a run's choices is looked at: an int64 array of shape (rounds + 1,), the choice of each round and the
        one after the last. `AroundTheChange` by default. It must be picklable; its attribute ``names``, where it has
        one, says what the numbers are.
    epsilon, delta : float, optional
        The promise; as in `exact` by default.
    seed : int, optional
        For an audit that can be repeated; secure randomness without it.
    workers : int, optional
        Processes; one for each core by default. The result does not depend on it.
    progress : callable (int), optional
        Told how many more runs have been made, such as the `advance` of a progress bar.

    Returns
    -------
    StatisticalAudit
        A sound algorithm passes with a chance of at least `confidence`. Passing proves nothing: see its `detectable`.

    Raises
    ------
    ParameterError
        When the streams are no neighbours, or a number is out of its range.
    InputError
        When a loss is no number in [0, 1].

    Examples
    --------
    >>> import numpy as np
    >>> import reticent as rt
    >>> one = np.full((50, 2), 0.5)
    >>> other = one.copy()
    >>> one[10], other[10] = (0.0, 1.0), (1.0, 0.0)
    >>> algorithm = rt.experts.ScheduledHedge(2, epsilon=2.0, horizon=50, schedule=rt.experts.EveryRounds(11))
    >>> print(rt.audit.statistical(algorithm, one, other, runs=2000, seed=1, workers=1))
    passed: ...
    """
    if isinstance(runs, bool) or not isinstance(runs, int) or runs < 100:
        raise ParameterError(f"runs is {runs!r}; give a whole number from 100 on.")
    if not 0.5 <= confidence < 1:
        raise ParameterError(f"confidence is {confidence!r}; give a number in [0.5, 1), such as 0.99.")
    epsilon, delta = audited_promise(algorithm.privacy, epsilon, delta)
    streams = np.asarray(one), np.asarray(other)
    differing = _differing_rounds(*streams, algorithm.privacy.neighbours)
    if features is None:
        features = AroundTheChange(int(differing[0]), len(streams[0]))
    here, there, noise = play_many(algorithm, streams, features, runs, seed, workers, progress)

    half = runs // 2
    alpha = (1 - confidence) / 2  # one half for each of the two bounds
    names = getattr(features, "names", None) or [f"feature {k}" for k in range(here.shape[1])]
    event = choose_event(here[:half], there[:half], names, delta, alpha)
    likelier, rarer = (here, there) if event.likelier_on_one else (there, here)
    seen, seen_on_neighbour = (int(event.holds(side[half:]).sum()) for side in (likelier, rarer))
    tested = runs - half
    return StatisticalAudit(
        epsilon,
        delta,
        _epsilon_bound(seen, seen_on_neighbour, tested, delta, alpha),
        confidence,
        _detectable(seen, tested, epsilon, delta, alpha),
        event.text,
        seen,
        seen_on_neighbour,
        event.likelier_on_one,
        tested,
        noise,
    )


def _differing_rounds(one: npt.NDArray[Any], other: npt.NDArray[Any], neighbours: Neighbours) -> IntArray:
    if one.ndim != 2 or one.shape != other.shape:
        raise ParameterError(
            f"the streams have shapes {one.shape} and {other.shape}; give two of one shape, a round a row."
        )
    differing = np.flatnonzero((one != other).any(axis=1))
    if not 1 <= len(differing) <= neighbours.rounds_per_person:
        raise ParameterError(
            f"the streams differ in {len(differing)} rounds, neighbours in 1 to {neighbours.rounds_per_person}; "
            "change the losses of so many rounds only."
        )
    if neighbours.relation == "add-remove" and (one[differing].any(axis=1) & other[differing].any(axis=1)).any():
        raise ParameterError(
            "the streams replace one record by another, and add-remove neighbours add or remove one: let all losses "
            "of a round that differs be 0 on one of them."
        )
    return differing


def _epsilon_bound(seen: int, seen_on_neighbour: int, tested: int, delta: float, alpha: float) -> float:
    """log((P - delta) / Q), with the lower bound on P and the upper bound on Q; rounded down, and at least 0."""
    p, q = lower_bound(seen, tested, alpha), upper_bound(seen_on_neighbour, tested, alpha)
    return max(0.0, math.log((p - delta) / q) - 1e-15) if p > delta else 0.0


def _detectable(seen: int, tested: int, epsilon: float, delta: float, alpha: float) -> float:
    """The epsilon of an event that is seen so often, and so rarely on the neighbour that the test rejects."""
    if _epsilon_bound(seen, 0, tested, delta, alpha) <= epsilon:
        return math.inf
    low, high = 0, seen  # low rejects, high does not
    while high - low > 1:
        middle = (low + high) // 2
        if _epsilon_bound(seen, middle, tested, delta, alpha) > epsilon:
            low = middle
        else:
            high = middle
    # Below this Q the neighbour shows the event at most `low` times with a chance of at least _POWER.
    rare = lower_bound(low + 1, tested, 1 - _POWER)
    return math.log((seen / tested - delta) / rare)
