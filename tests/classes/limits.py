"""What a computation under a work limit says on the way to its answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from reticent.errors import WorkLimitError


def refusals(ask: Callable[[int], int], limits: Iterable[int]) -> tuple[list[WorkLimitError], int]:
    """The errors that come before the first answer, under one limit after the other, and the answer."""
    errors = []
    for limit in limits:
        try:
            return errors, ask(limit)
        except WorkLimitError as error:
            errors.append(error)
    raise AssertionError("no limit was enough")
