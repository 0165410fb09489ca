"""`reticent classify`: learn labels online, and release a hypothesis each round."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import IO

import click

import reticent
from reticent.classes import class_names, named
from reticent.cli import options, outputs
from reticent.cli.text import page_width, written_report
from reticent.labelled import LabelledRun
from reticent.learning import registry
from reticent.randomness import SeededSource
from reticent.report.labelled_text import labelled_text
from reticent.report.labels import not_private
from reticent.streams import open_labelled

__all__ = ["classify"]

_HELP = f"""Learn the labels of STREAM online, privately, and release a hypothesis each round.

STREAM is a CSV, TSV, Parquet, Arrow IPC or .npy file, or - for CSV on standard input: a row a round, whole numbers.
The column y is the label, 0 or 1 (the last one where none is called so); the others are the instance: one column
stands for a whole number, several for a tuple. Each row must be a function of that round's record alone.

The class of hypotheses (--class) is a CSV file of zeros and ones, a hypothesis a row and an instance a column, or a
name with its numbers:

\b
  {"  ".join(class_names()[:4])}
  {"  ".join(class_names()[4:8])}
  {"  ".join(class_names()[8:11])}
  {"  ".join(class_names()[11:])}
"""

_EPILOG = """
\b
Example: which of a thousand points has label 1?
  reticent classify visits.csv --class points:1000 --epsilon 1
\b
Example: a threshold on the column age, and the file of hypotheses
  reticent classify visits.parquet --class thresholds:120 \\
      --x age --y ill --epsilon 1 --delta 1e-6 --hypotheses released.csv
\b
Exit code 0: fine; 1: the data or the run failed; 2: usage.
Nothing is written unless all is well.
"""


def _columns(context: click.Context, parameter: click.Parameter, value: str | None) -> tuple[str, ...] | None:
    return None if value is None else tuple(name.strip() for name in value.split(","))


@click.command(help=_HELP, epilog=_EPILOG, short_help="Learn labels online, and release a hypothesis each round.")
@options.budget_options
@click.argument("stream_file", metavar="STREAM")
@click.option("--class", "class_name", metavar="NAME", required=True, help="What is learned; a name or a CSV file.")
@click.option("--x", "x_columns", metavar="COL[,COL]", callback=_columns, help="The columns of the instance.")
@click.option("--y", "y_column", metavar="COL", help="The column of the label.")
# Predictors, which release labels and no hypotheses, will be chosen here, by --predictor.
@click.option(
    "--learner",
    type=click.Choice(registry.learner_names()),
    default="auto",
    show_default=True,
    metavar="NAME",
    help=f"One of {', '.join(registry.learner_names())}; soa promises no privacy.",
)
@options.seed_option
@outputs.json_option("Write the report as JSON (- for standard output); its curator part may not be released.")
@click.option(
    "--hypotheses",
    "hypotheses_file",
    metavar="FILE",
    callback=outputs.output_file(".csv"),
    help="Write the hypotheses, which may be released, into a .csv file: each with its first round.",
)
def classify(
    stream_file: str,
    class_name: str,
    x_columns: tuple[str, ...] | None,
    y_column: str | None,
    learner: str,
    seed: int | None,
    json_file: Path | None,
    hypotheses_file: Path | None,
    epsilon: float,
    delta: float,
    horizon: int | None,
    rounds_per_person: int,
) -> None:
    """See _HELP."""
    outputs.check_distinct(stream_file, json_file, hypotheses_file)
    hypotheses = named(class_name)
    stream = open_labelled(stream_file, x_columns, y_column)
    algorithm = registry.make(
        learner,
        hypotheses,
        epsilon,
        delta,
        horizon=horizon if horizon is not None else stream.rounds,
        rounds_per_person=rounds_per_person,
    )
    result = reticent.classify(algorithm, stream, source=None if seed is None else SeededSource(seed))
    warning = not_private(result)
    if warning is not None:
        click.echo(f"Warning: {warning}; for simulation only, release nothing.", err=True)
    report = {"class": class_name, **result.to_dict()}
    report["released"]["hypotheses_file"] = None if hypotheses_file is None else str(hypotheses_file)
    writers: dict[Path, outputs.Writer] = {}
    if hypotheses_file is not None:
        writers[hypotheses_file] = _hypotheses_writer(result)
    if json_file is not None and str(json_file) != "-":
        writers[json_file] = outputs.text(outputs.as_json(report))
    outputs.write_files(writers)
    if str(json_file) == "-":
        click.echo(outputs.as_json(report), nl=False)
        return
    click.echo(labelled_text(result, page_width()))
    if writers:
        released = [file for file in (hypotheses_file,) if file is not None]
        click.echo("\n" + written_report(result, released, [file for file in writers if file not in released]))


def _hypotheses_writer(run: LabelledRun) -> outputs.Writer:
    """Rounds from 1 on; the first line of a run that is not private says so."""
    warning = not_private(run)

    def write(file: IO[bytes]) -> None:
        lines = io.TextIOWrapper(file, encoding="utf-8", newline="")
        if warning is not None:
            mark = warning.replace(" (", ": ", 1).removesuffix(")")
            lines.write(f"# {mark}; for simulation only, release nothing.\n")
        rows = csv.writer(lines, lineterminator="\n")
        rows.writerow(("from_round", "hypothesis"))
        rows.writerows((first, str(hypothesis)) for first, hypothesis in run.released.hypotheses)
        lines.flush()
        lines.detach()

    return write
