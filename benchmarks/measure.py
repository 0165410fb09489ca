"""Time two pieces of work in turn, in one process, and print their ratio."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median


def seconds(work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def print_ratio(title: str, ours: Callable[[], object], reference: Callable[[], object], pairs: int = 9) -> float:
    """Print and return the median over `pairs` of time(ours) / time(reference), after one warm-up of each."""
    ours(), reference()
    timed = [(seconds(ours), seconds(reference)) for _ in range(pairs)]
    ratio = median(a / b for a, b in timed)
    low, high = min(a / b for a, b in timed), max(a / b for a, b in timed)
    print(
        f"{title}: {ratio:.3g} x the reference (from {low:.3g} to {high:.3g}; "
        f"median {median(a for a, _ in timed) * 1e3:.3g} ms against {median(b for _, b in timed) * 1e3:.3g} ms)"
    )
    return ratio
