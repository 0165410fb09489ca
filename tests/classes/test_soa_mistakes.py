"""Would catch: a learner that errs more often than the dimension allows, or an adversary that it escapes."""

from __future__ import annotations

from functools import cache

import pytest
from closed_forms import LARGE, SMALL
from hypothesis import given, settings
from hypothesis import strategies as st

from reticent.classes import HypothesisClass, Intervals, Points, Sparse, Thresholds, labellings


def mistakes(version_space: HypothesisClass, stream: list[tuple[object, bool]]) -> int:
    """Of the standard optimal algorithm, which learns from its mistakes only."""
    made = 0
    for x, y in stream:
        if version_space.soa(x) != y:
            version_space = version_space.restrict(x, y)
            made += 1
    return made


@pytest.mark.parametrize("name", SMALL)
def test_the_worst_adversary_forces_as_many_mistakes_as_the_dimension(name: str) -> None:
    """Over all streams: the rounds without a mistake teach the learner nothing, so that only the others matter."""
    start, _ = SMALL[name]

    @cache
    def worst(version_space: HypothesisClass) -> int:
        wrong = (version_space.restrict(x, not version_space.soa(x)) for x in start.instances)
        return max((1 + worst(left) for left in wrong if not left.is_empty()), default=0)

    assert worst(start) == start.littlestone_dimension()


@pytest.mark.parametrize("name", LARGE)
def test_who_walks_down_a_shattered_tree_forces_as_many_mistakes_as_the_dimension(name: str) -> None:
    version_space = LARGE[name]
    depth = version_space.littlestone_dimension()
    for left in range(depth, 0, -1):
        x = version_space.root(left)
        assert x is not None
        version_space = version_space.restrict(x, not version_space.soa(x))
    assert not version_space.is_empty()
    assert version_space.root(version_space.littlestone_dimension() + 1) is None


@pytest.mark.parametrize("name", LARGE)
@given(data=st.data())
@settings(max_examples=20)
def test_realisable_streams_cost_at_most_the_dimension(name: str, data: st.DataObject) -> None:
    start = LARGE[name]
    xs = [start.instances[k] for k in data.draw(st.lists(st.integers(0, len(start.instances) - 1), max_size=60))]
    version_space = start
    for x in xs[:15]:  # a target that agrees with some labels, and is whatever comes first otherwise
        side = version_space.restrict(x, data.draw(st.booleans()))
        version_space = version_space if side.is_empty() else side
    target = next(version_space.members())
    assert mistakes(start, [(x, target(x)) for x in xs]) <= start.littlestone_dimension()


@pytest.mark.parametrize(
    "start", [Points(10**6), Thresholds(10**6), Intervals(10**6), Sparse(10**6, 3)], ids=lambda c: type(c).__name__
)
@given(data=st.data())
@settings(max_examples=20)
def test_a_million_instances(start: HypothesisClass, data: st.DataObject) -> None:
    """Catches a step that lists the domain: it would take minutes here."""
    xs = data.draw(st.lists(st.integers(0, 10**6 - 1), min_size=1, max_size=40))
    *_, labels = (labels for labels, _ in zip(labellings(start, xs), range(data.draw(st.integers(1, 20)))))
    assert mistakes(start, list(zip(xs, labels, strict=True)) * 2) <= start.littlestone_dimension()
