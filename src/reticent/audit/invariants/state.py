"""Checks of what a learner keeps: saved, small, whole, and never part of the promise."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any, cast

import numpy as np

from reticent.audit.invariants.playing import in_blocks, random_losses, require
from reticent.errors import InputError, LearnerStateError
from reticent.experts import ExpertsAlgorithm, ExpertsLearner
from reticent.randomness import SecureSource, SeededSource, Source

__all__ = ["CHECKS"]


def saved_and_restored_is_uninterrupted(algorithm: ExpertsAlgorithm, rounds: int) -> None:
    """Catches private state that does not survive pickling, and a restored learner that starts afresh."""
    losses = random_losses(algorithm, rounds)
    expected = in_blocks(algorithm.start(SeededSource(2)), losses)
    for saved_at in (0, 1, rounds // 3, rounds // 2, rounds - 1):
        learner = algorithm.start(SeededSource(2))
        first = in_blocks(learner, losses[:saved_at])[:-1]
        found = first + in_blocks(pickle.loads(pickle.dumps(learner)), losses[saved_at:])
        require(found == expected, f"a learner saved and restored after round {saved_at} goes on differently.")


def the_state_does_not_grow_with_the_rounds(algorithm: ExpertsAlgorithm, rounds: int) -> None:
    """Catches a learner that keeps its stream or its choices."""
    learner = algorithm.start(SecureSource())
    sizes = []
    for block in range(32):
        learner.update_block(random_losses(algorithm, 1000, block))
        sizes.append(len(pickle.dumps(learner)))
    # A few more sums over experts (a history that fills up), and not a bit for each of the 24,000 rounds.
    allowed = 4 * (8 * algorithm.n_experts + 256) + 24_000 // 16
    grown = sizes[-1] - sizes[7]
    require(grown < allowed, f"the saved state grew by {grown:,} bytes from 8,000 to 32,000 rounds.")


def bad_input_changes_nothing(algorithm: ExpertsAlgorithm, rounds: int) -> None:
    """Catches a state that is changed, or randomness that is drawn, before the losses were checked."""
    n = algorithm.n_experts
    learner = algorithm.start(SeededSource(5))
    learner.update_block(random_losses(algorithm, min(rounds, 30)))
    before = pickle.dumps(learner)
    bad: dict[str, Any] = {name: [0.0] * (n - 1) + [loss] for name, loss in _BAD_LOSSES.items()}
    for name, row in {**bad, "one loss too many": [0.0] * (n + 1), "a single number": 0.5}.items():
        _refused(learner.update, row, f"update with {name}")
        _refused(learner.update_block, [[0.0] * n, row], f"update_block with {name}")
        require(pickle.dumps(learner) == before, f"{name} was refused, and the state changed.")


_BAD_LOSSES = {
    "a loss above 1": 1.5,
    "a loss below 0": -0.1,
    "a missing loss": np.nan,
    "an infinite loss": np.inf,
    "text": "a",
}


def _refused(call: Callable[[Any], object], losses: Any, name: str) -> None:
    try:
        call(losses)
    except InputError:
        return
    require(False, f"{name} was not refused with an InputError.")


class _Interrupting:
    """A source that raises, as Ctrl-C would, at every decision while it is armed."""

    def __init__(self) -> None:
        self._inner = SeededSource(1)
        self.armed = False

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._inner, name)
        if not callable(value):
            return value

        def decide(*arguments: Any) -> Any:
            if self.armed:
                raise KeyboardInterrupt
            return value(*arguments)

        return decide


def an_interrupted_learner_does_not_go_on(algorithm: ExpertsAlgorithm, rounds: int) -> None:
    """Catches a round that is learned twice after Ctrl-C, and so paid for once too little."""
    losses = random_losses(algorithm, rounds)
    for steps in (True, False):
        source = _Interrupting()
        learner = algorithm.start(cast(Source, source))
        learner.update_block(losses[: rounds // 2])
        source.armed = True
        try:
            if steps:
                for row in losses[rounds // 2 :]:
                    learner.update(row)
            else:
                learner.update_block(losses[rounds // 2 :])
        except KeyboardInterrupt:
            source.armed = False
            _stopped(learner.update, losses[0])
            _stopped(learner.update_block, losses)


def _stopped(call: Callable[[Any], object], losses: Any) -> None:
    try:
        call(losses)
    except LearnerStateError:
        return
    require(False, "a learner went on after an interrupted update; it must raise LearnerStateError.")


def the_statement_does_not_depend_on_the_data(algorithm: ExpertsAlgorithm, rounds: int) -> None:
    """Catches a promise that changes with the records, and a simulation that is reported as private."""
    before = algorithm.privacy.to_dict()
    for seed in (1, 2):
        source = SeededSource(seed)
        learner: ExpertsLearner = algorithm.start(source)
        promised = algorithm.privacy.with_noise(source.description, private=False)
        for block in np.array_split(random_losses(algorithm, rounds, seed), 5):
            require(learner.privacy == promised, "the learner's statement is not the algorithm's.")
            learner.update_block(block)
        require(learner.privacy == promised, "the learner's statement changed with the data.")
        require(not learner.privacy.private, "a seeded learner calls itself private.")
        require(algorithm.privacy.to_dict() == before, "the algorithm's statement changed with the data.")


CHECKS = (
    saved_and_restored_is_uninterrupted,
    the_state_does_not_grow_with_the_rounds,
    bad_input_changes_nothing,
    an_interrupted_learner_does_not_go_on,
    the_statement_does_not_depend_on_the_data,
)
