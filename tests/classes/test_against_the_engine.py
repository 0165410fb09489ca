"""Would catch: a closed form and the exact search that disagree on classes too large for brute force."""

from __future__ import annotations

import numpy as np
import pytest
from closed_forms import LARGE
from hypothesis import given, settings
from hypothesis import strategies as st

from reticent.classes import (
    AllFunctions,
    Conjunctions,
    ExactlySparse,
    HypothesisClass,
    Intervals,
    MonotoneConjunctions,
    Parities,
    Points,
    ProductClass,
    Sparse,
    Thresholds,
    labellings,
    project,
    threshold_dimension,
    vc_dimension,
)
from reticent.errors import InputError

MIDDLING: dict[str, HypothesisClass] = {
    "points": Points(60),
    "thresholds": Thresholds(130),
    "intervals": Intervals(19),
    "intervals without the empty one": Intervals(15, empty=False),
    "at most 3 ones": Sparse(11, 3),
    "exactly 3 ones": ExactlySparse(10, 3),
    "cube": AllFunctions(8),
    "parities": Parities(6),
    "affine parities": Parities(5, affine=True),
    "conjunctions": Conjunctions(4),
    "monotone conjunctions": MonotoneConjunctions(6),
    "a product": ProductClass(Thresholds(6), Intervals(4), Parities(2)),
}
TABLES = {name: project(start, start.instances) for name, start in MIDDLING.items()}


@pytest.mark.parametrize("name", MIDDLING)
@given(data=st.data())
@settings(max_examples=15)
def test_dimensions_and_predictions_along_a_stream(name: str, data: st.DataObject) -> None:
    version_space, table = MIDDLING[name], TABLES[name]
    instances = version_space.instances
    assert len(table) == version_space.size()
    for _ in range(data.draw(st.integers(0, 8))):
        x, y = instances[data.draw(st.integers(0, len(instances) - 1))], data.draw(st.booleans())
        if version_space.restrict(x, y).is_empty():
            assert table.restrict(x, y).is_empty()
            continue
        version_space, table = version_space.restrict(x, y), table.restrict(x, y)
    assert version_space.littlestone_dimension() == table.littlestone_dimension()
    assert version_space.size() == len(table)
    for x in data.draw(st.lists(st.sampled_from(list(instances)), max_size=12)):
        assert version_space.soa(x) == table.soa(x)


@pytest.mark.parametrize("name", LARGE)
@given(data=st.data())
@settings(max_examples=10)
def test_a_projection_is_what_the_class_can_say_on_the_points(name: str, data: st.DataObject) -> None:
    start = LARGE[name]
    numbers = data.draw(st.lists(st.integers(0, len(start.instances) - 1), min_size=1, max_size=6, unique=True))
    points = [start.instances[k] for k in numbers]
    table = project(start, points)
    assert table.instances == tuple(points)
    assert {tuple(map(bool, row)) for row in np.asarray(table.labels)} == set(labellings(start, points))
    assert table.littlestone_dimension() <= start.littlestone_dimension()
    assert project(table, points[:2]) == project(start, points[:2])


def test_a_projection_of_nothing_or_onto_nothing_is_refused() -> None:
    nothing = Points(3).restrict(0, True).restrict(1, True)
    for hypotheses, points in ((nothing, [0, 1]), (Points(3), []), (Points(3), [0, 0]), (Points(3), [0, 3])):
        with pytest.raises(InputError):
            project(hypotheses, points)


def test_vc_dimensions_of_classes_that_everybody_knows() -> None:
    """Catches a table that is not the class: these dimensions are in textbooks."""
    for start, vc in (
        (Points(7), 1),
        (Thresholds(7), 1),
        (Intervals(7), 2),
        (Sparse(7, 2), 2),
        (AllFunctions(5), 5),
        (Parities(4), 4),
        (Conjunctions(3), 3),
        (MonotoneConjunctions(4), 4),
    ):
        assert vc_dimension(project(start, start.instances)) == vc, start
    assert threshold_dimension(project(Thresholds(7), range(7))) == 7
