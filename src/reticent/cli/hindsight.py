"""`reticent compare --hindsight`: the default beside the best setting in hindsight, stream by stream."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from reticent.cli import outputs
from reticent.cli.named_streams import Opener
from reticent.cli.text import page_width, table, wrapped
from reticent.hindsight import Hindsight, hindsight, summary
from reticent.report.labels import CURATOR_ONLY, shorten

__all__ = ["compare_in_hindsight"]


def compare_in_hindsight(
    streams: Mapping[str, Opener],
    epsilon: float,
    delta: float,
    *,
    horizon: int | None,
    runs: int,
    seed: int | None,
    json_file: Path | None,
) -> None:
    """Measure one stream after the other; print the table, or write it as JSON. For the curator only."""
    results = []
    for k, (name, open_stream) in enumerate(streams.items(), start=1):
        click.echo(f"stream {k} of {len(streams)}: {shorten(name, 60)}", err=True)
        results.append(
            hindsight(
                open_stream(),
                epsilon=epsilon,
                delta=delta,
                horizon=horizon,
                runs=runs,
                search_runs=max(2, runs // 5),
                seed=seed,
                stream=name,
            )
        )
    if seed is not None:
        click.echo(f"Warning: NOT PRIVATE (seeded from {seed} on): for simulation only.", err=True)
    report = _as_json(results, epsilon, delta, runs, seed)
    if str(json_file) == "-":
        click.echo(outputs.as_json(report), nl=False)
        return
    if json_file is not None:
        outputs.write_files({json_file: outputs.text(outputs.as_json(report))})
    click.echo(_report(results, epsilon, delta, runs))


def _as_json(
    results: Sequence[Hindsight], epsilon: float, delta: float, runs: int, seed: int | None
) -> dict[str, Any]:
    streams = [result.to_dict() for result in results]
    (warning,) = {stream.pop("warning") for stream in streams}
    return {
        "warning": warning if seed is None else f"NOT PRIVATE (seeded from {seed} on); {warning}",
        "epsilon": epsilon,
        "delta": delta,
        "runs": runs,
        "streams": streams,
        "summary": summary(results),
    }


def _report(results: Sequence[Hindsight], epsilon: float, delta: float, runs: int) -> str:
    """Two tables, because one would be too wide to read."""
    default = " or ".join(sorted({result.default.algorithm.name for result in results}))
    seeded = " NOT PRIVATE: the noise is seeded." if results[0].seeded else ""
    head = (
        f"{default}, the default, without hindsight, beside the best private algorithm in hindsight: "
        f"epsilon {epsilon:g}, delta {delta:g}, {runs} run{'s' * (runs > 1)} of each.\n"
        f"{CURATOR_ONLY.capitalize()}: computed from the private losses.{seeded}"
    )
    regrets: list[tuple[str, ...]] = [("stream", "default", "spread", "best in hindsight", "regret", "own too")]
    ratios: list[tuple[str, ...]] = [("stream", "PrivateHedge", "Hedge", "ratio", "own too", "to PrivateHedge")]
    for result in results:
        spread = _regret(result.default.spread) if runs > 1 else "-"
        regrets.append(
            (
                result.stream,
                _regret(result.default.mean_regret),
                spread,
                result.name_of(result.winner),
                _regret(result.winner.mean_regret),
                _regret(result.winner_of_all.mean_regret),
            )
        )
        ratios.append(
            (
                result.stream,
                _regret(result.private_hedge.mean_regret),
                _regret(result.hedge.mean_regret),
                *map(_ratio, result.ratios.values()),
            )
        )
    totals = summary(results)
    for name, key in (("geometric mean", "geometric_mean"), ("largest", "largest")):
        ratios.append((name, "", "", *(_ratio(of_one[key]) for of_one in totals.values())))
    return "\n\n".join(
        (
            wrapped(head, page_width()),
            wrapped(
                "Mean regrets. The best in hindsight is the best setting of any other private algorithm; "
                f'"own too": also with {default} and its own settings.',
                page_width(),
            ),
            table(regrets, left=(0, 3)),
            wrapped(
                "The textbook PrivateHedge and Hedge, which is not private; and the default's mean regret divided by "
                "that of the best in hindsight, with its own settings too, and of PrivateHedge.",
                page_width(),
            ),
            table(ratios, footer=2),
            wrapped(_notes(results), page_width()),
        )
    )


def _notes(results: Sequence[Hindsight]) -> str:
    least = _range([f"{result.least:.3g}" for result in sorted(results, key=lambda result: result.least)])
    settings = _range([str(n) for n in sorted(result.n_settings for result in results)])
    return (
        f"In the ratios a mean regret below ln(N) / epsilon = {least} counts as that much.\n"
        f"Tried on each stream: {settings} settings; the best of each algorithm were played again.\n"
        "For the curator only: no epsilon pays for a choice made in hindsight."
    )


def _range(in_order: Sequence[str]) -> str:
    return in_order[0] if in_order[0] == in_order[-1] else f"{in_order[0]} to {in_order[-1]}"


def _regret(value: float) -> str:
    return f"{value:,.1f}" if abs(value) < 1000 else f"{value:,.0f}"


def _ratio(value: float) -> str:
    return f"{value:.2f}" if value >= 0.1 else f"{value:.2g}"
