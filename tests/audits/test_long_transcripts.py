"""Runs of many rounds: the exact likelihood ratio of transcripts that were chosen to make it large.

It reaches what no enumeration does: a history that is full, many epochs, dozens of redraws, late phases.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from dartboards import dartboard, equal
from test_rival_audits import short_phases
from worst_transcripts import search_log_ratio

from reticent.experts import GuardedEpochs, PrivateExpertsAlgorithm, SparseVectorExperts
from reticent.mechanisms import DecayingRates, LaplaceNoise
from reticent.privacy import Neighbours

ROUNDS = 60
Stream = list[tuple[float, ...]]


def neighbours(relation: Neighbours, n_experts: int, seed: int) -> tuple[Stream, Stream]:
    """Two random streams that differ as much as they may, early or anywhere."""
    chance = np.random.default_rng(seed)
    bias = chance.random(n_experts)
    one = (chance.random((ROUNDS, n_experts)) < bias).astype(float)
    other = one.copy()
    window = 4 if seed % 2 else ROUNDS // 2
    for round_ in chance.choice(window, relation.rounds_per_person, replace=False):
        one[round_] = np.eye(n_experts)[seed % n_experts] if seed % 3 else chance.integers(0, 2, n_experts)
        other[round_] = 0.0 if relation.relation == "add-remove" else 1.0 - one[round_]
    return [tuple(row) for row in one.tolist()], [tuple(row) for row in other.tolist()]


def searches(algorithm: PrivateExpertsAlgorithm) -> Iterator[float]:
    for seed in range(4):
        one, other = neighbours(algorithm.neighbours, algorithm.n_experts, seed)
        for a, b in ((one, other), (other, one)):
            # What GuardedEpochs adds noise to when it looks at the sum.
            yield search_log_ratio(
                algorithm,
                a,
                b,
                seed,
                greed=0.8 if seed % 2 else 1.0,
                noised=lambda learner: getattr(learner, "_epoch_loss", 0),
            )


ALGORITHMS: dict[str, Any] = {
    "dartboard": lambda **k: dartboard(1, 0.5, 0.5, equal(0.25, 12), n_experts=3, **k),
    "dartboard, Laplace, halves": lambda **k: dartboard(
        1, 1, -1.0, equal(0.5, 6), LaplaceNoise, n_experts=3, grid_bits=1, **k
    ),
    "dartboard, rates that decay": lambda **k: dartboard(
        1, 1, 0.0, DecayingRates(Fraction(1), Fraction(3, 2)), n_experts=3, **k
    ),
    "doubling": lambda **k: short_phases(**k, cap=2, threshold=1.5),
    "sparse vector": lambda **k: SparseVectorExperts(3, 6.0, redraws=8, delay=0.5, grid_bits=0, **k),
    "guarded epochs": lambda **k: GuardedEpochs(3, 8.0, guard_share=0.3, rate_share=0.2, grid_bits=0, **k),
    "guarded epochs, short": lambda **k: GuardedEpochs(
        2, 4.0, guard_share=0.3, rate_share=0.3, first_epoch=2, grid_bits=0, **k
    ),
    "guarded epochs, shortest": lambda **k: GuardedEpochs(
        3, 40.0, guard_share=0.1, rate_share=0.1, first_epoch=1, grid_bits=0, **k
    ),
    "guarded epochs, as shipped": lambda **k: GuardedEpochs(3, 1.0, grid_bits=0, **k),
}


@pytest.mark.parametrize("relation", ["replace-one", "add-remove"])
@pytest.mark.parametrize("rounds_per_person", [1, 2])
@pytest.mark.parametrize("name", ALGORITHMS)
def test_no_transcript_of_a_long_run_exceeds_the_promise(name: str, relation: str, rounds_per_person: int) -> None:
    """Catches a leak that adds up over a run: a window or a phase that never forgets, a cap that slips."""
    algorithm = ALGORITHMS[name](relation=relation, rounds_per_person=rounds_per_person)
    promise = sum(component.epsilon for component in algorithm.privacy.components)
    assert max(searches(algorithm)) <= promise + 1e-9


def test_the_search_finds_transcripts_that_spend_nearly_all() -> None:
    """Catches a search that is blind."""
    algorithm = ALGORITHMS["guarded epochs, shortest"](relation="add-remove")
    assert max(searches(algorithm)) > 0.8 * float(algorithm.epsilon)
