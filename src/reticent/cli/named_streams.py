"""Streams that have a name instead of a file: the four synthetic families, and the flights."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import click

from reticent.adversaries import FAMILIES
from reticent.cli.options import Command
from reticent.report.labels import shorten
from reticent.streams import LossStream, flights, open_losses

__all__ = ["Size", "is_named", "openers", "size_options"]

#: Opens a stream when its turn comes.
Opener = Callable[[], LossStream]

#: Draws (rounds, experts, rate, seed) a stream.
Family = Callable[[int, int, float, int], object]

_THIRTEEN = "thirteen"
_FLIGHTS = "flights"
_RATES = ("0", "0.01", "0.1")
_ROUNDS, _EXPERTS, _SEED = 100_000, 100, 20261129


@dataclass(frozen=True)
class Size:
    """How large synthetic streams are, and the seed that they are drawn from; None where nothing was asked for."""

    rounds: int | None
    experts: int | None
    seed: int | None

    @property
    def asked_for(self) -> bool:
        """Whether any of it was."""
        return (self.rounds, self.experts, self.seed) != (None, None, None)


def size_options(command: Command) -> Command:
    """How large synthetic streams are."""
    for decorate in (
        click.option(
            "--stream-seed",
            type=click.IntRange(min=0),
            metavar="S",
            help=f"What FAMILY:RATE is drawn from; the noise has its own seed.  [default: {_SEED}]",
        ),
        click.option(
            "--experts",
            type=click.IntRange(min=2),
            metavar="N",
            help=f"How many experts FAMILY:RATE has.  [default: {_EXPERTS}]",
        ),
        click.option(
            "--rounds",
            type=click.IntRange(min=1),
            metavar="T",
            help=f"How many rounds FAMILY:RATE has.  [default: {_ROUNDS:,}]",
        ),
    ):
        command = decorate(command)
    return command


def is_named(text: str) -> bool:
    """Whether this is a named stream: a name that no file in the working directory has."""
    path = Path(text)
    return _is_name(text) and (path.is_dir() or not path.exists())


def openers(texts: Sequence[str], size: Size, open_file: Callable[[str], LossStream]) -> dict[str, Opener]:
    """What opens each stream, each once, by what reports call it.

    Files and the flights are opened now, so that one which is not there ends the command before its work begins;
    synthetic streams are drawn when their turn comes.
    """
    named = [text for text in texts if is_named(text)]
    if size.asked_for and not any(text != _FLIGHTS for text in named):
        raise click.UsageError(
            "--rounds, --experts and --stream-seed are for synthetic streams such as iid:0.01; leave them out."
        )
    found: dict[str, Opener] = {}
    for text in dict.fromkeys(texts):
        if text in named:
            found |= _named(text, size)
            continue
        if _is_name(text):
            click.echo(f"Warning: {text!r} is read from the file of that name.", err=True)
        elif ":" in text and not Path(text).exists():
            raise click.UsageError(
                f"{shorten(text, 40)!r} is neither a file nor a family with a rate, such as iid:0.01; the "
                f"families are {', '.join(FAMILIES)}."
            )
        stream = open_file(text)
        found[stream.source] = partial(_same, stream)
    return found


def _is_name(text: str) -> bool:
    return text in (_THIRTEEN, _FLIGHTS) or text.partition(":")[0] in FAMILIES


def _named(text: str, size: Size) -> dict[str, Opener]:
    if text == _THIRTEEN:
        families = [f"{family}:{rate}" for family in FAMILIES for rate in _RATES]
        return {name: opener for one in (*families, _FLIGHTS) for name, opener in _named(one, size).items()}
    if text == _FLIGHTS:
        losses, names = flights()
        return {text: partial(_same, _called(text, open_losses(losses, names=names)))}
    family, _, given = text.partition(":")
    try:
        rate = float(given)
    except ValueError:
        raise click.UsageError(
            f"{shorten(text, 40)!r} needs the best expert's loss rate, such as {family}:0.01."
        ) from None
    seed = _SEED if size.seed is None else size.seed
    FAMILIES[family](1, 2, rate, seed)  # refuses a bad rate before the work begins
    return {
        f"{family}:{rate:g}": partial(
            _synthetic, family, rate, size.rounds or _ROUNDS, size.experts or _EXPERTS, seed
        )
    }


def _synthetic(family: str, rate: float, rounds: int, n_experts: int, seed: int) -> LossStream:
    return _called(f"{family}:{rate:g}", open_losses(FAMILIES[family](rounds, n_experts, rate, seed)))


def _called(name: str, stream: LossStream) -> LossStream:
    stream.source = name
    return stream


def _same(stream: LossStream) -> LossStream:
    return stream
