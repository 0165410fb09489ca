"""Every malformed binary file and every malformed call gives one sentence that names the place and the mend."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest
from forms import StandardInput
from refusals import refusal

from reticent.errors import InputError, MissingExtraError, ParameterError
from reticent.streams import open_losses


@pytest.fixture(autouse=True)
def _in_a_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def _write_parquet(table: pa.Table) -> Path:
    path = Path("l.parquet")
    pa.parquet.write_table(table, path)
    return path


def _cut(path: Path, keep: int) -> Path:
    path.write_bytes(path.read_bytes()[:keep])
    return path


def _empty(name: str, content: bytes = b"") -> Path:
    path = Path(name)
    path.write_bytes(content)
    return path


def _feather(keep: int) -> Path:
    pa.feather.write_feather(pa.table({"a": np.zeros(1000)}), "l.feather")
    return _cut(Path("l.feather"), keep)


def _ipc_stream(keep: int) -> Path:
    table = pa.table({"a": np.zeros(1000)})
    with pa.OSFile("l.arrow", "wb") as file, pa.ipc.new_stream(file, table.schema) as writer:
        writer.write_table(table, max_chunksize=100)
    return _cut(Path("l.arrow"), keep)


def _npy(array: np.ndarray, keep: int | None = None) -> Path:
    np.save("l.npy", array)
    return Path("l.npy") if keep is None else _cut(Path("l.npy"), keep)


def _npz() -> Path:
    np.savez("l.npz", np.zeros((2, 2)))
    return Path("l.npz").rename("l.npy")


NOT_PARQUET = "l.parquet: this is not a whole Parquet file; it may be cut short, so write it again."
NOT_NPY = "l.npy: this is not one whole array of numbers; write it again with numpy.save(path, array)."
SUFFIXES = ".csv, .tsv, .parquet, .arrow, .feather, .ipc, .npy"
NOT_IPC = "this is not a whole Arrow IPC file; it may be cut short, so write it again."
NUMBERS = pa.table({"a": np.zeros(1000), "b": np.zeros(1000)})

#: How to make the file, and the sentence.
FILES: dict[str, tuple[Callable[[], object], str]] = {
    "no such file": (lambda: "l.csv", "l.csv: there is no such file; check the name."),
    "directory": (lambda: Path("."), ".: this is a directory; name a file in it."),
    "unknown suffix": (lambda: _empty("l.xlsx"), f"l.xlsx: its suffix tells no known format; use one of {SUFFIXES}."),
    "no suffix": (lambda: str(_empty("l")), f"l: its suffix tells no known format; use one of {SUFFIXES}."),
    "empty Parquet file": (lambda: _empty("l.parquet"), NOT_PARQUET),
    "truncated Parquet": (lambda: _cut(_write_parquet(NUMBERS), 500), NOT_PARQUET),
    "CSV called Parquet": (lambda: _empty("l.parquet", b"a,b\n0,1\n0,1\n0,1\n"), NOT_PARQUET),
    "Parquet without rows": (
        lambda: _write_parquet(NUMBERS[:0]),
        "l.parquet: there are no rows; give at least one round.",
    ),
    "null in Parquet": (
        lambda: _write_parquet(pa.table({"a": [0.0] * 5, "b": [0.0, 1.0, 0.5, None, None]})),
        "l.parquet, row 4 (counted from 1), column 'b': the value is missing; fill it in or leave the row out.",
    ),
    "text in Parquet": (
        lambda: _write_parquet(pa.table({"a": [0.0], "b": ["x"]})),
        "l.parquet, column 'b': its type is string; convert the column to numbers or drop it.",
    ),
    "time in Parquet": (
        lambda: _write_parquet(pa.table({"when": pa.array([0], pa.timestamp("us")), "b": [0.5]})),
        "l.parquet, column 'when': its type is timestamp[us]; convert the column to numbers or drop it.",
    ),
    "empty Feather file": (lambda: _empty("l.feather"), f"l.feather: {NOT_IPC}"),
    "truncated Feather": (lambda: _feather(300), f"l.feather: {NOT_IPC}"),
    "truncated IPC stream": (lambda: _ipc_stream(2000), f"l.arrow: {NOT_IPC}"),
    "junk called Arrow": (lambda: _empty("l.arrow", b"no arrow, no arrow"), f"l.arrow: {NOT_IPC}"),
    "empty npy": (lambda: _empty("l.npy"), NOT_NPY),
    "truncated npy": (lambda: _npy(np.zeros((100, 2)), 400), NOT_NPY),
    "pickled npy": (lambda: _npy(np.array([[None]])), NOT_NPY),
    "npz called npy": (_npz, NOT_NPY),
    "one-dimensional npy": (
        lambda: _npy(np.zeros(3)),
        "l.npy: the array is 1-dimensional; give two dimensions, a row for each round and a column for each expert.",
    ),
    "npy without rows": (
        lambda: _npy(np.zeros((0, 2))),
        "l.npy: there are no rows; give at least one round.",
    ),
}


@pytest.mark.parametrize("case", FILES)
def test_malformed_files(case: str) -> None:
    make, sentence = FILES[case]
    assert refusal(make()) == sentence


def test_parquet_damaged_before_its_footer() -> None:
    path = _write_parquet(NUMBERS)
    content = bytearray(path.read_bytes())
    content[4:200] = b"\xff" * 196
    path.write_bytes(content)
    stream = open_losses(path)
    assert stream.rounds == 1000
    assert refusal(stream) == NOT_PARQUET


def test_a_file_that_may_not_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(*_: object, **__: object) -> object:
        raise PermissionError(13, "Permission denied")

    _empty("l.csv")
    monkeypatch.setattr(Path, "open", forbidden)
    assert refusal("l.csv") == "l.csv: the file cannot be opened (Permission denied); check its permissions."


def _of_dtype(dtype: object) -> str:
    return f"the losses: the array has dtype {dtype}; convert it to numbers, for example with .astype(float)."


def _dimensions(n: int) -> str:
    return (
        f"the losses: the array is {n}-dimensional; "
        "give two dimensions, a row for each round and a column for each expert."
    )


MISSING = "the value is missing; fill it in or leave the row out."
NO_ROWS = "the losses: there are no rows; give at least one round."
NO_COLUMNS = "the losses: there are no columns; give one column for each expert."
TOO_LARGE = "is too large for a float64; keep to 2**53 in absolute value."
FORMS = "give a 2-D array, a data frame, an Arrow table, an iterator of such blocks, or the path of a file."
FRAME = pd.DataFrame({"a": [0.0, 1.0, 0.5], "b": [1.0, 0.5, 0.0]})
POLARS = pl.from_pandas(FRAME)

#: What is opened, and the sentence.
CALLS: dict[str, tuple[object, str]] = {
    "scalar array": (np.array(0.5), _dimensions(0)),
    "one-dimensional array": (np.zeros(3), _dimensions(1)),
    "three-dimensional array": (np.zeros((2, 2, 2)), _dimensions(3)),
    "array without rows": (np.zeros((0, 3)), NO_ROWS),
    "array without columns": (np.zeros((3, 0)), NO_COLUMNS),
    "complex array": (np.zeros((2, 2), dtype=complex), _of_dtype("complex128")),
    "array of text": (np.array([["0", "1"]]), _of_dtype("<U1")),
    "array of times": (np.zeros((2, 2), dtype="M8[s]"), _of_dtype("datetime64[s]")),
    "array of objects that are numbers": (np.array([[0, 1]], dtype=object), _of_dtype("object")),
    "array of objects": (
        np.array([[0.5, 1], [1, "late"]], dtype=object),
        "the losses, row 2 (counted from 1), expert 1: 'late' is not a number; write a number in its place.",
    ),
    "array with None": (
        np.array([[0.5, 1], [None, 1]], dtype=object),
        f"the losses, row 2 (counted from 1), expert 0: {MISSING}",
    ),
    "masked array": (
        np.ma.masked_array([[0, 1], [1, 1]], mask=[[False, False], [False, True]]),
        f"the losses, row 2 (counted from 1), expert 1: {MISSING}",
    ),
    "integer beyond float64": (
        np.array([[0, 1], [2**53 + 1, 0]]),
        f"the losses, row 2 (counted from 1), expert 0: the integer 9007199254740993 {TOO_LARGE}",
    ),
    "negative integer beyond float64": (
        np.array([[0, -(2**60)]]),
        f"the losses, row 1 (counted from 1), expert 1: the integer -1152921504606846976 {TOO_LARGE}",
    ),
    "ragged lists": (
        [[0, 1], [0.5]],
        "the losses: the rows differ in length; give every row one value for each expert.",
    ),
    "lists with text": ([[0, "x"]], _of_dtype("<U21")),
    "one row": (
        [0.5, 1.0],
        "block 1 of the losses: an object of type float is no table; "
        "give two-dimensional blocks, a row for each round.",
    ),
    "rows instead of blocks": (
        [np.zeros(2), np.zeros(2)],
        "block 1 of the losses: the array is 1-dimensional; "
        "give two dimensions, a row for each round and a column for each expert.",
    ),
    "number": (3, f"the losses: an object of type int is no table; {FORMS}"),
    "nothing": (None, f"the losses: an object of type NoneType is no table; {FORMS}"),
    "dictionary": ({"a": [0.5]}, f"the losses: an object of type dict is no table; {FORMS}"),
    "bytes": (b"0,1", f"the losses: an object of type bytes is no table; {FORMS}"),
    "pandas with a name twice": (
        pd.DataFrame([[0, 1]], columns=["a", "a"]),
        "the losses: the name 'a' occurs 2 times; give each its own name.",
    ),
    "pandas with text": (
        FRAME.assign(b=[0.5, "late", 1]),
        "the losses, row 2 (counted from 1), column 'b': 'late' is not a number; write a number in its place.",
    ),
    "pandas with NaN": (FRAME.assign(b=[0, np.nan, 1]), f"the losses, row 2 (counted from 1), column 'b': {MISSING}"),
    "pandas with None": (
        FRAME.assign(b=np.array([0, 1, None])),
        f"the losses, row 3 (counted from 1), column 'b': {MISSING}",
    ),
    "pandas with NA": (
        FRAME.assign(b=pd.array([None, 1, 0], dtype="Int64")),
        f"the losses, row 1 (counted from 1), column 'b': {MISSING}",
    ),
    "pandas with decimals": (
        FRAME.assign(b=[Decimal("0.5")] * 3),
        "the losses, column 'b': its type is Object; convert the column to numbers or drop it.",
    ),
    "pandas with integers beyond float64": (
        FRAME.assign(b=[0, 1, 2**60]),
        f"the losses, row 3 (counted from 1), column 'b': the integer 1152921504606846976 {TOO_LARGE}",
    ),
    "pandas without rows": (FRAME[:0], NO_ROWS),
    "pandas without columns": (pd.DataFrame(), NO_COLUMNS),
    "pandas series": (FRAME["a"], _dimensions(1)),
    "polars with null": (
        POLARS.with_columns(b=pl.Series([0.0, None, 1.0])),
        f"the losses, row 2 (counted from 1), column 'b': {MISSING}",
    ),
    "polars with nothing but null": (
        POLARS.with_columns(b=pl.lit(None)),
        f"the losses, row 1 (counted from 1), column 'b': {MISSING}",
    ),
    "polars with text": (
        POLARS.with_columns(b=pl.Series(["x", "y", "z"])),
        "the losses, row 1 (counted from 1), column 'b': 'x' is not a number; write a number in its place.",
    ),
    "polars with lists": (
        POLARS.with_columns(b=pl.Series([[1], [2], [3]])),
        "the losses, column 'b': its type is List(Int64); convert the column to numbers or drop it.",
    ),
    "polars with huge integers": (
        POLARS.with_columns(b=pl.Series([1, 2, 3], dtype=pl.Int128)),
        "the losses, column 'b': its type is Int128; convert the column to numbers or drop it.",
    ),
    "lazy polars": (
        POLARS.lazy(),
        "the losses: an object of type LazyFrame holds no rows yet; call its collect() first.",
    ),
    "Arrow with a name twice": (
        pa.table([[0.5], [0.5]], names=["a", "a"]),
        "the losses: the name 'a' occurs 2 times; give each its own name.",
    ),
    "Arrow with null": (
        pa.table({"a": [True, None]}),
        f"the losses, row 2 (counted from 1), column 'a': {MISSING}",
    ),
    "Arrow with structs": (
        pa.table({"a": [{"x": 1}]}),
        "the losses, column 'a': its type is struct<x: int64>; convert the column to numbers or drop it.",
    ),
    "Arrow without columns": (pa.table({}), NO_COLUMNS),
}


@pytest.mark.parametrize("case", CALLS)
def test_malformed_calls(case: str) -> None:
    data, sentence = CALLS[case]
    assert refusal(data) == sentence


def _frames(*columns: str) -> Iterator[pd.DataFrame]:
    return (pd.DataFrame([[0.0] * len(names)], columns=list(names)) for names in columns)


@pytest.mark.parametrize(
    ("blocks", "sentence"),
    [
        (lambda: iter([]), "the losses: there are no blocks; give at least one round."),
        (lambda: iter([np.zeros((0, 2))]), NO_ROWS),
        (
            lambda: iter([np.zeros((1, 3)), np.zeros((1, 4))]),
            "block 2 of the losses: 4 columns where the blocks before have 3; give every block the same columns.",
        ),
        (
            lambda: _frames("abcdefg", "abcdefh"),
            "block 2 of the losses: the columns are 'a', 'b', 'c', 'd', 'e', ... where the blocks before have "
            "'a', 'b', 'c', 'd', 'e', ...; give every block the same columns in the same order.",
        ),
        (
            lambda: iter([*_frames("ab"), np.zeros((1, 2))]),
            "block 2 of the losses: the columns are not named where the blocks before have 'a', 'b'; "
            "give every block the same columns in the same order.",
        ),
        (
            lambda: iter([np.zeros((5, 2)), np.ma.masked_equal([[1, 1], [1, 0]], 0)]),
            f"block 2 of the losses, row 2 (counted from 1), expert 1: {MISSING}",
        ),
        (
            lambda: iter([np.zeros((5, 2)), "l.csv"]),
            "block 2 of the losses: an object of type str is no table; "
            "give two-dimensional blocks, a row for each round.",
        ),
    ],
    ids=["none", "no rows", "other number", "other names", "no names", "missing value", "no block"],
)
def test_malformed_iterators(blocks: Callable[[], object], sentence: str) -> None:
    assert refusal(blocks()) == sentence


def test_errors_of_the_users_own_iterator_pass_through() -> None:
    def feed() -> Iterator[np.ndarray]:
        yield np.zeros((1, 2))
        raise ConnectionError("the feed broke")

    with pytest.raises(ConnectionError, match="the feed broke"):
        list(open_losses(feed()).blocks())


@pytest.mark.parametrize(
    ("names", "sentence"),
    [
        (["a"], "names: 1 given for the 2 columns of the losses; give one for each column."),
        (["a", "a"], "names: the name 'a' occurs 2 times; give each its own name."),
    ],
)
def test_malformed_names(names: list[str], sentence: str) -> None:
    assert refusal(np.zeros((1, 2)), names=names) == sentence


@pytest.mark.parametrize("size", [0, -1, 1.5, True])
def test_malformed_block_bytes(size: object) -> None:
    with pytest.raises(ParameterError) as refused:
        open_losses(np.zeros((1, 2)), block_bytes=size)  # type: ignore[arg-type]
    assert str(refused.value) == f"block_bytes is {size!r}; give a whole number of at least 1."


def test_a_terminal_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", StandardInput(b"", terminal=True))
    assert refusal("-") == "standard input: this is a terminal; pipe CSV into the command."


def test_a_stream_is_read_only_once() -> None:
    stream = open_losses(np.zeros((1, 2)))
    list(stream.blocks())
    with pytest.raises(InputError) as refused:
        list(stream.blocks())
    assert str(refused.value) == "the losses: a stream is read only once; open it again."


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("l.parquet", "reading Parquet files needs pyarrow: install it with  pip install 'reticent[arrow]'."),
        ("l.arrow", "reading Arrow files needs pyarrow: install it with  pip install 'reticent[arrow]'."),
    ],
)
def test_without_pyarrow(name: str, sentence: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _empty(name)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtraError) as refused:
        open_losses(name)
    assert str(refused.value) == sentence
