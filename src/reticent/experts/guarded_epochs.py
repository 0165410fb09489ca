"""The default: private selection on disjoint intervals, which end at public times or when a guard fires."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from reticent.errors import ParameterError
from reticent.experts.base import LARGEST_SHARE, LEAST_SHARE, PrivateExpertsAlgorithm, set_real, set_whole
from reticent.experts.lazy import Event, LazyLearner
from reticent.mechanisms import OneSidedNoise, RunningSumAboveThreshold, exponential_mechanism
from reticent.privacy import Component, PrivacyStatement
from reticent.randomness import IntArray, Source

__all__ = ["GuardedEpochs"]

#: Selections that look at a round's losses: the one that ends its interval, and the next _WINDOW - 1.
_WINDOW = 16

#: The integer weights with which they do add up to at most this.
_WEIGHT = 1 << 12

#: No epoch is longer than this many grid units of loss.
_LONGEST_EPOCH_UNITS = 1 << 48


@dataclass(frozen=True, kw_only=True)
class GuardedEpochs(PrivateExpertsAlgorithm):
    """Choose among experts privately without knowing the horizon, the best loss, or whether leaders change.

    ::

        i uniform on experts; rate = q = e = 0; draw rho
        epochs end after t_0, 2 t_0, 4 t_0, .. rounds
        for t = 1..T:
            play i; see loss_t; q += loss_t[i]; e += 1; draw fresh nu
            fired = (q + nu >= tau + 1.25 rate e + rho)      # AboveThreshold with a public offset
            if t ends an epoch: rate = (own loss in the epoch + Lap(1 / eps_rate)) / its length, put into [0, 1]
            if fired or t ends an epoch:                     # the interval ends here
                push the interval's losses on the history
                i ~ proportional to exp(-sum over m < 16 of eta_m * (losses of the m-th last interval))
            if fired or t ends an epoch or e = E: q = e = 0; draw new rho      # a new watch

    A watch lasts E rounds: an eighth of the rounds before the epoch, at least t_0 / 3, and t_0 in the first epoch.
    Its threshold tau is (max(1.5, 4 - k / 2) + ln E) / eps_guard + 0.7 sqrt(rate E) in the k-th epoch, k = 0, 1, ..

    Three things make it sharp. Each interval's losses enter a fixed number of selections with fixed rates that add up
    to the whole budget, so the price does not grow with the number of selections, and a fresh interval is looked at
    with a large rate (parallel composition). The guard compares the choice with its own earlier loss rate, so that it
    fires when the choice gets worse and not because everybody loses. And all that one record can do to the guard or
    to the measured rate it does within one watch and one epoch, so each is paid for once.

    Parameters
    ----------
    n_experts, epsilon, delta, relation, rounds_per_person, grid_bits
        See `PrivateExpertsAlgorithm`. delta is not used: the run is epsilon-DP, and its statement says delta = 0.
    horizon
        Accepted for the common interface, and not used.
    guard_share, rate_share : float
        The shares of epsilon of the guard and of the measured rate; selection gets the rest.
    first_epoch : int, optional
        t_0; ceil(44 m ln(N) / epsilon) for m = rounds_per_person by default, at least 8.

    Notes
    -----
    **Guarantee.** epsilon-DP (delta = 0) for the sequence of choices, at any length, also on adaptive streams:
    epsilon = eps_guard + eps_rate + eps_selection (docs/proofs/guarded-epochs.md). Assumption: a round's losses are
    a function of that round's record and of public things only; an expert that learned from earlier private rounds
    voids it. Regret: measured (docs/default.md); proved for i.i.d. losses only (docs/proofs/regret.md, Theorem 5).

    Examples
    --------
    >>> learner = GuardedEpochs(n_experts=3, epsilon=1.0).start()
    >>> learner.choice in range(3)
    True
    """

    name: ClassVar[str] = "GuardedEpochs"

    guard_share: float = 0.25
    rate_share: float = 0.05
    first_epoch: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        set_real(self, "guard_share", LEAST_SHARE, LARGEST_SHARE)
        set_real(self, "rate_share", LEAST_SHARE, LARGEST_SHARE)
        if self.guard_share + self.rate_share > LARGEST_SHARE:
            raise ParameterError(
                f"guard_share {self.guard_share:g} and rate_share {self.rate_share:g} leave nothing to select with; "
                "give shares that add up to less than 1."
            )
        if self.first_epoch is not None:
            set_whole(self, "first_epoch")
            if self.first_epoch > self.longest_epoch:
                raise ParameterError(
                    f"first_epoch is {self.first_epoch}; on a grid of {self.grid_bits} bits give at most "
                    f"{self.longest_epoch} rounds."
                )

    @cached_property
    def guard_epsilon(self) -> Fraction:
        """The price of the guard."""
        return Fraction(self.epsilon) * Fraction(self.guard_share)

    @cached_property
    def rate_epsilon(self) -> Fraction:
        """The price of the measured loss rates."""
        return Fraction(self.epsilon) * Fraction(self.rate_share)

    @cached_property
    def selection_epsilon(self) -> Fraction:
        """The price of the selections."""
        return Fraction(self.epsilon) - self.guard_epsilon - self.rate_epsilon

    @cached_property
    def first_epoch_rounds(self) -> int:
        """t_0."""
        if self.first_epoch is not None:
            return self.first_epoch
        rounds = 44 * self.rounds_per_person * math.log(max(self.n_experts, 2)) / float(self.epsilon)
        return min(max(8, math.ceil(rounds)), self.longest_epoch)

    @cached_property
    def longest_epoch(self) -> int:
        """Epochs stop doubling at this many rounds: weighted sums of so many losses are exact in int64."""
        return _LONGEST_EPOCH_UNITS // self.grid.units

    @cached_property
    def selection_weights(self) -> IntArray:
        """The weight of the m-th last interval, by the interval's length class; shape (classes, 16).

        An interval of n rounds has class floor(log2(n / t_0)), at least 0. Short intervals are looked at with nearly
        the whole budget at once, long ones by several selections: they hold enough rounds for a small rate, and the
        regret is against the best expert over all of them. Each row adds up to at most 2**12.
        """
        age = 1.0 + np.arange(_WINDOW)
        exponents = np.maximum(1.0, 3.0 - 0.5 * np.arange(5))
        shares = age ** -exponents[:, np.newaxis]
        shares /= shares.sum(axis=1, keepdims=True)
        weights: IntArray = np.floor(_WEIGHT * shares).astype(np.int64)
        weights.setflags(write=False)
        return weights

    @cached_property
    def selection_rate(self) -> Fraction:
        """The learning rate of one unit of weight: all weights of a round together cost selection_epsilon."""
        return self.selection_epsilon / (_WEIGHT * self.neighbours.score_range)

    @property
    def components(self) -> tuple[Component, ...]:
        """See `PrivateExpertsAlgorithm`."""
        return (
            Component(
                "guard (AboveThreshold)",
                float(self.guard_epsilon),
                0.0,
                "one-sided geometric noise; a round lies in one watch",
            ),
            Component(
                "loss rates", float(self.rate_epsilon), 0.0, "discrete Laplace noise; a round lies in one epoch"
            ),
            Component(
                "selections",
                float(self.selection_epsilon),
                0.0,
                f"{_WINDOW} exponential mechanisms see a round, with rates that add up",
            ),
        )

    @cached_property
    def privacy(self) -> PrivacyStatement:
        """See `ExpertsAlgorithm`; delta is 0, whatever was allowed."""
        return replace(super().privacy, delta=0.0)

    @property
    def settings(self) -> dict[str, Any]:
        """See `ExpertsAlgorithm`."""
        full_rate = float(self.selection_rate) * _WEIGHT
        return {
            "eps_guard": float(self.guard_epsilon),
            "eps_rate": float(self.rate_epsilon),
            "eps_selection": float(self.selection_epsilon),
            "first_epoch": self.first_epoch_rounds,
            "eta": full_rate,
        }

    def _start(self, source: Source) -> _Learner:
        return _Learner(self, source)


class _Learner(LazyLearner):
    def __init__(self, algorithm: GuardedEpochs, source: Source) -> None:
        super().__init__(algorithm, source)
        sensitivity, units = algorithm.neighbours.sensitivity, self._grid.units
        self._weights = algorithm.selection_weights
        self._selection_rate = algorithm.selection_rate
        self._first_epoch, self._longest_epoch = algorithm.first_epoch_rounds, algorithm.longest_epoch
        self._guard_noise = OneSidedNoise(algorithm.guard_epsilon, sensitivity, units)
        self._guard_scale = sensitivity / float(algorithm.guard_epsilon)
        self._rate_noise_scale = units * sensitivity / algorithm.rate_epsilon
        # The newest interval first: its losses and the weights of its length class.
        self._history: deque[tuple[IntArray, IntArray]] = deque(maxlen=_WINDOW)
        self._interval_start = 0
        self._before_interval = self._cumulative.copy()
        self._epochs = 0
        self._epoch_start, self._epoch_end = 0, self._first_epoch
        self._epoch_loss = 0
        self._loss_rate = 0.0
        self._begin_watch(0)

    def _on_event(self, event: Event) -> None:
        self._epoch_loss += event.suffered
        epoch_ends = event.rounds == self._epoch_end
        if epoch_ends:
            self._measure_loss_rate(event.rounds)
        if epoch_ends or event.fired:
            self._select(event.rounds, event.cumulative())
        self._begin_watch(event.rounds)

    def _measure_loss_rate(self, rounds: int) -> None:
        noisy_loss = self._epoch_loss + self._source.discrete_laplace(self._rate_noise_scale)
        most = self._grid.units * (rounds - self._epoch_start)
        self._loss_rate = min(max(0, noisy_loss), most) / most
        self._epoch_start, self._epoch_end = rounds, rounds + min(rounds, self._longest_epoch)
        self._epochs += 1
        self._epoch_loss = 0

    def _select(self, rounds: int, cumulative: IntArray) -> None:
        length_class = ((rounds - self._interval_start) // self._first_epoch).bit_length() - 1
        weights = self._weights[min(max(length_class, 0), len(self._weights) - 1)]
        self._history.appendleft((cumulative - self._before_interval, weights))
        self._interval_start, self._before_interval = rounds, cumulative
        scores = np.zeros(self._n_experts, dtype=np.int64)
        for age, (losses, weights) in enumerate(self._history):
            # Only differences between experts matter. An interval is no longer than an epoch, so they are below
            # 2**48, and the weighted sum below 2**62.
            scores += weights[age] * (losses - losses.min())
        self._choice = exponential_mechanism(self._source, scores, self._selection_rate, self._grid.units)

    def _begin_watch(self, rounds: int) -> None:
        """A fresh AboveThreshold instance; its length E, threshold tau and offset are public.

        A short watch forgets a slow drift of everybody's losses, and long ones see less noise: E is an eighth of the
        rounds before the epoch. The first epochs end soon anyway, so there the guard need not be quick.
        """
        if self._epoch_start == 0:
            longest = self._first_epoch
        else:
            longest = max(self._first_epoch // 3, self._epoch_start // 8, 1)
        self._alarm = min(self._epoch_end, rounds + longest)
        calm = max(1.5, 4 - 0.5 * self._epochs) + math.log(longest)
        tau = calm * self._guard_scale + 0.7 * math.sqrt(self._loss_rate * longest)
        self._guard = RunningSumAboveThreshold(
            math.ceil(tau * self._grid.units),
            self._guard_noise,
            self._source,
            offset=math.ceil(1.25 * self._loss_rate * self._grid.units),
        )
