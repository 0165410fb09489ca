"""Would catch noise that repeats after a fork, a pickle or a copy, and seeds that do not reproduce."""

import copy
import json
import os
import pickle
import threading
from fractions import Fraction

import numpy as np
import pytest
from scripted_bits import ScriptedSource

from reticent.errors import ParameterError
from reticent.randomness import SecureSource, SeededSource, Source, secure, simulation_generator

WIDE = 1 << 62  # indices below it never meet twice by chance
SCALE = Fraction(1 << 50)


def noise(source):
    """From the pool, from blocks and from refinement-free decisions."""
    return [
        *(source.uniform_index(WIDE) for _ in range(5)),
        source.discrete_laplace(SCALE),
        *source.geometrics(SCALE, 3).tolist(),
    ]


def assert_nothing_repeats(*samples):
    drawn = [number for sample in samples for number in sample]
    assert len(set(drawn)) == len(drawn)


def in_a_fork(source):
    """What a forked process draws with the source."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(writing, json.dumps(noise(source)).encode())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        drawn = json.loads(pipe.read())
    os.waitpid(child, 0)
    return drawn


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_forked_processes_never_repeat_noise():
    source = SecureSource()
    source.uniform_index(WIDE)  # the pool is filled
    first, second = in_a_fork(source), in_a_fork(source)
    assert_nothing_repeats(first, second, noise(source))


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_pool_that_survives_the_fork_is_noticed(monkeypatch):
    def take_whatever_the_process(self):
        for word in self._pool:
            return word
        self._pool = iter(self.take_many(512).tolist())
        return next(self._pool)

    monkeypatch.setattr(secure._SecureBits, "take", take_whatever_the_process)
    source = SecureSource()
    source.uniform_index(WIDE)
    with pytest.raises(AssertionError):
        assert_nothing_repeats(in_a_fork(source), noise(source))


@pytest.mark.parametrize(
    "duplicate",
    [copy.copy, copy.deepcopy, lambda source: pickle.loads(pickle.dumps(source))],
    ids=["copy", "deepcopy", "pickle"],
)
def test_copies_never_repeat_noise(duplicate):
    source = SecureSource()
    source.uniform_index(WIDE)
    twin = duplicate(source)
    assert isinstance(twin, SecureSource)
    assert_nothing_repeats(noise(twin), noise(source))


def test_a_pickled_secure_source_holds_no_noise():
    source = SecureSource()
    blank = pickle.dumps(source)
    noise(source)
    assert pickle.dumps(source) == blank


def test_sources_and_threads_share_no_noise():
    source, drawn = SecureSource(), []

    def draw():
        drawn.append([source.uniform_index(WIDE) for _ in range(3000)])

    threads = [threading.Thread(target=draw) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert_nothing_repeats(*drawn, noise(SecureSource()))


def test_a_secure_source_cannot_be_seeded():
    with pytest.raises(TypeError):
        SecureSource(7)


def test_a_secure_source_decides_with_the_exact_laws(monkeypatch):
    generator = np.random.default_rng(0)
    monkeypatch.setattr(secure, "RAND_bytes", lambda count: generator.bytes(count))
    words = np.frombuffer(np.random.default_rng(0).bytes(8 * 60), np.uint64)
    ours, scripted = SecureSource(), ScriptedSource(words)
    assert np.array_equal(ours.discrete_laplaces(SCALE, 3), scripted.discrete_laplaces(SCALE, 3))


def test_only_the_secure_source_is_private():
    secure_source, seeded = SecureSource(), SeededSource(7)
    assert secure_source.private
    assert secure_source.description == "secure (operating system)"
    assert not seeded.private
    assert seeded.description == "seeded with 7"


def test_sources_have_all_verbs():
    verbs = [name for name, value in vars(Source).items() if callable(value) and not name.startswith("_")]
    assert len(verbs) == 15
    for source in (SecureSource, SeededSource):
        assert all(callable(getattr(source, verb)) for verb in verbs)


def everything(source):
    """One use of each verb, in an order that mixes single decisions and blocks."""
    scores = np.arange(12).reshape(3, 4)
    return [
        source.uniform_index(10**12),
        source.first_geometric_excess(50, np.arange(40), Fraction(9)),
        source.geometric(Fraction(2**20, 3)),
        source.geometric_exceeds(3, Fraction(9)),
        source.discrete_laplaces(Fraction(5), 4).tolist(),
        source.softmin_index(scores[1], Fraction(1, 3)),
        source.bernoulli_exp(Fraction(3, 7)),
        source.first_discrete_laplace_excess(20, np.arange(40), Fraction(9)),
        source.discrete_laplace(Fraction(5)),
        source.bernoulli(Fraction(1, 3)),
        source.geometrics(Fraction(1, 5), 7).tolist(),
        source.softmin_indices(scores, Fraction(1, 3)).tolist(),
        source.discrete_laplace_exceeds(-2, Fraction(9)),
        source.discrete_gaussian(Fraction(50, 3)),
        source.discrete_gaussians(Fraction(50, 3), 7).tolist(),
    ]


def test_the_same_seed_gives_the_same_decisions_and_another_seed_others():
    assert everything(SeededSource(1)) == everything(SeededSource(1))
    assert everything(SeededSource(1)) != everything(SeededSource(2))


@pytest.mark.parametrize("save", [copy.deepcopy, lambda source: pickle.loads(pickle.dumps(source))])
def test_a_saved_seeded_source_goes_on_where_it_was(save):
    source = SeededSource(3)
    everything(source)
    saved = save(source)
    expected = everything(source)
    assert everything(saved) == expected


def test_data_made_with_a_seed_are_independent_of_decisions_with_it():
    data = simulation_generator(7).integers(0, 2**64, 100, np.uint64)
    words = SeededSource(7)._bits.take_many(100)
    assert not set(data.tolist()) & set(words.tolist())
    assert np.array_equal(data, simulation_generator(7).integers(0, 2**64, 100, np.uint64))


@pytest.mark.parametrize("seed", [-1, "seven", 1.5])
def test_bad_seeds_get_one_clear_sentence(seed):
    for make in (SeededSource, simulation_generator):
        with pytest.raises(ParameterError, match="seed"):
            make(seed)
