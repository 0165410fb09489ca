"""One function on many items: each once, numbered, whatever the number of processes."""

from __future__ import annotations

import os

import pytest

from reticent.audit.processes import in_processes, usable_cores
from reticent.errors import ParameterError


def square(number: int) -> int:
    if number < 0:
        raise ValueError(f"{number} is below 0")
    return number * number


def where(number: int) -> int:
    return os.getpid()


@pytest.mark.parametrize("workers", [None, 1, 2, 5])
def test_each_result_carries_the_number_of_its_item(workers: int | None) -> None:
    """Catches results that are lost, doubled or mixed up when they arrive in another order."""
    found = dict(in_processes(square, [3, 1, 4, 1, 5], workers))
    assert found == {0: 9, 1: 1, 2: 16, 3: 1, 4: 25}


def test_one_worker_or_one_item_stays_in_this_process() -> None:
    """Catches processes that are started for nothing, in which a debugger or a monkeypatch would not be seen."""
    assert [pid for _, pid in in_processes(where, [1, 2], 1)] == [os.getpid()] * 2
    assert [pid for _, pid in in_processes(where, [1], 4)] == [os.getpid()]
    assert os.getpid() not in [pid for _, pid in in_processes(where, [1, 2], 2)]


@pytest.mark.parametrize("workers", [1, 2])
def test_an_error_of_an_item_is_raised_here(workers: int) -> None:
    """Catches an audit that failed to run and is left out."""
    with pytest.raises(ValueError, match="-1 is below 0"):
        dict(in_processes(square, [1, -1, 2], workers))


def test_no_items_are_no_work() -> None:
    """Catches an empty pool."""
    assert dict(in_processes(square, [])) == {}
    assert usable_cores() >= 1


@pytest.mark.parametrize("workers", [0, -1, 1.5, True])
def test_a_bad_number_of_workers_is_refused(workers: object) -> None:
    """Catches a number that would mean all or none."""
    with pytest.raises(ParameterError, match="workers"):
        dict(in_processes(square, [1, 2], workers))  # type: ignore[arg-type]
