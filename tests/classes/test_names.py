"""Would catch: a name that makes another class, and a misspelt one that ends in a riddle."""

from __future__ import annotations

import pytest

from reticent.classes import (
    AllFunctions,
    Conjunctions,
    FiniteClass,
    Intervals,
    MonotoneConjunctions,
    Parities,
    Points,
    Sparse,
    Thresholds,
    class_names,
    named,
)
from reticent.errors import InputError, ParameterError

CLOSED = {
    "points:1000": Points(1000),
    "thresholds:1_000_000": Thresholds(10**6),
    "intervals:6": Intervals(6),
    "sparse:1000,3": Sparse(1000, 3),
    "sparse: 1000, 3": Sparse(1000, 3),
    "parities:7": Parities(7),
    "conjunctions:7": Conjunctions(7),
    "monotone:7": MonotoneConjunctions(7),
    "cube:7": AllFunctions(7),
}

#: Names and dimensions.
TABLES = {
    "decision-lists:3": 5,
    "halfspaces:3": 5,
    "rectangles:3": 4,
    "tree:4": 4,
    "addressing:16": 4,
    "majority:3": 3,
}


@pytest.mark.parametrize("text", CLOSED)
def test_closed_forms_by_name(text: str) -> None:
    assert named(text) == CLOSED[text]


@pytest.mark.parametrize("text", TABLES)
def test_tables_by_name(text: str) -> None:
    assert isinstance(named(text), FiniteClass)
    assert named(text).littlestone_dimension() == TABLES[text]


def test_every_name_is_tried_above() -> None:
    assert sorted({text.partition(":")[0] for text in (*CLOSED, *TABLES)}) == sorted(
        name.partition(":")[0] for name in class_names()
    )


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("points", "'points': points:N needs a whole number; write it like points:1000."),
        ("points:", "'points': points:N needs a whole number; write it like points:1000."),
        ("points:2.5", "'points:2.5': points:N needs a whole number; write it like points:1000."),
        ("points:1,2", "'points:1,2': points:N needs a whole number; write it like points:1000."),
        ("sparse:5", "'sparse:5': sparse:N,k needs two whole numbers; write it like sparse:1000,3."),
        (
            "points:0",
            "'points:0': n_instances is 0; give a whole number from 1 to 340282366920938463463374607431768211456.",
        ),
        ("sparse:3,4", "'sparse:3,4': n_ones is 4; give a whole number from 0 to 3."),
        (
            "cube:" + "9" * 39,
            "n_instances is 999999999999999999999999999999999999999; give a whole number from 1 to ",
        ),
        (
            "conjunctions:" + "9" * 31,
            "n_variables is 9999999999999999999999999999999; give a whole number from 1 to 4096.",
        ),
        ("majority:" + "9" * 4000, "; give a whole number from 1 to 16."),
        ("decision-lists:-1", "'decision-lists:-1': "),
        ("point:3", "'point:3' is neither a file nor the name of a class; the names are points:N, thresholds:N, "),
        ("", "'' is neither a file nor the name of a class; "),
        ("x" * 5000, "..."),
    ],
)
def test_a_name_that_is_none(text: str, sentence: str) -> None:
    with pytest.raises(ParameterError) as error:
        named(text)
    assert sentence in str(error.value)
    assert str(error.value).endswith(".")
    assert len(str(error.value)) < 400


def test_a_file(tmp_path, monkeypatch) -> None:
    (tmp_path / "three.csv").write_text("a,b\n0,0\n0,1\n1,1\n")
    three = named(str(tmp_path / "three.csv"))
    assert isinstance(three, FiniteClass)
    assert (three.size(), three.instances, three.littlestone_dimension()) == (3, ("a", "b"), 1)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "points").write_text("a\n0\n1\n")
    (tmp_path / "points:3").write_text("a\n0\n1\n")
    assert named("points").size() == named("./points:3").size() == 2
    assert named("points:3") == Points(3)


def test_a_file_that_is_not_there_or_holds_no_class(tmp_path) -> None:
    with pytest.raises(InputError, match="there is no such file"):
        named("nowhere.csv")
    (tmp_path / "bad.csv").write_text("a,b\n0,2\n")
    with pytest.raises(InputError, match="line 2"):
        named(str(tmp_path / "bad.csv"))
