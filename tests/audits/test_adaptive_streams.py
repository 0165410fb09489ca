"""Losses that depend on earlier choices: the promise holds for every rule, and some rules are run as they are.

`exact_streams` finds the worst of all rules from the laws of fixed streams. Here rules given by tables are run
against the learner itself, so that nothing rests on that argument.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache, partial
from itertools import product
from typing import Any

import pytest
from dartboards import BITS, dartboard, equal

from reticent.audit import exact_mechanism, exact_streams
from reticent.audit.stream_laws import Losses, StreamLaws, stream_laws
from reticent.experts import GuardedEpochs, PrivateExpertsAlgorithm
from reticent.mechanisms import DecayingRates
from reticent.randomness import Source

ROUNDS = 3
#: table[record][last choice]: the losses of a round, from its record (0 or 1) and the choice that was made before.
Table = tuple[tuple[Losses, Losses], tuple[Losses, Losses]]

TABLES: dict[str, Table] = {
    "the record decides whether the choice loses": (((0, 0), (0, 0)), ((1, 0), (0, 1))),
    "the choice or the other loses": (((1, 0), (0, 1)), ((0, 1), (1, 0))),
    "the other loses, or all": (((0, 1), (1, 0)), ((1, 1), (1, 1))),
    "only expert 0 is watched": (((1, 0), (0, 0)), ((0, 1), (0, 0))),
}

ALGORITHMS: dict[str, Any] = {
    "dartboard": dartboard(1, 0.5, 0.0, equal(2, 2)),
    "dartboard, delta": dartboard(0.25, 0.25, -60.0, equal(1, 3), delta=0.05),
    "dartboard, rates that decay": dartboard(1, 1, 1.0, DecayingRates(Fraction(2), Fraction(2))),
    "guarded epochs": GuardedEpochs(2, 6.0, guard_share=0.5, rate_share=0.05, first_epoch=8, grid_bits=0),
    "guarded epochs, an epoch ends": GuardedEpochs(
        2, 24.0, guard_share=0.2, rate_share=0.6, first_epoch=2, grid_bits=0
    ),
}


def run(
    algorithm: PrivateExpertsAlgorithm, table: Table, records: tuple[int, ...], source: Source
) -> tuple[int, ...]:
    learner = algorithm.start(source)
    choices = [learner.choice]
    for record in records:
        learner.update(table[record][learner.choice])
        choices.append(learner.choice)
    return tuple(choices)


@cache
def laws(name: str) -> StreamLaws:
    return stream_laws(ALGORITHMS[name], BITS, ROUNDS, mass=1e-16)


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("name", ALGORITHMS)
def test_adaptive_streams_keep_the_promise(name: str, table: str) -> None:
    """Catches privacy that holds only for losses fixed in advance; the worst of all rules is at least as bad."""
    algorithm = ALGORITHMS[name]
    streams = list(product((0, 1), repeat=ROUNDS))
    pairs = [(a, b) for a, b in product(streams, repeat=2) if a < b and sum(map(int.__ne__, a, b)) == 1]
    epsilon = sum(component.epsilon for component in algorithm.privacy.components)
    delta = algorithm.privacy.delta
    found = exact_mechanism(partial(run, algorithm, TABLES[table]), pairs, epsilon, delta, mass=1e-16)
    assert found.passed, str(found)
    worst = exact_streams(laws(name), algorithm.neighbours, epsilon, delta)
    assert worst.passed, str(worst)
    assert found.log_ratio <= worst.log_ratio + 1e-9
    assert found.delta_found <= worst.delta_found + 1e-12
