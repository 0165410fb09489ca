"""`reticent audit`: the privacy claims of the shipped code, checked by running it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import click
from click.core import ParameterSource

from reticent.audit import ExactAudit, ShippedAudit, StatisticalAudit, shipped_audits, statistical, ties
from reticent.audit.processes import in_processes
from reticent.cli import outputs
from reticent.cli.audit_text import RELATIONS, Audited, audit_report
from reticent.experts import ExpertsAlgorithm, PrivateExpertsAlgorithm, registry
from reticent.report.progress import Progress

__all__ = ["audit"]

_HELP = """Check the privacy claims of the shipped code by running it.

NAME is a mechanism (above-threshold, mirror, ...), an experts algorithm (guarded-epochs, tree-ftpl, ...), a learner
(point-learner, ...) or a predictor (point-predictor, ...); all of them unless given. A wrong one lists them all.

--exact (the default) runs tiny versions of each on every stream of three or four rounds, enumerates every outcome of
the noise with its probability, and compares all neighbouring pairs. What may be seen is more than what is released:
every answer of a guard, a coin and a draw, as the proofs allow. Nothing is sampled, nothing is left to chance.

--statistical runs each algorithm many times on two neighbouring streams at a real size, and bounds from below what
epsilon must be. It can find a fault, and never prove that there is none.
"""

_EPILOG = """
\b
Example: everything, exactly
  reticent audit
\b
Example: one algorithm, both ways, with a report
  reticent audit guarded-epochs --exact --statistical --json audit.json
\b
Exit code 0: every claim holds; 1: a claim is violated; 2: usage.
"""

#: The size of the statistical audits.
_EXPERTS, _ROUNDS, _EPSILON, _DELTA = 10, 1000, 1.0, 1e-6

Item = TypeVar("Item")
Result = TypeVar("Result")


def _names(context: click.Context, parameter: click.Parameter, value: tuple[str, ...]) -> tuple[str, ...]:
    known = dict.fromkeys([row.name for row in shipped_audits()] + [name for name, _ in _algorithms(RELATIONS[0])])
    for name in value:
        if name not in known:
            raise click.BadParameter(f"{name!r} is none of {', '.join(known)}.")
    return value


@click.command(help=_HELP, epilog=_EPILOG, short_help="Check the privacy claims of the shipped code by running it.")
@click.argument("names", nargs=-1, metavar="[NAME]...", callback=_names)
@click.option("--exact", is_flag=True, help="Enumerate every outcome of tiny versions.")
@click.option("--statistical", "sampled", is_flag=True, help="Run algorithms many times at a real size.")
@click.option(
    "--runs",
    type=click.IntRange(min=100),
    default=2000,
    show_default=True,
    metavar="K",
    help="With --statistical: runs on each of the two streams.",
)
@click.option(
    "--confidence",
    type=click.FloatRange(0.5, 1, max_open=True),
    default=0.999,
    show_default=True,
    metavar="NUMBER",
    help="With --statistical: the chance that a bound is right.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    metavar="S",
    help="With --statistical: reproducible noise; the noise that ships without it.",
)
@outputs.json_option("Write the figures as JSON (- for standard output).")
def audit(
    names: tuple[str, ...],
    exact: bool,
    sampled: bool,
    runs: int,
    confidence: float,
    seed: int | None,
    json_file: Path | None,
) -> None:
    """See _HELP."""
    if not sampled:
        for name in ("runs", "confidence", "seed"):
            if click.get_current_context().get_parameter_source(name) is not ParameterSource.DEFAULT:
                raise click.UsageError(f"--{name} is for --statistical; add it, or leave --{name} out.")
    rows = [row for row in shipped_audits() if not names or row.name in names] if exact or not sampled else []
    sizes = [(relation, *one) for relation in RELATIONS for one in _algorithms(relation)] if sampled else []
    sizes = [size for size in sizes if not names or size[1] in names]
    if not rows and not sizes:
        raise click.UsageError(
            f"nothing of {', '.join(names)} can be audited {'statistically' if sampled else 'exactly'}."
        )
    found = _all(_run, rows, "audits")
    bounds = _statistical(sizes, runs, confidence, seed)
    results: list[ExactAudit | StatisticalAudit] = [*found, *bounds]
    passed = all(result.passed for result in results)
    report = {
        "passed": passed,
        "exact": [
            {"name": row.name, "class": row.title, "setting": row.setting, "relation": row.relation, **one.to_dict()}
            for row, one in zip(rows, found, strict=True)
        ],
        "statistical": [
            {"name": name, "relation": relation, "experts": _EXPERTS, "rounds": _ROUNDS, **one.to_dict()}
            for (relation, name, _), one in zip(sizes, bounds, strict=True)
        ],
    }
    if json_file is not None and str(json_file) != "-":
        outputs.write_files({json_file: outputs.text(outputs.as_json(report))})
    if str(json_file) == "-":
        click.echo(outputs.as_json(report), nl=False)
    else:
        exact_rows = [Audited(r.relation, f"{r.name}: {r.setting}", one) for r, one in zip(rows, found, strict=True)]
        sized = [Audited(relation, name, one) for (relation, name, _), one in zip(sizes, bounds, strict=True)]
        click.echo(audit_report(exact_rows, sized, f"{_EXPERTS} experts, {_ROUNDS:,} rounds"))
    if not passed:
        click.get_current_context().exit(1)


def _algorithms(relation: str) -> list[tuple[str, ExpertsAlgorithm]]:
    """The private algorithms as they ship, by name; `auto` stands for one of the others."""
    built = [
        (name, registry.make(name, _EXPERTS, _EPSILON, _DELTA, horizon=_ROUNDS, relation=relation))
        for name in registry.algorithm_names()
        if name != "auto"
    ]
    return [(name, algorithm) for name, algorithm in built if isinstance(algorithm, PrivateExpertsAlgorithm)]


def _run(row: ShippedAudit) -> ExactAudit:
    return row.run()


def _all(function: Callable[[Item], Result], items: Sequence[Item], unit: str) -> list[Result]:
    """The function's results in order, worked out on all cores."""
    found: dict[int, Result] = {}
    with Progress(len(items), unit=unit) as progress:
        for number, result in in_processes(function, items):
            found[number] = result
            progress.advance(1)
    return [found[number] for number in range(len(items))]


def _statistical(
    sizes: Sequence[tuple[str, str, ExpertsAlgorithm]], runs: int, confidence: float, seed: int | None
) -> list[StatisticalAudit]:
    with Progress(2 * runs * len(sizes), unit="runs") as progress:
        return [
            statistical(
                algorithm,
                *ties(_EXPERTS, _ROUNDS, relation),
                runs=runs,
                confidence=confidence,
                seed=seed,
                progress=progress.advance,
            )
            for relation, _, algorithm in sizes
        ]
