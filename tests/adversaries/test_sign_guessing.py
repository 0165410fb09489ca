"""The adaptive adversary: what it promises about its streams, whatever is played."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticent.adversaries import SignGuessing
from reticent.errors import ParameterError
from reticent.randomness import SeededSource


@given(st.integers(1, 6), st.integers(0, 2**32), st.lists(st.integers(0, 10**6), max_size=30))
def test_some_expert_never_loses_and_what_was_played_does(columns: int, seed: int, played: list[int]) -> None:
    """Catches a last column that is retired, a column that comes back, and a loss that depends on its own choice."""
    adversary = SignGuessing(columns)
    stream = adversary.start(SeededSource(seed))
    totals = np.zeros(adversary.n_experts, dtype=np.int64)
    before = stream.losses.copy()
    for choice in (number % adversary.n_experts for number in played):
        losses = stream.losses.copy()
        assert (losses >= before).all()
        assert losses.tolist() == stream.losses.tolist()  # looking changes nothing
        totals += losses
        stream.observe(choice)
        live = stream.losses.reshape(-1, 2).sum(axis=1) == 1
        assert not live[choice // 2] or live.sum() == 1
        before = losses
    assert totals.min() == 0
    assert set(stream.spotless) == set(np.flatnonzero(stream.losses == 0).tolist())
    assert (totals[list(stream.spotless)] == 0).all()


def test_each_column_has_one_right_expert_and_the_signs_are_fair() -> None:
    """Catches signs that a learner may know in advance."""
    losses = SignGuessing(10_000).start(SeededSource(3)).losses.reshape(-1, 2)
    assert (losses.sum(axis=1) == 1).all()
    assert abs(losses[:, 0].mean() - 0.5) < 0.035  # seven standard deviations


@pytest.mark.parametrize("columns", [0, -1, 2.0, True, "a"])
def test_columns_are_a_number(columns: Any) -> None:
    """Catches an adversary without experts."""
    with pytest.raises(ParameterError, match="columns"):
        SignGuessing(columns)
