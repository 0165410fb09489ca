"""Asi, Feldman, Koren and Talwar's private shrinking dartboard, plain and in batches."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from reticent.experts.batches import BatchedWeights, BatchParameters
from reticent.experts.lazy import Event, LazyLearner
from reticent.experts.tuning import least_floor
from reticent.mechanisms import BatchCoin, exponential_mechanism
from reticent.privacy import Neighbours
from reticent.randomness import Source

__all__ = ["ShrinkingDartboard", "ShrinkingParameters"]


@dataclass(frozen=True)
class ShrinkingParameters(BatchParameters):
    """The public numbers of `ShrinkingDartboard`: see `BatchParameters`."""

    @staticmethod
    def coin_range(neighbours: Neighbours) -> int:
        """See `BatchParameters`: the loss of the expert that plays."""
        return neighbours.sensitivity

    @staticmethod
    def least_charge(eta: float, coin: float, batch: int, neighbours: Neighbours) -> float:
        """See `BatchParameters`: m ln(1 + (1 - exp(-eta)) / (exp(eta r0) - 1)) <= eps_coin."""
        return least_floor(eta, coin / neighbours.sensitivity) * (1 + 1e-12)

    @classmethod
    def draws(cls, eta: float, coin: float, batch: int, neighbours: Neighbours) -> float:
        """See `BatchParameters`: p."""
        return -math.expm1(-eta * cls.least_charge(eta, coin, batch, neighbours))


@dataclass(frozen=True, kw_only=True)
class ShrinkingDartboard(BatchedWeights):
    """Keep the expert with the probability by which its weight shrank; at times leave it all the same.

    ::

        W = 0; i uniform on experts; k = 0
        for b = 1, 2, ..: (batches of B rounds; B = 1 is Algorithm 1 of the paper)
            play i throughout the batch; see its losses; W += all of them; r = those of i
            keep ~ Bernoulli((1 - p) * exp(-eta * r))
            if not keep and k < K: k += 1; i ~ proportional to exp(-eta * W)

    Until the cap is reached i is distributed as by multiplicative weights, at the end of every batch.

    Parameters
    ----------
    n_experts, epsilon, delta, horizon, relation, rounds_per_person, grid_bits, expected_best_loss
        See `BatchedWeights`.
    parameters : ShrinkingParameters, optional
        eta, p, K and B; by default those of the smallest regret bound over a public grid.

    Notes
    -----
    **Guarantee.** The sequence of choices is (epsilon, delta)-DP under `relation`, at any length, also on adaptive
    streams: epsilon = max(eta, ln(1 + (1 - exp(-eta)) (1 - p) / p)) + Comp_delta(K, eta * score range), with eta per
    loss, whatever B (docs/proofs/rivals.md, section 1). Assumption: a round's losses are a function of that round's
    record and of public things only; an expert that learned from earlier private rounds voids it.
    Source: Asi, Feldman, Koren and Talwar, *Private Online Prediction from Experts: Separations and Faster Rates*
    (COLT 2023), Algorithm 1 and Theorem 5. There batches average the losses, and the weights are (1 - eta)^loss: that
    eta is B times this one. This is also what the lazy-to-private transformation (see `LazyToPrivate`) makes of
    multiplicative weights when nothing has to be normalised.

    Examples
    --------
    >>> algorithm = ShrinkingDartboard(n_experts=3, epsilon=1.0, delta=1e-6, horizon=10_000)
    >>> learner = algorithm.start()
    >>> learner.update([0.0, 1.0, 0.5])
    >>> learner.choice in range(3)
    True
    """

    name: ClassVar[str] = "ShrinkingDartboard"

    kind: ClassVar[type[BatchParameters]] = ShrinkingParameters

    def _start(self, source: Source) -> _Learner:
        return _Learner(self, source)


class _Learner(LazyLearner):
    def __init__(self, algorithm: ShrinkingDartboard, source: Source) -> None:
        super().__init__(algorithm, source)
        self._parameters = algorithm.derived
        self._charge = algorithm.derived.charge(algorithm.neighbours, self._grid.units)
        self._redraws = 0
        self._arm()

    def _arm(self) -> None:
        """The rate of the next redraw and its coin; None past the cap, as the choice can no longer change."""
        self._rate = rate = self._parameters.redraws.rate(self._redraws + 1)
        if rate is None:
            self._guard = None
        else:
            self._guard = BatchCoin(self._parameters.batch, self._charge, rate / self._grid.units, self._source)

    def _on_event(self, event: Event) -> None:
        if self._rate is None:
            raise AssertionError("there is no coin after the last redraw")
        self._redraws += 1
        self._choice = exponential_mechanism(self._source, event.cumulative(), self._rate, self._grid.units)
        self._arm()
