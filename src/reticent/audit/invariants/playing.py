"""What the checks share: streams, runs, and how one fails."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from reticent.errors import CheckFailedError
from reticent.experts import ExpertsAlgorithm, ExpertsLearner
from reticent.randomness import simulation_generator

__all__ = ["Losses", "asked", "cuts", "in_blocks", "random_losses", "require", "selections", "step_by_step"]

Losses = npt.NDArray[np.float64]


def require(holds: object, sentence: str) -> None:
    """Fail with the sentence unless it holds."""
    if not holds:
        raise CheckFailedError(sentence)


def random_losses(algorithm: ExpertsAlgorithm, rounds: int, seed: int = 0) -> Losses:
    """Losses of experts that are good and bad in different degrees, shape (rounds, n_experts)."""
    chance = simulation_generator(seed)
    losses: Losses = chance.random((rounds, algorithm.n_experts)) * chance.random(algorithm.n_experts)
    return losses


def step_by_step(learner: ExpertsLearner, losses: Losses) -> list[int]:
    """The choice of each round, and the one after the last."""
    choices = []
    for row in losses:
        choices.append(learner.choice)
        learner.update(row)
    return [*choices, learner.choice]


def in_blocks(learner: ExpertsLearner, losses: Losses, edges: Sequence[int] = ()) -> list[int]:
    """The same, block by block: cut at these rounds."""
    choices: list[int] = []
    for start, stop in pairwise(sorted({0, len(losses), *edges})):
        choices += learner.update_block(losses[start:stop]).tolist()
    return [*choices, learner.choice]


def cuts(rounds: int, seed: int) -> list[int]:
    """Rounds at which a stream is cut: none, all, or some."""
    if seed < 2:
        return list(range(rounds)) if seed else []
    chance = simulation_generator([seed, rounds])
    return sorted(set(chance.integers(0, rounds, int(chance.integers(1, 12))).tolist()))


def asked(record: Mapping[str, Any]) -> int:
    """How many decisions a record holds."""
    return sum(entry.get("asked", len(entry["answers"])) for entry in record["decisions"])


def selections(record: Mapping[str, Any], n_experts: int) -> list[int]:
    """The experts that were drawn, uniformly or by their weights."""
    return [
        answer
        for entry in record["decisions"]
        if entry["verb"] in ("uniform_index", "softmin_index") and entry["parameters"]["n"] == str(n_experts)
        for answer in entry["answers"]
    ]
