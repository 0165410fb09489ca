"""Checks of noise: what is drawn once is never drawn again, in no copy and no forked process."""

from __future__ import annotations

import os
import pickle
import warnings
from collections.abc import Callable
from fractions import Fraction
from hashlib import sha256

import numpy as np

from reticent.audit.invariants.playing import Losses, require
from reticent.experts import ExpertsAlgorithm, ExpertsLearner
from reticent.randomness import RecordingSource, SecureSource

__all__ = ["CHECKS"]

#: A learner with the source that keeps its decisions.
_Pair = tuple[ExpertsLearner, RecordingSource]

#: Copies that must not all agree. Two that draw a coin each agree half of the time, so many with many coins never do.
_COPIES, _FORKS, _DRAWS = 32, 16, 16

_DRAWN_VERBS = ("uniform_index", "softmin_index", "geometric", "discrete_laplace", "discrete_gaussian")

#: A block of rounds, and how many of them at most.
_ROUNDS, _MOST_BLOCKS = 64, 64


def a_pickled_learner_never_repeats_noise(algorithm: ExpertsAlgorithm, rounds: int) -> None:
    """Catches noise that was fetched ahead and is kept in the state, and a generator of the learner's own.

    Several copies of one state share the noise that decided about earlier rounds (a noisy threshold), so only one may
    go on to a release; what is drawn after the copy must be fresh in each.
    """
    learner, source = _started(algorithm)
    saved = pickle.dumps((learner, source))
    _require_fresh_noise(lambda: pickle.loads(saved), lambda play: play(), _COPIES, "restored from one pickle")


def a_forked_learner_never_repeats_noise(algorithm: ExpertsAlgorithm, rounds: int) -> None:
    """Catches a generator whose state the child of a fork shares with its parent."""
    if not hasattr(os, "fork"):
        return
    pair = _started(algorithm)
    with warnings.catch_warnings():
        # The child does a little arithmetic and ends: it takes no lock that a thread of the parent may hold.
        warnings.filterwarnings("ignore", "This process .* is multi-threaded", DeprecationWarning)
        _require_fresh_noise(lambda: pair, _in_a_fork, _FORKS, "in forks of one process")


CHECKS = (a_pickled_learner_never_repeats_noise, a_forked_learner_never_repeats_noise)


def _started(algorithm: ExpertsAlgorithm) -> _Pair:
    source = RecordingSource(SecureSource())
    learner = algorithm.start(source)
    learner.update_block(np.ones((10, algorithm.n_experts)))
    return learner, source


def _require_fresh_noise(
    copy: Callable[[], _Pair], run: Callable[[Callable[[], bytes]], bytes], copies: int, where: str
) -> None:
    blocks = _enough_blocks(*pickle.loads(pickle.dumps(copy())))
    shown = {run(lambda: _show(*copy(), blocks)) for _ in range(copies)}
    choices, decisions = ({each[part] for each in shown} for part in (_CHOICES, _DECISIONS))
    switched, drawn = (any(each[flag] for each in shown) for flag in (_SWITCHED, _DRAWN))
    require(len(choices) > 1 or not switched, f"{copies} learners {where} change their choices in the same way.")
    require(len(decisions) > 1 or not drawn, f"{copies} learners {where} all draw the same noise.")


def _enough_blocks(learner: ExpertsLearner, source: RecordingSource) -> int:
    """How many blocks see many draws, as far as there are any."""
    before = _free_draws(source)
    for block in range(1, _MOST_BLOCKS):
        learner.update_block(_block(learner))
        if _free_draws(source) >= before + _DRAWS:
            return block
    return _MOST_BLOCKS


def _block(learner: ExpertsLearner) -> Losses:
    """All experts lose 1 in every round, and so are equally good."""
    return np.ones((_ROUNDS, learner.algorithm.n_experts))


def _free_draws(source: RecordingSource) -> int:
    """Draws with more than one likely answer: of an expert, or of a noise that is wide on the grid."""
    drawn = 0
    for entry in source.record["decisions"]:
        width = max(map(Fraction, (entry["parameters"].get(name, 0) for name in ("n", "scale", "variance"))))
        if entry["verb"] in _DRAWN_VERBS and width >= 2:
            drawn += len(entry["answers"])
    return drawn


#: What a learner shows, as bytes that fit through a pipe: two digests and two flags.
_CHOICES, _DECISIONS, _SWITCHED, _DRAWN = slice(0, 32), slice(32, 64), 64, 65


def _show(learner: ExpertsLearner, source: RecordingSource, blocks: int) -> bytes:
    before = _free_draws(source)
    choices = np.concatenate([learner.update_block(_block(learner)) for _ in range(blocks)])
    switched, drawn = bool((choices != choices[0]).any()), _free_draws(source) > before
    digests = [sha256(repr(part).encode()).digest() for part in (choices.tolist(), source.record["decisions"])]
    return b"".join(digests) + bytes((switched, drawn))


def _in_a_fork(play: Callable[[], bytes]) -> bytes:
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(writing, play())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        shown = pipe.read()
    os.waitpid(child, 0)
    require(shown, "a learner failed in a forked process.")
    return shown
