"""Mirror with independent coins whose log-odds rise by equal steps: a closed form for zones of any length."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction

from reticent.errors import ParameterError
from reticent.mechanisms.arguments import check_delta, check_epsilon, check_whole
from reticent.mechanisms.bounds import exponential_below
from reticent.privacy import zcdp_rho
from reticent.randomness import Source
from reticent.randomness.bounds import tail_bounds

__all__ = ["LogisticCoins"]

#: The part of delta that pays for the two ends of the zone, where a coin becomes certain.
_ENDS = Fraction(1, 8)
#: The part that pays for chances of finitely many digits.
_ROUNDING = Fraction(1, 2**20)
_LARGEST_EPSILON = 16


@dataclass(frozen=True)
class LogisticCoins:
    """On round n of the zone Mirror says "now" with probability 1 / (1 + e^{-x_n}), x_n = -L + 2 L (n-1) / (m-1).

    Parameters
    ----------
    epsilon, delta : Fraction
        The price; m is the smallest number of rounds for which the theorem gives it.
    mirrors : int
        For how many Mirrors this is the price together, when they are chained as in Sanyal's Lemma 12.

    Attributes
    ----------
    rounds : int
        m, of the order epsilon^-2 ln(1 / delta)^2; it may be astronomical, as chances are computed when needed.

    Notes
    -----
    **Guarantee.** With them `Mirror` is jointly (epsilon, delta)-DP on streams fixed in advance
    (docs/proofs/prediction-mechanisms.md, section 3). The chances are rounded to so many binary digits that this
    costs less than 2^-20 of delta, and that is paid for.

    >>> LogisticCoins(Fraction(1), Fraction(1, 10**6)).rounds
    725
    """

    epsilon: Fraction
    delta: Fraction
    mirrors: int = 1
    rounds: int = field(init=False)
    _end: Fraction = field(init=False, repr=False)
    _digits: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        epsilon, delta = check_epsilon(self.epsilon), check_delta(self.delta)
        mirrors = check_whole("mirrors", self.mirrors)
        if epsilon > _LARGEST_EPSILON:
            raise ParameterError(f"epsilon of Mirror is {float(epsilon):g}; give at most {_LARGEST_EPSILON}.")
        both = 1 + 1 / exponential_below(epsilon)
        # L is above ln(1 / b0), so that the first coin shows "now", and the last one "not yet", with less than b0.
        end = Fraction(math.ceil(-math.log(delta * _ENDS / both / mirrors) * 2**20 + 1), 2**20)
        rho = zcdp_rho(epsilon, float(delta * (1 - _ENDS - _ROUNDING))) / mirrors
        # The step eta for which (eta / 2)(1 + eta / 4) is rho, or a little smaller.
        step = Fraction(4 * float(rho) / (math.sqrt(1 + 2 * rho) + 1) * (1 - 2.0**-40))
        rounds = 1 + math.ceil(2 * end / step)
        object.__setattr__(self, "epsilon", epsilon)
        object.__setattr__(self, "delta", delta)
        object.__setattr__(self, "rounds", rounds)
        object.__setattr__(self, "_end", end)
        object.__setattr__(self, "_digits", 2 + math.ceil(mirrors * rounds * both / (delta * _ROUNDING)).bit_length())

    def chance(self, n: int) -> Fraction:
        """q_n, n = 1, .., m, to within two units of its last digit."""
        x = self._end * (2 * Fraction(n - 1, self.rounds - 1) - 1)
        below = Fraction(tail_bounds(abs(x), abs(x), self._digits)[0], 1 << self._digits)
        return below if x < 0 else 1 - below

    def says_now(self, n: int, before: bool, source: Source) -> bool:
        """See `MirrorSchedule`."""
        return source.bernoulli(self.chance(n))
