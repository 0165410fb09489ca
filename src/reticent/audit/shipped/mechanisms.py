"""The mechanisms, on all pairs of short inputs."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from reticent.audit.mechanisms import exact_mechanism
from reticent.audit.result import ExactAudit
from reticent.audit.shipped.row import ShippedAudit
from reticent.mechanisms import (
    AboveThreshold,
    DelayedCoin,
    DworkRothNoise,
    EqualRates,
    LaplaceNoise,
    OneSidedNoise,
    RunningSumAboveThreshold,
    exponential_mechanism,
)
from reticent.privacy import Neighbours
from reticent.randomness import Source

__all__ = ["mechanism_audits"]

#: A short sequence of queries, or of losses in grid units.
_Numbers = tuple[int, ...]

#: The losses of three experts in two rounds.
_Stream = tuple[_Numbers, _Numbers]

_ONE = Fraction(1)

#: By the name of the setting.
_NOISES: dict[str, type[OneSidedNoise] | type[LaplaceNoise]] = {
    "one-sided noise": OneSidedNoise,
    "Laplace noise": LaplaceNoise,
    "textbook noise": DworkRothNoise,
}


def mechanism_audits(relation: str) -> Iterator[ShippedAudit]:
    """All of them in one relation."""
    neighbours = Neighbours(relation)
    yield ShippedAudit(
        "above-threshold",
        "AboveThreshold",
        "any queries",
        relation,
        partial(_audit_pairs, _first_above, _close_queries, relation, 1.0),
    )
    for setting, noise in _NOISES.items():
        yield ShippedAudit(
            "running-sum",
            "RunningSumAboveThreshold",
            setting,
            relation,
            partial(_audit_pairs, partial(_running_sum, noise(_ONE, 1, 2)), _replaced_losses, relation, 1.0),
        )
    for setting, kind in (("one-sided noise", OneSidedNoise), ("Laplace noise", LaplaceNoise)):
        yield ShippedAudit(
            "delayed-coin",
            "DelayedCoin",
            setting,
            relation,
            partial(_audit_pairs, partial(_delayed_coin, kind(_ONE, 1, 2)), _replaced_losses, relation, 1.0 + 0.5),
        )
    rates = EqualRates(Fraction(1, 2), 1)
    yield ShippedAudit(
        "exponential",
        "exponential mechanism",
        "one draw",
        relation,
        partial(_audit_pairs, partial(_draws, rates), _replaced_rounds, relation, rates.epsilon(0.0, neighbours)),
    )
    rates = EqualRates(Fraction(1, 2), 4)
    price = rates.epsilon(0.05, neighbours)
    yield ShippedAudit(
        "exponential",
        "exponential mechanism",
        "four draws, delta",
        relation,
        partial(_audit_pairs, partial(_draws, rates), _replaced_rounds, relation, price, 0.05),
    )


def _audit_pairs(run: Any, pairs: Any, relation: str, epsilon: float, delta: float = 0.0) -> ExactAudit:
    return exact_mechanism(run, pairs(relation), epsilon, delta)


def _first_above(queries: _Numbers, source: Source) -> tuple[bool, ...]:
    instance = AboveThreshold(1, DworkRothNoise(_ONE, 1, 1), source)
    answers: list[bool] = []
    for query in queries:
        answers.append(instance.is_above(query))
        if answers[-1]:
            break
    return tuple(answers)


def _close_queries(relation: str) -> Iterator[tuple[_Numbers, _Numbers]]:
    """Each query changes by at most 1; when a record is removed, none of them grows."""
    steps = (0, 1) if relation == "add-remove" else (-1, 0, 1)
    for queries, changes in product(product(range(2), repeat=3), product(steps, repeat=3)):
        yield queries, tuple(query + change for query, change in zip(queries, changes, strict=True))


def _running_sum(noise: OneSidedNoise | LaplaceNoise, losses: _Numbers, source: Source) -> tuple[bool, ...]:
    """A fresh instance after each answer "above", as the algorithms have it."""
    instance = RunningSumAboveThreshold(6, noise, source)
    answers = []
    for loss in losses:
        answers.append(instance.add(loss))
        if answers[-1]:
            instance = RunningSumAboveThreshold(6, noise, source)
    return tuple(answers)


def _delayed_coin(noise: OneSidedNoise | LaplaceNoise, losses: _Numbers, source: Source) -> tuple[bool, ...]:
    """What a coin of rate 1/4 a loss answers, with the floor for eps2 = 1/2 and a delay of three half losses."""
    units = noise.units
    floor = math.ceil(4 * units * math.log1p(-math.expm1(-0.25) / math.expm1(0.5)))
    coin = DelayedCoin(3, noise, floor, Fraction(1, 4) / units, source)
    answers = []
    for loss in losses:
        answers.append(coin.add(loss))
        if answers[-1]:
            coin.restart()
    return tuple(answers)


def _replaced_losses(relation: str) -> Iterator[tuple[_Numbers, _Numbers]]:
    """Losses 0, 1/2 and 1 on a grid of halves; one of them is replaced, by 0 when a record is removed."""
    for losses, place, loss in product(product(range(3), repeat=4), range(4), range(3)):
        if relation == "replace-one" or loss == 0:
            yield losses, (*losses[:place], loss, *losses[place + 1 :])


def _draws(rates: EqualRates, stream: _Stream, source: Source) -> _Numbers:
    losses = np.sum(np.array(stream, dtype=np.int64), axis=0)
    return tuple(exponential_mechanism(source, losses, rates.learning_rate, 1) for _ in range(rates.cap))


def _replaced_rounds(relation: str) -> Iterator[tuple[_Stream, _Stream]]:
    vectors = list(product((0, 1), repeat=3))
    for first, second, other in product(vectors, repeat=3):
        if relation == "replace-one" or not any(other):
            yield (first, second), (first, other)
