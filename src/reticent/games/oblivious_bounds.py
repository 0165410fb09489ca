"""What the theorems allow each experts algorithm to lose on streams that were fixed in advance, when L* = 0."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from reticent.experts import (
    Dartboard,
    Doubling,
    ExpertsAlgorithm,
    GeometricTimes,
    GuardedEpochs,
    PrivateHedge,
    ScheduledHedge,
    SparseVectorExperts,
    Subsampled,
)
from reticent.experts.departures import regret_bound

__all__ = ["ObliviousBound", "oblivious_bound"]

_DEPARTURES = "how often the expert can leave"


@dataclass(frozen=True)
class ObliviousBound:
    """A bound on the expected regret where some expert never loses.

    Parameters
    ----------
    value : float
    source : str
        The theorem.
    condition : str
        What it takes for granted beside an oblivious stream; empty for nothing.
    """

    value: float
    source: str
    condition: str = ""


def oblivious_bound(algorithm: ExpertsAlgorithm, rounds: int) -> ObliviousBound | None:
    """The bound of an algorithm of the library on oblivious streams with L* = 0, with all its constants.

    Parameters
    ----------
    algorithm : ExpertsAlgorithm
    rounds : int
        T >= 2.

    Returns
    -------
    ObliviousBound or None
        None where nothing is proved.

    Notes
    -----
    - `Dartboard`, also with rates that decay, `ShrinkingDartboard`, `LazyToPrivate`, `TreeFTPL`: `regret_bound`, with
      nothing taken for granted (docs/proofs/regret.md).
    - `GuardedEpochs`: on i.i.d. losses only, while at most one guard fires in two successive epochs
      (docs/proofs/regret.md, Theorem 5).
    - `Doubling`: that of its first phase, while it lasts.
    - `SparseVectorExperts`: K + 1 intervals, each with a loss of at most D = tau + 1 + 2 m ln(T) / eps1 but for a
      chance of 1 / T, which costs 1 (after Asi, Feldman, Koren and Talwar, ICML 2023); the cap is taken as not
      reached.
    - `ScheduledHedge` at times 1, 2, 4, ..: on i.i.d. losses only, 1 + 2 ln(N) log2(T) / (1 - exp(-eta)), N >= 3.
      After n rounds an expert of loss rate mu is drawn with probability at most E exp(-eta W) <= exp(-mu n c), with
      c = 1 - exp(-eta), because the perfect one has weight 1. Experts of rate at most r = ln(N) / (n c) add at most r
      to the rate of the draw, the others together at most N r exp(-r n c) = r; and it is played for n rounds.
    - `PrivateHedge`: ln(N) / (1 - exp(-eta)) at most, which holds on adaptive streams as well.
    - `Subsampled`: 1 / q times the inner bound.

    Examples
    --------
    >>> from reticent.experts import Dartboard
    >>> bound = oblivious_bound(Dartboard(512, 1.0, 1e-6, horizon=10_000), 10_000)
    >>> round(bound.value), bound.condition
    (844, '')
    """
    if isinstance(algorithm, Subsampled):
        inner = oblivious_bound(algorithm.algorithm, rounds)
        return inner and replace(inner, value=inner.value / float(algorithm.q))
    if isinstance(algorithm, SparseVectorExperts):
        scale = algorithm.neighbours.sensitivity / float(algorithm.threshold_epsilon)
        longest = max(algorithm.tau, 0.0) + 1 + 2 * math.log(rounds) * scale
        value = (algorithm.derived_rates.cap + 1) * longest + 1
        return ObliviousBound(value, "K + 1 intervals", "the cap is not reached")
    if isinstance(algorithm, ScheduledHedge):
        return _of_schedule(algorithm, rounds)
    if isinstance(algorithm, Doubling):
        units = algorithm.grid.units
        first = regret_bound(algorithm.phase(0), algorithm.n_experts, rounds, 0.0, algorithm.neighbours, units)
        return ObliviousBound(first, _DEPARTURES, "the first phase does not end")
    if isinstance(algorithm, GuardedEpochs):
        return _of_epochs(algorithm, rounds)
    bound = algorithm.regret_bound(rounds, 0.0)
    if bound is None:
        return None
    if isinstance(algorithm, PrivateHedge):
        return ObliviousBound(bound, "Hedge at this eta", "nothing: it holds on adaptive streams too")
    return ObliviousBound(bound, _DEPARTURES if isinstance(algorithm, Dartboard) else "its own")


def _of_epochs(algorithm: GuardedEpochs, rounds: int) -> ObliviousBound | None:
    if rounds > 2 * algorithm.longest_epoch:
        return None  # epochs no longer double
    # All losses of the epoch before enter a selection with at least this rate, as its last interval or last but one.
    least = int(algorithm.selection_weights[:, :2].min()) * float(algorithm.selection_rate)
    doubled = 4 * math.log(2 * max(algorithm.n_experts, 2)) / -math.expm1(-least)
    first = algorithm.first_epoch_rounds
    value = float(min(rounds, first))
    if rounds > first:
        # The second epoch is as long as the first one; each later one is twice as long as the one before.
        value += doubled / 2 + doubled * max(0, math.ceil(math.log2(rounds / first)) - 1)
    condition = "losses are i.i.d. and at most one guard fires in two successive epochs"
    return ObliviousBound(min(value, float(rounds)), "selections by the losses of the epoch before", condition)


def _of_schedule(algorithm: ScheduledHedge, rounds: int) -> ObliviousBound | None:
    within = rounds <= (algorithm.horizon or rounds)
    if algorithm.schedule != GeometricTimes() or algorithm.n_experts < 3 or not within:
        return None
    kept = -math.expm1(-float(algorithm.derived_rates.learning_rate))
    value = 1 + 2 * math.log(algorithm.n_experts) * math.ceil(math.log2(rounds)) / kept
    return ObliviousBound(value, "multiplicative weights at times 1, 2, 4, ..", "losses are i.i.d.")
