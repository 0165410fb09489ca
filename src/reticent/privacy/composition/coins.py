"""What independent coins tell: the exact convolution of their privacy losses, rounded up."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from reticent.errors import ParameterError
from reticent.privacy.composition.arguments import check_epsilon
from reticent.privacy.composition.rounding import MARGIN, dyadic_floor

__all__ = ["coins_delta"]

FloatArray = npt.NDArray[np.float64]

#: Grid steps in the standard deviation of one coin's loss. Each loss is split over two neighbouring points, which
#: adds about a sixth of a squared step to its variance: a fourth of a per cent with 8 of them, 4 with 2.
_FINEST, _COARSEST = 8, 2
#: Coins times grid points, beyond which the grid gets coarser: a tenth of a second.
_WORK = 2**24
#: The grid spans this many standard deviations of the whole loss, to either side.
_REACH = 10.0
#: Smaller probabilities are dropped now and then (below 1e-308 arithmetic is slow); in all they are below _TINY.
_DROPPED, _TINY = 1e-250, 1e-230


def coins_delta(
    heads: FloatArray, tails: FloatArray, other_heads: FloatArray, other_tails: FloatArray, epsilon: float
) -> float:
    """The least delta with P(E) <= e^epsilon Q(E) + delta for all events E of independent coins.

    The loss ln(P / Q) is a sum of independent two-point losses. An outcome whose loss lies between two grid points
    is split into two, one on each, so that the probabilities under P and under Q add up to what they were: whoever
    merges them again has the old coin, so this can only tell more. Then the losses of all coins are convolved.

    Parameters
    ----------
    heads, tails : float64 arrays of shape (n_coins,)
        Probabilities of either side under P, each to within a relative 2^-50.
    other_heads, other_tails : float64 arrays of shape (n_coins,)
        Under Q.
    epsilon : float
        > 0.

    Returns
    -------
    float
        delta, rounded up; about 1 % above the exact one. For the other direction exchange P and Q.

    Source: for the splitting Doroshenko et al., *Connect the Dots* (2022); docs/proofs/prediction-mechanisms.md,
    section 1, for the roundings.

    >>> half, more = np.array([0.5]), np.array([0.75])
    >>> 0 < coins_delta(more, 1 - more, half, half, 0.3) - (0.75 - math.exp(0.3) / 2) < 1e-3
    True
    """
    budget = float(check_epsilon(epsilon)) * (1 - MARGIN)
    sides = [(heads, other_heads), (tails, other_tails)]
    if any(array.shape != heads.shape or array.ndim != 1 for pair in sides for array in pair):
        raise ParameterError("coins need four arrays of one length, the probabilities of either side.")
    p = np.stack([heads, tails])
    q = np.stack([other_heads, other_tails])
    # An outcome that Q never shows is given away.
    certain = float(np.where(q > 0, 0.0, p).sum())
    with np.errstate(divide="ignore", invalid="ignore"):
        losses = np.where((p > 0) & (q > 0), np.log(p / q), 0.0)
    losses += MARGIN * (1.0 + np.abs(losses))
    p = np.where(q > 0, p, 0.0)

    step, lowest, size = _grid(p, losses, budget)
    law = np.zeros(size)
    law[-lowest] = 1.0
    beyond = 0.0
    for number, (weights, shifts) in enumerate(_split(p, losses, step)):
        moved = np.zeros(size)
        for weight, shift in zip(weights, shifts, strict=True):
            if weight > 0.0:
                beyond += _add_shifted(moved, law, weight, shift)
        law = moved if number % 16 else np.where(moved < _DROPPED, 0.0, moved)
    excess = -np.expm1(np.minimum(budget - step * (lowest + np.arange(size)), 0.0))
    total = certain + beyond + float(law @ excess)
    return min(1.0, total * (1 + MARGIN * (1 + len(heads))) + _TINY)


def _grid(p: FloatArray, losses: FloatArray, epsilon: float) -> tuple[float, int, int]:
    """The step, of so few binary digits that its multiples are exact; the lowest point in steps; how many points."""
    coins = p.shape[1]
    deviation = math.sqrt(float((p * losses**2).sum())) + epsilon * 1e-3
    low, high = -_REACH * deviation, 2 * epsilon + _REACH * deviation
    one = deviation / math.sqrt(coins)
    step = float(dyadic_floor(min(max(one / _FINEST, coins * (high - low) / _WORK), one / _COARSEST), bits=8))
    lowest = math.floor(low / step) - 1
    return step, lowest, math.ceil(high / step) + 1 - lowest


def _split(p: FloatArray, losses: FloatArray, step: float) -> Iterator[tuple[list[float], list[int]]]:
    """For each coin the weights and shifts of its four outcomes on the grid."""
    below = np.floor(losses / step)
    share = np.expm1(below * step - losses) / math.expm1(-step)
    share = np.clip(share * (1 + MARGIN), 0.0, 1.0)
    weights = np.concatenate([p * (1 - share), p * share])
    shifts = np.concatenate([below, below + 1]).astype(np.int64)
    for column in range(p.shape[1]):
        yield weights[:, column].tolist(), shifts[:, column].tolist()


def _add_shifted(moved: FloatArray, law: FloatArray, weight: float, shift: int) -> float:
    """Add the law, moved by the shift: up to the lowest point what falls below; what lies beyond is returned."""
    size = len(law)
    shift = min(max(shift, -size), size)
    if shift >= 0:
        moved[shift:] += weight * law[: size - shift]
        return weight * float(law[size - shift :].sum())
    moved[: size + shift] += weight * law[-shift:]
    moved[0] += weight * float(law[:-shift].sum())
    return 0.0
