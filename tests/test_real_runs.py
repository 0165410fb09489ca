"""The default on the real streams that come in packages, with seeded noise: the same figures on every machine."""

from __future__ import annotations

import numpy as np
import pytest

import reticent as rt
from real_streams import m3_losses, trump_losses


@pytest.mark.parametrize("losses", [m3_losses, trump_losses], ids=["M3 monthly", "TrumpApproval"])
def test_the_default_does_better_than_guessing(losses) -> None:
    """Catches a default that learns only on synthetic streams."""
    table, _ = losses()
    comparison = rt.compare([rt.experts.auto(table.shape[1], 1.0)], table, runs=20, seed=1, progress=False)
    (entry,) = comparison.entries
    assert np.mean(entry.losses) < comparison.uniform_loss


@pytest.mark.long
def test_the_flights_regret_is_an_eighth_of_private_hedge() -> None:
    """Catches a default that has lost its edge on the stream of the README."""
    losses, _ = rt.streams.flights()
    rounds, n_experts = losses.shape
    algorithms = [rt.experts.auto(n_experts, 1.0), rt.experts.PrivateHedge(n_experts, 1.0, 1e-6, horizon=rounds)]
    default, private_hedge = rt.compare(algorithms, losses, runs=3, seed=1, progress=False).entries
    assert default.mean_regret <= private_hedge.mean_regret / 8
