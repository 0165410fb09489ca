"""One function on many items, on all cores."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import Any, TypeVar

from reticent.errors import ParameterError

__all__ = ["in_processes", "usable_cores"]

Item = TypeVar("Item")
Result = TypeVar("Result")


def usable_cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_processes(
    function: Callable[[Item], Result], items: Sequence[Item], workers: int | None = None
) -> Iterator[tuple[int, Result]]:
    """The number of each item and the function's result, in the order in which they are ready.

    Parameters
    ----------
    function : callable
        Sent once to each process: picklable, as are the items and the results.
    items : sequence
    workers : int, optional
        Processes; one for each core by default. With one worker, or one item, no process is started.
    """
    if workers is None:
        workers = usable_cores()
    if isinstance(workers, bool) or not isinstance(workers, int) or workers < 1:
        raise ParameterError(f"workers is {workers!r}; give a whole number from 1 on.")
    if min(workers, len(items)) <= 1:
        yield from enumerate(map(function, items))
        return
    with ProcessPoolExecutor(min(workers, len(items)), initializer=_prepare, initargs=(function,)) as pool:
        numbers = {pool.submit(_call, item): number for number, item in enumerate(items)}
        try:
            for done in as_completed(numbers):
                yield numbers[done], done.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


#: A worker process's function.
_function: Callable[[Any], Any] | None = None


def _prepare(function: Callable[[Any], Any]) -> None:
    global _function
    _function = function
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C reaches the whole group: workers end at once, and quietly


def _call(item: Any) -> Any:
    assert _function is not None
    return _function(item)
