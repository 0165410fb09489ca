"""Li and Ye's Algorithm 1: the private dartboard with delayed updates."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from typing import Any, ClassVar

import numpy as np

from reticent.errors import ParameterError
from reticent.experts import departures, tuning
from reticent.experts.base import PrivateExpertsAlgorithm, set_real
from reticent.experts.grid import LossBlock
from reticent.experts.lazy import Event, LazyLearner
from reticent.experts.tuning import DartboardParameters
from reticent.mechanisms import DelayedCoin, EqualRates, exponential_mechanism
from reticent.privacy import Component
from reticent.randomness import IntArray, Source, Stay

__all__ = ["Dartboard", "DartboardLearner"]


@dataclass(frozen=True, kw_only=True)
class Dartboard(PrivateExpertsAlgorithm):
    """Choose among experts privately with regret that grows with the best expert's loss, not with the rounds.

    ::

        W = 0; i uniform on experts; v = 0; q = 0; draw rho
        for t = 1..T:
            play i; see loss_t; W += loss_t; q += loss_t[i]; draw fresh nu
            if q + nu >= tau + rho:                     # AboveThreshold fires, the instance ends
                r = max(q, r_min)
                keep ~ Bernoulli(exp(-eta * r))
                if not keep and v < V: v += 1; i ~ proportional to exp(-eta * W)   # includes round t
                q = 0; draw new rho                     # always, whether or not i changed

    Parameters
    ----------
    n_experts, epsilon, delta, horizon, relation, rounds_per_person, grid_bits
        See `PrivateExpertsAlgorithm`. Without `horizon` the tuning assumes 2**17 rounds; privacy does not.
    expected_best_loss : float, optional
        A public guess of the best expert's total loss, for tuning only; a hundredth of the horizon by default. With
        a guess that is far too low the redraws run out early, which costs regret and not privacy.
    parameters : {"tuned", "paper", "decaying"} or DartboardParameters
        "tuned" minimises the explicit regret bound over a public grid; "paper" is the paper's own choice
        (Theorems 1.1 and 1.2: proved, and vacuous below some ten million rounds); "decaying" replaces the cap by
        redraw rates that fall with the number of the redraw.

    Notes
    -----
    **Guarantee.** The whole sequence of choices is (epsilon, delta)-DP under `relation`, at any length, also when
    losses depend on earlier choices (Li and Ye, Lemma 3.1, with the noise, floor and rates of
    docs/proofs/dartboard.md): epsilon = eps1 + max(eta, eps2) + Comp_delta(V, 2 eta). Assumption: the losses of a
    round are a function of that round's record and of public things only. An expert that learned from earlier
    private rounds voids it. Expected regret on oblivious streams: `regret_bound` (docs/proofs/regret.md).

    Examples
    --------
    >>> algorithm = Dartboard(n_experts=3, epsilon=1.0, delta=1e-6)
    >>> learner = algorithm.start()
    >>> learner.choice in range(3)
    True
    >>> learner.update([0.0, 1.0, 0.5])
    """

    name: ClassVar[str] = "Dartboard"

    expected_best_loss: float | None = None
    parameters: str | DartboardParameters = "tuned"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.expected_best_loss is not None:
            set_real(self, "expected_best_loss", 0, 1e18)
        self.derived.guard_noise(self.neighbours, self.grid.units)  # refuses what no learner could draw
        price = self.derived.epsilon(self.delta, self.neighbours)
        if price > self.epsilon:
            raise ParameterError(
                f"these parameters cost epsilon {price:.6g}, more than the {self.epsilon:g} allowed."
            )

    @cached_property
    def derived(self) -> DartboardParameters:
        """The numbers that run: eps1, eps2, the delay, the noise and the redraw rates."""
        if isinstance(self.parameters, DartboardParameters):
            return self.parameters
        rules = {"tuned": tuning.tuned, "paper": tuning.paper, "decaying": tuning.decaying}
        if self.parameters not in rules:
            raise ParameterError(
                f"parameters is {self.parameters!r}; give 'tuned', 'paper', 'decaying' or a DartboardParameters."
            )
        horizon = self.horizon or tuning.HORIZON_GUESS
        best_loss = horizon / 100 if self.expected_best_loss is None else self.expected_best_loss
        return rules[self.parameters](
            self.n_experts, horizon, float(self.epsilon), float(self.delta), best_loss, self.neighbours
        )

    @property
    def components(self) -> tuple[Component, ...]:
        """See `PrivateExpertsAlgorithm`."""
        return self.derived.components(float(self.delta), self.neighbours)

    @property
    def settings(self) -> dict[str, Any]:
        """See `ExpertsAlgorithm`."""
        return self.derived.to_dict()

    def regret_bound(self, rounds: int, best_loss: float) -> float | None:
        """See `ExpertsAlgorithm` and `departures.regret_bound`."""
        return departures.regret_bound(
            self.derived, self.n_experts, rounds, best_loss, self.neighbours, self.grid.units
        )

    def _start(self, source: Source) -> DartboardLearner:
        return DartboardLearner(self, source, self.derived)


class DartboardLearner(LazyLearner):
    """A running `Dartboard`."""

    def __init__(self, algorithm: PrivateExpertsAlgorithm, source: Source, parameters: DartboardParameters) -> None:
        super().__init__(algorithm, source)
        self._neighbours = algorithm.neighbours
        self._begin(parameters, self._cumulative.copy())

    def _begin(self, parameters: DartboardParameters, origin: IntArray) -> None:
        """Start afresh with these parameters: the weights forget the cumulative losses `origin`."""
        self._parameters = parameters
        self._noise = parameters.guard_noise(self._neighbours, self._grid.units)
        self._delay = math.ceil(parameters.delay * self._grid.units)
        self._origin = origin
        self._redraws = 0
        self._rate: Fraction | None = None
        self._guard: DelayedCoin | None = None
        self._prepare_redraw()

    def _prepare_redraw(self) -> None:
        """The rate of the next redraw, and the coin that guards it.

        Both are None when no redraw is left: the choice can no longer change, and what follows is post-processing.
        """
        rate, self._rate = self._rate, self._parameters.redraws.rate(self._redraws + 1)
        if self._rate is None:
            self._guard = None
        elif self._guard is not None and self._rate is rate:
            self._guard.restart()
        else:
            self._guard = self._coin(self._rate)

    def _coin(self, rate: Fraction) -> DelayedCoin:
        coin_rate = self._parameters.coin_rate(rate, self._neighbours)
        floor = self._parameters.floor(coin_rate, self._neighbours, self._grid.units)
        return DelayedCoin(self._delay, self._noise, floor, coin_rate / self._grid.units, self._source)

    def _on_event(self, event: Event) -> None:
        if self._rate is None:
            raise AssertionError("there is no coin after the last redraw")
        self._redraws += 1
        weights = event.cumulative() - self._origin
        self._choice = exponential_mechanism(self._source, weights, self._rate, self._grid.units)
        self._prepare_redraw()

    def _observe_block(self, block: LossBlock) -> IntArray:
        """The redraws of equal rate but the last are left to machine code, where there is any."""
        redraws = self._parameters.redraws
        if type(self) is not DartboardLearner or not isinstance(redraws, EqualRates):
            return super()._observe_block(block)  # a derived learner may do more at an event
        choices = np.empty(block.rounds, dtype=np.int64)
        table = block.table(self._cumulative - self._origin)
        row, leaves = 0, True
        while leaves and self._guard is not None:
            stay = Stay(row, self._choice, redraws.cap - self._redraws - 1, self._suffered)
            found = self._guard.redraw_at_departures(table, redraws.learning_rate / self._grid.units, stay, choices)
            if found is None:
                return super()._observe_block(block)
            leaves, (row, self._choice, left, self._suffered) = found
            self._redraws = redraws.cap - 1 - left
            if leaves:
                suffered, self._suffered = self._suffered, 0
                self._on_event(Event(self._rounds + row, True, suffered, partial(self._within, block, row)))
        choices[row:] = self._choice
        self._suffered += block.loss(self._choice, row, block.rounds)
        self._cumulative += block.totals
        return choices
