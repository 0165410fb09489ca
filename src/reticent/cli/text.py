"""Reports as text that fits the terminal."""

from __future__ import annotations

import io
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from reticent.report.labels import CURATOR_ONLY, MAY_BE_RELEASED, algorithm_labels, shorten
from reticent.report.text import run_text, wrapped

if TYPE_CHECKING:
    from reticent.comparison import Comparison
    from reticent.runner import Run

__all__ = ["comparison_report", "page_width", "run_report", "wrapped", "written_report"]


def page_width() -> int:
    """The terminal's width, within what tables need and eyes can read."""
    return max(72, min(shutil.get_terminal_size().columns, 110))


def run_report(run: Run) -> str:
    """The run's report for this terminal."""
    return run_text(run, page_width())


def written_report(run: Run, released: Sequence[Path], curator: Sequence[Path]) -> str:
    """Where the files lie, those that may be released apart from the others."""
    mark = MAY_BE_RELEASED if run.private else "NOT PRIVATE, release nothing"
    lines = [f"  {file} ({mark})" for file in released] + [f"  {file} ({CURATOR_ONLY})" for file in curator]
    return "\n".join(["Written", *lines])


def comparison_report(comparison: Comparison) -> str:
    """A table of the algorithms, the smallest mean regret first. For the curator only."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    names = algorithm_labels([entry.algorithm for entry in comparison.entries])
    in_order = sorted(zip(comparison.entries, names, strict=True), key=lambda pair: pair[0].mean_regret)
    rows = [("algorithm", "private", "mean regret", "spread", "loss/round", "switches")]
    for entry, name in in_order:
        rows.append(
            (
                name,
                "yes" if entry.private else "NO",
                f"{entry.mean_regret:,.1f}",
                f"{entry.spread:,.1f}" if len(entry.regrets) > 1 else "-",
                f"{sum(entry.losses) / len(entry.losses) / comparison.rounds:.4f}",
                f"{entry.mean_switches:,.0f}",
            )
        )
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    name_column, *number_columns = zip(*rows, strict=True)
    table.add_column(name_column[0], no_wrap=True)
    for column in number_columns:
        table.add_column(column[0], justify="right", no_wrap=True)
    # Only names may be cut: they get the room that the numbers, and three spaces before each, leave.
    room = page_width() - sum(3 + max(map(len, column)) for column in number_columns)
    for name, *numbers in rows[1:]:
        table.add_row(*map(Text, (shorten(name, room), *numbers)))
    runs = len(comparison.entries[0].regrets)
    seeded = " NOT PRIVATE: the noise is seeded." if comparison.noise.startswith("seeded") else ""
    head = (
        f"{shorten(comparison.stream, 60)}: {comparison.rounds:,} rounds, {comparison.n_experts:,} experts; "
        f"{runs} run{'s' * (runs > 1)} of each; noise {comparison.noise}\n"
        f"{CURATOR_ONLY.capitalize()}: computed from the private losses.{seeded}\n"
        f"Best expert: {shorten(comparison.best_expert, 50)} (loss {comparison.best_loss:,.6g}); "
        f"all experts on average: {comparison.uniform_loss:,.6g}."
    )
    page = io.StringIO()
    Console(file=page, width=page_width(), color_system=None).print(table)
    body = "\n".join(line.rstrip() for line in page.getvalue().splitlines())
    return f"{wrapped(head, page_width())}\n\n{body}"
