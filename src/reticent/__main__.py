"""`reticent` and `python -m reticent`."""

from __future__ import annotations

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

    app.main(prog_name="reticent")


if __name__ == "__main__":
    main()
