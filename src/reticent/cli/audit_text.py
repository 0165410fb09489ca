"""What `reticent audit` prints: a table for each relation, and a counterexample for each claim that does not hold."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Generic, NamedTuple, TypeVar

from reticent.audit import ExactAudit, StatisticalAudit
from reticent.cli.text import page_width, table, wrapped

__all__ = ["RELATIONS", "Audited", "audit_report"]

RELATIONS = ("replace-one", "add-remove")

Result = TypeVar("Result", ExactAudit, StatisticalAudit)


class Audited(NamedTuple, Generic[Result]):
    """What was audited, in which relation, and what was found."""

    relation: str
    label: str
    result: Result


def audit_report(
    exact: Sequence[Audited[ExactAudit]], statistical: Sequence[Audited[StatisticalAudit]], size: str
) -> str:
    """The tables, the counterexamples, and a verdict.

    Parameters
    ----------
    exact, statistical : sequences of Audited
    size : str
        The size of the statistical audits, in words.
    """
    parts = [*_exact_tables(exact), *_statistical_tables(statistical, size)]
    audited: list[Audited[ExactAudit] | Audited[StatisticalAudit]] = [*exact, *statistical]
    rejected = [row for row in audited if not row.result.passed]
    for row in rejected:
        parts.append(wrapped(f"{row.label}, {row.relation}\n{row.result}", page_width()))
    count = f"{len(audited)} audit{'s' * (len(audited) > 1)}"
    parts.append(f"{count}, {len(rejected)} REJECTED." if rejected else f"{count}, no claim violated.")
    return "\n\n".join(parts)


def _exact_tables(audited: Sequence[Audited[ExactAudit]]) -> Iterator[str]:
    if not audited:
        return
    yield wrapped(
        "Exact audits: every outcome of the code that ships, on every tiny stream, for every neighbouring pair. "
        "Parameters are such that much happens within a few rounds, which takes a large epsilon here and there.\n"
        "found: the epsilon of the worst output; where delta is promised, the delta at this epsilon.\n"
        "slack: the part of the promise that no pair spends.",
        page_width(),
    )
    for relation in RELATIONS:
        rows = []
        for row in audited:
            if row.relation == relation:
                one = row.result
                slack = f"{max(one.slack, 0):.1%}" if one.passed else "none"
                rows.append((row.label, *_promise(one), _worst(one), slack, _yes(one)))
        if rows:
            yield table([(relation, "epsilon", "delta", "found", "slack", "passed"), *_below_their_names(rows)])


def _statistical_tables(audited: Sequence[Audited[StatisticalAudit]], size: str) -> Iterator[str]:
    if not audited:
        return
    first = audited[0].result
    yield wrapped(
        f"Statistical audits: {size}, two neighbouring streams; {first.tested:,} runs on each test an event that as "
        f"many others chose; noise {first.noise}.\n"
        f"at least: what epsilon must be, with confidence {first.confidence:g}.\n"
        "detectable: the epsilon that an event as likely would have betrayed four times in five.",
        page_width(),
    )
    for relation in RELATIONS:
        rows = []
        for row in audited:
            if row.relation == relation:
                one = row.result
                rows.append(
                    (row.label, *_promise(one), f"{one.epsilon_bound:.3g}", f"{one.detectable:.3g}", _yes(one))
                )
        if rows:
            heading = (relation, "epsilon", "delta", "at least", "detectable", "passed")
            yield table([heading, *_below_their_names(rows)])


def _below_their_names(rows: Sequence[Sequence[str]]) -> Iterator[Sequence[str]]:
    """The rows of "name: setting" as settings below a row with their name."""
    before = ""
    for label, *cells in rows:
        name, _, setting = label.partition(": ")
        if setting and name != before:
            yield name, *("" for _ in cells)
        before = name
        yield f"  {setting}" if setting else label, *cells


def _promise(result: ExactAudit | StatisticalAudit) -> tuple[str, str]:
    """Epsilon and delta, never below what was promised."""
    return _rounded_up(result.epsilon, 4), _rounded_up(result.delta, 2)


def _rounded_up(value: float, digits: int) -> str:
    if value == 0:
        return "0"
    scale = 10.0 ** (digits - 1 - math.floor(math.log10(value)))
    return f"{math.ceil(value * scale * (1 - 1e-12)) / scale:.{digits}g}"


def _worst(one: ExactAudit) -> str:
    if one.delta:
        return f"delta {one.delta_found:.2g}"
    return f"{one.log_ratio:.4g}" if one.passed or one.worst.q else "infinite"


def _yes(result: ExactAudit | StatisticalAudit) -> str:
    return "yes" if result.passed else "NO"
