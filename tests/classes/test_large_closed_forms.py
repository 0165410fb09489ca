"""Would catch: a formula that is right for small classes only, and one that depends on the order of restrictions."""

from __future__ import annotations

from functools import cache
from itertools import accumulate

import pytest
from closed_forms import LARGE
from hypothesis import given, settings
from hypothesis import strategies as st

from reticent.classes import HypothesisClass, Intervals, Thresholds


def streams(start: HypothesisClass) -> st.SearchStrategy[list[tuple[object, bool]]]:
    instances = start.instances
    rounds = st.tuples(st.integers(0, len(instances) - 1).map(instances.__getitem__), st.booleans())
    return st.lists(rounds, max_size=12)


@pytest.mark.parametrize("name", LARGE)
@given(data=st.data())
@settings(max_examples=30)
def test_the_dimension_is_what_the_best_question_leaves(name: str, data: st.DataObject) -> None:
    """The definition of the dimension, one step deep; at every version space it would prove the formula."""
    version_space = LARGE[name]
    for x, y in data.draw(streams(version_space)):
        restricted = version_space.restrict(x, y)
        if not restricted.is_empty() or data.draw(st.booleans()):
            version_space = restricted
    check_one_step(version_space)


def check_one_step(version_space: HypothesisClass) -> None:
    dimension, best = version_space.littlestone_dimension(), 0
    for x in version_space.instances:
        zero, one = (version_space.restrict(x, y).littlestone_dimension() for y in (False, True))
        assert max(zero, one) <= dimension
        assert version_space.soa(x) == (zero != dimension)
        best = max(best, 1 + min(zero, one))
    assert dimension == (-1 if version_space.is_empty() else best)


@pytest.mark.parametrize("name", LARGE)
@given(data=st.data())
@settings(max_examples=20)
def test_restrictions_may_come_in_any_order_and_twice(name: str, data: st.DataObject) -> None:
    """Catches a state that remembers how it was reached: it would miss what is known about it."""
    start = LARGE[name]
    stream = data.draw(streams(start))
    other = data.draw(st.permutations(stream + stream[:3]))
    one, two = after(start, stream), after(start, other)
    assert one.littlestone_dimension() == two.littlestone_dimension()
    assert [one.soa(x) for x in start.instances] == [two.soa(x) for x in start.instances]
    if not one.is_empty():
        assert one == two
        assert hash(one) == hash(two)


def after(version_space: HypothesisClass, stream: list[tuple[object, bool]]) -> HypothesisClass:
    for x, y in stream:
        version_space = version_space.restrict(x, y)
    return version_space


@pytest.mark.parametrize("n", [1, 2, 3, 50, 257])
def test_every_threshold_class_up_to_its_size(n: int) -> None:
    for low in range(0, n + 1, max(1, n // 20)):
        for high in range(low, n + 1, max(1, n // 20)):
            left = Thresholds(n)
            left = left.restrict(low - 1, False) if low else left
            left = left.restrict(high, True) if high < n else left
            assert left.size() == high - low + 1
            check_one_step(left)


# Intervals: the formula for gaps is not proved.

SUM_OF_GAPS = 24


def partitions(total: int, largest: int) -> list[tuple[int, ...]]:
    if total == 0:
        return [()]
    return [(g, *rest) for g in range(min(total, largest), 0, -1) for rest in partitions(total - g, g)]


@cache
def dimension_of_gaps(gaps: tuple[int, ...], empty: bool) -> int:
    """The definition, on the lengths of gaps alone; after a positive instance the ends are two thresholds."""
    if not gaps:
        return int(empty) - 1
    best = 0
    for i, gap in enumerate(gaps):
        for left in range((gap - 1) // 2 + 1):
            right = gap - 1 - left
            rest = (*gaps[:i], *gaps[i + 1 :], *(g for g in (left, right) if g))
            negative = dimension_of_gaps(tuple(sorted(rest, reverse=True)), empty)
            positive = (left + 1).bit_length() + (right + 1).bit_length() - 2
            best = max(best, 1 + min(positive, negative))
    return best


@pytest.mark.parametrize("empty", [True, False])
def test_intervals_on_every_set_of_gaps_of_some_size(empty: bool) -> None:
    for total in range(SUM_OF_GAPS + 1):
        for gaps in partitions(total, total):
            walls = [*accumulate(gap + 1 for gap in gaps)]
            version_space: HypothesisClass = Intervals(1 + sum(gaps) + len(gaps), empty=empty)
            for wall in (0, *walls):
                version_space = version_space.restrict(wall, False)
            assert version_space.littlestone_dimension() == dimension_of_gaps(gaps, empty), gaps
