"""Mirror with one switch at a random round: the shortest zone where epsilon is above ln 2."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate, pairwise

from reticent.errors import ParameterError
from reticent.mechanisms.arguments import check_delta, check_epsilon
from reticent.mechanisms.bounds import exponential_above
from reticent.randomness import Source

__all__ = ["SingleSwitch"]

#: Weights are multiples of 2^-_BITS of what the law would weigh together.
_BITS = 128
#: A longer zone is not looked for.
_MOST_ROUNDS = 2**14


@dataclass(frozen=True)
class SingleSwitch:
    """One round of the zone is drawn; from it on Mirror says "now".

    Parameters
    ----------
    weights : tuple of int
        w_1, .., w_m > 0: round n is drawn with probability p_n = w_n / sum(w).
    epsilon : Fraction
        Above ln 2.

    Attributes
    ----------
    delta : Fraction
        max(p_1, p_m), exactly what is needed.

    Raises
    ------
    ParameterError
        When p_{n+1} > (e^epsilon - 1) p_n or p_n > e^epsilon p_{n+1} for some n.

    Notes
    -----
    **Guarantee.** With it `Mirror` is jointly (epsilon, delta)-DP on streams fixed in advance, for every place of the
    changed round and in both directions: one more active round moves the switch back by one place, or hides it
    (docs/proofs/prediction-mechanisms.md, section 3).

    >>> SingleSwitch.calibrated(Fraction(1), Fraction(1, 10**6)).rounds
    38
    """

    weights: tuple[int, ...]
    epsilon: Fraction
    delta: Fraction = field(init=False)
    _left: tuple[int, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "weights", tuple(self.weights))
        object.__setattr__(self, "epsilon", check_epsilon(self.epsilon))
        if not self.weights or min(self.weights) < 1:
            raise ParameterError("weights must be whole numbers from 1 on, at least one.")
        e = 1 / exponential_above(self.epsilon)
        for n, (one, following) in enumerate(pairwise(self.weights), 1):
            if following > (e - 1) * one or one > e * following:
                raise ParameterError(
                    f"weight {n + 1} is {float(Fraction(following, one)):.10g} times weight {n}; at epsilon "
                    f"{float(self.epsilon):g} it must be from {float(1 / e):.10g} to {float(e - 1):.10g} times."
                )
        left = tuple(accumulate(reversed(self.weights)))[::-1]
        object.__setattr__(self, "_left", left)
        object.__setattr__(self, "delta", Fraction(max(self.weights[0], self.weights[-1]), left[0]))

    @classmethod
    def calibrated(cls, epsilon: Fraction, delta: Fraction) -> SingleSwitch:
        """The shortest: weights that rise by e^epsilon - 1 a round from delta, and fall by e^-epsilon to delta.

        Raises
        ------
        ParameterError
            When epsilon is too close to ln 2, or below.
        """
        epsilon, first = check_epsilon(epsilon), math.floor(check_delta(delta) * 2**_BITS)
        e = 1 / exponential_above(epsilon)
        rising, falling = [first], [first]
        while sum(map(min, rising, reversed(falling))) < 2**_BITS:
            rising.append(math.floor(rising[-1] * (e - 1)))
            falling.append(math.floor(falling[-1] * e))
            if rising[-1] <= rising[-2] or len(rising) > _MOST_ROUNDS:
                raise ParameterError(
                    f"epsilon is {float(epsilon):g}; a single switch needs more than ln 2 = 0.693.., by enough "
                    "for rounding: take independent coins."
                )
        return cls(tuple(map(min, rising, reversed(falling))), epsilon)

    @property
    def rounds(self) -> int:
        """See `MirrorSchedule`."""
        return len(self.weights)

    def says_now(self, n: int, before: bool, source: Source) -> bool:
        """See `MirrorSchedule`; the switch is decided round by round, each time given that it is not yet over."""
        return before or source.bernoulli(Fraction(self.weights[n - 1], self._left[n - 1]))
