"""A Parquet file of some hundred megabytes through the stream, against pyarrow's own batch read of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet
import pytest
from measure import print_ratio

from reticent.streams import open_losses

ROW_GROUP = 100_000


def write(path: Path, kind: type, rounds: int, n_experts: int) -> None:
    generator = np.random.default_rng(1)
    writer = None
    for _ in range(0, rounds, ROW_GROUP):
        losses = generator.random((n_experts, ROW_GROUP), dtype=np.float32).astype(kind)
        if kind is np.uint8:
            losses = (generator.random((n_experts, ROW_GROUP), dtype=np.float32) < 0.2).astype(kind)
        table = pa.table({f"expert {j}": losses[j] for j in range(n_experts)})
        writer = writer or parquet.ParquetWriter(path, table.schema)
        writer.write_table(table)
    assert writer is not None
    writer.close()


@pytest.mark.parametrize(("kind", "rounds"), [(np.float64, 500_000), (np.float32, 1_000_000), (np.uint8, 2_000_000)])
def test_stream_against_pyarrow(kind: type, rounds: int, tmp_path: Path) -> None:
    path = tmp_path / "losses.parquet"
    write(path, kind, rounds, 100)
    held = [0, 0]

    def ours() -> int:
        rows = 0
        for block in open_losses(path).blocks():
            rows += len(block)
            held[0] = max(held[0], block.nbytes + pa.total_allocated_bytes())
        return rows

    def pyarrow() -> int:
        rows = 0
        for batch in parquet.ParquetFile(path).iter_batches():
            rows += batch.num_rows
            held[1] = max(held[1], pa.total_allocated_bytes())
        return rows

    assert ours() == pyarrow() == rounds
    print_ratio(
        f"Parquet of {path.stat().st_size / 1e6:.0f} MB, {kind.__name__}, T = {rounds}, N = 100, "
        "over pyarrow's iter_batches",
        ours,
        pyarrow,
    )
    print(f"  most memory held: {held[0] / 1e6:.0f} MB, by pyarrow alone {held[1] / 1e6:.0f} MB")
