"""Columns side by side are the matrix, for every dtype, width and size of blocks."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from reticent.streams.blocks import as_block, gather, gathered_dtype


@pytest.mark.parametrize("dtype", [np.bool_, np.uint8, np.int8, np.float16, np.float32, np.float64, np.int64])
@given(shape=st.tuples(st.integers(1, 20), st.integers(1, 11)), data=st.data(), rows=st.integers(1, 25))
def test_gathering_columns(dtype: type, shape: tuple[int, int], data: st.DataObject, rows: int) -> None:
    # Bytes are copied four columns at a time: widths on both sides of multiples of four.
    elements = {
        "b": st.booleans(),
        "u": st.integers(0, 255),
        "i": st.integers(-3, 127),
        "f": st.floats(0, 1, width=16),
    }
    values = data.draw(hnp.arrays(dtype, shape, elements=elements[np.dtype(dtype).kind]))
    blocks = list(gather(list(values.T), gathered_dtype([dtype]), rows))
    assert [len(block) for block in blocks[:-1]] == [rows] * (len(blocks) - 1)
    assert all(block.flags.c_contiguous for block in blocks)
    np.testing.assert_array_equal(np.concatenate(blocks), values)


@given(st.lists(st.sampled_from([np.bool_, np.uint8, np.int8, np.float32]), min_size=1, max_size=9))
def test_columns_of_several_dtypes(dtypes: list[type]) -> None:
    columns = [np.array([0, 1, j % 2]).astype(dtype) for j, dtype in enumerate(dtypes)]
    (block,) = gather(columns, gathered_dtype(dtypes), 10)
    np.testing.assert_array_equal(block, np.column_stack(columns))


def test_a_block_stays_where_it_is() -> None:
    values = np.zeros((3, 2), dtype=np.float32)
    assert np.shares_memory(as_block(values), values)
