"""Options that several commands share."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Literal, TypeVar

import click

from reticent.errors import ParameterError
from reticent.streams import LossStream, losses_from_predictions, open_losses

__all__ = [
    "Command",
    "Loss",
    "budget_options",
    "finite",
    "open_stream",
    "prediction_options",
    "privacy_options",
    "seed_option",
]


Loss = Literal["zero-one", "absolute", "squared"]

Command = TypeVar("Command", bound=Callable[..., Any])


def prediction_options(command: Command) -> Command:
    """How to make losses of predictions."""
    for decorate in (
        click.option("--clip", is_flag=True, help="Let errors above the scale cost 1; without it they end the run."),
        click.option(
            "--scale",
            type=float,
            metavar="NUMBER",
            help="With --target: the public error that costs 1.  [default: 1]",
        ),
        click.option(
            "--loss",
            type=click.Choice(["zero-one", "absolute", "squared"]),
            help="With --target: how a prediction is scored.",
        ),
        click.option("--target", metavar="COLUMN", help="The column with the truth; the others are predictions."),
    ):
        command = decorate(command)
    return command


def open_stream(losses: str, target: str | None, loss: Loss | None, scale: float | None, clip: bool) -> LossStream:
    """The stream that the arguments name; nothing of it is read yet where its format allows."""
    if target is None:
        if loss is not None or scale is not None or clip:
            raise ParameterError("--loss, --scale and --clip need --target, the column with the truth.")
        return open_losses(losses)
    if loss is None:
        raise ParameterError("--target needs --loss: zero-one, absolute or squared.")
    return losses_from_predictions(losses, target, loss, 1.0 if scale is None else scale, clip=clip)


def privacy_options(command: Command) -> Command:
    """What the whole run may cost, and for which neighbours."""
    relation = click.option(
        "--relation",
        type=click.Choice(["replace-one", "add-remove"]),
        default="replace-one",
        show_default=True,
        help="What neighbouring streams are.",
    )
    return budget_options(relation(command))


def budget_options(command: Command) -> Command:
    """What the whole run may cost."""
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
            "--horizon",
            type=click.IntRange(min=1),
            metavar="T",
            help="The public number of rounds, for tuning only; the file's own unless given, where its format tells.",
        ),
        click.option(
            "--delta",
            type=float,
            metavar="NUMBER",
            default=0.0,
            show_default=True,
            help="In [0, 1), far below one over the number of rounds.",
        ),
        click.option(
            "--epsilon",
            type=float,
            metavar="NUMBER",
            required=True,
            callback=finite,
            help="The price of the whole run; above 0.",
        ),
    ):
        command = decorate(command)
    return command


def seed_option(command: Command) -> Command:
    """A seed makes a simulation."""
    return click.option(
        "--seed",
        type=click.IntRange(min=0),
        metavar="S",
        help="Simulate with reproducible noise: every output is marked NOT PRIVATE.",
    )(command)


def finite(context: click.Context, parameter: click.Parameter, value: float) -> float:
    """A callback for an option that takes a finite number above 0."""
    # Checked here too because an algorithm without privacy would not look at it.
    if not 0 < value < math.inf:
        raise click.BadParameter(f"{value!r} is not a finite number above 0.")
    return value
