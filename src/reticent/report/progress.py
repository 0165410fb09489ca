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
    """Counts; shows a bar once two seconds have passed, on a terminal, when rich is installed.

    Parameters
    ----------
    total : int or None
        How many rounds (or other things) there will be, where known.
    unit : str
        What is counted.
    enabled : bool
    """

    def __init__(self, total: int | None, *, unit: str = "rounds", enabled: bool = True) -> None:
        self._total = total
        self._unit = unit
        self._enabled = enabled and sys.stderr.isatty()
        self._done = 0
        self._begin = time.monotonic()
        self._bar: Any = None

    def advance(self, steps: int) -> None:
        """Count, and redraw."""
        self._done += steps
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
        columns = (TextColumn(self._unit), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        self._bar = Bar(*columns, console=Console(stderr=True), transient=True)
        self._task = self._bar.add_task(self._unit, total=self._total)
        self._bar.start()

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()
