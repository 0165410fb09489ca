"""Hedge without privacy: the yardstick."""

from __future__ import annotations

import math
from dataclasses import KW_ONLY, dataclass, fields
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from reticent.errors import ParameterError
from reticent.experts.base import ExpertsAlgorithm, ExpertsLearner, set_real, set_whole
from reticent.experts.grid import LossBlock
from reticent.privacy import PrivacyStatement
from reticent.randomness import IntArray, Source

__all__ = ["Hedge"]

_ROWS = 1024

#: Exponents are rounded to multiples of this before the draw: no privacy hangs on them.
_EXPONENT_UNIT = Fraction(1, 1 << 20)


@dataclass(frozen=True)
class Hedge(ExpertsAlgorithm):
    """Multiplicative weights, NOT private: i_t with probability proportional to exp(-eta_t * W_i).

    Parameters
    ----------
    n_experts : int
    horizon : int, optional
        eta = sqrt(8 ln N / T), for the regret sqrt(T ln N / 2).
    expected_best_loss : float, optional
        eta = ln(1 + sqrt(2 ln N / L*)), for the regret sqrt(2 L* ln N) + ln N; not together with `horizon`.
        With neither, eta_t = sqrt(ln N / (1 + L*_{t-1})) adapts to the best loss so far.
    grid_bits : int

    Notes
    -----
    **Guarantee.** None: the choices reveal the losses. Regret: Cesa-Bianchi and Lugosi 2006, sections 2.2 and 2.4.

    Examples
    --------
    >>> print(Hedge(10).privacy)  # doctest: +ELLIPSIS
    NOT PRIVATE...
    """

    name: ClassVar[str] = "Hedge"

    n_experts: int
    _: KW_ONLY
    horizon: int | None = None
    expected_best_loss: float | None = None
    grid_bits: int = 20

    def __post_init__(self) -> None:
        set_whole(self, "n_experts")
        if self.horizon is not None and self.expected_best_loss is not None:
            raise ParameterError("Hedge takes horizon or expected_best_loss, not both; leave one out.")
        if self.horizon is not None:
            set_whole(self, "horizon")
        if self.expected_best_loss is not None:
            set_real(self, "expected_best_loss", 0, 1e18)
        _ = self.grid

    @cached_property
    def learning_rate(self) -> float | None:
        """The fixed eta, or None when it adapts."""
        log_n = math.log(max(self.n_experts, 2))
        if self.horizon is not None:
            return math.sqrt(8 * log_n / self.horizon)
        if self.expected_best_loss is not None:
            return math.log1p(math.sqrt(2 * log_n / max(self.expected_best_loss, 1e-9)))
        return None

    @property
    def privacy(self) -> PrivacyStatement:
        """See `ExpertsAlgorithm`."""
        return PrivacyStatement.none()

    @property
    def public_parameters(self) -> dict[str, Any]:
        """See `ExpertsAlgorithm`."""
        return {f.name: getattr(self, f.name) for f in fields(self)}

    @property
    def settings(self) -> dict[str, Any]:
        """See `ExpertsAlgorithm`."""
        return {"eta": self.learning_rate or "sqrt(ln N / (1 + best loss so far))"}

    def regret_bound(self, rounds: int, best_loss: float) -> float | None:
        """See `ExpertsAlgorithm`; none is stated for the adaptive rate."""
        eta, log_n = self.learning_rate, math.log(self.n_experts)
        if eta is None:
            return None
        return min(log_n / eta + eta * rounds / 8, (eta * best_loss + log_n) / -math.expm1(-eta) - best_loss)

    def _start(self, source: Source) -> _Learner:
        return _Learner(self, source)


class _Learner(ExpertsLearner):
    def __init__(self, algorithm: Hedge, source: Source) -> None:
        super().__init__(algorithm, source)
        self._fixed_rate = algorithm.learning_rate
        self._cumulative = np.zeros(self._n_experts, dtype=np.int64)

    def _exponents(self, scores: IntArray) -> IntArray:
        """-ln of the weights up to a constant, in units of _EXPONENT_UNIT, for each row of scores."""
        least = scores.min(axis=1, keepdims=True)
        losses = (scores - least) / self._grid.units
        rate: float | npt.NDArray[np.float64]
        if self._fixed_rate is not None:
            rate = self._fixed_rate
        else:
            rate = np.sqrt(math.log(max(self._n_experts, 2)) / (1 + least / self._grid.units))
        exponents: IntArray = np.rint(losses * rate / float(_EXPONENT_UNIT)).astype(np.int64)
        return exponents

    def _observe(self, losses: IntArray) -> None:
        self._cumulative += losses
        self._choice = self._source.softmin_index(self._exponents(self._cumulative[np.newaxis])[0], _EXPONENT_UNIT)

    def _observe_block(self, block: LossBlock) -> IntArray:
        choices = np.empty(block.rounds, dtype=np.int64)
        for start in range(0, block.rounds, _ROWS):
            stop = min(block.rounds, start + _ROWS)
            scores = np.cumsum(block.units(start, stop), axis=0) + self._cumulative
            drawn = self._source.softmin_indices(self._exponents(scores), _EXPONENT_UNIT)
            choices[start] = self._choice
            choices[start + 1 : stop] = drawn[:-1]
            self._choice = int(drawn[-1])
            self._cumulative = scores[-1]
        return choices
