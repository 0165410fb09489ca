"""Asi, Koren, Liu and Talwar's lazy-to-private transformation (L2P) of multiplicative weights."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from reticent.experts.base import ExpertsLearner
from reticent.experts.batches import BatchedWeights, BatchParameters
from reticent.experts.grid import LossBlock
from reticent.mechanisms import exponential_mechanism
from reticent.privacy import Neighbours
from reticent.randomness import IntArray, Source

__all__ = ["LazyParameters", "LazyToPrivate"]


@dataclass(frozen=True)
class LazyParameters(BatchParameters):
    """The public numbers of `LazyToPrivate`: see `BatchParameters`. K counts the redraws of both experts."""

    @staticmethod
    def coin_range(neighbours: Neighbours) -> int:
        """See `BatchParameters`: the loss of one expert minus that of another."""
        return neighbours.score_range

    @staticmethod
    def least_charge(eta: float, coin: float, batch: int, neighbours: Neighbours) -> float:
        """See `BatchParameters`: m ln(1 + (1 - exp(-eta a)) / (exp(eta (B + r0)) - 1)) <= eps_coin."""
        m, a = neighbours.rounds_per_person, neighbours.score_range // neighbours.rounds_per_person
        least = math.log1p(-math.expm1(-eta * a) / math.expm1(min(coin / m, 700.0))) / eta
        return least * (1 + 1e-12) - batch

    @classmethod
    def draws(cls, eta: float, coin: float, batch: int, neighbours: Neighbours) -> float:
        """See `BatchParameters`: of x by 1 - (1 - p) exp(-2 eta B) when it loses as much as y, of y by p."""
        charge = max(cls.least_charge(eta, coin, batch, neighbours), 0.0)
        return -math.expm1(-eta * (2 * batch + charge)) - math.expm1(-eta * charge)


@dataclass(frozen=True, kw_only=True)
class LazyToPrivate(BatchedWeights):
    """Multiplicative weights that switch seldom, made private by a second expert that cancels the normalisation.

    ::

        W = 0; x, y uniform on experts, independent; k = 0
        for s = 1, 2, ..: (batches of B rounds)
            play x throughout the batch; see its losses; W += all of them
            S ~ Bernoulli(exp(-2 B eta) * exp(-eta * loss of x in it) / exp(-eta * loss of y in it))
            S' ~ Bernoulli(1 - p); A ~ Bernoulli(1 - p)
            if A = 0 and k < K: k += 1; y ~ proportional to exp(-eta * W)
            if (S = 0 or S' = 0) and k < K: k += 1; x ~ proportional to exp(-eta * W)

    Given all y, x is distributed as by multiplicative weights until the cap is reached. The weights of multiplicative
    weights need no normalisation; `ShrinkingDartboard` with batches is L2P without y, and redraws far less.

    Parameters
    ----------
    n_experts, epsilon, delta, horizon, relation, rounds_per_person, grid_bits, expected_best_loss
        See `BatchedWeights`.
    parameters : LazyParameters, optional
        eta, p, K and B; by default those of the smallest regret bound over a public grid.

    Notes
    -----
    **Guarantee.** The sequence of choices is (epsilon, delta)-DP under `relation`, at any length, also on adaptive
    streams: epsilon = max(a eta, ln(1 + (1 - exp(-a eta)) q / (1 - q))) + Comp_delta(K, eta * score range), where
    q = (1 - p) exp(-eta B) is the largest chance of staying, and a is 2 for replaced and 1 for added or removed
    records (docs/proofs/rivals.md, section 3). Assumption: a round's losses are a function of that round's record
    and of public things only; an expert that learned from earlier private rounds voids it.
    Source: Asi, Koren, Liu and Talwar, *Private Online Learning via Lazy Algorithms* (NeurIPS 2024), L2P.
    The regret that it claims, sqrt(T log N) and a term in T^(1/3), was not verified here.

    Examples
    --------
    >>> LazyToPrivate(100, epsilon=1.0, horizon=100_000).settings["B"]
    128
    """

    name: ClassVar[str] = "LazyToPrivate"

    kind: ClassVar[type[BatchParameters]] = LazyParameters

    def _start(self, source: Source) -> _Learner:
        return _Learner(self, source)


class _Learner(ExpertsLearner):
    """As in `BatchCoin`, one draw decides the coins of x until it is redrawn, and one those of y."""

    def __init__(self, algorithm: LazyToPrivate, source: Source) -> None:
        super().__init__(algorithm, source)
        parameters = algorithm.derived
        self._rates = parameters.redraws
        self._batch = parameters.batch
        self._charge = parameters.charge(algorithm.neighbours, self._grid.units)
        self._patience_scale = self._grid.units / parameters.redraws.learning_rate
        self._companion = source.uniform_index(self._n_experts)
        self._cumulative = np.zeros(self._n_experts, dtype=np.int64)
        self._redraws = 0
        self._in_batch = 0
        self._patience = self._fresh_patience()
        self._companion_patience = self._fresh_patience()

    @property
    def _fixed(self) -> int:
        """What x is charged for each batch beside its loss minus that of y: at least -B units, so this is more."""
        return 2 * self._batch * self._grid.units + self._charge

    def _fresh_patience(self) -> int:
        return self._source.geometric(self._patience_scale)

    def _observe(self, losses: IntArray) -> None:
        self._cumulative += losses
        if self._rates.rate(self._redraws + 1) is None:
            return
        self._patience -= int(losses[self._choice]) - int(losses[self._companion])
        self._in_batch += 1
        if self._in_batch == self._batch:
            self._in_batch = 0
            self._patience -= self._fixed
            self._companion_patience -= self._charge
            self._end_batch(self._cumulative)

    def _end_batch(self, cumulative: IntArray) -> None:
        leaves = self._patience < 0
        if self._companion_patience < 0:
            self._companion = self._redrawn(self._companion, cumulative)
            self._companion_patience = self._fresh_patience()
        if leaves:
            self._choice = self._redrawn(self._choice, cumulative)
            self._patience = self._fresh_patience()

    def _redrawn(self, expert: int, cumulative: IntArray) -> int:
        rate = self._rates.rate(self._redraws + 1)
        if rate is None:
            return expert
        self._redraws += 1
        return exponential_mechanism(self._source, cumulative, rate, self._grid.units)

    def _observe_block(self, block: LossBlock) -> IntArray:
        choices = np.empty(block.rounds, dtype=np.int64)
        row = 0
        while row < block.rounds and self._rates.rate(self._redraws + 1) is not None:
            row = self._play_to_event(block, row, choices)
        choices[row:] = self._choice
        self._cumulative += block.totals
        return choices

    def _play_to_event(self, block: LossBlock, row: int, choices: IntArray) -> int:
        """Play up to the batch after which x or y is redrawn, or as far as could matter; the row after it."""
        patience, companion_patience = int(self._patience), int(self._companion_patience)
        # Every batch costs x at least B losses, so that later ones cannot be the first to cost too much.
        batches = max(patience + block.grid.units * self._batch, 0) // (self._fixed // 2) + 1
        first = row + self._batch - self._in_batch
        stop = min(block.rounds, first + batches * self._batch)
        net = block.running(self._choice, row, stop) - block.running(self._companion, row, stop)
        net -= net[0]
        ends = np.arange(first, stop + 1, self._batch)
        spent = net[ends - row] + self._fixed * np.arange(1, len(ends) + 1)
        event = int(np.searchsorted(spent, patience, side="right"))
        if self._charge:
            event = min(event, max(companion_patience, 0) // self._charge)
        if event < len(ends):
            stop, finished = int(ends[event]), event + 1
        else:
            finished = len(ends)
        choices[row:stop] = self._choice
        self._in_batch = (self._in_batch + stop - row) % self._batch
        self._patience = patience - int(net[stop - row]) - self._fixed * finished
        self._companion_patience = companion_patience - self._charge * finished
        if event < len(ends):
            self._end_batch(self._cumulative + block.prefix(stop))
        return stop
