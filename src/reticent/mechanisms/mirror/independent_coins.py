"""Mirror with an independent coin on each round of its zone: any chances, certified by numbers."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from reticent.errors import ParameterError
from reticent.mechanisms.arguments import check_epsilon, check_whole
from reticent.privacy import coins_delta, renyi_coins_delta
from reticent.randomness import Source

__all__ = ["IndependentCoins", "shift_delta"]


#: Of more coins the Renyi divergences are added up, which takes a sixth more of them.
_MOST_CONVOLVED = 3000


def shift_delta(chances: tuple[Fraction, ...], epsilon: Fraction, mirrors: int = 1) -> tuple[float, float]:
    """What independent coins of these chances need as delta, when there is one more active round and one less.

    A round that becomes active moves all later coins by one place. If it comes before all of them, the coins
    q_1, .., q_m, 1 are compared with 0, q_1, .., q_m; if it comes later, with fewer of these pairs. All of this as
    often as there are Mirrors.
    """
    after, before = (*chances, Fraction(1)), (Fraction(0), *chances)
    p, not_p, q, not_q = (
        np.tile([float(x) for x in row], mirrors)
        for side in (after, before)
        for row in (side, [1 - chance for chance in side])
    )
    account = coins_delta if len(p) <= _MOST_CONVOLVED else renyi_coins_delta
    return account(p, not_p, q, not_q, float(epsilon)), account(q, not_q, p, not_p, float(epsilon))


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
