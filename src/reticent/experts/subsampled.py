"""Privacy amplified by subsampling, online: each round is shown to the inner algorithm with probability q."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from reticent.errors import ParameterError
from reticent.experts.base import ExpertsAlgorithm, ExpertsLearner, given_parameters, is_real
from reticent.experts.grid import LossBlock
from reticent.privacy import Component, PrivacyStatement, amplify
from reticent.randomness import IntArray, Source

__all__ = ["Subsampled"]


@dataclass(frozen=True)
class Subsampled(ExpertsAlgorithm):
    """Feed another algorithm the losses of a round with probability q, zeros otherwise, and play its choices.

    ::

        start A
        for t = 1..T:
            play A's choice; see loss_t
            b_t ~ Bernoulli(q); feed A the losses b_t * loss_t      # a skipped round stays a round for A

    It is the step from a lower bound for small epsilon to one for epsilon <= 1: an algorithm with small regret would
    make one with a far smaller epsilon, and still small regret. It is a step of a proof and no algorithm to choose
    (the registry has no line for it): what it saves in epsilon it pays in regret, which grows by 1 / q.

    Parameters
    ----------
    algorithm : ExpertsAlgorithm
        A private one; the relation, the rounds a person and the grid are its.
    q : float or Fraction
        In (0, 1].

    Notes
    -----
    **Guarantee.** When the inner algorithm is (epsilon, delta)-DP for neighbours that differ in m rounds, the choices
    are (ln(1 + p (e^epsilon - 1)), p delta)-DP for the same neighbours, p = 1 - (1 - q)^m, in both relations, at any
    length, and also on adaptive streams where the inner promise covers them (docs/proofs/subsampling.md). The coins
    must stay secret. Assumption: that of the inner algorithm; an expert that learned from earlier private rounds
    voids it. Expected regret: 1 / q times the inner one at best loss q L*. Source: Li and Ye, section 4.

    Examples
    --------
    >>> from reticent.experts import PrivateHedge
    >>> algorithm = Subsampled(PrivateHedge(10, epsilon=1.0, delta=1e-6, horizon=1000), q=0.125)
    >>> round(algorithm.privacy.epsilon, 4), algorithm.privacy.delta
    (0.1946, 1.25e-07)
    >>> algorithm.start().choice in range(10)
    True
    """

    name: ClassVar[str] = "Subsampled"

    algorithm: ExpertsAlgorithm
    q: float | Fraction

    def __post_init__(self) -> None:
        if not isinstance(self.algorithm, ExpertsAlgorithm):
            raise ParameterError(
                f"algorithm is {self.algorithm!r}; give an algorithm, such as reticent.experts.auto(10, epsilon=1.0)."
            )
        if not math.isfinite(self.algorithm.privacy.epsilon):
            raise ParameterError(f"{self.algorithm.name} promises no privacy to amplify; give a private algorithm.")
        if not is_real(self.q) or not 0 < self.q <= 1:
            raise ParameterError(f"q is {self.q!r}; give a number in (0, 1].")
        if not isinstance(self.q, Fraction):
            object.__setattr__(self, "q", float(self.q))
        object.__setattr__(self, "n_experts", self.algorithm.n_experts)
        object.__setattr__(self, "grid_bits", self.algorithm.grid_bits)

    @cached_property
    def privacy(self) -> PrivacyStatement:
        """See `ExpertsAlgorithm`: the inner statement, amplified."""
        inner = self.algorithm.privacy
        spent = [sum(Fraction(getattr(c, share)) for c in inner.components) for share in ("epsilon", "delta")]
        explanation = (
            f"{inner.epsilon:.6g} of {self.algorithm.name}, which sees a part {float(self.q):.6g} of the rounds"
        )
        epsilon, delta = self._amplified(inner.epsilon, inner.delta)
        return PrivacyStatement(
            epsilon=epsilon,
            delta=delta,
            neighbours=inner.neighbours,
            components=(Component("subsampling", *self._amplified(*spent), explanation),),
            adaptive=inner.adaptive,
            released=inner.released,
            assumption=inner.assumption,
        )

    def _amplified(self, epsilon: float | Fraction, delta: float | Fraction) -> tuple[float, float]:
        return amplify(epsilon, delta, Fraction(self.q), self.algorithm.privacy.neighbours.rounds_per_person)

    @property
    def public_parameters(self) -> dict[str, Any]:
        """See `ExpertsAlgorithm`."""
        return given_parameters(self)

    @property
    def settings(self) -> dict[str, Any]:
        """See `ExpertsAlgorithm`: those of the inner algorithm, and q."""
        return {"algorithm": self.algorithm.name, **self.algorithm.settings, "q": float(self.q)}

    def regret_bound(self, rounds: int, best_loss: float) -> float | None:
        """See `ExpertsAlgorithm`: 1 / q times the inner bound for a best expert that never loses, then none is shown.

        Otherwise the best loss that is shown varies, and the inner bound need not hold for its mean.
        """
        if best_loss > 0:
            return None
        inner = self.algorithm.regret_bound(rounds, 0.0)
        return None if inner is None else min(inner / float(self.q), float(rounds))

    def _start(self, source: Source) -> ExpertsLearner:
        return _Learner(self, source)


class _Learner(ExpertsLearner):
    def __init__(self, algorithm: Subsampled, source: Source) -> None:
        self._inner = algorithm.algorithm.start(source)
        self._q = Fraction(algorithm.q)
        super().__init__(algorithm, source)

    def _first_choice(self) -> int:
        return self._inner.choice

    def _observe(self, losses: IntArray) -> None:
        shown = self._source.bernoulli(self._q)
        # Units of the grid are exact as doubles, and round to themselves. Zeros keep the inner clock public.
        self._inner.update((losses if shown else np.zeros_like(losses)) / self._grid.units)
        self._choice = self._inner.choice

    def _observe_block(self, block: LossBlock) -> IntArray:
        # Coins and inner decisions take turns at the source, as they do step by step.
        choices = np.empty(block.rounds, dtype=np.int64)
        for row in range(block.rounds):
            choices[row] = self._choice
            self._observe(block.units(row, row + 1)[0])
        return choices
