"""Files to write: checked before anything is drawn, written whole or not at all."""

from __future__ import annotations

import json
import os
import shutil
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = [
    "PLOT_SUFFIXES",
    "Writer",
    "as_json",
    "check_distinct",
    "json_option",
    "output_file",
    "picture",
    "text",
    "write_files",
]

Writer = Callable[[IO[bytes]], None]

Command = TypeVar("Command", bound=Callable[..., Any])

PLOT_SUFFIXES = (".png", ".svg", ".pdf")


def json_option(help_: str) -> Callable[[Command], Command]:
    """The option --json of a command."""
    return click.option("--json", "json_file", metavar="FILE", callback=output_file(dash=True), help=help_)


def output_file(
    *suffixes: str, dash: bool = False
) -> Callable[[click.Context, click.Parameter, str | None], Path | None]:
    """A callback for an option that names a file to write: its directory exists, and its suffix is known.

    Parameters
    ----------
    *suffixes : str
        None of them when any will do.
    dash : bool
        Whether ``-``, standard output, is allowed.
    """

    def check(context: click.Context, parameter: click.Parameter, value: str | None) -> Path | None:
        if value is None or (value == "-" and dash):
            return None if value is None else Path(value)
        path = Path(value)
        if suffixes and path.suffix.lower() not in suffixes:
            raise click.BadParameter(f"{value!r} ends in none of {', '.join(suffixes)}.")
        if path.exists() and not path.is_file():
            raise click.BadParameter(f"{value!r} is not a regular file.")
        directory = path.resolve().parent
        if not directory.is_dir():
            raise click.BadParameter(f"{value!r} lies in a directory that does not exist; make it first.")
        if not os.access(directory, os.W_OK):
            raise click.BadParameter(f"{value!r} lies in a directory that you may not write to.")
        return path

    return check


def check_distinct(losses: str, *files: Path | None) -> None:
    """Refuse to write two outputs, or an output and the input, to one file."""
    taken = {Path(losses).resolve()}
    for path in files:
        if path is None or str(path) == "-":
            continue
        if path.is_dir():
            raise click.UsageError(f"{str(path)!r} is a directory; choose another name.")
        if path.resolve() in taken:
            raise click.UsageError(
                f"{str(path)!r} is named twice among the input and the outputs; give each its own."
            )
        taken.add(path.resolve())


def write_files(writers: Mapping[Path, Writer]) -> None:
    """Write all of them beside their places, and only then put each in its place.

    Links are followed, and a file that is replaced keeps its permissions.
    """
    drafts: dict[Path, Path] = {}
    try:
        for path, write in writers.items():
            place = path.resolve()
            draft = place.with_name(f".{place.name}.{os.getpid()}.part")
            with draft.open("xb") as file:
                drafts[place] = draft
                write(file)
            if place.exists():
                shutil.copymode(place, draft)
        for place, draft in drafts.items():
            draft.replace(place)
    finally:
        for draft in drafts.values():
            draft.unlink(missing_ok=True)


def as_json(value: dict[str, Any]) -> str:
    """The text of one JSON object."""
    return json.dumps(value, indent=2, allow_nan=False) + "\n"


def text(content: str) -> Writer:
    """Writes this text."""

    def write(file: IO[bytes]) -> None:
        file.write(content.encode())

    return write


def picture(figure: Figure, path: Path) -> Writer:
    """Writes the figure in the format that the path's suffix names."""

    def write(file: IO[bytes]) -> None:
        with warnings.catch_warnings():
            # A letter that the font lacks is drawn as a box, which says as much.
            warnings.filterwarnings("ignore", "Glyph .* missing from font")
            figure.savefig(file, format=path.suffix.lower().lstrip("."), dpi=150)

    return write
