"""How `PointPredictor` divides its budget: what makes its bound smallest."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from reticent.errors import ParameterError

__all__ = ["PointShares", "best_point_shares"]

#: Above it Mirror takes a single switch.
_SWITCH = 0.71
#: Shaped coins need about this part of 2 pi^2 ln(1/b) / a^2.
_SHAPED = 0.75
#: The first and the last step of the search, in logarithms of shares.
_FIRST_STEP, _LAST_STEP = 0.5, 0.002
#: No part gets less.
_LEAST = 0.001


@dataclass(frozen=True)
class PointShares:
    """Parts of epsilon and of delta, each adding up to 1: for the selection, the acceptance and Mirror.

    Raises
    ------
    ParameterError
        When they are not such parts.
    """

    epsilon: tuple[float, float, float]
    delta: tuple[float, float, float]

    def __post_init__(self) -> None:
        for name in ("epsilon", "delta"):
            parts = tuple(float(part) for part in getattr(self, name))
            if len(parts) != 3 or not all(_LEAST / 2 <= part < 1 for part in parts) or abs(sum(parts) - 1) > 1e-9:
                raise ParameterError(
                    f"the shares of {name} are {parts}; give three parts above 0.001 that add up to 1."
                )
            object.__setattr__(self, name, parts)


@lru_cache(maxsize=256)
def best_point_shares(epsilon: float, delta: float, failure: float) -> PointShares:
    """The shares of the smallest K_0 + 2 x + m, by closed forms that are right to a few rounds.

    The length of Mirror's zone has two branches, a single switch above epsilon = ln 2 and independent coins; each is
    searched by steps in single coordinates. Any shares are private, so this is a matter of utility only.
    """

    def bound(logs: list[float]) -> float:
        shares = _shares(logs)
        a1, a2, a3 = (epsilon * part for part in shares.epsilon)
        b1, b2, b3 = (delta * part for part in shares.delta)
        batch = 1 - 2 / a1 * (math.log(min(b1, math.expm1(a1 / 2))) + math.log(failure))
        r = math.exp(-a2)
        noise = (math.log(2 * r + (1 - r) / b2) - math.log1p(r)) / a2
        return batch + 2 * noise + _zone(a3, b3)

    best = min((_descend(bound, [0.0, -0.4, mirror, 0.0, 0.0, 0.0]) for mirror in (0.0, 1.5)), key=bound)
    return _shares(best)


def _shares(logs: list[float]) -> PointShares:
    weights = [math.exp(x) for x in logs]
    first, second = sum(weights[:3]), sum(weights[3:])
    e, d = ([max(w / first, _LEAST) for w in weights[:3]], [max(w / second, _LEAST) for w in weights[3:]])
    return PointShares((e[0], e[1], 1 - e[0] - e[1]), (d[0], d[1], 1 - d[0] - d[1]))


def _zone(epsilon: float, delta: float) -> float:
    """About m."""
    coins = _SHAPED * 2 * math.pi**2 * -math.log(delta) / epsilon**2
    if epsilon <= _SWITCH:
        return coins
    # Weights rise from delta by the ratio r and fall by e^epsilon; they sum to 1.
    rise = math.expm1(epsilon)
    peak = 1 / (rise / (rise - 1) + 1 / rise)
    length = max(0.0, math.log(peak / delta))
    return min(coins, length / math.log(rise) + length / epsilon + 2)


def _descend(value: Callable[[list[float]], float], start: list[float]) -> list[float]:
    at, least, step = start, value(start), _FIRST_STEP
    while step > _LAST_STEP:
        trials = [[x + sign * step * (i == k) for i, x in enumerate(at)] for k in range(len(at)) for sign in (1, -1)]
        found = min(trials, key=value)
        if value(found) < least:
            at, least = found, value(found)
        else:
            step /= 2
    return at
