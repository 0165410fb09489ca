"""`reticent attack`: the adversaries of the lower bounds against all that they are made for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from reticent.cli import outputs
from reticent.cli.options import finite
from reticent.cli.text import page_width, table, wrapped
from reticent.errors import ParameterError
from reticent.games.attacks import Attack, Outcome, Setting, attack_names, learner_names
from reticent.games.attacks import attack as attack_named
from reticent.games.estimate import Estimate
from reticent.randomness import SecureSource, SeededSource, Source
from reticent.report.progress import Progress

__all__ = ["attack"]

_HELP = f"""Play ADVERSARY against learners, and show the mistakes beside what its theorem forces.

The streams are synthetic and the learners are simulated: no record is at stake, and nothing here is a release.

ADVERSARY is one of {", ".join(attack_names())}:

\b
  point  a fair label at a few places that a recursion draws, on three points
  block  the same for every epsilon: copies in blocks, or fewer of them
  tree   a phase for each node of a path down a shattered tree, chosen
         against the very learner that will play
  sign   adaptive, against experts: what is played loses from then on

A theorem holds for every (epsilon, delta)-private learner, and forces nothing on learners that are not private.
The learners are
{", ".join(learner_names())}:
from guarded-epochs on they are experts algorithms, with the hypotheses as experts; sign is against these alone.
"""

_EPILOG = """
\b
Example: what a private learner of three points cannot avoid
  reticent attack point --rounds 531441 --runs 50
\b
Example: two learners of thresholds, of Littlestone dimension 6
  reticent attack tree --class thresholds:63 \\
      --against guarded-epochs,soa
\b
Example: algorithms for experts, against an adversary that sees their choices
  reticent attack sign --epsilon 1 --delta 1e-6 --rounds 10000 --runs 5
"""

Play = Callable[[Source], Outcome]


def _names(context: click.Context, parameter: click.Parameter, value: str | None) -> list[str] | None:
    return None if value is None else list(dict.fromkeys(name.strip() for name in value.split(",")))


@click.command(help=_HELP, epilog=_EPILOG, short_help="Play the lower bounds' adversaries.")
@click.argument("adversary", type=click.Choice(attack_names()), metavar="ADVERSARY")
@click.option(
    "--against",
    "opponents",
    metavar="NAME,NAME,..",
    callback=_names,
    help="All that the parameters allow unless given.",
)
@click.option(
    "--class", "class_name", metavar="NAME", help="For tree: what is learned, as in ldim.  [default: thresholds:15]"
)
@click.option(
    "--rounds", type=click.IntRange(min=1), metavar="T", default=3**9, show_default=True, help="Length of a stream."
)
@click.option(
    "--epsilon",
    type=float,
    metavar="NUMBER",
    default=0.01,
    show_default=True,
    callback=finite,
    help="Of the learners; above 0.",
)
@click.option(
    "--delta", type=float, metavar="NUMBER", default=0.0, show_default=True, help="Of the learners; in [0, 1)."
)
@click.option(
    "--runs", type=click.IntRange(min=2), metavar="K", default=50, show_default=True, help="How often each is run."
)
@click.option("--seed", type=click.IntRange(min=0), metavar="S", help="Make it reproducible.")
@outputs.json_option("Write the figures as JSON (- for standard output).")
def attack(
    adversary: str,
    opponents: list[str] | None,
    class_name: str | None,
    rounds: int,
    epsilon: float,
    delta: float,
    runs: int,
    seed: int | None,
    json_file: Path | None,
) -> None:
    """See _HELP."""
    chosen = attack_named(adversary)
    setting = Setting(rounds, epsilon, delta, runs, class_name)
    games = _prepare(chosen, opponents, setting)
    source: Source = SecureSource() if seed is None else SeededSource(seed)
    outcomes = []
    with Progress(len(games), unit="opponents") as bar:
        for game in games:
            outcomes.append(game(source))
            bar.advance(1)
    if seed is not None:
        click.echo(f"Warning: NOT PRIVATE ({source.description}): for simulation only.", err=True)
    report = _as_json(adversary, chosen.columns, setting, source, outcomes)
    if json_file is not None and str(json_file) != "-":
        outputs.write_files({json_file: outputs.text(outputs.as_json(report))})
    click.echo(
        outputs.as_json(report).rstrip("\n") if str(json_file) == "-" else _report(chosen, setting, source, outcomes)
    )


def _prepare(chosen: Attack, names: list[str] | None, setting: Setting) -> list[Play]:
    """The games asked for; without a list, each that the setting allows, and a warning for each other."""
    if names is not None:
        return [chosen.prepare(name, setting) for name in names]
    games: list[Play] = []
    refused: dict[str, ParameterError] = {}
    for name in chosen.opponents():
        try:
            games.append(chosen.prepare(name, setting))
        except ParameterError as error:
            refused[name] = error
    if not games:
        raise next(iter(refused.values()))
    for name, reason in refused.items():
        click.echo(f"Warning: {name} is left out: {reason}", err=True)
    return games


def _as_json(
    adversary: str, columns: tuple[str, str], setting: Setting, source: Source, outcomes: list[Outcome]
) -> dict[str, Any]:
    compared, beside = (column.replace(" ", "_") for column in columns)
    return {
        "warning": _simulated(source),
        "adversary": adversary,
        "rounds": setting.rounds,
        "epsilon": setting.epsilon,
        "delta": setting.delta,
        "runs": setting.runs,
        "class": setting.class_name,
        "opponents": [
            {
                "name": outcome.opponent,
                "privacy": outcome.privacy.to_dict(),
                "suffered": _estimate(outcome.suffered),
                beside: _estimate(outcome.in_all),
                compared: outcome.forced,
            }
            for outcome in outcomes
        ],
    }


def _estimate(estimate: Estimate) -> dict[str, Any]:
    low, high = estimate.interval()
    return {
        "mean": estimate.mean,
        "low": low,
        "high": high,
        "at_least": estimate.at_least(),
        "values": list(estimate.values),
    }


def _report(chosen: Attack, setting: Setting, source: Source, outcomes: list[Outcome]) -> str:
    rows = [(chosen.opponent, "promise", "mean", "95 % interval", *chosen.columns)]
    for outcome in outcomes:
        promise = outcome.privacy.to_dict()
        low, high = outcome.suffered.interval()
        rows.append(
            (
                outcome.opponent,
                "none" if promise["epsilon"] is None else f"({promise['epsilon']:g}, {promise['delta']:g})",
                _mean(outcome.suffered.mean),
                f"{_mean(max(low, 0.0))} to {_mean(high)}",
                "-" if outcome.forced is None else _number(outcome.forced),
                f"{outcome.in_all.mean:,.1f}",
            )
        )
    head = (
        f"{chosen.heading(setting)}: {setting.rounds:,} rounds, {setting.runs} runs of each; coins "
        f"{source.description}.\n"
        f"{_simulated(source)}\n"
        f"Promise: (epsilon, delta). Mean: {chosen.suffered}, with Student's t interval; {chosen.legend}."
    )
    return f"{wrapped(head, page_width())}\n\n{table(rows)}"


def _mean(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.2f}"


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _simulated(source: Source) -> str:
    seeded = "" if source.private else f" ({source.description})"
    return (
        f"NOT PRIVATE{seeded}: simulated runs on synthetic streams; no record is at stake, and nothing is released."
    )
