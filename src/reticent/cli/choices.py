"""The choices as a file: it holds only what may be released, or says that nothing of it may be."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import IO, TYPE_CHECKING

import numpy as np

from reticent.cli.outputs import Writer, text
from reticent.report.labels import not_private
from reticent.streams.arrow import require_pyarrow

if TYPE_CHECKING:
    from reticent.runner import Run

__all__ = ["CHOICES_SUFFIXES", "choices_writers", "note_beside", "require_format"]

CHOICES_SUFFIXES = (".csv", ".npy", ".parquet")


def require_format(path: Path) -> None:
    """Raise MissingExtraError when the file's format needs a package that is not installed."""
    if path.suffix.lower() == ".parquet":
        require_pyarrow("writing Parquet")


def choices_writers(run: Run, path: Path) -> dict[Path, Writer]:
    """What writes the choices to the path: rounds from 1 on, experts from 0 on, and the experts' names.

    A run that is not private says so: in a first comment line of a CSV file, in the metadata of a Parquet file,
    and in a text file beside an .npy file, which has room for nothing but the experts' numbers.
    """
    warning = not_private(run)
    suffix = path.suffix.lower()
    if suffix == ".csv":
        return {path: lambda file: _write_csv(run, warning, file)}
    if suffix == ".parquet":
        return {path: lambda file: _write_parquet(run, warning, file)}
    writers: dict[Path, Writer] = {}
    note = note_beside(path)
    if warning is not None and note is not None:  # first, so that the array never stands without it
        writers[note] = text(f"{path.name}: {warning}; for simulation only, release nothing.\n")
    writers[path] = lambda file: np.save(file, run.choices)
    return writers


def note_beside(path: Path) -> Path | None:
    """The file beside an .npy file of choices that says when they are not private; other formats say it inside."""
    return path.with_name(f"{path.name}.NOT-PRIVATE.txt") if path.suffix.lower() == ".npy" else None


def _write_csv(run: Run, warning: str | None, file: IO[bytes]) -> None:
    lines = io.TextIOWrapper(file, encoding="utf-8", newline="")
    if warning is not None:
        lines.write(f"# {warning.replace(' (', ': ', 1).removesuffix(')')}; for simulation only, release nothing.\n")
    rows = csv.writer(lines, lineterminator="\n")
    rows.writerow(("round", "expert_index", "expert_name"))
    rows.writerows((t, i, run.names[i]) for t, i in enumerate(run.choices.tolist(), start=1))
    lines.flush()
    lines.detach()


def _write_parquet(run: Run, warning: str | None, file: IO[bytes]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    names = pa.DictionaryArray.from_arrays(pa.array(run.choices.astype(np.int32)), pa.array(run.names, pa.string()))
    table = pa.table(
        {
            "round": pa.array(np.arange(1, len(run.choices) + 1)),
            "expert_index": pa.array(run.choices),
            "expert_name": names,
        }
    )
    about = {"reticent.privacy": json.dumps(run.privacy.to_dict())}
    if warning is not None:
        about["reticent.warning"] = f"{warning}; for simulation only, release nothing."
    pq.write_table(table.replace_schema_metadata(about), file)
