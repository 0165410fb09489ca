"""Independent coins for Mirror that are as few as their privacy losses allow."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from reticent.mechanisms.mirror.independent_coins import IndependentCoins, coins_shift_delta

__all__ = ["Shape", "shaped_coins"]

FloatArray = npt.NDArray[np.float64]

#: The first coin shows "now" with this part of delta.
_FIRST = 1 / 8
#: The Renyi order that the steps are best for, in units of ln(1/delta) / epsilon; from 1 to 2 all are about as good.
_ORDER = 1.3
_ODDS, _STEPS = 257, 160
#: Where the shortest zone is looked for first, in parts of the length that Renyi divergences give.
_BRACKET = 0.8, 0.88


@dataclass(frozen=True)
class Shape:
    """How densely the log-odds of the coins lie, from the first coin to one half; beyond it is the mirror image.

    A step d from log-odds x costs R(x, d), the Renyi divergences of one order alpha of the two coins, both ways. A
    zone of least length at a given total cost has at each x the step that minimises (R(x, d) + price) / d: uniform in
    arcsin(sqrt(q)) in the middle, and of bounded log-ratios towards the ends.

    Attributes
    ----------
    odds : float64 array
        The log-odds of the first coin, .., 0.
    before : float64 array
        How many steps lie before each of them.
    """

    odds: FloatArray
    before: FloatArray

    @classmethod
    def best(cls, epsilon: float, delta: float, mirrors: int = 1) -> Shape:
        """The shape for a budget; any shape is private for enough rounds, so this is a matter of length only."""
        order = 1 + _ORDER * -math.log(delta) / epsilon
        # What the steps may cost at this order, by the tight conversion.
        budget = epsilon + (math.log(delta * (1 - _FIRST)) + math.log(order)) / (order - 1) - math.log1p(-1 / order)
        x = np.linspace(math.log(delta * _FIRST / mirrors), 0.0, _ODDS)
        d = np.geomspace(0.02, 32.0, _STEPS) / order
        costs = _divergence(x[:, None] + d, x[:, None], order) + _divergence(x[:, None], x[:, None] + d, order)
        row = np.arange(_ODDS)
        low, high = -40.0, 4.0  # of the logarithm of the price
        while high - low > 0.01:
            middle = (low + high) / 2
            column = np.argmin((costs + math.exp(middle)) / d, axis=1)
            rate = costs[row, column] / d[column]
            spent = (np.diff(x) * (rate[1:] + rate[:-1]) / 2).sum()
            low, high = (middle, high) if mirrors * spent < budget else (low, middle)
        column = np.argmin((costs + math.exp(low)) / d, axis=1)
        density = 1 / d[column]
        between = (density[1:] + density[:-1]) / 2 * np.diff(x)
        return cls(x, np.concatenate([[0.0], np.cumsum(between)]))

    @property
    def length(self) -> float:
        """About how many rounds a zone of this shape has at the budget, and a few more."""
        return 2 * float(self.before[-1]) + 1

    def lower(self, rounds: int) -> FloatArray:
        """The chances up to one half, for m = rounds; the others are one minus these."""
        places = np.arange((rounds + 1) // 2) * (2 * self.before[-1] / max(1, rounds - 1))
        chances: FloatArray = 1 / (1 + np.exp(-np.interp(places, self.before, self.odds)))
        if rounds % 2:
            chances[-1] = 0.5
        return chances

    def chances(self, rounds: int) -> tuple[Fraction, ...]:
        """q_1, .., q_m for m = rounds; exact doubles up to one half, and one minus them."""
        lower = [Fraction(q) for q in self.lower(rounds).tolist()]
        return (*lower, *(1 - q for q in reversed(lower[: rounds // 2])))


def shaped_coins(epsilon: Fraction, delta: Fraction, mirrors: int = 1) -> IndependentCoins:
    """The shortest zone of the best shape with which so many Mirrors together cost no more than (epsilon, delta)."""
    shape = Shape.best(float(epsilon), float(delta), mirrors)

    def excess(rounds: int) -> float:
        lower = shape.lower(rounds)
        now = np.concatenate([lower, 1 - lower[: rounds // 2][::-1]])
        later = np.concatenate([1 - lower, lower[: rounds // 2][::-1]])
        return math.log(max(coins_shift_delta(now, later, epsilon, mirrors))) - math.log(delta)

    # The logarithm of delta is nearly linear in the rounds: secants inside a bracket.
    low, high = (math.ceil(shape.length * part) for part in _BRACKET)
    below, above = excess(low), excess(high)
    while above > 0:
        low, below, high = high, above, 2 * high
        above = excess(high)
    while below <= 0 and low > 0:
        high, above, low = low, below, low // 2
        below = excess(low)
    while high - low > 1:
        middle = min(max(math.ceil(low + (high - low) * below / (below - above)), low + 1), high - 1)
        found = excess(middle)
        low, below, high, above = (middle, found, high, above) if found > 0 else (low, below, middle, found)
    return IndependentCoins(shape.chances(high), epsilon, mirrors)


def _divergence(x: FloatArray, y: FloatArray, order: float) -> FloatArray:
    """The Renyi divergence between coins of log-odds x and y."""
    heads = order * -np.logaddexp(0, -x) + (1 - order) * -np.logaddexp(0, -y)
    tails = order * -np.logaddexp(0, x) + (1 - order) * -np.logaddexp(0, y)
    total: FloatArray = np.logaddexp(heads, tails) / (order - 1)
    return total
