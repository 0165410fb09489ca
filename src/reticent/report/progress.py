"""A progress bar on stderr, for runs that a person waits for."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any

__all__ = ["Progress"]

#: Seconds before a bar appears.
_PATIENCE = 2.0


class Progress:
    """Counts rounds; shows a bar once two seconds have passed, on a terminal, when rich is installed.

    Parameters
    ----------
    total : int or None
        How many rounds there will be, where known.
    enabled : bool
    """

    def __init__(self, total: int | None, *, enabled: bool = True) -> None:
        self._total = total
        self._enabled = enabled and sys.stderr.isatty()
        self._done = 0
        self._begin = time.monotonic()
        self._bar: Any = None

    def advance(self, rounds: int) -> None:
        """Count rounds, and redraw."""
        self._done += rounds
        if not self._enabled:
            return
        if self._bar is None and time.monotonic() - self._begin > _PATIENCE:
            self._show()
        if self._bar is not None:
            self._bar.update(self._task, completed=self._done)

    def _show(self) -> None:
        try:
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
            from rich.progress import Progress as Bar
        except ImportError:
            self._enabled = False
            return
        columns = (TextColumn("rounds"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        self._bar = Bar(*columns, console=Console(stderr=True), transient=True)
        self._task = self._bar.add_task("rounds", total=self._total)
        self._bar.start()

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()
