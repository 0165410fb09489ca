"""The algorithm that the library recommends."""

from __future__ import annotations

from reticent.experts.guarded_epochs import GuardedEpochs

__all__ = ["auto"]


def auto(
    n_experts: int,
    epsilon: float,
    delta: float = 0.0,
    horizon: int | None = None,
    *,
    relation: str = "replace-one",
    rounds_per_person: int = 1,
    grid_bits: int = 20,
) -> GuardedEpochs:
    """The recommended private algorithm: `GuardedEpochs`, for all parameters.

    The rule is public and needs neither delta nor the horizon. docs/default.md compares it with the best settings in
    hindsight over a sweep of (T, N, epsilon, delta), and says where it falls short of them.

    Parameters
    ----------
    n_experts, epsilon, delta, horizon, relation, rounds_per_person, grid_bits
        See `PrivateExpertsAlgorithm`.

    Examples
    --------
    >>> auto(100, epsilon=1.0, delta=1e-6).name
    'GuardedEpochs'
    """
    return GuardedEpochs(
        n_experts,
        epsilon,
        delta,
        horizon=horizon,
        relation=relation,
        rounds_per_person=rounds_per_person,
        grid_bits=grid_bits,
    )
