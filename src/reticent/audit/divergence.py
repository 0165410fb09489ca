"""How far two laws are apart, output by output."""

from __future__ import annotations

import math

import numpy as np

from reticent.randomness.laws import FloatArray

__all__ = ["excesses", "log_ratios"]


def excesses(p: FloatArray, q: FloatArray, epsilon: float) -> FloatArray:
    """(p - e^epsilon q)_+; summed over all outputs it is the hockey-stick divergence delta(epsilon)."""
    # Above 700 e^epsilon is too large for a double; a smaller epsilon finds more.
    scale = math.exp(min(epsilon, 700.0))
    excess: FloatArray = np.maximum(p - scale * q, 0.0)
    return excess


def log_ratios(p: FloatArray, q: FloatArray, truncated: float) -> FloatArray:
    """Lower bounds on log(p / q): the truncated probability may belong to any output."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios: FloatArray = np.where(p > 0, np.log(p) - np.log(q + truncated), -math.inf)
    return ratios
