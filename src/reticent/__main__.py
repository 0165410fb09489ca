"""`reticent` and `python -m reticent`."""

from __future__ import annotations

import io
import sys

__all__ = ["main"]


def main() -> None:
    """Run the command line; it ends the process with exit code 0, 1 (the data or the run failed) or 2 (usage)."""
    try:
        import click  # noqa: F401
        import rich  # noqa: F401
    except ImportError as missing:
        print(  # noqa: T201
            f"Error: the command line needs {missing.name}: install it with  pip install 'reticent[cli]'.",
            file=sys.stderr,
        )
        sys.exit(2)
    from reticent.cli.app import app

    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a name that the terminal cannot show must not end the run
            stream.reconfigure(errors="replace")
    app.main(prog_name="reticent")


if __name__ == "__main__":
    main()
