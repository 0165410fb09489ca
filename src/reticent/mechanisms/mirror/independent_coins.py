"""Mirror with an independent coin on each round of its zone: any chances, certified by numbers."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from reticent.errors import ParameterError
from reticent.mechanisms.arguments import check_epsilon, check_whole
from reticent.privacy import coins_delta, renyi_coins_delta
from reticent.randomness import Source

__all__ = ["IndependentCoins", "coins_shift_delta", "shift_delta"]

FloatArray = npt.NDArray[np.float64]

#: Of more coins the Renyi divergences are added up, which takes a sixth more of them.
_MOST_CONVOLVED = 3000


def shift_delta(chances: tuple[Fraction, ...], epsilon: Fraction, mirrors: int = 1) -> tuple[float, float]:
    """What independent coins of these chances need as delta, when there is one more active round and one less.

    A round that becomes active moves all later coins by one place. If it comes before all of them, the coins
    q_1, .., q_m, 1 are compared with 0, q_1, .., q_m; if it comes later, with fewer of these pairs. All of this as
    often as there are Mirrors.
    """
    now = np.array([q.numerator / q.denominator for q in chances])
    later = np.array([(q.denominator - q.numerator) / q.denominator for q in chances])
    return coins_shift_delta(now, later, epsilon, mirrors)


def coins_shift_delta(now: FloatArray, later: FloatArray, epsilon: Fraction, mirrors: int = 1) -> tuple[float, float]:
    """As `shift_delta`, for the chances of "now" and "not yet" as doubles, each the nearest or next to it."""
    p, not_p = np.tile([*now, 1.0], mirrors), np.tile([*later, 0.0], mirrors)
    q, not_q = np.tile([0.0, *now], mirrors), np.tile([1.0, *later], mirrors)
    account = coins_delta if len(p) <= _MOST_CONVOLVED else renyi_coins_delta
    forward = account(p, not_p, q, not_q, float(epsilon))
    if np.array_equal(now, later[::-1]):  # the other direction has the same coins, from the other end
        return forward, forward
    return forward, account(q, not_q, p, not_p, float(epsilon))


@dataclass(frozen=True)
class IndependentCoins:
    """On round n of the zone Mirror says "now" with probability q_n, independently of all other rounds.

    Parameters
    ----------
    chances : tuple of Fraction
        q_1, .., q_m, each strictly between 0 and 1.
    epsilon : Fraction
        > 0.
    mirrors : int
        For how many Mirrors epsilon and delta are the price together, when they are chained as in Sanyal's Lemma 12.

    Attributes
    ----------
    delta : Fraction
        Upper bound on the exact delta at epsilon, about 1 % above it.

    Raises
    ------
    ParameterError
        When a chance is not inside (0, 1).

    Notes
    -----
    **Guarantee.** With them `Mirror` is jointly (epsilon, delta)-DP on streams fixed in advance, whatever the
    chances: delta is computed from them, for every place of the changed round and in both directions
    (docs/proofs/prediction-mechanisms.md, sections 1 and 3).

    >>> coins = IndependentCoins(tuple(Fraction(n, 20) for n in range(1, 20)), Fraction(1))
    >>> 0.05 < coins.delta < 0.07  # the first coin alone costs 1/20
    True
    """

    chances: tuple[Fraction, ...]
    epsilon: Fraction
    mirrors: int = 1
    delta: Fraction = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "chances", tuple(map(Fraction, self.chances)))
        object.__setattr__(self, "epsilon", check_epsilon(self.epsilon))
        check_whole("mirrors", self.mirrors)
        for n, chance in enumerate(self.chances, 1):
            if not 0 < chance < 1:
                raise ParameterError(f"chance {n} of Mirror is {chance}; give a Fraction strictly between 0 and 1.")
        object.__setattr__(self, "delta", Fraction(max(shift_delta(self.chances, self.epsilon, self.mirrors))))

    @property
    def rounds(self) -> int:
        """See `MirrorSchedule`."""
        return len(self.chances)

    def says_now(self, n: int, before: bool, source: Source) -> bool:
        """See `MirrorSchedule`."""
        return source.bernoulli(self.chances[n - 1])
