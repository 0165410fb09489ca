"""`reticent classify`: learn labels online, and release a hypothesis each round, or only its label."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import IO

import click

import reticent
from reticent.classes import class_names, named
from reticent.cli import options, outputs
from reticent.cli.text import page_width, written_report
from reticent.errors import ParameterError
from reticent.labelled import LearnedRun, PredictedRun
from reticent.learning import OnlineLearningAlgorithm
from reticent.learning.registry import learner_names
from reticent.learning.registry import make as make_learner
from reticent.prediction import OnlinePredictionAlgorithm
from reticent.prediction.registry import make as make_predictor
from reticent.prediction.registry import predictor_names
from reticent.randomness import SeededSource
from reticent.report.labels import PERSONAL_LABELS, not_private
from reticent.streams import open_labelled

__all__ = ["classify", "hypotheses_writer", "labels_writer"]

_HELP = f"""Learn the labels of STREAM online, privately, and release a hypothesis each round.

With --predictor no hypothesis is released, and each label goes to the person of its round only: joint differential
privacy, which hides a record from everybody else, and not from whoever sees the label of its own round.

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
Example: a label for each visitor, and no hypothesis for anybody
  reticent classify visits.csv --class points:1000 --epsilon 1 --delta 1e-6 \\
      --predictor points --labels one-line-each.csv
\b
Exit code 0: fine; 1: the data or the run failed; 2: usage.
Nothing is written unless all is well.
"""


def _columns(context: click.Context, parameter: click.Parameter, value: str | None) -> tuple[str, ...] | None:
    return None if value is None else tuple(name.strip() for name in value.split(","))


@click.command(help=_HELP, epilog=_EPILOG, short_help="Learn labels online, and release hypotheses or labels.")
@options.budget_options
@click.argument("stream_file", metavar="STREAM")
@click.option("--class", "class_name", metavar="NAME", required=True, help="What is learned; a name or a CSV file.")
@click.option("--x", "x_columns", metavar="COL[,COL]", callback=_columns, help="The columns of the instance.")
@click.option("--y", "y_column", metavar="COL", help="The column of the label.")
@click.option(
    "--learner",
    type=click.Choice(learner_names()),
    metavar="NAME",
    help=f"One of {', '.join(learner_names())}; soa promises no privacy, and name-and-shame publishes a part delta "
    "of the records.  [default: auto]",
)
@click.option(
    "--predictor",
    type=click.Choice(predictor_names()),
    metavar="NAME",
    help=f"Instead of a learner: one of {', '.join(predictor_names())}.",
)
@options.seed_option
@outputs.json_option("The report as JSON (- for standard output); its curator part and seconds may not be released.")
@click.option(
    "--hypotheses",
    "hypotheses_file",
    metavar="FILE",
    callback=outputs.output_file(".csv"),
    help="Write the hypotheses, which may be released, into a .csv file: each with its first round.",
)
@click.option(
    "--labels",
    "labels_file",
    metavar="FILE",
    callback=outputs.output_file(".csv"),
    help="With --predictor: write the labels into a .csv file, each line for the person of its round only.",
)
def classify(
    stream_file: str,
    class_name: str,
    x_columns: tuple[str, ...] | None,
    y_column: str | None,
    learner: str | None,
    predictor: str | None,
    seed: int | None,
    json_file: Path | None,
    hypotheses_file: Path | None,
    labels_file: Path | None,
    epsilon: float,
    delta: float,
    horizon: int | None,
    rounds_per_person: int,
) -> None:
    """See _HELP."""
    _check_outputs(learner, predictor, hypotheses_file, labels_file)
    outputs.check_distinct(stream_file, json_file, hypotheses_file, labels_file)
    hypotheses = named(class_name)
    stream = open_labelled(stream_file, x_columns, y_column)
    make: Callable[..., OnlineLearningAlgorithm | OnlinePredictionAlgorithm] = (
        partial(make_learner, learner or "auto") if predictor is None else partial(make_predictor, predictor)
    )
    algorithm = make(
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
    writers: dict[Path, outputs.Writer] = {}
    if isinstance(result, LearnedRun) and hypotheses_file is not None:
        report["released"]["hypotheses_file"] = str(hypotheses_file)
        writers[hypotheses_file] = hypotheses_writer(result)
    if isinstance(result, PredictedRun) and labels_file is not None:
        report["personal"]["labels_file"] = str(labels_file)
        writers[labels_file] = labels_writer(result)
    released = list(writers)
    if json_file is not None and str(json_file) != "-":
        writers[json_file] = outputs.text(outputs.as_json(report))
    outputs.write_files(writers)
    if str(json_file) == "-":
        click.echo(outputs.as_json(report), nl=False)
        return
    click.echo(result.report(page_width()))
    if writers:
        click.echo("\n" + written_report(result, released, [file for file in writers if file not in released]))


def _check_outputs(
    learner: str | None, predictor: str | None, hypotheses_file: Path | None, labels_file: Path | None
) -> None:
    """What is released is either hypotheses or labels."""
    if learner is not None and predictor is not None:
        raise ParameterError("--learner and --predictor are two ways to go; give one of them.")
    if predictor is not None and hypotheses_file is not None:
        raise ParameterError("a predictor releases no hypotheses; give --labels, or a --learner.")
    if predictor is None and labels_file is not None:
        raise ParameterError("a learner releases hypotheses, and anybody can label with them; give --predictor.")


def hypotheses_writer(run: LearnedRun) -> outputs.Writer:
    """Rounds from 1 on; the first line of a run that is not private says so."""
    rows = ((first, str(hypothesis)) for first, hypothesis in run.released.hypotheses)
    return partial(_write_rows, not_private(run), ("from_round", "hypothesis"), rows)


def labels_writer(run: PredictedRun) -> outputs.Writer:
    """Rounds from 1 on; the first line says whose the others are."""
    rows = enumerate(map(int, run.personal.labels), 1)
    return partial(_write_rows, not_private(run), ("round", "label"), rows, about=PERSONAL_LABELS)


def _write_rows(
    warning: str | None, header: tuple[str, str], rows: Iterable[tuple[object, ...]], file: IO[bytes], about: str = ""
) -> None:
    lines = io.TextIOWrapper(file, encoding="utf-8", newline="")
    if warning is not None:
        mark = warning.replace(" (", ": ", 1).removesuffix(")")
        lines.write(f"# {mark}; for simulation only, release nothing.\n")
    elif about:
        lines.write(f"# {about}.\n")
    table = csv.writer(lines, lineterminator="\n")
    table.writerow(header)
    table.writerows(rows)
    lines.flush()
    lines.detach()
