"""Follow the perturbed leader on the noisy sums of a binary tree."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from reticent.errors import ParameterError
from reticent.experts.base import ExpertsLearner, PrivateExpertsAlgorithm
from reticent.experts.grid import LossBlock
from reticent.mechanisms import GaussianNodes, LaplaceNodes, TreeSensitivity, TreeSums
from reticent.privacy import Component
from reticent.randomness import IntArray, Source

__all__ = ["TreeFTPL"]

#: Scores that are held at a time, so that memory does not grow with the block.
_SCORES = 1 << 17


@dataclass(frozen=True, kw_only=True)
class TreeFTPL(PrivateExpertsAlgorithm):
    """Play the leader of noisy cumulative losses, whose noise comes from a binary tree over the rounds.

    ::

        W = 0; Z = 0; i uniform on experts
        for t = 1..T:
            play i; see loss_t; W += loss_t
            Z_t = Z_{t - 2**j} + N fresh noises, 2**j the largest power of two that divides t
            i = argmin(W + Z_t)     # the first of several

    Each noise belongs to a node of the tree, and is drawn once. A round enters at most h = 1 + floor(log2(T - 1))
    nodes, and changes all N sums in each: the noise grows with N (Laplace) or its root (Gaussian), so that this is
    an algorithm for few experts.

    Parameters
    ----------
    n_experts, epsilon, delta, horizon, relation, rounds_per_person, grid_bits
        See `PrivateExpertsAlgorithm`. `horizon` is needed, for the number of levels; past it the choice stays.
    noise : {LaplaceNodes, GaussianNodes}, optional
        The law of the noise; the one with the smaller standard deviation unless given. Gaussian noise needs
        delta > 0.

    Notes
    -----
    **Guarantee.** (epsilon, delta)-DP for the sequence of choices at any length, also on adaptive streams: what the
    noise of all nodes costs, from their joint change of h N m w in L1, and of at most h N (m w)**2 in squared L2;
    w is 1 loss for replaced and 1/2 for added or removed records, as adding the same number to all sums changes no
    choice (docs/proofs/rivals.md, section 2). Assumption: a round's losses are a function of that round's
    record and of public things only; an expert that learned from earlier private rounds voids it.
    Sources: Smith and Guha Thakurta, *(Nearly) Optimal Algorithms for Private Online Learning* (NIPS 2013); Agarwal
    and Singh, *The Price of Differential Privacy for Online Learning* (ICML 2017).

    Examples
    --------
    >>> TreeFTPL(3, epsilon=1.0, delta=1e-6, horizon=1000).settings["levels"]
    10
    """

    name: ClassVar[str] = "TreeFTPL"

    noise: type[LaplaceNodes] | type[GaussianNodes] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.horizon is None:
            raise ParameterError("TreeFTPL prices the levels of its tree: give horizon, the public number of rounds.")
        if self.noise not in (None, LaplaceNodes, GaussianNodes):
            raise ParameterError(f"noise is {self.noise!r}; give LaplaceNodes, GaussianNodes or nothing.")
        _ = self.node_noise

    @cached_property
    def levels(self) -> int:
        """h, for the T - 1 sums that choices are made from."""
        assert self.horizon is not None
        return max(self.horizon - 1, 1).bit_length()

    @cached_property
    def sensitivity(self) -> TreeSensitivity:
        """How far neighbouring streams move the nodes; w is rounded up to whole grid units."""
        m = self.neighbours.rounds_per_person
        change = -(-self.neighbours.score_range // m * self.grid.units // 2)
        return TreeSensitivity(self.levels, self.n_experts, m, change)

    @cached_property
    def node_noise(self) -> LaplaceNodes | GaussianNodes:
        """The noise that runs."""
        if self.noise is not None:
            kinds: tuple[type[LaplaceNodes] | type[GaussianNodes], ...] = (self.noise,)
        else:
            kinds = (LaplaceNodes, GaussianNodes) if self.delta > 0 else (LaplaceNodes,)
        delta = float(self.delta)
        noises = [kind.calibrated(self.sensitivity, Fraction(self.epsilon), delta) for kind in kinds]
        return min(noises, key=_deviation)

    @property
    def components(self) -> tuple[Component, ...]:
        """See `PrivateExpertsAlgorithm`."""
        delta = 0.0 if isinstance(self.node_noise, LaplaceNodes) else float(self.delta)
        price = self.node_noise.epsilon(self.sensitivity, delta)
        return (Component("tree", price, delta, f"{self.node_noise.name} noise, {self.levels} levels"),)

    @property
    def settings(self) -> dict[str, Any]:
        """See `ExpertsAlgorithm`; the deviation of a node's noise is in losses."""
        deviation = self.node_noise.deviation / self.grid.units
        return {"noise": self.node_noise.name, "deviation": deviation, "levels": self.levels}

    def regret_bound(self, rounds: int, best_loss: float) -> float | None:
        """See `ExpertsAlgorithm`: on oblivious streams, up to the horizon (docs/proofs/regret.md, Theorem 4).

        2 - L* + f sum over c of (L* + M_c): sums of c nodes, c = 1 .. h, have each their own leader, M_c is the mean
        of the largest of N such sums, and a round multiplies the chance of an expert by at most f.
        """
        assert self.horizon is not None
        if rounds > self.horizon:
            return None
        levels = max(rounds - 1, 1).bit_length()
        noise, units, n = self.node_noise, self.grid.units, self.n_experts
        leaders = sum(best_loss + noise.largest_mean(nodes, n) / units for nodes in range(1, levels + 1))
        value = 2 + noise.lead_factor(units, n, rounds) * leaders
        return min(value, float(rounds)) - best_loss

    def _start(self, source: Source) -> _Learner:
        return _Learner(self, source)


def _deviation(noise: LaplaceNodes | GaussianNodes) -> float:
    return noise.deviation


class _Learner(ExpertsLearner):
    def __init__(self, algorithm: TreeFTPL, source: Source) -> None:
        super().__init__(algorithm, source)
        assert algorithm.horizon is not None
        self._sums_left = algorithm.horizon - 1
        self._tree = TreeSums(self._n_experts, algorithm.levels, algorithm.node_noise, source)
        self._cumulative = np.zeros(self._n_experts, dtype=np.int64)

    def _observe(self, losses: IntArray) -> None:
        if self._sums_left > 0:
            self._sums_left -= 1
            self._cumulative += losses
            self._choice = int((self._cumulative + self._tree.advance(1)[0]).argmin())

    def _observe_block(self, block: LossBlock) -> IntArray:
        choices = np.empty(block.rounds + 1, dtype=np.int64)
        choices[0] = self._choice
        rounds = min(block.rounds, self._sums_left)
        self._sums_left -= rounds
        step = max(1, _SCORES // self._n_experts)
        for start in range(0, rounds, step):
            stop = min(rounds, start + step)
            sums = block.units(start, stop).cumsum(axis=0)
            sums += self._cumulative
            self._cumulative = sums[-1].copy()
            choices[start + 1 : stop + 1] = (sums + self._tree.advance(stop - start)).argmin(axis=1)
        choices[rounds + 1 :] = choices[rounds]
        self._choice = int(choices[-1])
        return choices[:-1]
