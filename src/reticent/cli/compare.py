"""`reticent compare`: several algorithms on one stream."""

from __future__ import annotations

from pathlib import Path

import click

import reticent
from reticent.cli import options, outputs
from reticent.cli.text import comparison_report
from reticent.errors import ParameterError
from reticent.experts import ExpertsAlgorithm, registry
from reticent.report import drawing
from reticent.report.display import ComparisonDisplay

__all__ = ["build_algorithms", "compare"]

_EPILOG = """
\b
Example: every algorithm, ten times each
  reticent compare losses.parquet --epsilon 1 --delta 1e-6 --runs 10 \\
      --plot compare.png
\b
Example: three of them
  reticent compare losses.csv --epsilon 1 --horizon 10000 \\
      --algorithms auto,private-hedge,hedge
"""


def _names(context: click.Context, parameter: click.Parameter, value: str | None) -> list[str] | None:
    if value is None:
        return None
    names = list(dict.fromkeys(name.strip() for name in value.split(",")))
    for name in names:
        if name not in registry.algorithm_names():
            raise click.BadParameter(f"{name!r} is none of {', '.join(registry.algorithm_names())}.")
    return names


@click.command(epilog=_EPILOG, short_help="Run algorithms side by side; for the curator only.")
@options.privacy_options
@options.stream_arguments
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
@options.seed_option
@click.option(
    "--json",
    "json_file",
    metavar="FILE",
    callback=outputs.output_file(dash=True),
    help="Write the figures as JSON (- for standard output).",
)
@click.option(
    "--plot",
    "plot_file",
    metavar="FILE",
    callback=outputs.output_file(*outputs.PLOT_SUFFIXES),
    help="Draw them: .png, .svg or .pdf.",
)
def compare(
    losses: str,
    target: str | None,
    loss: options.Loss | None,
    scale: float | None,
    clip: bool,
    runs: int,
    algorithms: list[str] | None,
    seed: int | None,
    json_file: Path | None,
    plot_file: Path | None,
    epsilon: float,
    delta: float,
    horizon: int | None,
    relation: str,
    rounds_per_person: int,
) -> None:
    """Run algorithms side by side on LOSSES, at the same (epsilon, delta). FOR THE CURATOR ONLY.

    Everything that this prints, writes and draws is computed from the private losses: use it on data that you may
    see. LOSSES is as in `reticent run`.
    """
    outputs.check_distinct(losses, json_file, plot_file)
    if plot_file is not None:
        drawing.require_matplotlib()
    stream = options.open_stream(losses, target, loss, scale, clip)
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
    if seed is not None:
        report = {"warning": f"NOT PRIVATE (seeded from {seed} on); {report.pop('warning')}", **report}
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
