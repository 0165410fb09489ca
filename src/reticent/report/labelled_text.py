"""The report of a run on labelled rounds: what may be released, apart from what is for the curator only."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from reticent.report.labels import not_private, shorten
from reticent.report.text import promise, two_parts

if TYPE_CHECKING:
    from reticent.labelled import LabelledRun

__all__ = ["labelled_text"]


def labelled_text(run: LabelledRun, width: int = 100) -> str:
    """The report of a finished run.

    Parameters
    ----------
    run : LabelledRun
    width : int
        Characters a line.
    """
    heading = f"{run.algorithm.name}: {run.curator.rounds:,} rounds"
    released = [*promise(run.privacy, "examples", "hypotheses"), *_hypotheses(run)]
    return two_parts(heading, not_private(run), run.privacy, released, "examples", _figures(run), width)


def _hypotheses(run: LabelledRun) -> Iterator[tuple[str, str]]:
    yield "switches", f"{run.released.switches:,}"
    yield "at the end", shorten(str(run.hypothesis), 200)


def _figures(run: LabelledRun) -> Iterator[tuple[str, str]]:
    bound = run.algorithm.mistake_bound(run.curator.rounds)
    yield "mistakes", f"{run.mistakes:,}"
    if bound is not None:
        yield "", f"at most {bound:,.6g} are to be expected if some hypothesis makes none"
    if run.curator.mistakes:
        yield "the last", f"in round {run.curator.mistaken_rounds[-1]:,}"
    yield "labels 1", f"{run.curator.ones:,}"
