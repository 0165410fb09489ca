"""How much one exact computation may do before it stops with what it knows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from reticent.errors import WorkLimitError

__all__ = ["DEFAULT_WORK_LIMIT", "Work", "limited"]

#: Some minutes, and at most a few gigabytes of what is remembered.
DEFAULT_WORK_LIMIT = 500_000_000


class _OutOfWork(Exception):  # noqa: N818 - it never leaves this module
    pass


class Work:
    """The steps left to one computation; a step looks at one instance in one version space of 1,000 rows.

    Parameters
    ----------
    limit : int
    """

    __slots__ = ("_left",)

    def __init__(self, limit: int) -> None:
        self._left = limit

    def spend(self, steps: int) -> None:
        """Count steps before they are taken; beyond the limit the computation ends."""
        self._left -= steps
        if self._left < 0:
            raise _OutOfWork


@contextmanager
def limited(work_limit: int, quantity: str, bracket: Callable[[], tuple[int, int]]) -> Iterator[Work]:
    """A computation of at most so many steps.

    Parameters
    ----------
    work_limit : int
    quantity : str
        What is computed, as errors call it.
    bracket : callable () -> (int, int)
        What is known of it, asked when the limit is reached.

    Raises
    ------
    WorkLimitError
        When it takes more, or goes deeper than the interpreter does.
    """
    try:
        yield Work(work_limit)
    except _OutOfWork:
        reached = f"the work limit of {work_limit:,} steps is reached; allow more with with_work_limit(steps)"
    except RecursionError:
        reached = "the search goes deeper than Python's recursion limit; allow more with sys.setrecursionlimit(depth)"
    else:
        return
    raise WorkLimitError(quantity, *bracket(), reached)
