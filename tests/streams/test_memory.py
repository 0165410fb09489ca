"""Reading a file takes as much memory for many rounds as for few."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet
import pytest

from reticent.streams import open_losses

N_EXPERTS = 10
BLOCK_BYTES = 1 << 14


def peak(path: Path) -> int:
    """The most bytes that Python, numpy and pyarrow held at a time while the file was read."""
    before, arrow = pa.total_allocated_bytes(), 0
    tracemalloc.start()
    for _ in open_losses(path, block_bytes=BLOCK_BYTES).blocks():
        arrow = max(arrow, pa.total_allocated_bytes() - before)
    python = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return arrow + python


def frame(rows: int) -> pd.DataFrame:
    return pd.DataFrame(
        np.random.default_rng(1).random((rows, N_EXPERTS)).round(3), columns=[f"e{j}" for j in range(N_EXPERTS)]
    )


@pytest.mark.parametrize("row_group_size", [10_000, 1_000_000], ids=["many row groups", "one row group"])
@pytest.mark.parametrize("options", [{}, {"use_dictionary": False, "compression": "zstd"}], ids=["default", "zstd"])
def test_parquet(row_group_size: int, options: dict[str, object], tmp_path: Path) -> None:
    def size(rows: int) -> int:
        path = tmp_path / f"{rows}.parquet"
        pa.parquet.write_table(pa.Table.from_pandas(frame(rows)), path, row_group_size=row_group_size, **options)
        return peak(path)

    size(1000)  # the first reading imports and caches
    few, many = size(150_000), size(600_000)
    assert many < 1.5 * few
    assert many < 600_000 * N_EXPERTS * 8 / 5  # the file, unpacked, is far larger


def test_csv(tmp_path: Path) -> None:
    def size(rows: int) -> int:
        frame(rows).to_csv(tmp_path / "losses.csv", index=False)
        return peak(tmp_path / "losses.csv")

    size(1000)
    # How far the reader runs ahead varies by some blocks; all the rows would be twenty times as much.
    assert size(40_000) < size(10_000) + 10 * BLOCK_BYTES < 40_000 * N_EXPERTS * 8 / 5
