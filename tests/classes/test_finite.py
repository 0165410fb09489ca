"""Finite classes from arrays, data frames and files; malformed ones get one sentence with the place and the mend."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from reticent.classes import FiniteClass
from reticent.errors import InputError, ParameterError

ROWS = [[0, 1, 1], [1, 0, 0], [0, 0, 1]]


@pytest.fixture(autouse=True)
def _in_a_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def _csv(text: str | bytes) -> str:
    Path("h.csv").write_bytes(text if isinstance(text, bytes) else text.encode())
    return "h.csv"


FORMS: dict[str, Callable[[], FiniteClass]] = {
    "list": lambda: FiniteClass(ROWS, ["a", "b", "c"]),
    "bool": lambda: FiniteClass(np.array(ROWS, dtype=bool), ("a", "b", "c")),
    "float": lambda: FiniteClass(np.array(ROWS, dtype=float), pd.Index(["a", "b", "c"])),
    "objects": lambda: FiniteClass(np.array([[0, 1.0, True], [True, False, 0], [0, 0, 1]], dtype=object), "abc"),
    "repeated rows": lambda: FiniteClass([*ROWS, *ROWS], ["a", "b", "c"]),
    "other order": lambda: FiniteClass(ROWS[::-1], ["a", "b", "c"]),
    "pandas": lambda: FiniteClass.from_frame(pd.DataFrame(ROWS, columns=list("abc"))),
    "pandas nullable": lambda: FiniteClass.from_frame(pd.DataFrame(ROWS, columns=list("abc")).convert_dtypes()),
    "polars": lambda: FiniteClass.from_frame(pl.DataFrame(ROWS, schema=list("abc"), orient="row").cast(pl.Boolean)),
    "pyarrow": lambda: FiniteClass.from_frame(pa.table({"a": [0, 1, 0], "b": [1, 0, 0], "c": [1, 0, 1]})),
    "csv": lambda: FiniteClass.from_csv(_csv("a,b,c\n0,1,1\n1,0,0\n0,0,1\n")),
    "csv from elsewhere": lambda: FiniteClass.from_csv(
        Path(_csv("\ufeffa, b ,c\r\nFalse,True,1\r\n1,0,false\r\n0,0,TRUE"))
    ),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_gives_the_same_class(form: str) -> None:
    """Catches a form that turns the table, loses a row or reads a label wrongly."""
    cls = FORMS[form]()
    assert cls == FiniteClass(ROWS, ["a", "b", "c"])
    assert hash(cls) == hash(FiniteClass(ROWS, ["a", "b", "c"]))
    assert cls.instances == ("a", "b", "c")
    assert {str(h) for h in cls.members()} == {"011", "100", "001"}


def test_names_that_are_whole_numbers_are_whole_numbers() -> None:
    """Catches a file whose instances no stream of numbers would meet."""
    assert FiniteClass.from_csv(_csv("0,1,-12\n1,0,0\n")).instances == (0, 1, -12)
    assert FiniteClass.from_csv(_csv("0,1,02\n1,0,0\n")).instances == ("0", "1", "02")
    assert FiniteClass.from_frame(pd.DataFrame(ROWS)).instances == (0, 1, 2)
    assert FiniteClass.from_frame(pl.DataFrame({"0": [1], "x": [0]})).instances == ("0", "x")


@pytest.mark.parametrize("sign", ["\n", "\u2028", "\x85", "\v", "\f"])
def test_names_in_quotes_are_taken_as_they_are(sign: str) -> None:
    """Catches a file that is cut where Python ends lines, and CSV does not."""
    assert FiniteClass.from_csv(_csv(f'"a{sign}z","b,c"\n1,0\n')).instances == (f"a{sign}z", "b,c")


def test_names_of_more_digits_than_python_reads_stay_as_they_are() -> None:
    """Catches a bare ValueError."""
    names = ("9" * 5000, "1")
    assert FiniteClass.from_csv(_csv(f"{','.join(names)}\n1,0\n")).instances == names
    assert FiniteClass.from_frame(pl.DataFrame([[1, 0]], schema=names, orient="row")).instances == names


NUMBERS = "give two dimensions, a row for each hypothesis and a column for each instance."

#: How to make the class, and the sentence.
MALFORMED: dict[str, tuple[Callable[[], object], str]] = {
    "one dimension": (lambda: FiniteClass([0, 1]), f"labels: the array is 1-dimensional; {NUMBERS}"),
    "a number": (lambda: FiniteClass(3), f"labels: the array is 0-dimensional; {NUMBERS}"),
    "three dimensions": (lambda: FiniteClass(np.zeros((1, 1, 1))), f"labels: the array is 3-dimensional; {NUMBERS}"),
    "ragged": (
        lambda: FiniteClass([[0, 1], [0]]),
        "labels: the rows differ in length; give every row a label for each instance.",
    ),
    "no rows": (lambda: FiniteClass(np.zeros((0, 2))), "labels: there are no rows; give at least one hypothesis."),
    "no columns": (
        lambda: FiniteClass(np.zeros((2, 0))),
        "labels: there are no columns; give one for each instance.",
    ),
    "two": (
        lambda: FiniteClass([[0, 1], [0, 2]]),
        "labels, row 2 (counted from 1), instance 1: 2 is not a label; write 0 or 1.",
    ),
    "half": (
        lambda: FiniteClass([[0.5, 1]], ["p", "q"]),
        "labels, row 1 (counted from 1), instance 'p': 0.5 is not a label; write 0 or 1.",
    ),
    "not a number": (
        lambda: FiniteClass([[0, float("nan")]]),
        "labels, row 1 (counted from 1), instance 1: the label is missing; fill it in.",
    ),
    "text": (
        lambda: FiniteClass([["0", "1"]]),
        "labels, row 1 (counted from 1), instance 0: '0' is not a label; write 0 or 1.",
    ),
    "none": (
        lambda: FiniteClass([[0, None]]),
        "labels, row 1 (counted from 1), instance 1: the label is missing; fill it in.",
    ),
    "masked": (
        lambda: FiniteClass(np.ma.masked_equal([[0, 1], [1, 7]], 7)),
        "labels, row 2 (counted from 1), instance 1: the label is missing; fill it in.",
    ),
    "named fields": (
        lambda: FiniteClass(np.zeros((2, 2), dtype=[("a", int)])),
        "labels: the array has named fields; give a plain one of zeros and ones.",
    ),
    "a column of structures": (
        lambda: FiniteClass.from_frame(pl.DataFrame({"a": [{"x": 0}, {"x": 1}]})),
        "frame, column 'a': each value holds several; give a column of zeros and ones.",
    ),
    "names that are a number": (
        lambda: FiniteClass([[0, 1]], 5),
        "instances: 5 is no sequence of instances; give a list or a tuple.",
    ),
    "names that are a set": (
        lambda: FiniteClass([[0, 1]], {"b", "a"}),
        "instances: a set has no order; give a list or a tuple.",
    ),
    "too few names": (
        lambda: FiniteClass([[0, 1]], ["a"]),
        "instances: 1 given for 2 columns of labels; give one for each column.",
    ),
    "repeated names": (
        lambda: FiniteClass([[0, 1]], ["a", "a"]),
        "instances: the instance 'a' occurs 2 times; give every column its own name.",
    ),
    "lists as names": (
        lambda: FiniteClass([[0, 1]], [[0], [1]]),
        "instances: [0] cannot be an instance; give numbers, strings or tuples.",
    ),
    "frame with null": (
        lambda: FiniteClass.from_frame(pl.DataFrame({"a": [0, 1], "b": [1, None]})),
        "frame, row 2 (counted from 1), column 'b': the label is missing; fill it in.",
    ),
    "frame with not-a-number": (
        lambda: FiniteClass.from_frame(pd.DataFrame({"a": [0, 1], "b": [1, None]})),
        "frame, row 2 (counted from 1), column 'b': the label is missing; fill it in.",
    ),
    "frame with text": (
        lambda: FiniteClass.from_frame(pd.DataFrame({"a": ["x", "y"]})),
        "frame, row 1 (counted from 1), column 'a': 'x' is not a label; write 0 or 1.",
    ),
    "frame with two": (
        lambda: FiniteClass.from_frame(pa.table({"a": [0, 2]})),
        "frame, row 2 (counted from 1), column 'a': 2 is not a label; write 0 or 1.",
    ),
    "frame without rows": (
        lambda: FiniteClass.from_frame(pd.DataFrame({"a": []})),
        "frame: there are no rows; give at least one hypothesis.",
    ),
    "frame without columns": (
        lambda: FiniteClass.from_frame(pd.DataFrame()),
        "frame: there are no columns; give one for each instance.",
    ),
    "frame with repeated names": (
        lambda: FiniteClass.from_frame(pd.DataFrame([[0, 1]], columns=["a", "a"])),
        "frame: the instance 'a' occurs 2 times; give every column its own name.",
    ),
    "lazy frame": (
        lambda: FiniteClass.from_frame(pl.LazyFrame({"a": [0]})),
        "frame: an object of type LazyFrame is no eager data frame; give one of pandas, polars or pyarrow, "
        "collected, or hand an array to FiniteClass.",
    ),
    "no frame": (
        lambda: FiniteClass.from_frame(ROWS),
        "frame: an object of type list is no eager data frame; give one of pandas, polars or pyarrow, "
        "collected, or hand an array to FiniteClass.",
    ),
    "no file": (lambda: FiniteClass.from_csv("h.csv"), "h.csv: there is no such file; check the name."),
    "directory": (lambda: FiniteClass.from_csv("."), ".: this is a directory; name a file in it."),
    "empty file": (
        lambda: FiniteClass.from_csv(_csv("")),
        "h.csv, line 1: the header is empty; write the instances' names there.",
    ),
    "not text": (
        lambda: FiniteClass.from_csv(_csv(b"\xff\xfe\x00")),
        "h.csv: this is not UTF-8 text; give CSV in UTF-8.",
    ),
    "unnamed column": (
        lambda: FiniteClass.from_csv(_csv(",a\n0,1\n")),
        "h.csv, line 1: column 1 has no name; name it, or leave it out if it is an index (in pandas: index=False).",
    ),
    "repeated names in a file": (
        lambda: FiniteClass.from_csv(_csv("a,b,a\n0,1,1\n")),
        "h.csv, line 1: the instance 'a' occurs 2 times; give every column its own name.",
    ),
    "no header": (
        lambda: FiniteClass.from_csv(_csv("0,1,1\n1,1,0\n")),
        "h.csv, line 1: the header holds only labels and would be lost as a hypothesis; "
        "write a header line with the instances' names above it, others than 0 and 1.",
    ),
    "no header, and labels that differ": (
        lambda: FiniteClass.from_csv(_csv("0,1\n1,1\n")),
        "h.csv, line 1: the header holds only labels and would be lost as a hypothesis; "
        "write a header line with the instances' names above it, others than 0 and 1.",
    ),
    "no header, and one truth value": (
        lambda: FiniteClass.from_csv(_csv("False\nTrue\n")),
        "h.csv, line 1: the header holds only labels and would be lost as a hypothesis; "
        "write a header line with the instances' names above it, others than 0 and 1.",
    ),
    "a quote that is closed nowhere, in the middle": (
        lambda: FiniteClass.from_csv(_csv('a,b\n0,1\n0,"1\n1,1\n0,0\n')),
        "h.csv, line 3: this is not a line of CSV; close its quotes.",
    ),
    "a line below a name of two lines": (
        lambda: FiniteClass.from_csv(_csv('"a\nz",b\n0,1\n0,2\n')),
        "h.csv, line 4, column 'b': '2' is not a label; write 0 or 1.",
    ),
    "a long cell": (
        lambda: FiniteClass.from_csv(_csv("a,b\n0," + "1" * 200_000 + "\n")),
        "h.csv, line 2: a cell is longer than 131,072 characters; shorten it, or close its quotes.",
    ),
    "header only": (
        lambda: FiniteClass.from_csv(_csv("a,b\n")),
        "h.csv: there are no lines below the header; give at least one hypothesis.",
    ),
    "short line": (
        lambda: FiniteClass.from_csv(_csv("a,b\n0,1\n0\n")),
        "h.csv, line 3: the number of labels is 1, but the header has 2 names; give one label for each name.",
    ),
    "empty line": (
        lambda: FiniteClass.from_csv(_csv("a,b\n\n0,1\n")),
        "h.csv, line 2: the line is empty; fill it in or remove it.",
    ),
    "empty cell": (
        lambda: FiniteClass.from_csv(_csv("a,b\n0,\n")),
        "h.csv, line 2, column 'b': the label is missing; fill it in.",
    ),
    "wrong cell": (
        lambda: FiniteClass.from_csv(_csv("a,b\n0,1\n0,yes\n")),
        "h.csv, line 3, column 'b': 'yes' is not a label; write 0 or 1.",
    ),
    "open quote": (
        lambda: FiniteClass.from_csv(_csv('a,b\n0,"1\n')),
        "h.csv, line 2: this is not a line of CSV; close its quotes.",
    ),
    "other separator": (
        lambda: FiniteClass.from_csv(_csv("a;b\n0;1\n")),
        "h.csv, line 1: the columns seem to be separated by ';'; separate them by ','.",
    ),
}


@pytest.mark.parametrize("case", MALFORMED)
def test_malformed_tables(case: str) -> None:
    """Catches an error that does not say where, or not what to do."""
    make, sentence = MALFORMED[case]
    with pytest.raises(InputError) as refused:
        make()
    assert str(refused.value) == sentence


@pytest.mark.parametrize("work_limit", [-1, 1.5, True, None])
def test_malformed_work_limits(work_limit: object) -> None:
    with pytest.raises(ParameterError) as refused:
        FiniteClass(ROWS, work_limit=work_limit)  # type: ignore[arg-type]
    assert str(refused.value) == f"work_limit is {work_limit!r}; give a whole number of steps, 0 or more."


def test_malformed_questions() -> None:
    """Catches an answer for an instance or a label that there is none of."""
    cls = FiniteClass(ROWS, ["a", "b", "c"])
    outside = "it is not in the domain, which has 3 instances such as 'a'; give one of those."
    for ask in (cls.soa, lambda x: cls.restrict(x, True), lambda x: cls.project([x]), next(cls.members())):
        for x in ("d", 0, ["a"]):
            with pytest.raises(InputError) as refused:
                ask(x)
            assert str(refused.value) == f"instance {x!r}: {outside}"
    for y in (2, -1, None, "1", 1.0):
        with pytest.raises(InputError) as refused:
            cls.restrict("a", y)  # type: ignore[arg-type]
        assert str(refused.value) == f"the label is {y!r}; give 0 or 1."
    for points in ([], ["a", "a"]):
        with pytest.raises(InputError, match="give at least one, and none of them twice"):
            cls.project(points)


def test_a_tree_without_a_root() -> None:
    with pytest.raises(ParameterError) as refused:
        FiniteClass(ROWS).root(0)
    assert str(refused.value) == "depth is 0; give 1 or more: a leaf has no root."


def test_version_spaces() -> None:
    """Catches a restriction that keeps the wrong rows, or that changes the class it was made from."""
    cls = FiniteClass(ROWS, ["a", "b", "c"])
    zero, one = cls.restrict("a", False), cls.restrict("a", np.True_)
    assert zero.labels.tolist() == [[False, True, True], [False, False, True]]
    assert one.labels.tolist() == [[True, False, False]]
    assert [len(cls), len(zero), len(one)] == [3, 2, 1]
    assert zero == FiniteClass([ROWS[0], ROWS[2]], ["a", "b", "c"])
    assert zero != one
    assert zero != FiniteClass([ROWS[0], ROWS[2]])
    assert cls.restrict("a", False).restrict("b", True) == cls.restrict("b", True).restrict("a", False)
    assert list(zero.members()) == list(cls.members())[::2]
    assert set(zero.members()) | set(one.members()) == set(cls.members())
    assert repr(zero) == "FiniteClass of 2 hypotheses on 3 instances"
    assert not cls.is_empty()
    assert one.restrict("b", True).is_empty()


def test_nothing_can_be_written_to() -> None:
    """Catches a class that changes with the array that it was made from, through the one it shows, or by hand."""
    labels = np.array(ROWS, dtype=bool)
    cls = FiniteClass(labels)
    labels[:] = False
    assert cls.labels.tolist() == np.array(ROWS, dtype=bool).tolist()
    for shown in (cls.labels, cls.restrict(0, False).labels):
        with pytest.raises(ValueError, match="read-only"):
            shown[0, 0] = True
    for name in ("table", "space", "work_limit", "instances"):
        with pytest.raises(AttributeError):
            setattr(cls, name, None)


def test_projections() -> None:
    """Catches hypotheses that stay apart although they agree on all points that are left."""
    cls = FiniteClass([[0, 0, 0], [0, 0, 1], [1, 1, 0], [1, 0, 0]], ["a", "b", "c"])
    assert cls.project(["b", "a"]) == FiniteClass([[0, 0], [1, 1], [0, 1]], ["b", "a"])
    empty = cls.restrict("a", True).restrict("c", True)
    assert len(empty.project(["b"])) == 0
    assert empty.project(["b"]).instances == ("b",)
