"""Combine: of two predictors, follow the one that was right more often where they disagreed."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from reticent.errors import InputError, LearnerStateError
from reticent.mechanisms.arguments import check_delta, check_epsilon, check_whole
from reticent.privacy import renyi_epsilon
from reticent.randomness import Source

__all__ = ["Combine", "renyi_divergence"]

FloatArray = npt.NDArray[np.float64]

#: sup over t of t - 2 ln(1 + t^2) is 0.1293; with the 1/8 of docs/proofs/prediction-mechanisms.md, Lemma 7.
_CURVATURE = 0.255


class Combine:
    """Where u and v differ, predict u with probability (D + c1)^2 / ((D + c1)^2 + (D + c2)^2), v otherwise.

    ::

        c1, c2 = 0
        on a round with u = v: predict it
        on a round with u != v: predict u with the probability above; after the label,
            c1 += 1 if u was right,  c2 += 1 if v was right

    Parameters
    ----------
    delay : int
        D >= 1. `smallest_delay` gives the one for a budget.
    source : Source

    Notes
    -----
    **Guarantee.** Jointly (`epsilon_at` (D, delta), delta)-DP for every delta, with respect to the stream of triples
    (u, v, y) of binary labels: when the triple of one round is replaced, the predictions of all *other* rounds have
    laws this close. For streams of triples that are fixed in advance, and adaptively composed.

    **Utility.** On every fixed stream E M <= 3 min(M(U), M(V)) + 2 D.

    Rounds on which u = v draw nothing and change nothing. Source: Sanyal, Algorithm 4 and Lemma 13; for the privacy
    docs/proofs/prediction-mechanisms.md, section 5.

    >>> Combine.smallest_delay(Fraction(1, 2), Fraction(1, 2 * 10**6))  # Lemma 13 by Bernstein's inequality: 7984
    645
    """

    __slots__ = ("_pending", "_source", "_weights", "delay")

    def __init__(self, delay: int, source: Source) -> None:
        self.delay = check_whole("delay", delay)
        self._source = source
        self._weights = [delay, delay]
        self._pending: tuple[int, int] | None = None

    def predict(self, u: int, v: int) -> int:
        """The prediction of this round; its label must be told by `update` before the next.

        Parameters
        ----------
        u, v : {0, 1}
            What the two predictors say.
        """
        if self._pending is not None:
            raise LearnerStateError("predict was called twice; call update with the label of the last round first.")
        if u not in (0, 1) or v not in (0, 1):
            raise InputError(f"the predictions are {u!r} and {v!r}; Combine takes labels 0 and 1.")
        if u == v:
            chosen = u
        else:
            first, second = (weight**2 for weight in self._weights)
            chosen = u if self._source.bernoulli(Fraction(first, first + second)) else v
        self._pending = u, v
        return chosen

    def update(self, y: int) -> None:
        """The label of the round that was predicted last, 0 or 1."""
        if self._pending is None:
            raise LearnerStateError("update was called before predict; predict the round first.")
        if y not in (0, 1):
            raise InputError(f"the label is {y!r}; Combine takes labels 0 and 1.")
        (u, v), self._pending = self._pending, None
        if u != v:
            self._weights[0 if y == u else 1] += 1

    @staticmethod
    def epsilon_at(delay: int, delta: Fraction) -> float:
        """What `Combine` costs at delta, rounded up; inf where the bound says nothing."""
        return _epsilon_at(check_whole("delay", delay), check_delta(delta))

    @staticmethod
    def smallest_delay(epsilon: Fraction, delta: Fraction) -> int:
        """The least D that costs no more than (epsilon, delta)."""
        budget, delta = check_epsilon(epsilon), check_delta(delta)
        high = 1
        while _epsilon_at(high, delta) > budget:
            high *= 2
        low = high // 2
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if _epsilon_at(middle, delta) <= budget else (middle, high)
        return high


def renyi_divergence(order: FloatArray, delay: int) -> FloatArray:
    """Upper bounds at alpha = 1 + order, for all streams of triples, changed rounds and directions (Proposition 8).

    About 4 alpha / D up to alpha = D / 4; inf beyond, where no such bound holds.
    """
    alpha = 1 + order
    reach = 4 * math.log1p(1 / delay) * (alpha - 0.5)
    inside = np.minimum(reach, 1.0)
    spread = np.expm1(_CURVATURE * inside**2) * (1 + 1 / (4 * (alpha - 0.5) ** 2)) / 6
    bound: FloatArray = 4 * alpha * (1 + spread) / (delay + 0.25 - 1 / (8 * delay)) * (1 + 2.0**-44)
    return np.where(reach <= 1, bound, math.inf)


@lru_cache(maxsize=1024)
def _epsilon_at(delay: int, delta: Fraction) -> float:
    return renyi_epsilon(lambda order: renyi_divergence(order, delay), 4 / delay, float(delta) * (1 - 2.0**-50))
