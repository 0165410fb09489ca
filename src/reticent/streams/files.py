"""Losses from a file, told by its suffix, and from standard input."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from pathlib import Path

from reticent.errors import InputError
from reticent.streams.arrays import open_npy
from reticent.streams.arrow import open_ipc, open_parquet
from reticent.streams.stream import LossStream
from reticent.streams.text import TextStream

__all__ = ["open_file", "open_standard_input"]


def open_file(path: Path, block_bytes: int) -> LossStream:
    """A stream of the file's rows.

    Raises
    ------
    InputError
        Where there is no file, no format goes with its suffix, or it is not what its suffix says.
    MissingExtraError
        For Parquet and Arrow files where pyarrow is not installed.
    """
    source = str(path)
    if path.is_dir():
        raise InputError(f"{source}: this is a directory; name a file in it.")
    if not path.exists():
        raise InputError(f"{source}: there is no such file; check the name.")
    opener = _OPENERS.get(path.suffix.lower())
    if opener is None:
        raise InputError(f"{source}: its suffix tells no known format; use one of {', '.join(_OPENERS)}.")
    try:
        return opener(path, source, block_bytes)
    except OSError as error:
        raise InputError(f"{source}: the file cannot be opened ({error.strerror}); check its permissions.") from error


def open_standard_input(block_bytes: int) -> LossStream:
    """A stream of CSV from standard input.

    Raises
    ------
    InputError
        Where standard input is a terminal.
    """
    if sys.stdin.isatty():
        raise InputError("standard input: this is a terminal; pipe CSV into the command.")
    return TextStream(lambda: nullcontext(sys.stdin.buffer), "standard input", ",", block_bytes)


def _open_text(delimiter: str, path: Path, source: str, block_bytes: int) -> LossStream:
    return TextStream(lambda: path.open("rb"), source, delimiter, block_bytes)


_OPENERS: dict[str, Callable[[Path, str, int], LossStream]] = {
    ".csv": partial(_open_text, ","),
    ".tsv": partial(_open_text, "\t"),
    ".parquet": open_parquet,
    ".arrow": open_ipc,
    ".feather": open_ipc,
    ".ipc": open_ipc,
    ".npy": open_npy,
}
