"""The textbook private multiplicative weights: a fresh exponential-mechanism draw every round."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from reticent.errors import ParameterError
from reticent.experts.base import ExpertsLearner, PrivateExpertsAlgorithm
from reticent.experts.grid import LossBlock
from reticent.mechanisms import EqualRates, exponential_mechanism
from reticent.privacy import Component
from reticent.randomness import IntArray, Source

__all__ = ["PrivateHedge"]

#: Rows whose scores are held at a time, so that memory does not grow with the block.
_ROWS = 1024


@dataclass(frozen=True)
class PrivateHedge(PrivateExpertsAlgorithm):
    """Draw i_t with probability proportional to exp(-eta * W_i), afresh every round: what one would do by hand.

    Parameters
    ----------
    n_experts, epsilon, delta, horizon, relation, rounds_per_person, grid_bits
        See `PrivateExpertsAlgorithm`. `horizon` is needed: the rate is set for horizon - 1 draws (the first choice
        is uniform), and past the horizon the choice stays.

    Notes
    -----
    **Guarantee.** (epsilon, delta)-DP for the sequence of choices at any length, also on adaptive streams:
    epsilon = Comp_delta(T - 1, eta * score range). Assumption: a round's losses are a function of that round's
    record and of public things only; an expert that learned from earlier private rounds voids it.
    Regret: `regret_bound`, also on adaptive streams, because each choice is drawn afresh.
    Sources: Dwork, Naor, Pitassi, Rothblum 2010; Jain and Thakurta, ICML 2014.

    Examples
    --------
    >>> round(float(PrivateHedge(100, epsilon=1.0, delta=1e-6, horizon=100_000).rates.learning_rate), 6)
    0.000698
    """

    name: ClassVar[str] = "PrivateHedge"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.horizon is None:
            raise ParameterError("PrivateHedge draws every round: give horizon, the public number of rounds.")

    @cached_property
    def rates(self) -> EqualRates:
        """eta, and T - 1 draws."""
        assert self.horizon is not None
        draws = max(self.horizon - 1, 1)
        return EqualRates.calibrated(draws, float(self.epsilon), float(self.delta), self.neighbours)

    @property
    def components(self) -> tuple[Component, ...]:
        """See `PrivateExpertsAlgorithm`."""
        draws = self.rates.epsilon(float(self.delta), self.neighbours)
        return (Component("draws", draws, float(self.delta), str(self.rates)),)

    @property
    def settings(self) -> dict[str, Any]:
        """See `ExpertsAlgorithm`."""
        return {"eta": float(self.rates.learning_rate), "draws": self.rates.cap}

    def regret_bound(self, rounds: int, best_loss: float) -> float | None:
        """See `ExpertsAlgorithm`: that of Hedge at this eta, up to the horizon; it holds on adaptive streams too.

        Given the losses so far, the choice of a round is drawn by the weights, whatever was drawn before: what an
        adversary learns from earlier choices does not help it against the next one.
        """
        assert self.horizon is not None
        if rounds > self.horizon:
            return None
        eta, log_n = float(self.rates.learning_rate), math.log(self.n_experts)
        return min(log_n / eta + eta * rounds / 8, (eta * best_loss + log_n) / -math.expm1(-eta) - best_loss)

    def _start(self, source: Source) -> _Learner:
        return _Learner(self, source)


class _Learner(ExpertsLearner):
    def __init__(self, algorithm: PrivateHedge, source: Source) -> None:
        super().__init__(algorithm, source)
        self._rate = algorithm.rates.learning_rate
        self._draws_left = algorithm.rates.cap
        self._cumulative = np.zeros(self._n_experts, dtype=np.int64)

    def _observe(self, losses: IntArray) -> None:
        self._cumulative += losses
        if self._draws_left > 0:
            self._draws_left -= 1
            self._choice = exponential_mechanism(self._source, self._cumulative, self._rate, self._grid.units)

    def _observe_block(self, block: LossBlock) -> IntArray:
        choices = np.empty(block.rounds, dtype=np.int64)
        for start in range(0, block.rounds, _ROWS):
            stop = min(block.rounds, start + _ROWS)
            scores = np.cumsum(block.units(start, stop), axis=0) + self._cumulative
            drawn = self._source.softmin_indices(scores[: self._draws_left], self._rate / self._grid.units)
            self._draws_left -= len(drawn)
            self._cumulative = scores[-1]
            # Row t's draw is the choice of round t + 1; past the last draw the choice stays.
            played = np.concatenate(([self._choice], drawn))
            choices[start:stop] = played[np.minimum(np.arange(stop - start), len(drawn))]
            self._choice = int(played[-1])
        return choices
