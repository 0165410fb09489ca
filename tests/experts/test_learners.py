"""What must hold for every experts algorithm; each test says which mistake it would catch."""

from __future__ import annotations

import copy
import pickle
from itertools import pairwise

import cases
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reticent as rt
from reticent.randomness import RecordedSource, RecordingSource, SecureSource, SeededSource

N = 4
NAMES = list(cases.every_algorithm(N))


def losses(rounds: int, seed: int = 0, n_experts: int = N) -> np.ndarray:
    generator = np.random.default_rng(seed)
    return generator.random((rounds, n_experts)) * generator.random(n_experts)


def play_stepwise(learner: rt.experts.ExpertsLearner, stream: np.ndarray) -> list[int]:
    choices = []
    for row in stream:
        choices.append(learner.choice)
        learner.update(row)
    return choices


@pytest.mark.parametrize("name", NAMES)
@settings(deadline=None, max_examples=15)
@given(cuts=st.lists(st.integers(0, 200), max_size=6), seed=st.integers(0, 1000))
def test_step_by_step_and_any_blocks_make_the_same_choices(name: str, cuts: list[int], seed: int) -> None:
    """Catches state that a block path forgets, and randomness that depends on the block size."""
    algorithm = cases.every_algorithm(N)[name]
    stream = losses(200, seed)
    stepwise = play_stepwise(algorithm.start(SeededSource(seed)), stream)
    learner = algorithm.start(SeededSource(seed))
    edges = sorted({0, 200, *cuts})
    blocks = [learner.update_block(stream[a:b]) for a, b in pairwise(edges)]
    assert stepwise == np.concatenate(blocks).tolist()
    assert learner.rounds == 200


@pytest.mark.parametrize("name", NAMES)
def test_a_step_record_replays_in_blocks_and_back(name: str) -> None:
    """Catches decisions that are asked in another order in blocks than in steps."""
    algorithm = cases.every_algorithm(N)[name]
    stream = losses(150)
    recording = RecordingSource(SecureSource())
    stepwise = play_stepwise(algorithm.start(recording), stream)
    replay = algorithm.start(RecordedSource(recording.record))
    assert replay.update_block(stream[:61]).tolist() + replay.update_block(stream[61:]).tolist() == stepwise
    recording = RecordingSource(SecureSource())
    blockwise = algorithm.start(recording).update_block(stream).tolist()
    assert play_stepwise(algorithm.start(RecordedSource(recording.record)), stream) == blockwise


@pytest.mark.parametrize("name", NAMES)
def test_streams_of_every_number_type_make_the_same_choices(name: str) -> None:
    """Catches a second rounding: 0/1 losses are the same numbers in every type."""
    algorithm = cases.every_algorithm(N)[name]
    bits = (losses(200) > 0.3).astype(np.uint8)
    runs = [
        algorithm.start(SeededSource(3)).update_block(bits.astype(kind)).tolist()
        for kind in (np.uint8, bool, np.float32, np.float64, np.int64)
    ]
    assert all(run == runs[0] for run in runs)


@pytest.mark.parametrize("name", NAMES)
def test_reading_the_choice_draws_nothing(name: str) -> None:
    """Catches a choice that is drawn when it is read."""
    algorithm = cases.every_algorithm(N)[name]
    recording = RecordingSource(SeededSource(1))
    learner = algorithm.start(recording)
    before = copy.deepcopy(recording.record)
    assert {learner.choice for _ in range(5)} == {learner.choice}
    assert recording.record == before


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "bad",
    [
        [0.0, 0.5, 1.5, 0.0],
        [0.0, -0.1, 0.0, 0.0],
        [0.0, np.nan, 0.0, 0.0],
        [np.inf, 0, 0, 0],
        [0.0, 1.0],
        0.5,
        ["a"] * N,
    ],
    ids=["above 1", "below 0", "missing", "infinite", "too few", "scalar", "text"],
)
def test_bad_input_leaves_the_state_byte_identical(name: str, bad: object) -> None:
    """Catches a state that is changed, or randomness that is drawn, before the losses were checked."""
    learner = cases.every_algorithm(N)[name].start(SeededSource(5))
    learner.update_block(losses(30))
    before = pickle.dumps(learner)
    with pytest.raises(rt.InputError):
        learner.update(bad)
    with pytest.raises(rt.InputError):
        learner.update_block([[0.0] * N, bad] if isinstance(bad, list) and len(bad) == N else bad)
    assert pickle.dumps(learner) == before


@pytest.mark.parametrize("name", NAMES)
def test_saved_and_restored_is_uninterrupted(name: str) -> None:
    """Catches private state that does not survive pickling."""
    algorithm = cases.every_algorithm(N)[name]
    stream = losses(200)
    whole = algorithm.start(SeededSource(2)).update_block(stream).tolist()
    learner = algorithm.start(SeededSource(2))
    first = learner.update_block(stream[:90]).tolist()
    restored = pickle.loads(pickle.dumps(learner))
    assert first + restored.update_block(stream[90:]).tolist() == whole


@pytest.mark.parametrize("name", NAMES)
def test_a_choice_is_fixed_before_its_losses_are_seen(name: str) -> None:
    """Catches weights that see the current round before the release."""
    algorithm = cases.every_algorithm(N)[name]
    stream = losses(120)
    other = stream.copy()
    other[80:] = 1 - other[80:]
    a = algorithm.start(SeededSource(4)).update_block(stream)
    b = algorithm.start(SeededSource(4)).update_block(other)
    assert a[:81].tolist() == b[:81].tolist()


@pytest.mark.parametrize("name", NAMES)
def test_the_state_does_not_grow_with_the_rounds(name: str) -> None:
    """Catches a learner that keeps its stream."""
    algorithm = cases.every_algorithm(N)[name]
    learner = algorithm.start(SecureSource())
    for seed in range(30):
        learner.update_block(losses(1000, seed))
    assert len(pickle.dumps(learner)) < 10_000  # less than a byte for every three rounds


@pytest.mark.parametrize("name", NAMES)
def test_a_seeded_run_says_that_it_is_not_private(name: str) -> None:
    """Catches a simulation that is reported as private."""
    algorithm = cases.every_algorithm(N)[name]
    seeded = rt.run(algorithm, losses(50), source=SeededSource(7))
    assert not seeded.private
    assert "NOT PRIVATE" in str(seeded)
    assert seeded.to_dict()["private"] is False
    secure = rt.run(algorithm, losses(50))
    assert secure.private == ("hedge" not in name or "private" in name)


@pytest.mark.parametrize("name", NAMES)
def test_the_statement_is_known_before_any_data_and_never_changes(name: str) -> None:
    """Catches a promise that depends on the data."""
    algorithm = cases.every_algorithm(N)[name]
    before = algorithm.privacy.to_dict()
    algorithm.start(SeededSource(1)).update_block(losses(300))
    assert algorithm.privacy.to_dict() == before


@pytest.mark.parametrize("relation", ["replace-one", "add-remove"])
@pytest.mark.parametrize("rounds_per_person", [1, 3])
@pytest.mark.parametrize("delta", [0.0, 1e-6])
@pytest.mark.parametrize("epsilon", [0.3, 1.0, 3.0])
def test_the_shares_never_exceed_the_promise(
    relation: str, rounds_per_person: int, delta: float, epsilon: float
) -> None:
    """Catches an algorithm that spends more than it claims, for any relation and any person."""
    options = {"horizon": 5000, "relation": relation, "rounds_per_person": rounds_per_person}
    for algorithm in (
        rt.experts.Dartboard(20, epsilon, delta, **options),
        rt.experts.Dartboard(20, epsilon, delta, parameters="paper", **options),
        rt.experts.Dartboard(20, epsilon, delta, parameters="decaying", **options),
        rt.experts.Doubling(20, epsilon, delta, **options),
        rt.experts.SparseVectorExperts(20, epsilon, delta, **options),
        rt.experts.ScheduledHedge(20, epsilon, delta, **options),
        rt.experts.PrivateHedge(20, epsilon, delta, **options),
    ):
        statement = algorithm.privacy
        assert sum(c.epsilon for c in statement.components) <= epsilon
        assert sum(c.epsilon for c in statement.components) > 0.5 * epsilon
        assert sum(c.delta for c in statement.components) <= delta


class Interrupting(SeededSource):
    """Raises at a chosen verb, as Ctrl-C would."""

    armed = False

    def geometric_exceeds(self, gap, scale):
        if self.armed:
            raise KeyboardInterrupt
        return super().geometric_exceeds(gap, scale)

    def first_geometric_excess(self, threshold, queries, scale):
        if self.armed:
            raise KeyboardInterrupt
        return super().first_geometric_excess(threshold, queries, scale)

    def first_departure(self, rules, running, remaining, suffered):
        if self.armed:
            raise KeyboardInterrupt
        return super().first_departure(rules, running, remaining, suffered)


@pytest.mark.parametrize("block", [False, True])
@pytest.mark.parametrize("name", ["dartboard", "doubling", "sparse vector", "guarded epochs"])
def test_an_interrupted_learner_does_not_go_on(name: str, block: bool) -> None:
    """Catches a round that is learned twice after Ctrl-C, and so paid for once too little."""
    source = Interrupting(1)
    learner = cases.every_algorithm(N)[name].start(source)
    learner.update_block(losses(30))
    source.armed = True
    with pytest.raises(KeyboardInterrupt):
        learner.update_block(losses(5)) if block else learner.update(losses(1)[0])
    source.armed = False
    with pytest.raises(rt.LearnerStateError, match="start a new learner"):
        learner.update(losses(1)[0])
    with pytest.raises(rt.LearnerStateError, match="start a new learner"):
        learner.update_block(losses(5))
