"""A run's report as text: what may be released, apart from what is for the curator only."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from reticent.report.labels import not_private, shorten

if TYPE_CHECKING:
    from reticent.privacy import PrivacyStatement
    from reticent.runner import Run

__all__ = ["promise", "run_text", "two_parts", "wrapped"]

_LABEL = 15


def run_text(run: Run, width: int = 100) -> str:
    """The report of a finished run.

    Parameters
    ----------
    run : Run
    width : int
        Characters a line.

    Examples
    --------
    >>> import numpy as np
    >>> import reticent as rt
    >>> run = rt.run(rt.experts.Dartboard(3, 1.0, 1e-6), np.tile([0.0, 1.0, 1.0], (100, 1)))
    >>> print(run_text(run))  # doctest: +ELLIPSIS
    Dartboard: 100 rounds, 3 experts
    <BLANKLINE>
    May be released
      promise      (1, 1e-06)-differential privacy for the choice of every round, and nothing else...
    """
    heading = f"{run.algorithm.name}: {len(run.choices):,} rounds, {run.algorithm.n_experts:,} experts"
    released = [*promise(run.privacy), ("switches", f"{run.switches:,}")]
    return two_parts(heading, not_private(run), run.privacy, released, "losses", _figures(run), width)


def two_parts(
    heading: str,
    warning: str | None,
    privacy: PrivacyStatement,
    released: Iterable[tuple[str, str]],
    records: str,
    figures: Iterable[tuple[str, str]],
    width: int,
) -> str:
    """A report: what may be released, and what is for the curator only, being computed from the private records."""
    headings = [heading]
    if warning is None:
        first = "May be released, each label to one person" if privacy.joint else "May be released"
    else:
        headings.append(f"{warning}: for simulation only, release nothing.")
        first = "NOT to be released: what the same algorithm would release with secure noise"
        if not privacy.components:
            first = "NOT to be released: what the algorithm would show"
    return "\n".join(
        (
            *(wrapped(heading, width) for heading in headings),
            "",
            wrapped(first, width),
            *lines(released, width),
            "",
            f"For the curator only: computed from the private {records}",
            *lines(figures, width),
        )
    )


def wrapped(text: str, width: int) -> str:
    """The text in lines of at most `width` characters; line breaks in it stay."""
    return "\n".join(textwrap.fill(line, width) for line in text.splitlines())


def promise(
    statement: PrivacyStatement, records: str = "losses", released: str = "choices"
) -> Iterator[tuple[str, str]]:
    """The lines that say what is promised, of what the rounds bring and what is released."""
    if not statement.components:
        yield "promise", "none"
        return
    yield (
        "promise",
        f"{statement.promise} for {statement.released}",
    )
    yield "neighbours", statement.neighbours.description
    yield records, f"{'may' if statement.adaptive else 'may NOT'} depend on earlier released {released}"
    yield "assumption", statement.assumption
    yield "noise", statement.noise or "not drawn yet"
    label = "epsilon"
    for component in statement.components:
        yield label, f"{component.epsilon:<8.4g} {component.name}: {component.explanation}"
        label = ""


def _figures(run: Run) -> Iterator[tuple[str, str]]:
    yield "loss", f"{run.loss:,.6g} ({run.mean_loss:.4g} a round)"
    yield "best expert", f"{shorten(run.names[run.best_expert], 50)}, loss {run.best_loss:,.6g}"
    yield "all experts", f"loss {run.curator.uniform_loss:,.6g} on average"
    yield "regret", f"{run.regret:,.6g}"


def lines(rows: Iterable[tuple[str, str]], width: int) -> Iterator[str]:
    """Labels on the left, texts of at most `width` characters a line beside them."""
    for label, value in rows:
        label = f"  {label}".ljust(_LABEL)
        yield textwrap.fill(value, width, initial_indent=label, subsequent_indent=" " * _LABEL)
