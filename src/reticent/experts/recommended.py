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

    The rule is public and simple because the sweep of docs/default.md found no setting of (T, N, epsilon, delta) for
    which another hindsight-free choice is worth a case: it needs neither delta nor the horizon.

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
