"""Checks of what is released: when it is drawn, and what it may depend on."""

from __future__ import annotations

from reticent.audit.invariants.playing import (
    Losses,
    asked,
    cuts,
    in_blocks,
    random_losses,
    require,
    selections,
    step_by_step,
)
from reticent.experts import ExpertsAlgorithm
from reticent.randomness import RecordedSource, RecordingSource, SecureSource, SeededSource

__all__ = ["CHECKS"]


def reading_a_choice_draws_nothing(algorithm: ExpertsAlgorithm, rounds: int) -> None:
    """Catches a choice that is drawn when it is read: each look would be one more release."""
    source = RecordingSource(SeededSource(1))
    learner = algorithm.start(source)
    for round_, row in enumerate(random_losses(algorithm, min(rounds, 50))):
        before = asked(source.record)
        looks = {learner.choice for _ in range(4)}
        require(len(looks) == 1, f"round {round_}: the choice changed while it was read.")
        require(asked(source.record) == before, f"round {round_}: reading the choice drew something.")
        learner.update(row)


def one_draw_per_release(algorithm: ExpertsAlgorithm, rounds: int) -> None:
    """Catches a choice that changes without a draw (the leader so far), and the better of several draws.

    A draw that is dropped is fine, as long as the losses do not decide which: of several draws after one round the
    last is played, or the old choice is kept.
    """
    for seed in range(3):
        _one_draw_per_release(algorithm, random_losses(algorithm, rounds, seed), RecordingSource(SeededSource(seed)))


def _one_draw_per_release(algorithm: ExpertsAlgorithm, losses: Losses, source: RecordingSource) -> None:
    learner = algorithm.start(source)
    for round_, row in enumerate(losses):
        old, before, known = learner.choice, asked(source.record), len(selections(source.record, algorithm.n_experts))
        learner.update(row)
        new, drawn = learner.choice, selections(source.record, algorithm.n_experts)[known:]
        require(
            new == old or asked(source.record) > before,
            f"after round {round_} the choice changed from {old} to {new}, and nothing was drawn.",
        )
        if drawn:
            require(
                new in (old, drawn[-1]), f"after round {round_} the choice is {new}, but {drawn[-1]} was drawn last."
            )


def steps_and_blocks_of_any_size_are_the_same(algorithm: ExpertsAlgorithm, rounds: int) -> None:
    """Catches state that a block path forgets, and randomness that depends on how the data arrive."""
    for seed in range(8):
        losses, edges = random_losses(algorithm, rounds, seed), cuts(rounds, seed)
        steps, blocks = RecordingSource(SeededSource(seed)), RecordingSource(SeededSource(seed))
        one, other = algorithm.start(steps), algorithm.start(blocks)
        expected, found = step_by_step(one, losses), in_blocks(other, losses, edges)
        for round_, (i, j) in enumerate(zip(expected, found, strict=True)):
            where = f"round {round_}, blocks cut at {edges or 'no'} rounds"
            require(i == j, f"{where}: the choice is {i} step by step and {j} in blocks.")
        require(one.rounds == other.rounds == rounds, "steps and blocks count the rounds differently.")
        require(steps.record == blocks.record, f"steps, and blocks cut at {edges}, ask for different decisions.")
        # A source that is not recorded may decide many rounds at once, in machine code.
        bare, block_source = SeededSource(seed), SeededSource(seed)
        found = in_blocks(algorithm.start(block_source), losses, edges)
        same = step_by_step(algorithm.start(bare), losses) == found == expected
        require(same, f"blocks cut at {edges or 'no'} rounds make other choices when nobody records the decisions.")
        next_words = [source.uniform_index(1 << 64) for source in (bare, block_source)]
        require(next_words[0] == next_words[1], f"steps, and blocks cut at {edges}, take different random words.")


def a_record_of_steps_replays_in_blocks_and_back(algorithm: ExpertsAlgorithm, rounds: int) -> None:
    """Catches decisions that are asked in another order in blocks, and randomness past the source."""
    losses = random_losses(algorithm, rounds)
    recording = RecordingSource(SecureSource())
    expected = step_by_step(algorithm.start(recording), losses)
    replayed = in_blocks(algorithm.start(RecordedSource(recording.record)), losses, cuts(rounds, 3))
    require(replayed == expected, "a recorded run step by step, replayed in blocks, makes other choices.")
    recording = RecordingSource(SecureSource())
    expected = in_blocks(algorithm.start(recording), losses)
    replayed = step_by_step(algorithm.start(RecordedSource(recording.record)), losses)
    require(replayed == expected, "a recorded run in one block, replayed step by step, makes other choices.")


def a_choice_is_fixed_before_its_losses_are_seen(algorithm: ExpertsAlgorithm, rounds: int) -> None:
    """Catches weights that see the current round before its release."""
    losses = random_losses(algorithm, rounds)
    expected = in_blocks(algorithm.start(SeededSource(4)), losses)
    for round_ in (0, 1, rounds // 3, rounds // 2, rounds - 1):
        changed = losses.copy()
        changed[round_] = 1 - changed[round_]
        found = in_blocks(algorithm.start(SeededSource(4)), changed)
        require(
            found[: round_ + 1] == expected[: round_ + 1],
            f"the losses of round {round_} changed a choice that was made before them, at the same noise.",
        )


def later_rounds_change_no_earlier_choice(algorithm: ExpertsAlgorithm, rounds: int) -> None:
    """Catches a block that is looked at as a whole: scaled, sorted or tuned to what is still to come."""
    losses = random_losses(algorithm, rounds)
    known = rounds // 2
    expected = in_blocks(algorithm.start(SeededSource(5)), losses[:known])[:known]
    for later in (losses, losses * 0, losses * 0 + 1):
        later = later.copy()
        later[:known] = losses[:known]
        found = in_blocks(algorithm.start(SeededSource(5)), later)[:known]
        require(found == expected, f"rounds from {known} on changed a choice before them, at the same noise.")


CHECKS = (
    reading_a_choice_draws_nothing,
    one_draw_per_release,
    steps_and_blocks_of_any_size_are_the_same,
    a_record_of_steps_replays_in_blocks_and_back,
    a_choice_is_fixed_before_its_losses_are_seen,
    later_rounds_change_no_earlier_choice,
)
