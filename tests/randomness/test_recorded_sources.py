"""Would catch a record that replays other decisions, that depends on block sizes, or that holds private numbers."""

import copy
import json
import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reticent.errors import InputError
from reticent.randomness import RecordedSource, RecordingSource, SecureSource, SeededSource

SCALE, RATE = Fraction(9, 2), Fraction(1, 3)
SCORES = np.arange(12).reshape(3, 4)


def step_by_step(source, queries):
    """A run of single decisions: gaps, and at each excess a coin, an index and a new threshold."""
    seen, threshold = [], 20 + source.geometric(SCALE)
    for t, query in enumerate(queries):
        if source.geometric_exceeds(threshold - query, SCALE):
            threshold = event(source, t, query, seen)
    return seen


def event(source, t, query, seen):
    coin = source.bernoulli_exp(Fraction(abs(int(query)), 7))
    seen.append((t, coin, source.softmin_index(SCORES[t % 3], RATE), source.uniform_index(5)))
    return 20 + source.geometric(SCALE)


def run_in_blocks(source, queries, sizes):
    seen, threshold, start = [], 20 + source.geometric(SCALE), 0
    sizes = iter(sizes)
    while start < len(queries):
        block = np.array(queries[start : start + next(sizes, len(queries))], np.int64)
        first = source.first_geometric_excess(threshold, block, SCALE)
        if first < len(block):
            threshold = event(source, start + first, block[first], seen)
            start += first + 1
        else:
            start += len(block)
    return seen


queries = st.lists(st.integers(-5, 40), min_size=1, max_size=60)
block_sizes = st.lists(st.integers(1, 30), max_size=30)


@given(queries, block_sizes, block_sizes, st.integers(0, 1000))
@settings(max_examples=60)
def test_steps_and_blocks_make_the_same_record_and_replay_each_other(queries, sizes, other_sizes, seed):
    steps, blocks = RecordingSource(SeededSource(seed)), RecordingSource(SeededSource(seed))
    expected = step_by_step(steps, queries)
    assert run_in_blocks(blocks, queries, sizes) == expected
    assert blocks.record == steps.record
    record = json.loads(json.dumps(blocks.record))
    assert step_by_step(RecordedSource(record), queries) == expected
    assert run_in_blocks(RecordedSource(record), queries, other_sizes) == expected
    with pytest.raises(InputError, match="record ends after"):
        run_in_blocks(RecordedSource(record), [*queries, *[-(10**9)] * 3], other_sizes)


def test_all_verbs_replay_in_single_and_vector_form():
    source = RecordingSource(SecureSource())
    made = [
        source.bernoulli(Fraction(1, 2)),
        source.discrete_laplaces(SCALE, 3).tolist(),
        source.discrete_laplace(SCALE),
        source.geometrics(SCALE, 2).tolist(),
        source.softmin_indices(SCORES, RATE).tolist(),
        source.discrete_laplace_exceeds(1, SCALE),
        source.first_discrete_laplace_excess(10**9, np.zeros(4, np.int64), SCALE),
        source.discrete_gaussian(SCALE),
        source.discrete_gaussians(SCALE, 3).tolist(),
    ]
    replay = RecordedSource(source.record)
    assert replay.bernoulli(Fraction(1, 2)) == made[0]
    assert [replay.discrete_laplace(SCALE) for _ in range(4)] == [*made[1], made[2]]
    assert [replay.geometric(SCALE) for _ in range(2)] == made[3]
    assert [replay.softmin_index(row, RATE) for row in SCORES] == made[4]
    assert replay.discrete_laplace_exceeds(1, SCALE) == made[5]
    assert [replay.discrete_laplace_exceeds(10**9, SCALE) for _ in range(4)] == [False] * 4
    assert made[6] == 4
    assert [*replay.discrete_gaussians(SCALE, 2), *replay.discrete_gaussians(SCALE, 2)] == [made[7], *made[8]]
    replay = RecordedSource(source.record)
    replay.bernoulli(Fraction(1, 2))
    assert replay.discrete_laplaces(SCALE, 4).tolist() == [*made[1], made[2]]
    assert replay.geometrics(SCALE, 2).tolist() == made[3]
    assert replay.softmin_indices(SCORES, RATE).tolist() == made[4]


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda s: s.uniform_index(6), "uniform_index with n = 5 and the run asks for uniform_index with n = 6"),
        (lambda s: s.bernoulli(Fraction(1, 2)), "asks for bernoulli"),
        (lambda s: s.geometric(SCALE), "asks for geometric with scale = 9/2"),
        (lambda s: s.softmin_index(np.arange(3), RATE), "softmin_index with rate = 1/3 with n = 3"),
        (lambda s: s.first_geometric_excess(1, np.zeros(3, np.int64), SCALE), "geometric_exceeds with scale = 9/2"),
    ],
)
def test_other_questions_than_recorded_are_refused_and_leave_the_replay_where_it_was(ask, sentence):
    source = RecordingSource(SeededSource(1))
    made = [source.uniform_index(5), source.uniform_index(5)]
    replay = RecordedSource(source.record)
    assert replay.uniform_index(5) == made[0]
    with pytest.raises(InputError, match=r"decision 2 of the record is .*" + sentence):
        ask(replay)
    assert replay.uniform_index(5) == made[1]


def test_a_block_that_runs_past_the_record_takes_nothing():
    source = RecordingSource(SeededSource(1))
    source.geometrics(SCALE, 3)
    replay = RecordedSource(source.record)
    with pytest.raises(InputError, match="record ends after 3 decisions"):
        replay.geometrics(SCALE, 4)
    assert len(replay.geometrics(SCALE, 3)) == 3


def test_a_record_holds_no_number_that_depends_on_the_data():
    source = RecordingSource(SeededSource(1))
    secret = 987_654_321
    source.geometric_exceeds(secret, SCALE)
    source.first_geometric_excess(secret, np.full(3, -secret), SCALE)
    source.discrete_laplace_exceeds(-secret, SCALE)
    source.bernoulli(Fraction(1, secret))
    source.bernoulli_exp(Fraction(secret, secret + 1))
    source.softmin_index(np.full(3, secret), RATE)
    assert str(secret) not in json.dumps(source.record)


def test_long_runs_of_misses_take_constant_room():
    source = RecordingSource(SeededSource(1))
    for _ in range(10):
        source.first_geometric_excess(10**6, np.zeros(1000, np.int64), SCALE)
    (entry,) = source.record["decisions"]
    assert entry["asked"] == 10_000
    assert entry["answers"] == []


def test_a_recording_is_as_private_as_its_source_and_a_replay_is_not():
    assert RecordingSource(SecureSource()).private
    assert RecordingSource(SecureSource()).description == SecureSource().description
    assert not RecordingSource(SeededSource(1)).private
    replay = RecordedSource(RecordingSource(SecureSource()).record)
    assert not replay.private
    assert "replayed" in replay.description


@pytest.mark.parametrize("save", [copy.deepcopy, lambda source: pickle.loads(pickle.dumps(source))])
def test_recordings_and_replays_can_be_saved(save):
    source = RecordingSource(SeededSource(1))
    source.uniform_index(5)
    twin = save(source)
    assert twin.uniform_index(5) == source.uniform_index(5)
    assert twin.record == source.record
    replay = RecordedSource(source.record)
    replay.uniform_index(5)
    assert save(replay).uniform_index(5) == replay.uniform_index(5)


def test_a_given_record_does_not_change_with_the_run():
    source = RecordingSource(SeededSource(1))
    source.uniform_index(5)
    record = source.record
    source.uniform_index(5)
    assert len(record["decisions"][0]["answers"]) == 1


@pytest.mark.parametrize("record", [{}, {"format": "x"}, [], None, {"format": "reticent decisions 1", "source": "s"}])
def test_what_is_no_record_is_refused(record):
    with pytest.raises(InputError, match="no record of decisions"):
        RecordedSource(record)
