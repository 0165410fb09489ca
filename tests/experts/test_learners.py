"""What must hold for every experts algorithm beside `reticent.audit.checks`; each test says what it catches."""

from __future__ import annotations

import cases
import numpy as np
import pytest

import reticent as rt
from reticent.randomness import SeededSource

N = 4
NAMES = list(cases.every_algorithm(N))


def losses(rounds: int, seed: int = 0, n_experts: int = N) -> np.ndarray:
    generator = np.random.default_rng(seed)
    return generator.random((rounds, n_experts)) * generator.random(n_experts)


@pytest.mark.parametrize("name", NAMES)
def test_streams_of_every_number_type_make_the_same_choices(name: str) -> None:
    """Catches a second rounding: 0/1 losses are the same numbers in every type."""
    algorithm = cases.every_algorithm(N)[name]
    bits = (losses(200) > 0.3).astype(np.uint8)
    runs = [
        algorithm.start(SeededSource(3)).update_block(bits.astype(kind)).tolist()
        for kind in (np.uint8, bool, np.float32, np.float64, np.int64)
    ]
    assert all(run == runs[0] for run in runs)


@pytest.mark.parametrize("name", NAMES)
def test_a_seeded_run_says_that_it_is_not_private(name: str) -> None:
    """Catches a simulation that is reported as private."""
    algorithm = cases.every_algorithm(N)[name]
    seeded = rt.run(algorithm, losses(50), source=SeededSource(7))
    assert not seeded.private
    assert "NOT PRIVATE" in str(seeded)
    assert seeded.to_dict()["private"] is False
    secure = rt.run(algorithm, losses(50))
    assert secure.private == ("hedge" not in name or "private" in name)


@pytest.mark.parametrize("relation", ["replace-one", "add-remove"])
@pytest.mark.parametrize("rounds_per_person", [1, 3])
@pytest.mark.parametrize("delta", [0.0, 1e-6])
@pytest.mark.parametrize("epsilon", [0.3, 1.0, 3.0])
def test_the_shares_never_exceed_the_promise(
    relation: str, rounds_per_person: int, delta: float, epsilon: float
) -> None:
    """Catches an algorithm that spends more than it claims, for any relation and any person."""
    options = {"horizon": 5000, "relation": relation, "rounds_per_person": rounds_per_person}
    for algorithm in (
        rt.experts.Dartboard(20, epsilon, delta, **options),
        rt.experts.Dartboard(20, epsilon, delta, parameters="paper", **options),
        rt.experts.Dartboard(20, epsilon, delta, parameters="decaying", **options),
        rt.experts.Doubling(20, epsilon, delta, **options),
        rt.experts.SparseVectorExperts(20, epsilon, delta, **options),
        rt.experts.ShrinkingDartboard(20, epsilon, delta, **options),
        rt.experts.LazyToPrivate(20, epsilon, delta, **options),
        rt.experts.TreeFTPL(20, epsilon, delta, **options),
        rt.experts.ScheduledHedge(20, epsilon, delta, **options),
        rt.experts.PrivateHedge(20, epsilon, delta, **options),
    ):
        statement = algorithm.privacy
        assert sum(c.epsilon for c in statement.components) <= epsilon
        assert sum(c.epsilon for c in statement.components) > 0.5 * epsilon
        assert sum(c.delta for c in statement.components) <= delta
