"""Reports as text that fits the terminal."""

from __future__ import annotations

import io
import shutil
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from reticent.report.labels import CURATOR_ONLY, MAY_BE_RELEASED, algorithm_labels, shorten
from reticent.report.text import run_text, wrapped

if TYPE_CHECKING:
    from reticent.comparison import Comparison
    from reticent.labelled import LabelledRun
    from reticent.runner import Run

__all__ = ["comparison_report", "page_width", "run_report", "table", "wrapped", "written_report"]


def page_width() -> int:
    """The terminal's width, within what tables need and eyes can read."""
    return max(72, min(shutil.get_terminal_size().columns, 110))


def run_report(run: Run) -> str:
    """The run's report for this terminal."""
    return run_text(run, page_width())


def written_report(run: Run | LabelledRun, released: Sequence[Path], curator: Sequence[Path]) -> str:
    """Where the files lie, those that may be released apart from the others."""
    mark = "NOT PRIVATE, release nothing"
    if run.private:
        mark = "each line to the person of its round" if run.privacy.joint else MAY_BE_RELEASED
    lines = [f"  {file} ({mark})" for file in released] + [f"  {file} ({CURATOR_ONLY})" for file in curator]
    return "\n".join(["Written", *lines])


def comparison_report(comparison: Comparison) -> str:
    """A table of the algorithms, the smallest mean regret first. For the curator only."""
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
    runs = len(comparison.entries[0].regrets)
    seeded = " NOT PRIVATE: the noise is seeded." if comparison.seeded else ""
    head = (
        f"{shorten(comparison.stream, 60)}: {comparison.rounds:,} rounds, {comparison.n_experts:,} experts; "
        f"{runs} run{'s' * (runs > 1)} of each; noise {comparison.noise}\n"
        f"{CURATOR_ONLY.capitalize()}: computed from the private losses.{seeded}\n"
        f"Best expert: {shorten(comparison.best_expert, 50)} (loss {comparison.best_loss:,.6g}); "
        f"all experts on average: {comparison.uniform_loss:,.6g}."
    )
    return f"{wrapped(head, page_width())}\n\n{table(rows)}"


def table(rows: Sequence[Sequence[str]], *, left: Collection[int] = (0,), footer: int = 0) -> str:
    """Rows below a heading, the first of them.

    Only the first column may be cut: it gets the room that the others, and three spaces before each, leave.

    Parameters
    ----------
    rows : sequence of sequences of str
    left : collection of int
        The columns that stand on the left; numbers stand on the right.
    footer : int
        How many of the last rows stand apart.
    """
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    drawn = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    columns = list(zip(*rows, strict=True))
    for k, column in enumerate(columns):
        drawn.add_column(column[0], justify="left" if k in left else "right", no_wrap=True)
    room = page_width() - sum(3 + max(map(len, column)) for column in columns[1:])
    for k, (name, *cells) in enumerate(rows[1:], start=2):
        drawn.add_row(*map(Text, (shorten(name, room), *cells)), end_section=k == len(rows) - footer)
    page = io.StringIO()
    Console(file=page, width=page_width(), color_system=None).print(drawn)
    return "\n".join(line.rstrip() for line in page.getvalue().splitlines())
