"""AboveThreshold: report the first query of a sequence that is above a threshold (the sparse vector technique)."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar

import numpy as np

from reticent.errors import ParameterError
from reticent.randomness import LARGEST_SCALE, IntArray, Source

__all__ = ["AboveThreshold", "DworkRothNoise", "LaplaceNoise", "OneSidedNoise", "RunningSumAboveThreshold"]


@dataclass(frozen=True)
class _Noise:
    """A pair of noises on the grid.

    Parameters
    ----------
    epsilon : Fraction
        The price of one instance.
    sensitivity : int
        How many records may differ, each moving a query by at most one unit loss.
    units : int
        Grid units in a loss of 1.
    """

    name: ClassVar[str]
    threshold_factor: ClassVar[int] = 1
    query_factor: ClassVar[int] = 1

    epsilon: Fraction
    sensitivity: int
    units: int
    threshold_scale: Fraction = field(init=False, repr=False, compare=False)
    query_scale: Fraction = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not self.epsilon > 0:
            raise ParameterError(f"the epsilon of AboveThreshold is {self.epsilon}; give a number above 0.")
        if self.sensitivity < 1 or self.units < 1:
            raise ParameterError(
                f"sensitivity {self.sensitivity} and units {self.units} must be whole numbers from 1 on."
            )
        scale = self.units * self.sensitivity / self.epsilon
        if scale > LARGEST_SCALE:
            raise ParameterError(
                f"epsilon {float(self.epsilon):.3g} for sensitivity {self.sensitivity} and {self.units} grid units "
                "takes noise that does not fit 64 bits; give a larger epsilon, or fewer grid_bits."
            )
        object.__setattr__(self, "threshold_scale", self.threshold_factor * scale)
        object.__setattr__(self, "query_scale", self.query_factor * scale)


@dataclass(frozen=True)
class OneSidedNoise(_Noise):
    """Geometric noise of scale sensitivity / epsilon for the threshold and for each query.

    Enough only where one differing record shifts all later queries of an instance by one constant
    (docs/proofs/dartboard.md): `RunningSumAboveThreshold` accepts it, `AboveThreshold` does not.
    """

    name: ClassVar[str] = "one-sided geometric"

    def draw_threshold(self, source: Source) -> int:
        """Fresh threshold noise rho >= 0."""
        return source.geometric(self.threshold_scale)

    def exceeds(self, source: Source, gap: int) -> bool:
        """Whether fresh query noise reaches the gap."""
        return source.geometric_exceeds(gap, self.query_scale)

    def first_excess(self, source: Source, threshold: int, queries: IntArray) -> int:
        """The first k whose fresh query noise reaches threshold - queries[k], or len(queries)."""
        return source.first_geometric_excess(threshold, queries, self.query_scale)

    def largest_excess(self, rounds: int) -> float:
        """By how many losses a sum that is not yet reported may exceed the threshold in `rounds` rounds.

        But for a chance of 1 / rounds: of the threshold's noise alone, as a query's is never negative.
        """
        return 2 * math.log(max(rounds, 1)) * float(self.threshold_scale) / self.units

    def chance_of_reaching(self, gap: float) -> float:
        """How likely a sum is reported in a given round, at most, that lacks so many losses to the threshold."""
        return math.exp(min(0.0, -gap * self.units / float(self.query_scale)))


@dataclass(frozen=True)
class LaplaceNoise(_Noise):
    """Discrete Laplace noise of scale sensitivity / epsilon for the threshold and for each query.

    Like `OneSidedNoise`, only for sequences that one record shifts by a constant.
    """

    name: ClassVar[str] = "discrete Laplace"

    def draw_threshold(self, source: Source) -> int:
        """Fresh threshold noise rho."""
        return source.discrete_laplace(self.threshold_scale)

    def exceeds(self, source: Source, gap: int) -> bool:
        """Whether fresh query noise reaches the gap."""
        return source.discrete_laplace_exceeds(gap, self.query_scale)

    def first_excess(self, source: Source, threshold: int, queries: IntArray) -> int:
        """The first k whose fresh query noise reaches threshold - queries[k], or len(queries)."""
        return source.first_discrete_laplace_excess(threshold, queries, self.query_scale)

    def largest_excess(self, rounds: int) -> float:
        """By how many losses a sum that is not yet reported may exceed the threshold in `rounds` rounds.

        But for a chance of 1 / rounds: that one of at most 2 * rounds noises goes beyond ln(2 rounds**2) scales.
        """
        scales = float(self.threshold_scale + self.query_scale) / self.units
        return math.log(2 * max(rounds, 1) ** 2) * scales

    def chance_of_reaching(self, gap: float) -> float:
        """How likely a sum is reported in a given round, at most, that lacks so many losses to the threshold.

        One of the two noises makes up for half of it.
        """
        half = gap * self.units / 2
        return min(1.0, sum(math.exp(min(0.0, -half / float(b))) for b in (self.threshold_scale, self.query_scale)))


@dataclass(frozen=True)
class DworkRothNoise(LaplaceNoise):
    """The textbook noise: discrete Laplace of scale 2 m / epsilon for the threshold, 4 m / epsilon for a query.

    Good for any queries of sensitivity m (Dwork and Roth 2014, Theorem 3.23).
    """

    name: ClassVar[str] = "discrete Laplace (Dwork-Roth)"
    threshold_factor: ClassVar[int] = 2
    query_factor: ClassVar[int] = 4


class AboveThreshold:
    """One instance for arbitrary queries: it answers "below" until it answers "above" once, and ends.

    Parameters
    ----------
    threshold : int
        In grid units; any public number.
    noise : DworkRothNoise
        The smaller noises are refused: they are private for running sums only.
    source : Source

    Notes
    -----
    **Guarantee.** The sequence of answers is noise.epsilon-DP when each query changes by at most
    noise.sensitivity (in losses) between neighbouring inputs, also for adaptively chosen queries
    (Dwork and Roth 2014, Theorem 3.23, with discrete Laplace noise on the grid).
    """

    __slots__ = ("_noise", "_source", "_threshold")

    def __init__(self, threshold: int, noise: DworkRothNoise, source: Source) -> None:
        if not isinstance(noise, DworkRothNoise):
            raise ParameterError(
                f"AboveThreshold got {type(noise).__name__}, which is private for running sums only; "
                "give DworkRothNoise, or use RunningSumAboveThreshold."
            )
        self._noise = noise
        self._source = source
        self._threshold: int | None = threshold + noise.draw_threshold(source)

    def is_above(self, query: int) -> bool:
        """Whether query + fresh noise reaches the noisy threshold; after a True the instance has ended."""
        if self._threshold is None:
            raise ParameterError("this AboveThreshold instance has answered 'above' and ended; start a new one.")
        above = self._noise.exceeds(self._source, self._threshold - query)
        if above:
            self._threshold = None
        return above


class RunningSumAboveThreshold:
    """One instance that watches a sum of per-round losses, and can ask nothing else.

    The queries are q_1, q_2, .. with q_k = x_1 + .. + x_k - k * offset, where x_k is a function of round k's
    record alone and lies in [0, 1]. So a record that is replaced shifts all queries from its round on by one and
    the same constant, which is the precondition of the small noises; it holds by construction, because callers
    hand over the x_k and never a query.

    Parameters
    ----------
    threshold : int
        In grid units; any public number.
    noise : OneSidedNoise, or LaplaceNoise (DworkRothNoise is one)
    source : Source
    offset : int
        Grid units taken off in each round; any public number.

    Notes
    -----
    **Guarantee.** The sequence of answers is noise.epsilon-DP when up to noise.sensitivity of the x_k are replaced
    by other values in [0, 1] (docs/proofs/guarded-epochs.md, Guards; a public offset cancels in the comparison of
    the two streams; several records are replaced one after another, each at epsilon / sensitivity). On a stream of
    instances over disjoint rounds the whole costs noise.epsilon once.
    """

    __slots__ = ("_noise", "_offset", "_remaining", "_source")

    def __init__(
        self,
        threshold: int,
        noise: OneSidedNoise | LaplaceNoise,
        source: Source,
        offset: int = 0,
    ) -> None:
        self._noise = noise
        self._source = source
        self._offset = offset
        # What the sum still lacks to the noisy threshold; a lazy number when the source is enumerated.
        self._remaining = threshold + noise.draw_threshold(source)

    @property
    def remaining(self) -> int:
        """What the sum still lacks to the noisy threshold: private."""
        return self._remaining

    def add(self, loss: int, rounds: int = 1) -> bool:
        """Add the loss of the next round, or of several; whether the sum plus fresh noise is above.

        Parameters
        ----------
        loss : int
            In grid units, in [0, rounds * units].
        rounds : int
            How many rounds this is the loss of, a public number.
        """
        if not 0 <= loss <= rounds * self._noise.units:
            raise ParameterError(
                f"the loss of {rounds} rounds is {loss} units; it must lie in [0, {rounds * self._noise.units}]."
            )
        self._remaining = self._remaining - (loss - rounds * self._offset)
        return self._noise.exceeds(self._source, self._remaining)

    def add_block(self, running: IntArray) -> int:
        """Add many rounds' losses, up to the first round after which the answer is "above".

        Parameters
        ----------
        running : int64 array of shape (rounds + 1,)
            The sum of the losses before each round and after the last, non-decreasing by at most `units` a round.

        Returns
        -------
        int
            The number of that round, counted from 0, or `rounds` when all answers are "below". The same answers
            as `add`, one by one.
        """
        sums = running[1:]
        if self._offset:
            sums = sums - self._offset * np.arange(1, len(sums) + 1, dtype=np.int64)
        rounds = len(sums)
        start = int(running[0])
        fired = self._noise.first_excess(self._source, self._remaining + start, sums)
        added = min(fired + 1, rounds)
        self._remaining = self._remaining - (int(running[added]) - start - added * self._offset)
        return fired
