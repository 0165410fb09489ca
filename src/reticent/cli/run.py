"""`reticent run`: play one algorithm on a stream of losses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

import reticent
from reticent.cli import choices, options, outputs
from reticent.cli.text import run_report, written_report
from reticent.experts import registry
from reticent.randomness import SeededSource
from reticent.report import drawing
from reticent.report.display import RunDisplay
from reticent.report.labels import not_private
from reticent.runner import Run

__all__ = ["run", "run_as_json"]

_EPILOG = """
\b
Example: choose among the columns of losses.csv, and publish the choices
  reticent run losses.csv --epsilon 1 --delta 1e-6 \\
      --choices choices.csv --plot-released released.png
\b
Example: the columns are predictions of the column delay
  reticent run forecasts.parquet --epsilon 1 --delta 1e-6 \\
      --target delay --loss absolute --scale 60
\b
Exit code 0: fine; 1: the data or the run failed; 2: usage.
Nothing is written unless all is well.
"""


@click.command(epilog=_EPILOG)
@options.privacy_options
@click.argument("losses")
@options.prediction_options
@click.option(
    "--algorithm",
    type=click.Choice(registry.algorithm_names()),
    default="auto",
    show_default=True,
    metavar="NAME",
    help=f"One of {', '.join(registry.algorithm_names())}.",
)
@options.seed_option
@outputs.json_option("The report as JSON (- for standard output); its curator part and seconds may not be released.")
@click.option(
    "--choices",
    "choices_file",
    metavar="FILE",
    callback=outputs.output_file(*choices.CHOICES_SUFFIXES),
    help="Write the choices, which may be released: .csv, .npy or .parquet; rounds from 1 on, experts from 0 on.",
)
@click.option(
    "--plot",
    "plot_file",
    metavar="FILE",
    callback=outputs.output_file(*outputs.PLOT_SUFFIXES),
    help="Draw all four views, for the curator only: .png, .svg or .pdf.",
)
@click.option(
    "--plot-released",
    "released_file",
    metavar="FILE",
    callback=outputs.output_file(*outputs.PLOT_SUFFIXES),
    help="Draw the two views that may be released.",
)
def run(
    losses: str,
    target: str | None,
    loss: options.Loss | None,
    scale: float | None,
    clip: bool,
    algorithm: str,
    seed: int | None,
    json_file: Path | None,
    choices_file: Path | None,
    plot_file: Path | None,
    released_file: Path | None,
    epsilon: float,
    delta: float,
    horizon: int | None,
    relation: str,
    rounds_per_person: int,
) -> None:
    """Choose one expert of LOSSES each round, privately.

    LOSSES is a CSV, TSV, Parquet, Arrow IPC or .npy file, or - for CSV on standard input: a column an expert, a row
    a round, numbers in [0, 1]. Each row must be a function of that round's record alone: an expert that learned from
    earlier private rounds voids the promise.
    """
    note_file = None if choices_file is None else choices.note_beside(choices_file)
    outputs.check_distinct(losses, json_file, choices_file, note_file, plot_file, released_file)
    if choices_file is not None:
        choices.require_format(choices_file)
    if plot_file is not None or released_file is not None:
        drawing.require_matplotlib()
    stream = options.open_stream(losses, target, loss, scale, clip)
    chosen = registry.make(
        algorithm,
        stream.n_experts,
        epsilon,
        delta,
        horizon=horizon if horizon is not None else stream.rounds,
        relation=relation,
        rounds_per_person=rounds_per_person,
    )
    result = reticent.run(chosen, stream, source=None if seed is None else SeededSource(seed))
    warning = not_private(result)
    if warning is not None:
        click.echo(f"Warning: {warning}; for simulation only, release nothing.", err=True)
    report = run_as_json(result, choices_file)
    writers: dict[Path, outputs.Writer] = {}
    if choices_file is not None:
        writers |= choices.choices_writers(result, choices_file)
    if json_file is not None and str(json_file) != "-":
        writers[json_file] = outputs.text(outputs.as_json(report))
    if plot_file is not None:
        writers[plot_file] = outputs.picture(RunDisplay(result).plot().figure_, plot_file)
    if released_file is not None:
        writers[released_file] = outputs.picture(RunDisplay(result).plot_released().figure_, released_file)
    outputs.write_files(writers)
    if note_file is not None and warning is None:
        note_file.unlink(missing_ok=True)  # of an earlier, seeded run
    if str(json_file) == "-":
        click.echo(outputs.as_json(report), nl=False)
        return
    click.echo(run_report(result))
    if not writers:
        return
    released = [file for file in (choices_file, released_file) if file is not None]
    click.echo("\n" + written_report(result, released, [file for file in writers if file not in released]))


def run_as_json(result: Run, choices_file: Path | None) -> dict[str, Any]:
    """`Run.to_dict` with the name of the file of choices, and with the warning of a run that is not private."""
    report = result.to_dict()
    report["released"]["choices_file"] = None if choices_file is None else str(choices_file)
    return report
