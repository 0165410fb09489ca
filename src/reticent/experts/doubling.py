"""Li and Ye's Appendix A: guess the best loss, and double the guess when it was too small."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any, ClassVar

from reticent.experts import tuning
from reticent.experts.base import LARGEST_SHARE, LEAST_SHARE, PrivateExpertsAlgorithm, set_real
from reticent.experts.dartboard import DartboardLearner
from reticent.experts.lazy import Event
from reticent.experts.tuning import DartboardParameters
from reticent.mechanisms import OneSidedNoise, RunningSumAboveThreshold
from reticent.privacy import Component
from reticent.randomness import Source

__all__ = ["Doubling"]


@dataclass(frozen=True, kw_only=True)
class Doubling(PrivateExpertsAlgorithm):
    """Dartboard without a guess of the best loss: phase j runs a fresh one tuned for L_j = 2**j * L_0.

    ::

        for j = 0, 1, ..:
            run a fresh Dartboard tuned for L_j, all weights restarted, and beside it a detector:
            whenever the Dartboard redraws its expert, ask whether its own loss in this phase has reached theta_j
            (AboveThreshold again); if so, or if its V redraws are used up, phase j + 1 starts

    The detector watches the algorithm's own loss, so that one record shifts its queries by a constant and the small
    noise is enough (docs/proofs/dartboard.md). It asks only where the expert is redrawn, which is part of the
    transcript; in between the loss grows by about 1 / eta.

    Parameters
    ----------
    n_experts, epsilon, delta, horizon, relation, rounds_per_person, grid_bits
        See `PrivateExpertsAlgorithm`. Without `horizon` the tuning assumes 2**17 rounds; privacy does not.
    first_best_loss : float
        L_0 > 0, a public number.
    detector_share : float
        The share of epsilon that the detector gets, in (0, 1).
    patience : float
        theta_j is this many times L_j plus the regret bound for L_j; at least 1. A false alarm costs a phase.

    Notes
    -----
    **Guarantee.** (epsilon, delta)-DP for the sequence of choices, however many phases there are, also on adaptive
    streams: epsilon = eps_dartboard + eps_detector, because phases read disjoint rounds (docs/proofs/dartboard.md;
    several records of one person may fall into several phases, so delta and epsilon of the phases are shared among
    them: with rounds_per_person = m > 1 every phase is built for epsilon / m and delta / m of neighbours that
    differ in m rounds). Assumption: a round's losses are a function of that round's record and of public things
    only; an expert that learned from earlier private rounds voids it.

    Examples
    --------
    >>> Doubling(10, epsilon=1.0, delta=1e-6).start().choice in range(10)
    True
    """

    name: ClassVar[str] = "Doubling"

    first_best_loss: float = 64.0
    detector_share: float = 0.15
    patience: float = 2.0

    def __post_init__(self) -> None:
        super().__post_init__()
        set_real(self, "first_best_loss", 1e-9, 1e12)
        set_real(self, "detector_share", LEAST_SHARE, LARGEST_SHARE)
        set_real(self, "patience", 1, 1e6)
        self.phase(0).guard_noise(self.neighbours, self.grid.units)  # refuses what no learner could draw

    @cached_property
    def detector_epsilon(self) -> Fraction:
        """eps_detector."""
        return Fraction(self.epsilon) * Fraction(self.detector_share)

    @cached_property
    def dartboard_epsilon(self) -> float:
        """What one phase's Dartboard may cost, rounded down."""
        left = Fraction(self.epsilon) - self.detector_epsilon
        return float(left / self.rounds_per_person) * (1 - 1e-12)

    def phase(self, number: int) -> DartboardParameters:
        """The parameters of phase `number` = 0, 1, ..: a function of public numbers."""
        return _phase(self, number)

    def phase_threshold(self, number: int) -> float:
        """theta_j in losses."""
        best_loss = self.first_best_loss * 2.0**number
        return self.patience * (best_loss + tuning.typical_regret(self.phase(number), self.n_experts, best_loss))

    @property
    def components(self) -> tuple[Component, ...]:
        """See `PrivateExpertsAlgorithm`."""
        dartboard = self.dartboard_epsilon * self.rounds_per_person
        return (
            Component("Dartboard of the phase", dartboard, float(self.delta), "phases read disjoint rounds"),
            Component("detector", float(self.detector_epsilon), 0.0, "one-sided geometric noise"),
        )

    @property
    def settings(self) -> dict[str, Any]:
        """See `ExpertsAlgorithm`."""
        return {"first_best_loss": self.first_best_loss, "first_phase": self.phase(0).to_dict()}

    def _start(self, source: Source) -> _Learner:
        return _Learner(self, source)


@lru_cache(maxsize=1024)
def _phase(algorithm: Doubling, number: int) -> DartboardParameters:
    return tuning.tuned(
        algorithm.n_experts,
        algorithm.horizon or tuning.HORIZON_GUESS,
        algorithm.dartboard_epsilon,
        float(algorithm.delta) / algorithm.rounds_per_person,
        algorithm.first_best_loss * 2.0**number,
        algorithm.neighbours,
    )


class _Learner(DartboardLearner):
    def __init__(self, algorithm: Doubling, source: Source) -> None:
        super().__init__(algorithm, source, algorithm.phase(0))
        self._doubling = algorithm
        self._phase = 0
        self._interval_start = 0
        self._detector = self._new_detector()

    def _new_detector(self) -> RunningSumAboveThreshold:
        algorithm = self._doubling
        noise = OneSidedNoise(algorithm.detector_epsilon, self._neighbours.sensitivity, self._grid.units)
        threshold = math.ceil(algorithm.phase_threshold(self._phase) * self._grid.units)
        return RunningSumAboveThreshold(threshold, noise, self._source)

    def _on_event(self, event: Event) -> None:
        super()._on_event(event)
        detected = self._detector.add(event.suffered, rounds=event.rounds - self._interval_start)
        self._interval_start = event.rounds
        if detected or self._rate is None:
            self._phase += 1
            self._choice = self._source.uniform_index(self._n_experts)
            self._begin(self._doubling.phase(self._phase), event.cumulative())
            self._detector = self._new_detector()
