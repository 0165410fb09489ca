"""Would catch: a label or an instance that is read from the wrong place, or that is none and passes for one."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from reticent.errors import InputError, ParameterError
from reticent.streams import open_labelled


def examples(*arguments, **columns):
    return [example for _, block in open_labelled(*arguments, **columns).blocks() for example in block]


TABLE = {"age": [30, 61, 2], "sex": [0, 1, 1], "y": [0, 1, 0]}


def test_the_label_is_called_y_and_the_others_are_the_instance():
    frame = pd.DataFrame(TABLE)[["y", "age", "sex"]]
    assert examples(frame) == [((30, 0), False), ((61, 1), True), ((2, 1), False)]


def test_the_last_column_is_the_label_where_none_is_called_so():
    assert examples(pd.DataFrame(TABLE)[["y", "age", "sex"]].rename(columns={"y": "z"})) == [
        ((0, 30), False),
        ((1, 61), True),
        ((0, 2), True),
    ]


def test_columns_can_be_named():
    assert examples(pa.table(TABLE), x=["age"], y="sex") == [(30, False), (61, True), (2, True)]
    assert examples(pa.table(TABLE), x=["sex", "age"], y="y")[1] == ((1, 61), True)


def test_arrays_have_no_names():
    assert examples(np.array([[3, 1], [4, 0]])) == [(3, True), (4, False)]
    assert examples(np.array([[True, False], [False, True]])) == [(1, False), (0, True)]
    assert examples(np.array([[3, 5, 1]]), x=["x2"]) == [(5, True)]


def test_types_are_pythons_own():
    ((x, y),) = examples(np.array([[3.0, 1.0]]))
    assert (type(x), type(y)) == (int, bool)
    (((first, _), _),) = examples(np.array([[3.0, 1.0, 0.0]]))
    assert type(first) is int


def test_many_rounds_come_in_order():
    table = np.column_stack([np.arange(10_000), np.arange(10_000) % 2])
    assert examples(table) == [(k, bool(k % 2)) for k in range(10_000)]
    assert [first for first, _ in open_labelled(table).blocks()][:2] == [0, 4096]


@pytest.mark.parametrize(
    ("lines", "place", "mend"),
    [
        ("1,0\n2.5,0", "line 3, column 'x'", "the value is 2.5; give a whole number"),
        ("1,0\ninf,0", "line 3, column 'x'", "the value is inf; give a whole number"),
        ("1,0\n1e17,0", "line 3, column 'x'", "give a whole number of at most 2"),
        ("1,0\n2,2", "line 3, column 'y'", "the label is 2; give 0 or 1"),
        ("1,0\n2,-1", "line 3, column 'y'", "the label is -1; give 0 or 1"),
        ("1,0\n2,0.5", "line 3, column 'y'", "the value is 0.5; give a whole number"),
        ("1,0\n2,", "line 3, column 'y'", "missing"),
        ("1,0\nred,1", "line 3, column 'x'", "'red' is not a number"),
    ],
)
def test_bad_values_have_a_place(tmp_path, lines, place, mend):
    path = tmp_path / "s.csv"
    path.write_text(f"x,y\n{lines}\n")
    with pytest.raises(InputError) as caught:
        examples(path)
    assert place in str(caught.value)
    assert mend in str(caught.value)


@pytest.mark.parametrize(
    ("columns", "sentence"),
    [
        ({"x": ["height"]}, "there is no column 'height'"),
        ({"y": "ill"}, "there is no column 'ill'"),
        ({"x": ["y"]}, "x is 'y' and y is 'y'"),
        ({"x": ["age", "age"]}, "x is 'age', 'age'"),
        ({"x": []}, "x is no column"),
    ],
)
def test_columns_that_cannot_be(columns, sentence):
    with pytest.raises(ParameterError, match=sentence):
        open_labelled(pd.DataFrame(TABLE), **columns)


def test_a_label_alone_is_no_example():
    with pytest.raises(ParameterError, match="x is no column"):
        open_labelled(pd.DataFrame({"y": [0, 1]}))


def test_a_first_round_is_not_lost_as_a_header(tmp_path):
    path = tmp_path / "s.csv"
    path.write_text("137,0\n7,1\n")
    with pytest.raises(InputError, match=r"s\.csv: the columns are called '137', '0', as if the header were a round"):
        open_labelled(path)
    assert [e for _, block in open_labelled(path, x=["137"], y="0").blocks() for e in block] == [(7, True)]
    path.write_text("0,1\n7,1\n")
    assert [e for _, block in open_labelled(path).blocks() for e in block] == [(7, True)]
