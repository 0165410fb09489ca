"""`reticent compare`: several algorithms on one stream, or the default beside hindsight on several."""

from __future__ import annotations

from pathlib import Path

import click

import reticent
from reticent.cli import options, outputs
from reticent.cli.hindsight import compare_in_hindsight
from reticent.cli.named_streams import Size, is_named, openers, size_options
from reticent.cli.text import comparison_report
from reticent.errors import ParameterError
from reticent.experts import ExpertsAlgorithm, registry
from reticent.report import drawing
from reticent.report.display import ComparisonDisplay
from reticent.streams.held import HeldStream

__all__ = ["build_algorithms", "compare"]

_HELP = """Run algorithms side by side on STREAM, at the same (epsilon, delta). FOR THE CURATOR ONLY.

Everything that this prints, writes and draws is computed from the private losses: use it on data that you may see.

STREAM is a file as in `reticent run`, or the name of a stream:

\b
  flights      327,346 flights judged by 109 rules
  FAMILY:RATE  synthetic losses: FAMILY is iid, leaders, elimination or
               near-ties, and RATE in [0, 0.2) the best expert's loss rate
  thirteen     the four families at the rates 0, 0.01 and 0.1, and flights;
               needs --hindsight

A file of that name comes first: ./flights and flights then mean the same.

With --hindsight each STREAM gives a row of a table: the default, which has no hindsight, beside the settings that
turned out best on that very stream.
"""

_EPILOG = """
\b
Example: every algorithm, ten times each
  reticent compare losses.parquet --epsilon 1 --delta 1e-6 --runs 10 \\
      --plot compare.png
\b
Example: three of them
  reticent compare losses.csv --epsilon 1 --horizon 10000 \\
      --algorithms auto,private-hedge,hedge
\b
Example: is the default near the best setting in hindsight?
  reticent compare flights iid:0.01 losses.csv --epsilon 1 --delta 1e-6 \\
      --hindsight
"""


def _names(context: click.Context, parameter: click.Parameter, value: str | None) -> list[str] | None:
    if value is None:
        return None
    names = list(dict.fromkeys(name.strip() for name in value.split(",")))
    for name in names:
        if name not in registry.algorithm_names():
            raise click.BadParameter(f"{name!r} is none of {', '.join(registry.algorithm_names())}.")
    return names


@click.command(help=_HELP, epilog=_EPILOG, short_help="Run algorithms side by side; for the curator only.")
@options.privacy_options
@click.argument("streams", nargs=-1, required=True, metavar="STREAM...")
@options.prediction_options
@size_options
@click.option(
    "--runs",
    "--seeds",
    "runs",
    type=click.IntRange(min=1),
    metavar="K",
    default=5,
    show_default=True,
    help="How often each is run.",
)
@click.option(
    "--algorithms",
    callback=_names,
    metavar="NAME,NAME,..",
    help=f"All unless given: {', '.join(registry.algorithm_names())}.",
)
@click.option(
    "--hindsight",
    is_flag=True,
    help="The default beside the best of about 250 settings of every private algorithm, for each STREAM.",
)
@options.seed_option
@outputs.json_option("Write the figures as JSON (- for standard output).")
@click.option(
    "--plot",
    "plot_file",
    metavar="FILE",
    callback=outputs.output_file(*outputs.PLOT_SUFFIXES),
    help="Draw them: .png, .svg or .pdf.",
)
def compare(
    streams: tuple[str, ...],
    target: str | None,
    loss: options.Loss | None,
    scale: float | None,
    clip: bool,
    rounds: int | None,
    experts: int | None,
    stream_seed: int | None,
    runs: int,
    algorithms: list[str] | None,
    hindsight: bool,
    seed: int | None,
    json_file: Path | None,
    plot_file: Path | None,
    epsilon: float,
    delta: float,
    horizon: int | None,
    relation: str,
    rounds_per_person: int,
) -> None:
    """See _HELP."""
    for stream_name in streams:
        outputs.check_distinct(stream_name, json_file, plot_file)
    if any(map(is_named, streams)) and (target, loss, scale, clip) != (None, None, None, False):
        raise click.UsageError("--target, --loss, --scale and --clip are for files of predictions; leave them out.")
    if hindsight and (algorithms, plot_file, relation, rounds_per_person) != (None, None, "replace-one", 1):
        raise click.UsageError(
            "--hindsight has its own algorithms, for the relation replace-one and one round a person, and no plot; "
            "leave out --algorithms, --plot, --relation and --rounds-per-person."
        )
    if plot_file is not None:
        drawing.require_matplotlib()
    opened = openers(
        streams,
        Size(rounds, experts, stream_seed),
        lambda file: options.open_stream(file, target, loss, scale, clip),
    )
    if hindsight:
        compare_in_hindsight(opened, epsilon, delta, horizon=horizon, runs=runs, seed=seed, json_file=json_file)
        return
    if max(len(streams), len(opened)) > 1:
        raise click.UsageError("these are several streams; give one, or --hindsight for a table of them.")
    (open_stream,) = opened.values()
    stream = open_stream()
    if horizon is None and stream.rounds is None:
        stream = HeldStream(stream).again()  # counts the rounds, which several algorithms are tuned to
    contestants = build_algorithms(
        algorithms,
        stream.n_experts,
        epsilon,
        delta,
        horizon=horizon if horizon is not None else stream.rounds,
        relation=relation,
        rounds_per_person=rounds_per_person,
    )
    result = reticent.compare(contestants, stream, runs=runs, seed=seed, stream=stream.source)
    if seed is not None:
        click.echo(f"Warning: NOT PRIVATE (seeded from {seed} on): for simulation only.", err=True)
    report = result.to_dict()
    writers: dict[Path, outputs.Writer] = {}
    if json_file is not None and str(json_file) != "-":
        writers[json_file] = outputs.text(outputs.as_json(report))
    if plot_file is not None:
        writers[plot_file] = outputs.picture(ComparisonDisplay(result).plot().figure_, plot_file)
    outputs.write_files(writers)
    click.echo(outputs.as_json(report).rstrip("\n") if str(json_file) == "-" else comparison_report(result))


def build_algorithms(
    names: list[str] | None,
    n_experts: int,
    epsilon: float,
    delta: float,
    *,
    horizon: int | None,
    relation: str,
    rounds_per_person: int,
) -> list[ExpertsAlgorithm]:
    """The algorithms asked for; without a list, each that these parameters allow, and a warning for each other."""
    built: list[ExpertsAlgorithm] = []
    for name in registry.algorithm_names() if names is None else names:
        try:
            algorithm = registry.make(
                name,
                n_experts,
                epsilon,
                delta,
                horizon=horizon,
                relation=relation,
                rounds_per_person=rounds_per_person,
            )
        except ParameterError as error:
            if names is not None:
                raise
            click.echo(f"Warning: {name} is left out: {error}", err=True)
            continue
        if algorithm not in built:  # auto stands for one of the others
            built.append(algorithm)
    return built
