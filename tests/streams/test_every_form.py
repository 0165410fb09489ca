"""The same numbers come out of every form, whatever the size of blocks."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from forms import FILES, IN_MEMORY, NAMES, StandardInput, table
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from reticent.streams import LossStream, open_losses

Array = np.ndarray[Any, Any]

UNNAMED = {"array", "array in Fortran order", "array of other byte order", "lists", "npy", "npy in Fortran order"}
UNNAMED |= {"iterator of arrays", "list of arrays"}

block_bytes = st.integers(1, 300)
losses_of = {
    dtype: hnp.arrays(dtype, st.tuples(st.integers(1, 12), st.just(3)), elements=elements)
    for dtype, elements in {
        np.float64: st.floats(0, 1),
        np.float32: st.floats(0, 1, width=32),
        np.uint8: st.integers(0, 1),
        np.int64: st.integers(0, 1),
        np.bool_: st.booleans(),
    }.items()
}
any_losses = st.one_of(*losses_of.values())


def read(stream: LossStream) -> Array:
    blocks = list(stream.blocks())
    for block in blocks:
        assert block.flags.c_contiguous
        assert block.dtype in (np.float64, np.float32, np.uint8, np.bool_)
        assert block.dtype.isnative
    return np.concatenate(blocks)


def opened(form: str, losses: Array, directory: str, block_bytes: int) -> LossStream:
    if form in IN_MEMORY:
        return open_losses(IN_MEMORY[form](losses), block_bytes=block_bytes)
    suffix, write = FILES[form]
    path = Path(directory) / f"losses{suffix}"
    write(losses, path)
    return open_losses(path, block_bytes=block_bytes)


@pytest.mark.parametrize("form", [*IN_MEMORY, *FILES])
@settings(max_examples=20)
@given(losses=losses_of[np.float64], block_bytes=block_bytes)
def test_the_same_numbers_from_every_form(form: str, losses: Array, block_bytes: int) -> None:
    with tempfile.TemporaryDirectory() as directory:
        stream = opened(form, losses, directory, block_bytes)
        assert stream.n_experts == 3
        assert stream.names == (None if form in UNNAMED else NAMES)
        assert stream.rounds in (None, len(losses))
        np.testing.assert_array_equal(read(stream), losses, strict=True)


@pytest.mark.parametrize("form", [*IN_MEMORY, *FILES])
@settings(max_examples=10)
@given(losses=any_losses)
def test_every_dtype_from_every_form(form: str, losses: Array) -> None:
    if form in {"CSV", "CSV from Windows", "TSV"}:
        losses = losses.astype(np.float64)
    with tempfile.TemporaryDirectory() as directory:
        np.testing.assert_array_equal(read(opened(form, losses, directory, 1 << 20)), losses)


@pytest.mark.parametrize("form", [form for form in [*IN_MEMORY, *FILES] if "SV" not in form and form != "lists"])
@pytest.mark.parametrize(
    ("dtype", "block_dtype"),
    [
        (np.float64, np.float64),
        (np.float32, np.float32),
        (np.uint8, np.uint8),
        (np.int8, np.uint8),
        (np.bool_, np.bool_),
        (np.int32, np.float64),
        (np.uint64, np.float64),
    ],
)
def test_small_dtypes_stay_small(form: str, dtype: type, block_dtype: type, tmp_path: Path) -> None:
    losses = np.array([[0, 1, 1], [1, 0, 1]], dtype=dtype)
    blocks = list(opened(form, losses, str(tmp_path), 1 << 20).blocks())
    assert {block.dtype for block in blocks} == {np.dtype(block_dtype)}
    np.testing.assert_array_equal(np.concatenate(blocks), losses)


def test_half_precision_becomes_single() -> None:
    losses = np.array([[0.5, 0.25, 1.0]], dtype=np.float16)
    for data in (losses, table(losses)):
        np.testing.assert_array_equal(read(open_losses(data)), losses.astype(np.float32), strict=True)


def test_columns_of_several_dtypes_get_the_common_one() -> None:
    import pandas as pd

    frame = pd.DataFrame({"a": np.array([0.5], np.float32), "b": np.array([1], np.uint8), "c": [True]})
    assert read(open_losses(frame)).dtype == np.float32
    assert read(open_losses(frame.assign(d=0.1))).dtype == np.float64
    assert read(open_losses(frame[["b", "c"]])).dtype == np.uint8


def test_a_negative_small_integer_stays_negative() -> None:
    # As uint8 it would be 255, and the range check would report a number that is not in the data.
    losses = np.array([[0, -1, 1]], dtype=np.int8)
    for data in (losses, table(losses)):
        np.testing.assert_array_equal(read(open_losses(data)), [[0.0, -1.0, 1.0]])


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.uint8, np.bool_])
def test_blocks_of_an_array_are_views(dtype: type) -> None:
    losses = np.zeros((10, 3), dtype=dtype)
    assert all(np.shares_memory(block, losses) for block in open_losses(losses, block_bytes=64).blocks())


def test_npy_files_are_mapped_not_read(tmp_path: Path) -> None:
    np.save(tmp_path / "losses.npy", np.zeros((10, 3)))
    (block,) = open_losses(tmp_path / "losses.npy").blocks()
    base = block
    while not isinstance(base, np.memmap):
        assert base.base is not None
        base = base.base


@pytest.mark.parametrize(
    "form", [form for form in [*IN_MEMORY, *FILES] if not form.startswith(("iterator", "list of"))]
)
def test_blocks_keep_to_the_size_asked_for(form: str, tmp_path: Path) -> None:
    losses = np.arange(300.0).reshape(100, 3) / 300
    for block in opened(form, losses, str(tmp_path), 240).blocks():
        # Text is measured as text; a digit of it can make a number of eight bytes.
        assert block.nbytes <= (240 if "SV" not in form else 8 * 240)


@given(losses=losses_of[np.float64], block_bytes=block_bytes)
def test_standard_input_is_csv(losses: Array, block_bytes: int) -> None:
    lines = [",".join(map(repr, row)) for row in losses.tolist()]
    data = "\n".join(["one,two,three", *lines]).encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", StandardInput(data))
        stream = open_losses("-", block_bytes=block_bytes)
        assert (stream.source, stream.names, stream.rounds) == ("standard input", ("one", "two", "three"), None)
        np.testing.assert_array_equal(read(stream), losses)


def test_text_without_pyarrow_gives_the_same_numbers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    losses = np.random.default_rng(1).random((50, 3))
    suffix, write = FILES["CSV"]
    path = tmp_path / f"losses{suffix}"
    write(losses, path)
    monkeypatch.setitem(sys.modules, "pyarrow.csv", None)
    np.testing.assert_array_equal(read(open_losses(path, block_bytes=200)), losses)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("\ufeffa,b\n0,1\n", ("a", "b")),
        ('"a","b, c"\n"0",1\n', ("a", "b, c")),
        ("a, b \n 0, 1 \n", ("a", "b")),
        ("a,b\n0,1\n\n\n", ("a", "b")),
        ("a,b\r\n0,1\r\n\r\n", ("a", "b")),
        ("0,1\n0,1", ("0", "1")),
        ("a,b\n0e0,+1.\n", ("a", "b")),
    ],
    ids=["byte order mark", "quotes", "spaces", "empty lines at the end", "Windows", "numbered columns", "notation"],
)
@pytest.mark.parametrize("parser", ["pyarrow", "numpy"])
def test_text_as_programs_write_it(
    text: str, names: tuple[str, ...], parser: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if parser == "numpy":
        monkeypatch.setitem(sys.modules, "pyarrow.csv", None)
    path = tmp_path / "losses.csv"
    path.write_bytes(text.encode())
    stream = open_losses(path)
    assert stream.names == names
    np.testing.assert_array_equal(read(stream), [[0.0, 1.0]])


def test_rounds_are_known_beforehand_where_the_format_tells(tmp_path: Path) -> None:
    losses = np.zeros((7, 3))
    known = {form for form in [*IN_MEMORY, *FILES] if opened(form, losses, str(tmp_path), 64).rounds == 7}
    lazy = {
        form
        for form in IN_MEMORY
        if form.startswith(("iterator", "list of")) or "reader" in form or "C stream" in form
    }
    assert known == {*IN_MEMORY, *FILES} - lazy - {"CSV", "CSV from Windows", "TSV", "IPC stream"}


def test_names_given_replace_the_columns() -> None:
    assert open_losses(np.zeros((1, 2)), names=["a", "b"]).names == ("a", "b")
    assert open_losses(table(np.zeros((1, 3))), names=["a", "b", "c"]).names == ("a", "b", "c")


def test_an_open_stream_comes_back_as_it_is() -> None:
    stream = open_losses(np.zeros((1, 2)))
    assert open_losses(stream) is stream
