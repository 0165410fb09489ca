"""Options that several commands share."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from reticent.errors import ParameterError
from reticent.streams import LossStream, losses_from_predictions, open_losses

if TYPE_CHECKING:
    _Command = TypeVar("_Command", bound=Callable[..., Any])

__all__ = ["open_stream", "privacy_options", "seed_option", "stream_arguments"]


def stream_arguments(command: _Command) -> _Command:
    """LOSSES, and how to make losses of predictions."""
    for decorate in (
        click.option("--scale", type=float, help="Divide losses by this public number, and cut them off at 1."),
        click.option(
            "--loss",
            type=click.Choice(["zero-one", "absolute", "squared"]),
            help="With --target: how a prediction is scored.",
        ),
        click.option("--target", metavar="COLUMN", help="The column with the truth; the others are predictions."),
        click.argument("losses"),
    ):
        command = decorate(command)
    return command


def open_stream(losses: str, target: str | None, loss: str | None, scale: float | None) -> LossStream:
    """The stream that the arguments name; nothing of it is read yet where its format allows."""
    if target is None:
        if loss is not None or scale is not None:
            raise ParameterError("--loss and --scale score predictions: name the column with the truth by --target.")
        return open_losses(losses)
    if loss is None:
        raise ParameterError("--target needs --loss: zero-one, absolute or squared.")
    return losses_from_predictions(losses, target, loss, 1.0 if scale is None else scale)


def privacy_options(command: _Command) -> _Command:
    """What the whole run may cost, and for which neighbours."""
    for decorate in (
        click.option(
            "--rounds-per-person",
            type=click.IntRange(min=1),
            default=1,
            show_default=True,
            metavar="M",
            help="In how many rounds one person may take part.",
        ),
        click.option(
            "--relation",
            type=click.Choice(["replace-one", "add-remove"]),
            default="replace-one",
            show_default=True,
            help="What neighbouring streams are.",
        ),
        click.option(
            "--horizon",
            type=click.IntRange(min=1),
            metavar="T",
            help="The public number of rounds, for tuning; the file's own unless given, where its format tells.",
        ),
        click.option(
            "--delta",
            type=float,
            default=0.0,
            show_default=True,
            help="In [0, 1), far below one over the number of rounds.",
        ),
        click.option("--epsilon", type=float, required=True, callback=_finite, help="The price of the whole run."),
    ):
        command = decorate(command)
    return command


def seed_option(command: _Command) -> _Command:
    """A seed makes a simulation."""
    return click.option(
        "--seed",
        type=click.IntRange(min=0),
        metavar="S",
        help="Simulate with reproducible noise: every output is marked NOT PRIVATE.",
    )(command)


def _finite(context: click.Context, parameter: click.Parameter, value: float) -> float:
    # Checked here too because an algorithm without privacy would not look at it.
    if not 0 < value < math.inf:
        raise click.BadParameter(f"{value!r} is not a finite number above 0.")
    return value
