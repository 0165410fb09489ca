"""`reticent ldim`: the Littlestone dimension of a class, and a tree that shows why."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from reticent.classes import (
    FiniteClass,
    HypothesisClass,
    Intervals,
    ShatteredTree,
    Sparse,
    class_names,
    named,
    project,
    shattered_tree,
    threshold_dimension,
    vc_dimension,
)
from reticent.classes.domains import n_instances
from reticent.cli import outputs
from reticent.cli.text import page_width, wrapped
from reticent.errors import ParameterError, WorkLimitError
from reticent.report import drawing
from reticent.report.labels import shorten
from reticent.report.tree_display import TreeDisplay

__all__ = ["ldim"]

_HELP = f"""The Littlestone dimension of CLASS: the mistakes that learning it online takes in the worst case.

CLASS is a CSV file of zeros and ones, a hypothesis a row and an instance a column, whose header names the instances;
or a name with its numbers:

\b
  {"  ".join(class_names()[:4])}
  {"  ".join(class_names()[4:8])}
  {"  ".join(class_names()[8:11])}
  {"  ".join(class_names()[11:])}

The VC dimension and the threshold dimension are told where the class is small enough to be listed.
"""

_EPILOG = """
\b
Example: how many mistakes may a learner of intervals make, and why?
  reticent ldim intervals:6 --tree
\b
Example: of your own hypotheses, with a picture
  reticent ldim hypotheses.csv --plot tree.png
\b
Exit code 0: fine; 1: the file is bad, or the work limit was reached;
2: usage.
"""

#: Cells of a table that is still written out for the sake of the other dimensions.
_CELLS = 1 << 16

#: Of a number of hypotheses that is still worked out: about a second.
_BITS = 1 << 20

#: A deeper tree does not fit on a screen, and one above the other number on no page.
_DEPTH, _DEEPEST = 5, 8


@click.command(help=_HELP, epilog=_EPILOG, short_help="The Littlestone dimension of a class of hypotheses.")
@click.argument("source", metavar="CLASS", required=False)
@click.option("--class", "name", metavar="NAME", help="The same as CLASS, for names only.")
@click.option("--tree", is_flag=True, help="Draw a shattered tree, the root on the left.")
@click.option(
    "--depth",
    type=click.IntRange(0, _DEEPEST),
    metavar="D",
    help=f"Of the tree that is drawn.  [default: the dimension, at most {_DEPTH}]",
)
@click.option(
    "--plot",
    "plot_file",
    metavar="FILE",
    callback=outputs.output_file(*outputs.PLOT_SUFFIXES),
    help="Draw the tree into a .png, .svg or .pdf file.",
)
@outputs.json_option("Write the figures, and with --tree the tree, as JSON (- for standard output).")
@click.option(
    "--work-limit",
    type=click.IntRange(min=0),
    metavar="STEPS",
    default=20_000_000,
    show_default=True,
    help="How long to search in a table, for each figure: by default some ten seconds, and then an error.",
)
def ldim(
    source: str | None,
    name: str | None,
    tree: bool,
    depth: int | None,
    plot_file: Path | None,
    json_file: Path | None,
    work_limit: int,
) -> None:
    """Print what is known about one class."""
    text = _one_of(source, name)
    outputs.check_distinct(text, json_file, plot_file)
    if depth is not None and not tree and plot_file is None:
        raise click.UsageError("--depth is for --tree and --plot; add one of them.")
    if plot_file is not None:
        drawing.require_matplotlib()
    begin = time.perf_counter()
    hypotheses = named(text)
    if isinstance(hypotheses, FiniteClass):
        hypotheses = hypotheses.with_work_limit(work_limit)
    try:
        dimension = hypotheses.littlestone_dimension()
        drawn = _tree(hypotheses, dimension, depth) if tree or plot_file is not None else None
    except WorkLimitError as error:
        raise click.ClickException(
            f"{shorten(text, 60)}: the Littlestone dimension lies between {error.lower} and {error.upper}, and the "
            f"work limit of {work_limit:,} steps is reached; allow more with --work-limit."
        ) from None
    size, domain = _size(hypotheses, dimension), n_instances(hypotheses.instances)
    report = {
        "class": text,
        "hypotheses": _exact(size),
        "log2_hypotheses": None if size is None else math.log2(size),
        "instances": _exact(domain),
        "log2_instances": math.log2(domain),
        "littlestone_dimension": dimension,
        "found_by": _found_by(hypotheses),
        **_other_dimensions(hypotheses, size, work_limit),
        "seconds": time.perf_counter() - begin,
    }
    if tree and drawn is not None and json_file is not None:
        report["tree"] = _tree_as_json(drawn)
    writers: dict[Path, outputs.Writer] = {}
    if json_file is not None and str(json_file) != "-":
        writers[json_file] = outputs.text(outputs.as_json(report))
    if plot_file is not None and drawn is not None:
        writers[plot_file] = outputs.picture(TreeDisplay(drawn, text).plot().figure_, plot_file)
    outputs.write_files(writers)
    if str(json_file) == "-":
        click.echo(outputs.as_json(report), nl=False)
        return
    click.echo(_page(report))
    if tree and drawn is not None:
        click.echo(f"\n{wrapped(_caption(drawn, dimension), page_width())}\n\n{drawn}")
    if writers:
        click.echo("\n" + "\n".join(["Written", *(f"  {file}" for file in writers)]))


def _one_of(source: str | None, name: str | None) -> str:
    if (source is None) == (name is None):
        raise click.UsageError("name one class, such as thresholds:1000 or a CSV file.")
    if name is not None and name.partition(":")[0] not in [known.partition(":")[0] for known in class_names()]:
        raise click.UsageError(f"--class is {name!r}; give one of {', '.join(class_names())}.")
    return source or name or ""


def _tree(hypotheses: HypothesisClass, dimension: int, depth: int | None) -> ShatteredTree:
    if depth is not None and depth > dimension:
        raise ParameterError(f"--depth is {depth}, but the Littlestone dimension is {dimension}; give at most that.")
    return shattered_tree(hypotheses, min(dimension, _DEPTH) if depth is None else depth)


def _size(hypotheses: HypothesisClass, dimension: int) -> int | None:
    """How many hypotheses; None where that is a number too long to be worked out while someone waits."""
    if isinstance(hypotheses, Sparse):
        n = n_instances(hypotheses.instances)
        if min(n, dimension * math.log2(n + 1)) > _BITS:
            return None
    return hypotheses.size()


def _found_by(hypotheses: HypothesisClass) -> str:
    if isinstance(hypotheses, FiniteClass):
        return "exact search"
    if isinstance(hypotheses, Intervals):
        return "a formula, checked on small cases and not proved"
    return "a formula"


def _other_dimensions(hypotheses: HypothesisClass, size: int | None, work_limit: int) -> dict[str, Any]:
    """The VC and the threshold dimension; where the work limit was reached, the bracket in which they lie."""
    measures: dict[str, Callable[[FiniteClass], int]] = {
        "vc_dimension": vc_dimension,
        "threshold_dimension": threshold_dimension,
    }
    found: dict[str, Any] = dict.fromkeys(measures)
    table = _listed(hypotheses, size, work_limit)
    if table is None:
        return found
    for name, measure in measures.items():
        try:
            found[name] = measure(table)
        except WorkLimitError as error:
            found[f"{name}_between"] = [error.lower, error.upper]
    return found


def _listed(hypotheses: HypothesisClass, size: int | None, work_limit: int) -> FiniteClass | None:
    if isinstance(hypotheses, FiniteClass):
        return hypotheses
    if size is None or size * n_instances(hypotheses.instances) > _CELLS:
        return None
    return project(hypotheses, hypotheses.instances).with_work_limit(work_limit)


def _tree_as_json(tree: ShatteredTree) -> dict[str, Any]:
    if tree.depth == 0:
        return {"hypothesis": str(tree.hypothesis)}
    x = tree.instance
    return {
        "instance": x if isinstance(x, int | str | tuple) else str(x),
        "0": _tree_as_json(tree.zero),
        "1": _tree_as_json(tree.one),
    }


def _page(report: dict[str, Any]) -> str:
    rows = [
        *((name, _count(report[name], report[f"log2_{name}"])) for name in ("hypotheses", "instances")),
        ("Littlestone dimension", f"{report['littlestone_dimension']}"),
        ("  found by", report["found_by"]),
    ]
    for name, label in (("vc_dimension", "VC dimension"), ("threshold_dimension", "threshold dimension")):
        if report[name] is not None:
            rows.append((label, f"{report[name]}"))
        elif f"{name}_between" in report:
            rows.append((label, "between {} and {}: the search was given up".format(*report[f"{name}_between"])))
        else:
            rows.append((label, "not looked for: too large to list"))
    return "\n".join([shorten(report["class"], 70), *(f"  {label:<23}{value}" for label, value in rows)])


def _exact(number: int | None) -> int | None:
    """The number where whoever reads JSON can hold it."""
    return number if number is not None and number < 1 << 53 else None


def _count(number: int | None, log2: float | None) -> str:
    if log2 is None:
        return "not counted: too many"
    return f"about 2^{log2:.6g}" if number is None else f"{number:,}"


def _caption(tree: ShatteredTree, dimension: int) -> str:
    deeper = f" (there are deeper ones, up to {dimension}: --depth)" if tree.depth < dimension else ""
    return f"A shattered tree of depth {tree.depth}{deeper}. At the leaves: a hypothesis that realises the path."
