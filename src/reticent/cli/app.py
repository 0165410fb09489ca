"""`reticent`: the group of commands, and how errors end it."""

from __future__ import annotations

import errno
from typing import Any

import click

import reticent
from reticent.cli.attack import attack
from reticent.cli.audit import audit
from reticent.cli.bounds import bounds
from reticent.cli.classify import classify
from reticent.cli.compare import compare
from reticent.cli.demo import demo
from reticent.cli.ldim import ldim
from reticent.cli.run import run
from reticent.errors import ParameterError, ReticentError

__all__ = ["app"]


class _CannotBe(click.ClickException):
    exit_code = 2


class _Interrupted(click.ClickException):
    exit_code = 130


class _Commands(click.Group):
    """Ends with 1 when the data or the run fail, with 2 when what was asked for cannot be; without a traceback."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except ParameterError as error:
            raise _CannotBe(str(error)) from None
        except ReticentError as error:
            raise click.ClickException(str(error)) from None
        except KeyboardInterrupt:
            raise _Interrupted("interrupted.") from None
        except OSError as error:
            if error.errno == errno.EPIPE:  # whoever read stdout has left: click ends quietly
                raise
            place = f"{error.filename}: " if error.filename else ""
            raise click.ClickException(f"{place}{error.strerror or error}.") from None


_EPILOG = """
\b
A first run on real data:
  reticent demo flights
\b
On your own losses, a column an expert and a row a round:
  reticent run losses.csv --epsilon 1 --delta 1e-6 --choices choices.csv
"""


@click.group(
    cls=_Commands, epilog=_EPILOG, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(reticent.__version__, prog_name="reticent")
def app() -> None:
    """Choose among experts online, under differential privacy."""


for command in (run, compare, classify, audit, attack, demo, ldim, bounds):
    app.add_command(command)
