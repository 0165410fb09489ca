"""`reticent bounds`: what theory allows and forbids, as numbers."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from reticent.bounds import Bound, Setting, Table1, experts, figure1, learning, prediction, table1
from reticent.bounds.bound import Value, as_json
from reticent.classes import named
from reticent.cli import outputs
from reticent.cli.text import page_width, table, wrapped
from reticent.report import drawing
from reticent.report.bounds_display import Figure1Display

__all__ = ["bounds"]

_TOPICS = {"learning": learning.ALL, "prediction": prediction.ALL, "experts": experts.ALL}

_HELP = """What private algorithms can do and what none can: bounds of the literature, as numbers.

TOPIC is one of

\b
  table1      Table 1 of Sanyal (2026): three points at delta = 1 / ln T
  learning    mistakes of learners, which release hypotheses
  prediction  mistakes of predictors, which release labels
  experts     regret of prediction from experts

Constants that a paper leaves open are taken as 1: then only the growth means something.
"""

_EPILOG = """
\b
Example: Table 1, and Figure 1 as a picture
  reticent bounds --plot figure1.png
\b
Example: a class of Littlestone dimension 3 in 100,000 rounds
  reticent bounds learning --horizon 100000 --dimension 3 \\
      --epsilon 0.5 --delta 1e-6
\b
Example: Figure 1 with mistakes of the shipped algorithms; takes a minute
  reticent bounds --plot figure1.png --runs 3
"""


@click.command(help=_HELP, epilog=_EPILOG, short_help="What theory allows and forbids, as numbers.")
@click.argument("topic", type=click.Choice(["table1", *_TOPICS]), default="table1", metavar="[TOPIC]")
@click.option("--horizon", type=click.IntRange(min=1), metavar="T", help="The number of rounds, of any size.")
@click.option("--log-horizon", type=float, metavar="X", help="ln T instead.  [default: 1000; 11.5 for experts]")
@click.option(
    "--epsilon", type=float, metavar="NUMBER", help="Above 0.  [default: 0.01 for table1, 1 for the other topics]"
)
@click.option("--delta", type=float, metavar="NUMBER", help="In [0, 1).  [default: 1 / ln T; 1e-6 for experts]")
@click.option(
    "--dimension",
    type=click.IntRange(min=0),
    metavar="D",
    help="The Littlestone dimension of the class, for learning and prediction.  [default: 1]",
)
@click.option("--class", "class_name", metavar="NAME", help="The class instead, such as thresholds:7; see ldim.")
@click.option("--experts", "n_experts", type=click.IntRange(min=2), metavar="N", help="For experts.  [default: 100]")
@click.option(
    "--best-loss", type=click.FloatRange(min=0), metavar="L", help="The best expert's, for experts.  [default: 0]"
)
@click.option(
    "--plot",
    "plot_file",
    metavar="FILE",
    callback=outputs.output_file(*outputs.PLOT_SUFFIXES),
    help="With table1: draw Figure 1 into a .png, .svg or .pdf file.",
)
@click.option(
    "--runs",
    type=click.IntRange(min=1),
    metavar="K",
    help="With --plot: play the shipped algorithms K times, and mark their mistakes.",
)
@click.option("--seed", type=click.IntRange(min=0), metavar="S", help="Of the first run.  [default: 0]")
@outputs.json_option("Write the numbers as JSON (- for standard output).")
def bounds(
    topic: str,
    horizon: int | None,
    log_horizon: float | None,
    epsilon: float | None,
    delta: float | None,
    dimension: int | None,
    class_name: str | None,
    n_experts: int | None,
    best_loss: float | None,
    plot_file: Path | None,
    runs: int | None,
    seed: int | None,
    json_file: Path | None,
) -> None:
    """See _HELP."""
    _refuse_idle(
        topic,
        {
            "delta": delta,
            "dimension": dimension,
            "class": class_name,
            "experts": n_experts,
            "best-loss": best_loss,
        },
        {"plot": plot_file},
    )
    if plot_file is None and (runs, seed) != (None, None):
        raise click.UsageError("--runs and --seed are for --plot; add it.")
    if seed is not None and runs is None:
        raise click.UsageError("--seed is for --runs; add it.")
    outputs.check_distinct("", json_file, plot_file)
    if plot_file is not None:
        drawing.require_matplotlib()
    length = _log_horizon(topic, horizon, log_horizon)
    if topic == "experts" and delta is None:
        delta = 1e-6
    if best_loss and math.log(best_loss) > length + 1e-9:
        raise click.UsageError(f"--best-loss is {best_loss:g}, more than the rounds; give at most one a round.")
    writers: dict[Path, outputs.Writer] = {}
    if topic == "table1":
        small = 0.01 if epsilon is None else epsilon
        found = table1(length, small)
        report, page = found.to_dict(), _table1_page(found)
        if plot_file is not None:
            figure = figure1(length, small, runs=runs or 0, seed=seed or 0)
            report["figure1"] = figure.to_dict()
            writers[plot_file] = outputs.picture(Figure1Display(figure).plot().figure_, plot_file)
    else:
        setting = Setting(
            length,
            1.0 if epsilon is None else epsilon,
            _log_inverse(delta, length),
            _dimension(dimension, class_name),
            100 if n_experts is None else n_experts,
            best_loss or 0.0,
        )
        report, page = _report(topic, setting), _topic_page(topic, setting)
    if json_file is not None and str(json_file) != "-":
        writers[json_file] = outputs.text(outputs.as_json(report))
    outputs.write_files(writers)
    if str(json_file) == "-":
        click.echo(outputs.as_json(report), nl=False)
        return
    click.echo(page)
    if writers:
        click.echo("\n" + "\n".join(["Written", *(f"  {file}" for file in writers)]))


def _refuse_idle(topic: str, for_topics: dict[str, Any], for_table: dict[str, Any]) -> None:
    """Refuse an option that would change nothing."""
    idle = dict(for_topics) if topic == "table1" else dict(for_table)
    if topic == "experts":
        idle |= {name: for_topics[name] for name in ("dimension", "class")}
    elif topic in _TOPICS:
        idle |= {name: for_topics[name] for name in ("experts", "best-loss")}
    for name, value in idle.items():
        if value is not None:
            raise click.UsageError(f"--{name} changes nothing about {topic}; leave it out.")


def _log_horizon(topic: str, horizon: int | None, log_horizon: float | None) -> float:
    if horizon is not None and log_horizon is not None:
        raise click.UsageError("--horizon and --log-horizon say the same; give one of them.")
    if horizon is not None:
        return math.log(horizon)
    if log_horizon is not None:
        return log_horizon
    return math.log(100_000) if topic == "experts" else 1000.0


def _dimension(dimension: int | None, class_name: str | None) -> int:
    if class_name is None:
        return 1 if dimension is None else dimension
    if dimension is not None:
        raise click.UsageError("--dimension and --class say the same; give one of them.")
    return named(class_name).littlestone_dimension()


def _log_inverse(delta: float | None, log_horizon: float) -> float:
    if delta is None:
        return math.log(max(log_horizon, 4.0))
    if not 0 <= delta < 1:
        raise click.UsageError(f"--delta is {delta!r}; give a number in [0, 1).")
    return -math.log(delta) if delta else math.inf


def _report(topic: str, setting: Setting) -> dict[str, Any]:
    infinite = math.isinf(setting.log_inverse_delta)
    given = {
        "log_horizon": setting.log_horizon,
        "epsilon": setting.epsilon,
        "log_inverse_delta": None if infinite else setting.log_inverse_delta,
    }
    if topic == "experts":
        given |= {"experts": setting.experts, "best_loss": setting.best_loss}
    else:
        given["dimension"] = setting.dimension
    return {**given, "bounds": [_entry(bound, setting) for bound in _TOPICS[topic]]}


def _entry(bound: Bound, setting: Setting) -> dict[str, Any]:
    return {
        "name": bound.name,
        "source": bound.source,
        "direction": bound.direction,
        "quantity": bound.quantity,
        "who": bound.who,
        "where": bound.where,
        "formula": bound.formula,
        "value": as_json(bound(setting)),
        "unmet": bound.unmet(setting),
        "constants": bound.constants,
    }


def _table1_page(found: Table1) -> str:
    setting = found.setting
    rows = [("result", "points", "learners", "at least", f"at ln T = {setting.log_horizon:,.6g}")]
    rows += [(row.result, row.domain, row.learner, row.at_delta, _number(row.bound, setting)) for row in found.rows]
    head = (
        f"Mistakes that private learners of points cannot avoid, at epsilon = {setting.epsilon:g} and delta = "
        f"1 / ln T = {setting.delta:.4g}\nTable 1 of Sanyal (2026), with constant factors taken as 1"
    )
    return f"{wrapped(head, page_width())}\n\n{table(rows, left=(0, 1, 2, 3))}"


def _topic_page(topic: str, setting: Setting) -> str:
    rows = [("bound", "", "value", "constants")]
    wanting: dict[str, list[str]] = {}
    for bound in _TOPICS[topic]:
        kind = "at most" if bound.direction == "upper" else "at least"
        rows.append((bound.name, kind, _number(bound, setting), "explicit" if bound.explicit else "open"))
        if (unmet := bound.unmet(setting)) is not None:
            wanting.setdefault(unmet, []).append(bound.name)
    return "\n\n".join(
        [wrapped(_headline(topic, setting), page_width()), table(rows, left=(0, 1, 3)), *_notes(topic, wanting)]
    )


def _headline(topic: str, setting: Setting) -> str:
    delta = "0" if math.isinf(setting.log_inverse_delta) else _size(-setting.log_inverse_delta)
    what = {
        "learning": f"Expected mistakes of learners, d = {setting.dimension}",
        "prediction": f"Expected mistakes of predictors, d = {setting.dimension}",
        "experts": f"Expected regret, N = {setting.experts:,} experts, L* = {setting.best_loss:g}",
    }[topic]
    given = f"ln T = {setting.log_horizon:,.6g}, epsilon = {setting.epsilon:g}, delta = {delta}"
    return f"{what}\n{given}; open constants are taken as 1"


def _notes(topic: str, wanting: Mapping[str, Sequence[str]]) -> list[str]:
    missing = [f"No value without {unmet}: {', '.join(names)}." for unmet, names in wanting.items()]
    lines = [
        f"{bound.name}: {bound.formula}{'' if bound.quantity.startswith('expected') else f' ({bound.quantity})'}; "
        f"{bound.who}; {bound.where}. {bound.source}."
        for bound in _TOPICS[topic]
    ]
    return ["\n".join(_hanging(line) for line in paragraph) for paragraph in (missing, lines) if paragraph]


def _hanging(line: str) -> str:
    return textwrap.fill(line, page_width(), subsequent_indent="  ")


def _number(bound: Bound, setting: Setting) -> str:
    value: Value | None = bound(setting)
    if value is None:
        return "-"
    return _decimal(value) if isinstance(value, float) else str(value)


def _decimal(value: float) -> str:
    if value >= 1e9:
        return f"{value:.3g}"
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _size(exponent: float) -> str:
    """Such as e^-1000, which no double holds."""
    return f"{math.exp(exponent):.4g}" if exponent > -700 else f"e^{exponent:g}"
