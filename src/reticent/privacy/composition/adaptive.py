"""The optimal composition of bounded-range draws under adaptive choice, by value iteration.

The proofs of what is used here, and the error analysis, are in docs/proofs/composition.md.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from reticent.privacy.composition.arguments import check_cost, check_positive_delta
from reticent.privacy.composition.renyi import zcdp_epsilon
from reticent.privacy.composition.rounding import MARGIN

__all__ = ["adaptive_optimum"]

FloatArray = npt.NDArray[np.float64]

#: Grid steps in the range of one draw, at least, and in that of all draws together; powers of two, so that steps
#: are exact.
_CELLS, _ALL_CELLS = 32, 1024

_LARGEST_RANGE = 8.0
_LEAST_RANGE = 1e-12
_LEAST_DELTA = 1e-290

#: Grid values in all steps together, about three seconds; 2000 equal draws at delta = 1e-6 take half of it.
_LARGEST_WORK = 2**24

#: Stands for zero where zero would be divided by; far below any delta.
_TINY = 1e-300

#: Grid points that are worked on at a time, so that they stay in the cache.
_BLOCK = 448


def adaptive_optimum(ranges: Sequence[float | Fraction], delta: float, tail_rho: float | Fraction = 0) -> float:
    """The cost at delta > 0 of draws with public ranges, when each may be chosen in the light of all before it.

    Let u = e^epsilon / (likelihood ratio so far). A draw of range r moves u, in the mean to itself, to two points
    a and a e^r, and the worst delta still to come satisfies V_0(u) = (1 - u)_+ and, backwards over the draws,
    V_j(u) = max over a of the chord of V_{j+1} from a to a e^r, taken at u. V_j is convex in u: chords between
    grid points bound it from above, and so does what is computed here.

    Parameters
    ----------
    ranges : sequence of float or Fraction
        Upper bounds on the ranges of the first, second, .. draw, each > 0. On any path draws may have smaller
        ranges or be left out, and the run may stop at any time: a draw of range 0 does not change u.
    delta : float
        0 < delta < 1.
    tail_rho : float or Fraction
        Upper bound on sum r^2 / 8 over all draws after these, on every path; any number of them.

    Returns
    -------
    float
        An epsilon, rounded up. With no tail it is **exact** for adaptive composition of bounded-range draws up to
        the grid, which costs about 0.1 % for equal draws and up to 2 % for a few very unequal ones. ``inf``
        where the iteration does not run: no draws, a range above 8 or below 1e-12, delta below 1e-290, or more
        than 2^24 grid values (2000 equal draws take half of them).

    Source: Dong, Durfee and Rogers, *Optimal Differential Privacy Composition for Exponential Mechanisms*, for
    the recursion; docs/proofs/composition.md for the bounds.

    >>> 0.6480 < adaptive_optimum([0.01] * 1000, 1e-6) < 0.6486
    True
    """
    delta, tail_rho = check_positive_delta(delta), check_cost("tail_rho", tail_rho)
    r = np.array([check_cost("a range", r) for r in ranges])
    if len(r) == 0 or delta < _LEAST_DELTA or r.max() > _LARGEST_RANGE or r.min() < _LEAST_RANGE:
        return math.inf

    cells = max(_CELLS, _ALL_CELLS >> (len(r) - 1).bit_length())
    # What is left to spend before draw j: beyond `reach` of it the worst delta is far below the target.
    rho = tail_rho + np.cumsum(r[::-1] ** 2)[::-1] / 8
    reach = _reach(rho, delta)
    if tail_rho == 0.0:
        reach = np.minimum(reach, np.cumsum(r[::-1])[::-1])
    steps = r / cells
    sizes = np.ceil(reach / steps) + 2
    if sizes.sum() > _LARGEST_WORK:
        return math.inf

    # Where the largest chord lies in most cases: a little beyond the middle, by a share that was measured.
    # It is only a guess; a wrong one makes the bound looser, never wrong.
    tilt = 0.35 * zcdp_epsilon(float(rho[0]), delta) / (8 * float(rho[0]))
    value = _tail(tail_rho, float(steps[-1]), delta)
    for j in range(len(r) - 1, -1, -1):
        likely = round(cells * min(1.0, 0.5 + tilt * r[j]))
        value = value.before_draw(_draw(float(r[j]), cells, likely), int(sizes[j]))
    return value.epsilon(delta)


@dataclass(frozen=True)
class _Value:
    """Upper bounds on the worst delta V at u = e^x for x = 0, step, 2 step, ..

    V falls with u, so that the last bound holds beyond, and V is convex in u, so that chords hold between. For
    x < 0 the game is the same with the two streams exchanged: V(u) = 1 - u + u V(1/u).
    """

    step: float
    bounds: FloatArray

    def before_draw(self, draw: _Draw, size: int) -> _Value:
        """Bounds on V before this draw, on the first `size` points of its grid."""
        blocks = math.ceil(size / _BLOCK)
        width = math.ceil(size / blocks)
        right = self._on_grid(draw.step, blocks * width + draw.cells)
        left = draw.reflected_constant + draw.reflected_share * right[draw.cells : 0 : -1]
        # Row i of the windows starts at x = (i - cells) step.
        windows = np.lib.stride_tricks.sliding_window_view(np.concatenate([left, right]), width)
        rows_a, rows_b = draw.cells - draw.edges, 2 * draw.cells - draw.edges
        result = np.empty((blocks, width))
        for block in range(blocks):
            at_a, at_b = windows[rows_a + block * width], windows[rows_b + block * width]
            drop = at_a - at_b
            excess = draw.bulge_low * drop[1:] - draw.bulge_high * drop[:-1]
            chord = draw.weight_a * at_a + draw.weight_b * at_b
            result[block] = _largest_in_cells(chord, np.maximum(excess, _TINY, out=excess))
        return _Value(draw.step, result.ravel()[:size])

    def _on_grid(self, step: float, size: int) -> FloatArray:
        """The bounds at x = 0, step, .., by chords in u."""
        last = len(self.bounds) - 1
        if step == self.step:
            return self.bounds[np.minimum(np.arange(size), last)]
        # A point taken a little to the left bounds V from above, whatever the rounding of its position.
        position = np.arange(size) * (step / self.step * (1 - MARGIN))
        index = np.minimum(position, last).astype(np.intp)
        offset = np.minimum(position - index, 1.0)
        share = np.expm1(offset * self.step) / math.expm1(self.step)
        chord: FloatArray = (1 - share) * self.bounds[index] + share * self.bounds[np.minimum(index + 1, last)]
        return chord * (1 + MARGIN)

    def epsilon(self, delta: float) -> float:
        """An x where V <= delta, by the chord in u across the first grid point at which it is."""
        target = delta * (1 - MARGIN)
        below = np.flatnonzero(self.bounds <= target)
        if len(below) == 0:
            return math.inf
        first = int(below[0])
        if first == 0:
            return 0.0
        high, low = float(self.bounds[first - 1]), float(self.bounds[first])
        share = (high - target) / (high - low)
        return ((first - 1) * self.step + math.log1p(share * math.expm1(self.step))) * (1 + MARGIN)


@dataclass(frozen=True)
class _Draw:
    """The weights of one draw; columns, one row for each edge of the cells of t (bulge: for each cell)."""

    step: float
    cells: int
    edges: npt.NDArray[np.intp]
    weight_a: FloatArray
    weight_b: FloatArray
    bulge_low: FloatArray
    bulge_high: FloatArray
    reflected_constant: FloatArray
    reflected_share: FloatArray


@lru_cache(maxsize=256)
def _draw(r: float, cells: int, likely: int) -> _Draw:
    step = r / cells
    edges = _edges(cells, likely)
    t = (step * edges)[:, None]
    x = step * np.arange(cells, 0, -1)
    # Within a cell of t the chord exceeds the mixture of the chords at its edges by s (1 - s) times the bulge.
    bulge = np.expm1(step * np.diff(edges))[:, None] / math.expm1(r)
    return _Draw(
        step=step,
        cells=cells,
        edges=edges,
        # The chord from a = u e^-t to a e^r, taken at u.
        weight_a=np.expm1(step * (edges - cells))[:, None] / math.expm1(-r) * (1 + MARGIN),
        weight_b=np.expm1(t) / math.expm1(r) * (1 + MARGIN),
        bulge_low=bulge * np.exp(t[1:]) * (1 + 4 * MARGIN),
        bulge_high=bulge * np.exp(t[:-1]) * (1 - 4 * MARGIN),
        # V(e^-x) = 1 - e^-x + e^-x V(e^x).
        reflected_constant=-np.expm1(-x) * (1 + MARGIN),
        reflected_share=np.exp(-x) * (1 + MARGIN),
    )


def _edges(cells: int, likely: int) -> npt.NDArray[np.intp]:
    """0, .., cells in steps that double away from the likely optimum."""
    offsets = [2**i for i in range(cells.bit_length())]
    inside = {k for d in offsets for k in (likely - d, likely + d) if 0 < k < cells}
    return np.array(sorted({0, likely, cells} | inside), dtype=np.intp)


def _largest_in_cells(chord: FloatArray, excess: FloatArray) -> FloatArray:
    """The maximum over cells and 0 <= s <= 1 of (1 - s) chord[i] + s chord[i + 1] + s (1 - s) excess[i]."""
    gap = np.abs(chord[1:] - chord[:-1])
    rise = np.maximum(excess - gap, 0.0)
    ends = np.maximum(chord[1:], chord[:-1])
    largest: FloatArray = (ends + rise / excess * rise * 0.25).max(axis=0)
    return largest


def _reach(rho: FloatArray, delta: float) -> FloatArray:
    """The x at which the zCDP tail bound has fallen to a thousandth of delta."""
    reach: FloatArray = rho + 2 * np.sqrt(rho * math.log(1000 / delta))
    return reach


def _tail(rho: float, step: float, delta: float) -> _Value:
    """Bounds on V after the last listed draw, when what follows costs at most rho in zCDP.

    Pinsker's inequality bounds V(1), and each order alpha bounds V(e^x) by
    exp((alpha - 1)(alpha rho - x)) (1 - 1/alpha)^(alpha - 1) / alpha (Canonne, Kamath and Steinke, Proposition 12).
    """
    if rho == 0.0:
        return _Value(step, np.zeros(1))
    x = step * np.arange(math.ceil(float(_reach(np.array(rho), delta)) / step) + 2)
    bounds = np.full(len(x), min(1.0, math.sqrt(rho / 2)))
    for order in np.geomspace(0.05, 20.0, 60) / math.sqrt(rho):
        constant = order * (1 + order) * rho - math.log1p(order) - order * math.log1p(1 / order)
        np.minimum(bounds, np.exp(np.minimum(constant - order * x, 0.0)), out=bounds)
    # The exponents are below 2^21, and err by 4 u of that.
    return _Value(step, np.maximum(bounds * (1 + 2.0**-30), _TINY))
