"""Every malformed CSV or TSV gives one sentence that names the line, the column and the mend."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from forms import StandardInput
from hypothesis import given
from hypothesis import strategies as st
from refusals import refusal

from reticent.streams import open_losses

ENCODED_16 = "a,b\n0,1\n".encode("utf-16")

#: File name, content, sentence.
TEXT_FILES: dict[str, tuple[str, bytes, str]] = {
    "empty file": (
        "l.csv",
        b"",
        "l.csv: this is empty; write a header line with the columns' names, then a line a round.",
    ),
    "no rows": ("l.csv", b"a,b\n", "l.csv: there are no rows below the header; give at least one round."),
    "empty header": ("l.csv", b"\n0,1\n", "l.csv, line 1: the header is empty; write the columns' names there."),
    "name twice": (
        "l.csv",
        b"a,b,a\n0,1,0\n",
        "l.csv, line 1: the name 'a' occurs 2 times; give each its own name.",
    ),
    "index without a name": (
        "l.csv",
        b",a,b\n0,1,0\n",
        "l.csv, line 1: column 1 has no name; name it, or leave it out if it is an index (in pandas: index=False).",
    ),
    "no header": (
        "l.csv",
        b"0.5,1\n0,1\n",
        "l.csv, line 1: the header holds only numbers and would be lost as a round; "
        "write a header line with the columns' names above it.",
    ),
    "UTF-16": ("l.csv", ENCODED_16, "l.csv, line 1: the header is not UTF-8 text; give CSV in UTF-8."),
    "carriage returns in the header": (
        "l.csv",
        b"a,b\r0,1\r",
        "l.csv, line 1: the header is not a line of CSV; close its quotes, and end every line with a line feed.",
    ),
    "open quote in the header": (
        "l.csv",
        b'"a,b\n0,1\n',
        "l.csv, line 1: the header is not a line of CSV; close its quotes, and end every line with a line feed.",
    ),
    "carriage return in a line": (
        "l.csv",
        b"a,b\n0,0\n1,0\r0,1\n0,0\n",
        "l.csv, line 3: this is not a line of CSV; end every line with a line feed.",
    ),
    "text": (
        "l.csv",
        b"a,delay > 15\n0,1\n1,late\n",
        "l.csv, line 3, column 'delay > 15': 'late' is not a number; write a number in its place.",
    ),
    "decimal comma": (
        "l.tsv",
        b"a\tb\n0\t0,5\n",
        "l.tsv, line 2, column 'b': '0,5' is not a number; write a number in its place.",
    ),
    "digits of another script": (
        "l.csv",
        "a,b\n0,\u0661\n".encode(),
        "l.csv, line 2, column 'b': '\u0661' is not a number; write a number in its place.",
    ),
    "underscore in a number": (
        "l.csv",
        b"a,b\n0,1_0\n",
        "l.csv, line 2, column 'b': '1_0' is not a number; write a number in its place.",
    ),
    "other separator": (
        "l.csv",
        b"a;b\n0;1\n",
        "l.csv, line 1: the columns seem to be separated by ';'; separate them by ','.",
    ),
    "a label in words": (
        "l.csv",
        b"x,y\n3,False\n",
        "l.csv, line 2, column 'y': 'False' is not a number; write 0 in its place.",
    ),
    "NA": ("l.csv", b"a,b\nNA,1\n", "l.csv, line 2, column 'a': 'NA' is not a number; write a number in its place."),
    "byte that is no text": (
        "l.csv",
        b"a,b\n0,1\n0,\xff\n",
        "l.csv, line 3, column 'b': '\ufffd' is not a number; write a number in its place.",
    ),
    "missing value": (
        "l.csv",
        b"a,b\n0,1\n0,\n1,1\n",
        "l.csv, line 3, column 'b': the value is missing; fill it in or leave the row out.",
    ),
    "quoted missing value": (
        "l.csv",
        b'a,b\n"",1\n',
        "l.csv, line 2, column 'a': the value is missing; fill it in or leave the row out.",
    ),
    "short row": (
        "l.csv",
        b"a,b\n0,1\n0\n",
        "l.csv, line 3: the number of values is 1, but the header has 2 names; give one value for each name.",
    ),
    "long row": (
        "l.csv",
        b"a,b\n0,1,1\n0,1\n",
        "l.csv, line 2: the number of values is 3, but the header has 2 names; give one value for each name.",
    ),
    "all rows short": (
        "l.csv",
        b"a,b\n0\n0\n",
        "l.csv, line 2: the number of values is 1, but the header has 2 names; give one value for each name.",
    ),
    "number across lines": (
        "l.csv",
        b'a,b\n"1\n0",1\n',
        "l.csv, line 2: the number of values is 1, but the header has 2 names; give one value for each name.",
    ),
    "empty line": ("l.csv", b"a,b\n0,1\n\n0,1\n", "l.csv, line 3: the line is empty; fill it in or remove it."),
    "empty line below the header": (
        "l.csv",
        b"a,b\n\n0,1\n",
        "l.csv, line 2: the line is empty; fill it in or remove it.",
    ),
    "empty line of one column": (
        "l.csv",
        b"a\n0\n\n1\n",
        "l.csv, line 3: the line is empty; fill it in or remove it.",
    ),
}


@pytest.fixture(autouse=True)
def _in_a_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("parser", ["pyarrow", "numpy"])
@pytest.mark.parametrize("case", TEXT_FILES)
def test_malformed_text(case: str, parser: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if parser == "numpy":
        monkeypatch.setitem(sys.modules, "pyarrow.csv", None)
    name, content, sentence = TEXT_FILES[case]
    Path(name).write_bytes(content)
    assert refusal(name) == sentence


@pytest.mark.parametrize("parser", ["pyarrow", "numpy"])
@given(rows=st.integers(1, 60), bad=st.data(), block_bytes=st.integers(1, 200))
def test_the_line_of_a_bad_cell_is_right_wherever_it_lies(
    rows: int, bad: st.DataObject, block_bytes: int, parser: str
) -> None:
    row = bad.draw(st.integers(0, rows - 1))
    cell, problem = bad.draw(
        st.sampled_from(
            [
                ("x", "'x' is not a number; write a number in its place."),
                ("", "the value is missing; fill it in or leave the row out."),
            ]
        )
    )
    lines = ["a,b"] + ["0.25,1"] * rows
    lines[row + 1] = f"1,{cell}"
    with pytest.MonkeyPatch.context() as patch:
        if parser == "numpy":
            patch.setitem(sys.modules, "pyarrow.csv", None)
        patch.setattr(sys, "stdin", StandardInput("\n".join(lines).encode()))
        assert refusal("-", block_bytes=block_bytes) == f"standard input, line {row + 2}, column 'b': {problem}"


def test_rows_before_the_bad_chunk_are_still_read() -> None:
    Path("l.csv").write_text("a,b\n" + "0,1\n" * 10 + "0,x\n")
    blocks = open_losses("l.csv", block_bytes=8).blocks()
    assert [len(next(blocks)) for _ in range(4)] == [1, 2, 2, 2]
