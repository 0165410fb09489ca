"""The exponential mechanism over experts, and public rates for a sequence of its draws."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from numbers import Rational
from typing import Protocol

from reticent.errors import ParameterError
from reticent.privacy import Neighbours, calibrate_range, compose, zcdp_epsilon, zcdp_rho
from reticent.randomness import IntArray, Source

__all__ = ["DecayingRates", "EqualRates", "RedrawRates", "exponential_mechanism"]

#: Learning rates are multiples of 2**-_RATE_BITS.
_RATE_BITS = 40


def exponential_mechanism(source: Source, losses: IntArray, rate: Fraction, units: int) -> int:
    """Draw expert i with probability proportional to exp(-rate * losses[i] / units).

    Parameters
    ----------
    source : Source
    losses : int64 array of shape (n_experts,)
        Cumulative losses in grid units.
    rate : Fraction
        The learning rate, per unit loss.
    units : int
        Grid units in a loss of 1.

    Notes
    -----
    **Guarantee.** When a differing input moves the cumulative losses by amounts whose largest and smallest differ
    by at most a (in losses), the draw has bounded range rate * a; so it is (rate * a)-DP and
    (rate * a)**2 / 8-zCDP, also when the rate was chosen from earlier releases (McSherry and Talwar 2007; Cesar and
    Rogers 2021). `reticent.privacy.Neighbours.score_range` gives a.
    """
    return source.softmin_index(losses, rate / units)


class RedrawRates(Protocol):
    """Public learning rates of the first, second, .. redraw of a run; their price is bounded on every path."""

    def rate(self, draw: int) -> Fraction | None:
        """The rate of redraw number `draw` = 1, 2, ..; None when the budget allows no such redraw."""

    def epsilon(self, delta: float, neighbours: Neighbours) -> float:
        """The epsilon at which all redraws of a run, however many happen, are (epsilon, delta)-DP together."""


@dataclass(frozen=True)
class EqualRates:
    """At most `cap` redraws, all with the same rate.

    Parameters
    ----------
    learning_rate : Fraction
    cap : int
        V of Li and Ye's Algorithm 1.
    """

    learning_rate: Fraction
    cap: int

    def __post_init__(self) -> None:
        _check_rate(self.learning_rate)
        if isinstance(self.cap, bool) or not isinstance(self.cap, int) or self.cap < 0 or self.learning_rate <= 0:
            raise ParameterError(
                f"{self.cap} redraws at rate {float(self.learning_rate):g}: give a whole number from 0 on, "
                "and a rate above 0."
            )

    @classmethod
    def calibrated(cls, cap: int, epsilon: float, delta: float, neighbours: Neighbours) -> EqualRates:
        """`cap` redraws at the largest rate that costs no more than (epsilon, delta)."""
        rate = _round_down(calibrate_range(cap, epsilon, delta) / neighbours.score_range)
        if rate == 0:
            raise ParameterError(f"epsilon {epsilon:.3g} is too little for {cap} redraws; give a larger epsilon.")
        return cls(rate, cap)

    def rate(self, draw: int) -> Fraction | None:
        """See `RedrawRates`."""
        return self.learning_rate if draw <= self.cap else None

    def __str__(self) -> str:
        return f"at most {self.cap} draws at learning rate {float(self.learning_rate):.4g}"

    def epsilon(self, delta: float, neighbours: Neighbours) -> float:
        """Comp_delta(cap, learning_rate * score range)."""
        return compose(self.cap, self.learning_rate * neighbours.score_range, delta)


@dataclass(frozen=True)
class DecayingRates:
    """Unlimited redraws; the j-th has the rate first * ((1 + offset) / (j + offset))**power.

    Early draws are sharp, late ones blunt, and the sum of the prices is finite: no cap is needed.

    Parameters
    ----------
    first : Fraction
        The rate of the first redraw.
    power : Fraction
        Above 1/2, so that the zCDP prices add up; above 1 when delta = 0 shall be possible.
    offset : int
        How long the rates stay near the first, >= 0.

    Notes
    -----
    **Guarantee.** (`epsilon(delta, ..)`, delta)-DP on every path, however many redraws happen and whatever decides
    when: the j-th has bounded range r_j = rate_j * score range, hence costs at most r_j**2 / 8 in zCDP, and the sum
    over all j is finite (docs/proofs/dartboard.md). For delta = 0 the ranges themselves add up.
    """

    first: Fraction
    power: Fraction
    offset: int = 0

    def __post_init__(self) -> None:
        _check_rate(self.first)
        _check_rate(self.power)
        if self.first <= 0 or self.power <= Fraction(1, 2) or self.offset < 0:
            raise ParameterError(
                f"decaying rates need first > 0, power > 1/2 and offset >= 0; got {float(self.first):g}, "
                f"{float(self.power):g} and {self.offset}."
            )

    @classmethod
    def calibrated(
        cls, power: Fraction, offset: int, epsilon: float, delta: float, neighbours: Neighbours
    ) -> DecayingRates:
        """The largest rates of this shape that cost no more than (epsilon, delta)."""
        if delta == 0:
            first = epsilon / (neighbours.score_range * _tail_sum(float(power), offset))
        else:
            rho = float(zcdp_rho(epsilon, delta))
            first = math.sqrt(8 * rho / _tail_sum(2 * float(power), offset)) / neighbours.score_range
        # The margin is far above the rounding of the lines above, and costs one part in 10**12.
        return cls(_round_down(Fraction(first * (1 - 1e-12))), power, offset)

    def __str__(self) -> str:
        offset = f" + {self.offset}" if self.offset else ""
        return f"learning rate {float(self.first):.4g} at first, falling like (j{offset})^-{float(self.power):.3g}"

    def rate(self, draw: int) -> Fraction | None:
        """See `RedrawRates`."""
        decay = ((1 + self.offset) / (draw + self.offset)) ** float(self.power)
        rate = _round_down(self.first * Fraction(decay * (1 - 1e-15)))
        return rate if rate > 0 else None

    def epsilon(self, delta: float, neighbours: Neighbours) -> float:
        """See `RedrawRates`."""
        first_range = _up(self.first * neighbours.score_range)
        pure = _up(first_range * _tail_sum(float(self.power), self.offset)) if self.power > 1 else math.inf
        if delta == 0:
            return pure
        rho = _up(first_range**2 * _tail_sum(2 * float(self.power), self.offset) / 8)
        return min(pure, zcdp_epsilon(rho, delta))


@lru_cache(maxsize=64)
def _tail_sum(power: float, offset: int) -> float:
    """An upper bound on the sum over j >= 1 of ((1 + offset) / (j + offset))**power, for power > 1."""
    if power <= 1:
        return math.inf
    terms = 10_000
    head = math.fsum(((1 + offset) / (j + offset)) ** power for j in range(1, terms + 1))
    # The terms fall, so the rest of the sum is below the integral from `terms` on.
    tail: float = (1 + offset) ** power * (terms + offset) ** (1 - power) / (power - 1)
    return (head + tail) * (1 + 1e-13)


def _check_rate(rate: Fraction) -> None:
    if not isinstance(rate, Rational):
        raise ParameterError(
            f"a rate is {rate!r}; give a Fraction, so that the law that runs is the law that was accounted."
        )


def _round_down(rate: Fraction) -> Fraction:
    return Fraction(math.floor(rate * (1 << _RATE_BITS)), 1 << _RATE_BITS)


def _up(value: Fraction | float) -> float:
    """The next float above: rounding never favours the attacker."""
    return math.nextafter(float(value), math.inf)
