"""Figure 1 of Sanyal 2026: mistakes of private learners of three points against delta."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from reticent.bounds.bound import Bound, Setting, Value, as_json
from reticent.bounds.learning import dss24_upper, lwy24_lower, lwy24_upper, theorem_1
from reticent.bounds.measured import Measured, measure
from reticent.errors import ParameterError
from reticent.experts.base import is_real

__all__ = ["Figure1", "Regime", "figure1", "regimes"]

UPPER = (lwy24_upper, dss24_upper)
LOWER = (lwy24_lower, theorem_1)

#: Values of delta on the horizontal axis.
_POINTS = 400


@dataclass(frozen=True)
class Regime:
    """A delta as a function of T.

    Attributes
    ----------
    name, formula : str
        In plain text, and for the picture.
    log_inverse_delta : float
        ln(1 / delta) at the figure's length.
    """

    name: str
    formula: str
    log_inverse_delta: float


def regimes(log_horizon: float) -> tuple[Regime, ...]:
    """The six of the figure, the smallest delta first; T^-a at a = 1.

    >>> [regime.name for regime in regimes(1000.0)]
    ['1 / T', 'exp(-(ln T)^(3/4))', 'exp(-(ln T)^(2/3))', '1 / ln T', '(ln T)^(-2/3)', '1/4']
    """
    t = log_horizon
    return (
        Regime("1 / T", "$T^{-1}$", t),
        Regime("exp(-(ln T)^(3/4))", r"$e^{-(\ln T)^{3/4}}$", t ** (3 / 4)),
        Regime("exp(-(ln T)^(2/3))", r"$e^{-(\ln T)^{2/3}}$", t ** (2 / 3)),
        Regime("1 / ln T", r"$(\ln T)^{-1}$", math.log(t)),
        Regime("(ln T)^(-2/3)", r"$(\ln T)^{-2/3}$", 2 / 3 * math.log(t)),
        Regime("1/4", "1/4", math.log(4)),
    )


@dataclass(frozen=True)
class Figure1:
    """The curves, the regimes and what was measured.

    Attributes
    ----------
    log_horizon, epsilon : float
    regimes : tuple of Regime
    upper, lower : tuple of Bound
    measured : tuple of Measured
        Mean mistakes of shipped algorithms; empty where none was run.
    """

    log_horizon: float
    epsilon: float
    regimes: tuple[Regime, ...]
    upper: tuple[Bound, ...]
    lower: tuple[Bound, ...]
    measured: tuple[Measured, ...] = ()

    def setting(self, log_inverse_delta: float) -> Setting:
        """The figure's setting at this delta."""
        return Setting(self.log_horizon, self.epsilon, log_inverse_delta)

    def at(self, regime: Regime) -> dict[str, Value | None]:
        """Every bound at this delta, by its name."""
        setting = self.setting(regime.log_inverse_delta)
        return {bound.name: bound(setting) for bound in (*self.upper, *self.lower)}

    @property
    def zero(self) -> float:
        """The place of delta = 0 on an axis of ln(1 / delta): no bound changes beyond it."""
        return 2 * self.log_horizon

    def axis(self) -> npt.NDArray[np.float64]:
        """Values of ln(1 / delta) from `zero` down to the last regime."""
        return np.geomspace(self.zero, self.regimes[-1].log_inverse_delta, _POINTS)

    def curve(self, bound: Bound) -> npt.NDArray[np.float64]:
        """The natural logarithm of a bound on `axis`."""
        return np.array([bound.log_value(self.setting(x)) for x in self.axis().tolist()])

    def best_upper(self) -> npt.NDArray[np.float64]:
        """The natural logarithm of the smallest upper bound on `axis`."""
        smallest: npt.NDArray[np.float64] = np.min([self.curve(bound) for bound in self.upper], axis=0)
        return smallest

    def best_lower(self) -> npt.NDArray[np.float64]:
        """The natural logarithm of the largest lower bound on `axis`."""
        largest: npt.NDArray[np.float64] = np.max([self.curve(bound) for bound in self.lower], axis=0)
        return largest

    def to_dict(self) -> dict[str, Any]:
        """The bounds in each regime and the measurements, ready for JSON."""
        return {
            "log_horizon": self.log_horizon,
            "epsilon": self.epsilon,
            "regimes": [
                {
                    "delta": regime.name,
                    "log_inverse_delta": regime.log_inverse_delta,
                    "bounds": {name: as_json(value) for name, value in self.at(regime).items()},
                }
                for regime in self.regimes
            ],
            "measured": [point.to_dict() for point in self.measured],
        }


def figure1(log_horizon: float = 1000.0, epsilon: float = 0.01, *, runs: int = 0, seed: int = 0) -> Figure1:
    """The figure's data.

    Parameters
    ----------
    log_horizon : float
        ln T, from 20 to 1e6: below, the regimes are not in their order.
    epsilon : float
        In (0, 1/100], as Theorem 1 has it.
    runs : int
        How often each shipped algorithm is played at each delta where it can be; none are by default.
    seed : int
        Of the first run: these are simulations, and not private.

    Raises
    ------
    ParameterError
        When a number is out of its range.

    Examples
    --------
    >>> figure = figure1(log_horizon=1e6)
    >>> {name: f"{value:.0f}" for name, value in figure.at(figure.regimes[3]).items()}
    {'LWY24 upper': '1000000', 'DSS24 upper': '1000000', 'LWY24 lower': '9', 'Theorem 1': '10000'}
    """
    if not is_real(log_horizon) or not 20 <= log_horizon <= 1e6:
        raise ParameterError(f"log_horizon is {log_horizon!r}; give ln T from 20 to 1e6, for the six regimes.")
    if not is_real(epsilon) or not 0 < epsilon <= 0.01:
        raise ParameterError(f"epsilon is {epsilon!r}; give at most 0.01, which Theorem 1 is about.")
    if isinstance(runs, bool) or not isinstance(runs, int) or runs < 0:
        raise ParameterError(f"runs is {runs!r}; give a whole number from 0 on.")
    all_regimes = regimes(log_horizon)
    deltas = [regime.log_inverse_delta for regime in all_regimes]
    measured = measure(log_horizon, epsilon, deltas, runs, seed) if runs else ()
    return Figure1(log_horizon, epsilon, all_regimes, UPPER, LOWER, measured)
