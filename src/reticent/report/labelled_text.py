"""The report of a run on labelled rounds: what may be released, apart from what is for the curator only."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import ROUND_CEILING, Decimal, localcontext
from typing import TYPE_CHECKING

from reticent.report.labels import not_private, shorten
from reticent.report.text import promise, two_parts

if TYPE_CHECKING:
    from reticent.labelled import LabelledRun, LearnedRun, PredictedRun

__all__ = ["bound_in_words", "learned_text", "predicted_text"]


def learned_text(run: LearnedRun, width: int = 100) -> str:
    """The report of a finished run of a learner.

    Parameters
    ----------
    run : LearnedRun
    width : int
        Characters a line.
    """
    released = [*promise(run.privacy, "examples", "hypotheses"), *_hypotheses(run)]
    bound = run.algorithm.mistake_bound(run.curator.rounds)
    said = None if bound is None else f"at most {bound:,.6g} are to be expected if some hypothesis makes none"
    return _two_parts(run, released, said, width)


def predicted_text(run: PredictedRun, width: int = 100) -> str:
    """The report of a finished run of a predictor.

    Parameters
    ----------
    run : PredictedRun
    width : int
        Characters a line.
    """
    released = [*promise(run.privacy, "examples", "labels"), ("all labels", "are together for the curator only")]
    bound = run.algorithm.mistake_bound
    said = None
    if bound is not None:
        said = f"at most {bound_in_words(bound)} if some hypothesis makes none, {run.algorithm.bound_holds}"
    return _two_parts(run, released, said, width)


def bound_in_words(bound: object) -> str:
    """A bound on mistakes of any size, rounded up to six digits.

    Examples
    --------
    >>> bound_in_words(751), bound_in_words(19_382), bound_in_words(10**364 + 1)
    ('751', '19,382', '1.00001e+364')
    """
    if not isinstance(bound, int | float):
        return str(bound)
    with localcontext(rounding=ROUND_CEILING):
        return f"{Decimal(bound):,.6g}"


def _two_parts(run: LabelledRun, released: list[tuple[str, str]], bound: str | None, width: int) -> str:
    heading = f"{run.algorithm.name}: {run.curator.rounds:,} rounds"
    figures = _figures(run, bound)
    return two_parts(heading, not_private(run), run.privacy, released, "examples", figures, width)


def _hypotheses(run: LearnedRun) -> Iterator[tuple[str, str]]:
    yield "switches", f"{run.released.switches:,}"
    yield "at the end", shorten(str(run.hypothesis), 200)


def _figures(run: LabelledRun, bound: str | None) -> Iterator[tuple[str, str]]:
    yield "mistakes", f"{run.mistakes:,}"
    if bound is not None:
        yield "", bound
    if run.curator.mistakes:
        yield "the last", f"in round {run.curator.mistaken_rounds[-1]:,}"
    yield "labels 1", f"{run.curator.ones:,}"
