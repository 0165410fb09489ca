"""The composition game, played out: exact deltas of concrete worst cases, written apart from the library.

Before a draw of range r the adversary picks t in [0, r]; the privacy loss of the draw is t with probability
p_t = (1 - e^(t - r)) / (1 - e^-r), and t - r otherwise. Delta is the mean of (1 - e^(epsilon - loss))_+.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal, localcontext

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]


def stay_probability(t: FloatArray, r: float) -> FloatArray:
    return np.expm1(t - r) / math.expm1(-r)


def worst_delta(epsilon: float, ranges: Sequence[float], choices: int) -> float:
    """Delta against an adversary who tries `choices` values of t at each draw, in the light of all before."""
    return float(_worst(np.array([epsilon]), list(ranges), choices)[0])


def _worst(left: FloatArray, ranges: list[float], choices: int) -> FloatArray:
    if not ranges:
        return np.maximum(0.0, -np.expm1(left))
    r, rest = ranges[0], ranges[1:]
    t = np.linspace(0.0, r, choices)
    p = stay_probability(t, r)
    higher = left[..., None] - t
    value: FloatArray = (p * _worst(higher, rest, choices) + (1 - p) * _worst(higher + r, rest, choices)).max(axis=-1)
    return value


def epsilon_of_grid_adversary(
    count: int, r: float, delta: float, tried: Sequence[int], *, parts: int, reach: float
) -> float:
    """The epsilon that an adversary with t = k r / parts, k in `tried`, enforces: a lower bound on the optimum.

    All losses are then multiples of r / parts, so that the only approximation is that nothing is won beyond
    `reach`, which errs downwards too.
    """
    step = r / parts
    size = math.ceil(reach / step)
    x = step * np.arange(-size, size + 1)
    t = step * np.arange(parts + 1)
    p = stay_probability(t, r)
    value = np.maximum(0.0, -np.expm1(x))
    for _ in range(count):
        padded = np.concatenate([np.maximum(0.0, -np.expm1(x[0] - step * np.arange(parts, 0, -1))), value])
        padded = np.concatenate([padded, np.zeros(parts)])
        new = value.copy()
        for k in tried:
            low, high = padded[parts - k :][: len(x)], padded[2 * parts - k :][: len(x)]
            np.maximum(new, p[k] * low + (1 - p[k]) * high, out=new)
        value = new
    return float(x[np.flatnonzero(value > delta)[-1]])


def randomised_response_delta(epsilon: float, count: int, r: float) -> Decimal:
    """The exact delta of `count` runs of r-DP randomised response, to fifty digits."""
    with localcontext() as context:
        context.prec = 50
        e_r, e_epsilon = Decimal(r).exp(), Decimal(epsilon).exp()
        total = Decimal(0)
        for lies in range(count + 1):
            p = math.comb(count, lies) * e_r ** (count - lies) / (1 + e_r) ** count
            q = math.comb(count, lies) * e_r**lies / (1 + e_r) ** count
            total += max(Decimal(0), p - e_epsilon * q)
        return total
