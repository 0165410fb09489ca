"""The synthetic families are what their descriptions say."""

from __future__ import annotations

import math

import numpy as np
import pytest

from reticent.adversaries import FAMILIES, elimination, iid, leaders, near_ties

T, N = 20_000, 20


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("rate", [0.0, 0.01, 0.1])
def test_the_best_expert_has_the_stated_rate(family: str, rate: float) -> None:
    """Catches a shuffled order that loses the best expert, and another rate."""
    losses = FAMILIES[family](T, N, rate, seed=3)
    assert losses.shape == (T, N)
    assert losses.dtype == np.uint8
    late = losses[3 * T // 4 :].mean(axis=0)
    assert abs(late.min() - rate) < 5 * math.sqrt(0.25 / (T / 4)) or family == "near-ties"


@pytest.mark.parametrize("family", FAMILIES)
def test_a_seed_makes_the_same_stream_and_another_seed_another(family: str) -> None:
    """Catches a generator that is not seeded, and an order that never changes."""
    make = FAMILIES[family]
    assert (make(500, 8, 0.01, 5) == make(500, 8, 0.01, 5)).all()
    assert (make(500, 8, 0.01, 5) != make(500, 8, 0.01, 6)).any()


def test_rates_of_iid_lie_between_a_fifth_and_a_half() -> None:
    """Catches rates outside the stated range."""
    rates = np.sort(iid(T, N, 0.0, 1).mean(axis=0))
    assert rates[0] == 0
    assert (rates[1:] > 0.18).all()
    assert (rates[1:] < 0.52).all()


def test_the_leader_changes_five_times() -> None:
    """Catches leaders that do not fall, or that fall together."""
    losses = leaders(T, N, 0.0, 1)
    spotless = [int((losses[: g * T // 20].sum(axis=0) == 0).sum()) for g in range(1, 6)]
    assert spotless == [6, 5, 4, 3, 2]
    assert (losses[T // 4 :].sum(axis=0) == 0).sum() == 1


def test_experts_are_eliminated_one_after_another() -> None:
    """Catches an elimination that is not spread over the first half."""
    losses = elimination(T, N, 0.0, 1)
    alive = [int((losses[: j * T // (2 * N)].sum(axis=0) == 0).sum()) for j in range(1, N + 1)]
    assert alive == list(range(N, 0, -1))


def test_nine_experts_nearly_tie() -> None:
    """Catches a gap of another size."""
    rates = np.sort(near_ties(200_000, N, 0.1, 1).mean(axis=0))
    gap = 2 * math.sqrt(math.log(N) / 200_000)
    assert rates[1:10] - rates[0] == pytest.approx(gap, abs=4e-3)
    assert (rates[10:] > 0.49).all()
