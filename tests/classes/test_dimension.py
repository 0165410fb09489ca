"""The exact engine against what is known and against the definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from limits import refusals
from naive import ldim, random_rows, rows_of
from small_classes import ORACLES, STRUCTURED, random_classes, thresholds

from reticent.classes import FiniteClass, dimension, families, threshold_dimension, vc_dimension
from reticent.errors import WorkLimitError


@pytest.mark.parametrize(("cls", "d"), [pytest.param(cls, d, id=name) for name, cls, d in ORACLES])
def test_known_dimensions(cls: FiniteClass, d: int) -> None:
    """Catches every wrong cut; the structured families are the ones that random classes do not stand for."""
    assert cls.littlestone_dimension() == d
    assert not cls.at_least(d + 1)


def test_no_useful_column_is_dropped_on_the_way_down() -> None:
    """Catches dropping columns with fewer than 2^(k-2) rows on a side: that gives 8 here, and passes random tests."""
    assert thresholds(1023).littlestone_dimension() == 10


@pytest.mark.long
def test_all_decision_lists_over_five_variables() -> None:
    """Catches a cut that is wrong only where nothing succeeds for a long time: 26 million steps of refusals."""
    lists = families.decision_lists(5)
    assert len(lists) == 15036
    assert lists.littlestone_dimension() == 12


def test_six_hundred_random_classes_against_the_definition() -> None:
    """Catches wrong counting at the small sizes where all cuts meet."""
    for cls in random_classes(600, 14, 8, seed=1):
        assert cls.littlestone_dimension() == ldim(rows_of(cls))


def test_only_sides_inside_a_failed_one_are_skipped() -> None:
    """Catches the inclusion turned round, which one random class in ten thousand of this size shows."""
    rows = ["000000", "000010", "000101", "001000", "010001", "010101", "010111", "011111", "100100"]
    cls = FiniteClass([[int(label) for label in row] for row in rows])
    assert cls.littlestone_dimension() == ldim(rows_of(cls)) == 3


@pytest.mark.parametrize("cls", [pytest.param(cls, id=name) for name, cls in STRUCTURED])
def test_structured_classes_against_the_definition(cls: FiniteClass) -> None:
    """Catches what only structure brings: equal, complementary, nested and constant columns."""
    assert cls.littlestone_dimension() == ldim(rows_of(cls))


@pytest.mark.parametrize("long", [0, 4, 64])
def test_tables_of_their_own_for_small_spaces_change_nothing(monkeypatch: pytest.MonkeyPatch, long: int) -> None:
    """Catches rows or columns lost when a space that is small beside its table is written into a new one."""
    monkeypatch.setattr(dimension, "_LONG", long)
    monkeypatch.setattr(dimension, "_SMALL", 2)
    for cls in (*random_classes(200, 30, 8, seed=2), FiniteClass(random_rows(300, 16, 3)), thresholds(200)):
        found = cls.littlestone_dimension()
        monkeypatch.setattr(dimension, "_LONG", 1 << 30)
        assert FiniteClass(cls.labels).littlestone_dimension() == found
        monkeypatch.setattr(dimension, "_LONG", long)
        if found > 0:
            x = cls.root(found)
            assert x is not None
            assert all(cls.restrict(x, y).at_least(found - 1) for y in (False, True))


def test_a_class_of_many_thousand_hypotheses() -> None:
    """Catches an error in the path that only long tables take."""
    cls = FiniteClass(random_rows(8192, 64, 0))
    assert cls.littlestone_dimension() == 12
    assert sum(1 for _ in _depths(cls, 12)) == 13


def _depths(cls: FiniteClass, d: int):
    # Down the tree, always to the smaller side.
    yield d
    if d:
        x = cls.root(d)
        yield from _depths(min((cls.restrict(x, y) for y in (False, True)), key=len), d - 1)


def test_questions_in_any_order_get_the_same_answers() -> None:
    """Catches bounds that are kept for a space and are wrong for a later question."""
    for cls in random_classes(100, 16, 8, seed=3):
        d = ldim(rows_of(cls))
        answers = {k: cls.at_least(k) for k in np.random.default_rng(len(cls)).permutation(range(-1, 7)).tolist()}
        assert answers == {k: k <= d for k in range(-1, 7)}
        assert cls.littlestone_dimension() == d
        for x in cls.instances:
            for y in (False, True):
                part = cls.restrict(x, y)
                assert part.littlestone_dimension() == ldim(rows_of(part))


CLASSES = st.integers(1, 9).flatmap(
    lambda n: st.lists(st.lists(st.booleans(), min_size=n, max_size=n), min_size=1, max_size=14)
)


@given(CLASSES, st.data())
def test_what_leaves_the_dimension_alone(rows: list[list[bool]], data: st.DataObject) -> None:
    """Catches an asymmetry between labels, instances or hypotheses."""
    labels = np.array(rows)
    d = FiniteClass(labels).littlestone_dimension()
    fixed = data.draw(st.lists(st.booleans(), min_size=labels.shape[1], max_size=labels.shape[1]))
    assert FiniteClass(labels ^ fixed).littlestone_dimension() == d
    column = data.draw(st.integers(0, labels.shape[1] - 1))
    repeated = np.column_stack([labels, labels[:, column], ~labels[:, column], np.ones(len(labels), dtype=bool)])
    assert FiniteClass(repeated).littlestone_dimension() == d
    order = data.draw(st.permutations(range(labels.shape[1])))
    assert FiniteClass(labels[::-1, order]).littlestone_dimension() == d


@given(CLASSES, CLASSES)
def test_laws_of_the_dimensions(first: list[list[bool]], second: list[list[bool]]) -> None:
    """Catches a dimension that a larger class can lower, and one that disagrees with its relatives."""
    width = min(len(first[0]), len(second[0]))
    a, b = np.array(first)[:, :width], np.array(second)[:, :width]
    one, other, both = FiniteClass(a), FiniteClass(b), FiniteClass(np.concatenate([a, b]))
    d = both.littlestone_dimension()
    assert max(one.littlestone_dimension(), other.littlestone_dimension()) <= d
    assert d <= one.littlestone_dimension() + other.littlestone_dimension() + 1
    assert vc_dimension(both) <= d <= len(both).bit_length() - 1
    assert threshold_dimension(both).bit_length() - 1 <= d


def test_work_limits_raise_with_what_is_known_and_go_on_from_there() -> None:
    """Catches a silent approximation, a bracket without the answer in it, and work that is lost."""
    cls = FiniteClass(random_rows(64, 64, 0), work_limit=500)
    errors, answer = refusals(lambda _: cls.littlestone_dimension(), range(20))
    brackets = [(error.lower, error.upper) for error in errors]
    assert answer == 6
    assert len(brackets) > 1
    assert all(lower < 6 <= upper for lower, upper in brackets)
    assert brackets == sorted(brackets)
    assert str(errors[0]) == (
        f"the Littlestone dimension lies in [{errors[0].lower}, {errors[0].upper}] so far, and the work limit of "
        "500 steps is reached; allow more with with_work_limit(steps)."
    )


def test_another_work_limit_keeps_what_was_found() -> None:
    """Catches a class that starts again when it is allowed more."""
    cls = FiniteClass(random_rows(64, 64, 0), work_limit=0)
    with pytest.raises(WorkLimitError, match="0 steps"):
        cls.littlestone_dimension()
    assert cls.with_work_limit(10**6).littlestone_dimension() == 6
    assert cls.littlestone_dimension() == 6
    assert cls.at_least(6)
