"""Tiny Dartboards for audits: any parameters, and exactly the promise that they cost."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from typing import Any

from reticent.experts import Dartboard, DartboardParameters
from reticent.mechanisms import EqualRates, LaplaceNoise, OneSidedNoise, RedrawRates
from reticent.privacy import Neighbours

__all__ = ["BITS", "HALVES", "THREE_BITS", "dartboard", "equal"]

#: All loss vectors of two experts with losses 0 and 1; with losses 0, 1/2 and 1; of three experts with 0 and 1.
BITS = tuple(product((0.0, 1.0), repeat=2))
HALVES = tuple(product((0.0, 0.5, 1.0), repeat=2))
THREE_BITS = tuple(product((0.0, 1.0), repeat=3))


def equal(rate: float | Fraction, cap: int) -> EqualRates:
    """At most `cap` redraws at this rate."""
    return EqualRates(Fraction(rate), cap)


def dartboard(
    eps1: float,
    eps2: float,
    delay: float,
    redraws: RedrawRates,
    noise: type[OneSidedNoise] | type[LaplaceNoise] = OneSidedNoise,
    *,
    n_experts: int = 2,
    delta: float = 0.0,
    relation: str = "replace-one",
    rounds_per_person: int = 1,
    grid_bits: int = 0,
    parameters: type[DartboardParameters] = DartboardParameters,
    algorithm: type[Dartboard] = Dartboard,
) -> Dartboard:
    """A Dartboard whose promise is the price of its parameters, and not more."""
    numbers = parameters(Fraction(eps1), Fraction(eps2), delay, redraws, noise)
    options: dict[str, Any] = {"relation": relation, "rounds_per_person": rounds_per_person}
    price = numbers.epsilon(delta, Neighbours(**options))
    return algorithm(
        n_experts, math.nextafter(price, math.inf), delta, parameters=numbers, grid_bits=grid_bits, **options
    )
