"""One instance of every experts algorithm, for tests that hold for all of them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import reticent.experts as ex
from reticent.mechanisms import (
    DecayingRates,
    DworkRothNoise,
    EqualRates,
    GaussianNodes,
    LaplaceNodes,
    LaplaceNoise,
)


def every_algorithm(n_experts: int, **options: Any) -> dict[str, ex.ExpertsAlgorithm]:
    """Eager settings, so that short streams see many events."""
    eager = ex.DartboardParameters(Fraction(4), Fraction(4), 0.5, EqualRates(Fraction(1, 2), 12))
    blunt = ex.DartboardParameters(
        Fraction(4), Fraction(4), 0.5, DecayingRates(Fraction(1), Fraction(3, 4), 2), LaplaceNoise
    )
    textbook = ex.DartboardParameters(Fraction(9), Fraction(4), 2.0, EqualRates(Fraction(1, 2), 12), DworkRothNoise)
    shrinking = ex.ShrinkingParameters(Fraction(4), 1, EqualRates(Fraction(1, 2), 60))
    batches = ex.ShrinkingParameters(Fraction(1), 3, EqualRates(Fraction(1, 4), 60))
    lazy = ex.LazyParameters(Fraction(1), 2, EqualRates(Fraction(1, 4), 80))
    private = {"epsilon": 40.0, "delta": 1e-6, "horizon": 300, **options}
    return {
        "dartboard": ex.Dartboard(n_experts, parameters=eager, **private),
        "dartboard, decaying, Laplace": ex.Dartboard(n_experts, parameters=blunt, **private),
        "dartboard, textbook noise": ex.Dartboard(n_experts, parameters=textbook, **private),
        "doubling": ex.Doubling(n_experts, first_best_loss=0.05, patience=1.0, **private),
        "sparse vector": ex.SparseVectorExperts(n_experts, redraws=12, delay=0.5, **private),
        "shrinking dartboard": ex.ShrinkingDartboard(n_experts, parameters=shrinking, **private),
        "shrinking dartboard, batches": ex.ShrinkingDartboard(n_experts, parameters=batches, **private),
        "scheduled, geometric": ex.ScheduledHedge(n_experts, **private),
        "scheduled, every 7": ex.ScheduledHedge(n_experts, schedule=ex.EveryRounds(7), **private),
        "lazy to private": ex.LazyToPrivate(n_experts, parameters=lazy, **private),
        "tree, Gaussian": ex.TreeFTPL(n_experts, noise=GaussianNodes, **private),
        "tree, Laplace": ex.TreeFTPL(n_experts, noise=LaplaceNodes, **private),
        "private hedge": ex.PrivateHedge(n_experts, **private),
        "guarded epochs": ex.GuardedEpochs(n_experts, first_epoch=9, **private),
        "subsampled": ex.Subsampled(ex.SparseVectorExperts(n_experts, redraws=12, delay=0.5, **private), 0.75),
        "hedge": ex.Hedge(n_experts, horizon=300),
        "hedge, adaptive": ex.Hedge(n_experts),
    }
