"""Would catch: names that break a terminal or a table, namesakes that cannot be told apart, a missing warning."""

from hypothesis import given
from hypothesis import strategies as st
from sample_runs import as_if_secure, play

from reticent.experts import registry
from reticent.report.labels import algorithm_labels, not_private, shorten, shorten_all

LOSSES = [[0.0, 1.0]] * 10


@given(st.text(), st.integers(1, 40))
def test_short_names_fit_and_can_be_printed(name, width):
    short = shorten(name, width)
    assert len(short) <= width
    assert short.isprintable()
    if name.isprintable() and len(name) <= width:
        assert short == name


@given(st.lists(st.text(st.characters(codec="ascii"), min_size=1), min_size=1, max_size=20, unique=True))
def test_short_names_are_all_different(names):
    indices = range(len(names))
    short = shorten_all(names, indices, 12)
    assert len(set(short)) == len(names)
    assert all(len(name) <= 12 for name in short)


def test_what_tells_long_names_apart_is_kept():
    end = [f"the same long beginning of every name, {i}" for i in range(5)]
    start = [f"{i}, and the same long end of every name" for i in range(5)]
    for names in (end, start):
        assert not any("#" in name for name in shorten_all(names, range(5), 14))


def test_every_algorithm_of_the_registry_has_its_own_label():
    algorithms = [registry.make(name, 5, 1.0, 1e-6, horizon=100) for name in registry.algorithm_names()]
    different = list(dict.fromkeys(algorithms))
    labels = algorithm_labels(different)
    assert len(set(labels)) == len(different)
    assert "Dartboard (paper)" in labels


def test_a_lone_algorithm_is_called_by_its_name():
    assert algorithm_labels([registry.make("dartboard-paper", 5, 1.0)]) == ["Dartboard"]


def test_seeded_runs_and_algorithms_without_privacy_carry_a_warning():
    seeded = play("dartboard", LOSSES, seed=7)
    assert not_private(seeded) == "NOT PRIVATE (seeded with 7)"
    assert not_private(as_if_secure(seeded)) is None
    assert not_private(as_if_secure(play("hedge", LOSSES))) == "NOT PRIVATE (no privacy promised)"
