"""The command line in this process, and files to feed it."""

from dataclasses import dataclass

import numpy as np
from click.testing import CliRunner

from reticent.cli.app import app

NAMES = ["linear", "tree", "forest"]


@dataclass(frozen=True)
class Result:
    exit_code: int
    stdout: str
    stderr: str


def reticent(*arguments, stdin=None):
    """Run one command; an exception that is not an exit is the test's failure."""
    result = CliRunner().invoke(app, [str(argument) for argument in arguments], input=stdin)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return Result(result.exit_code, result.stdout, result.stderr)


def write_csv(path, losses, names=NAMES):
    """A CSV file with a header line."""
    lines = [",".join(names), *(",".join(map(str, row)) for row in np.asarray(losses).tolist())]
    path.write_text("\n".join(lines) + "\n")
    return path


def some_losses(rounds=300):
    """The middle expert is the best."""
    losses = np.ones((rounds, 3))
    losses[:, 0] = 0.5
    losses[:, 1] = 0.0
    losses[::10, 1] = 0.25
    return losses


def only_sentence(stderr):
    """The error in stderr, which must be all that is there."""
    (line,) = stderr.splitlines()
    assert line.startswith("Error: ")
    return line.removeprefix("Error: ")
