"""Comp_delta: the least of all certified bounds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

from reticent.errors import ParameterError
from reticent.privacy.composition.adaptive import adaptive_optimum
from reticent.privacy.composition.arguments import check_cost, check_count, check_delta
from reticent.privacy.composition.basic import basic_composition
from reticent.privacy.composition.optimal import optimal_composition
from reticent.privacy.composition.renyi import renyi_composition, zcdp_epsilon
from reticent.privacy.composition.rounding import MARGIN, round_up

__all__ = ["compose", "compose_sequence"]

#: Draws that the value iteration accounts one by one.
_MOST_DRAWS = 2000


def compose(count: int, draw_range: float | Fraction, delta: float) -> float:
    """Comp_delta(V, r): what `count` adaptive draws of range `draw_range` cost together.

    Parameters
    ----------
    count : int
        V >= 0. Fewer draws on some paths are covered, and so is any public or private rule for when they happen.
    draw_range : float or Fraction
        r >= 0: for the exponential mechanism at learning rate eta, eta times `Neighbours.score_range`.
    delta : float
        In [0, 1).

    Returns
    -------
    float
        The least of basic composition (alone at delta = 0), optimal composition of r-DP mechanisms, Renyi
        accounting and the adaptive optimum, each rounded up. The last is exact to about 0.1 % and runs up to 2000
        draws; beyond, Renyi accounting rules: at delta = 1e-6 it is 5 to 12 % above the optimum.

    Raises
    ------
    ParameterError
        When a parameter is out of its range.

    **Guarantee.** The draws together, interleaved with releases that are eps0-DP in total on every path, are
    (eps0 + compose(count, draw_range, delta), delta)-DP (docs/proofs/composition.md, section 1).

    >>> compose(10, 0.125, 0.0)
    1.25
    >>> 0.6480 < compose(1000, 0.01, 1e-6) < 0.6486
    True
    """
    return _compose(check_count(count), check_cost("draw_range", draw_range), check_delta(delta))


@lru_cache(maxsize=4096)
def _compose(count: int, r: float, delta: float) -> float:
    basic = basic_composition(count, r)
    if basic == 0.0 or delta == 0.0:
        return basic
    bounds = [basic, optimal_composition(count, r, delta), renyi_composition(count, r, delta)]
    if count <= _MOST_DRAWS:
        bounds.append(adaptive_optimum([r] * count, delta))
    return min(bounds)


def compose_sequence(ranges: Sequence[float | Fraction], delta: float, tail_rho: float | Fraction = 0) -> float:
    """What adaptive draws with public ranges r_1, r_2, .. cost together, however many of them happen.

    Parameters
    ----------
    ranges : sequence of float or Fraction
        Upper bounds on the ranges of the first, second, .. draw, each >= 0.
    delta : float
        In [0, 1).
    tail_rho : float or Fraction
        Upper bound on the sum of r_j^2 / 8 over all draws beyond the listed ones, on every path. With delta = 0
        it must be 0.

    Returns
    -------
    float
        The least of the sum of the ranges (when nothing is beyond the list), the conversion of the total zCDP
        cost, and the adaptive optimum with the tail as zCDP; each rounded up.

    Raises
    ------
    ParameterError
        When a parameter is out of its range.

    **Guarantee.** As in `compose`; on any path draws may have smaller ranges, be left out, or stop.

    >>> compose_sequence([0.5, 0.25, 0.125], 0.0)
    0.875
    >>> compose_sequence([0.1] * 50, 1e-6) < compose_sequence([0.1] * 20, 1e-6, tail_rho=30 * 0.1**2 / 8)
    True
    """
    checked = tuple(check_cost("a range", r) for r in ranges)
    tail, delta = check_cost("tail_rho", tail_rho), check_delta(delta)
    if tail > 0.0 and delta == 0.0:
        raise ParameterError("tail_rho needs delta > 0; for delta = 0 list all ranges.")
    return _compose_sequence(tuple(r for r in checked if r > 0.0), tail, delta)


@lru_cache(maxsize=1024)
def _compose_sequence(ranges: tuple[float, ...], tail: float, delta: float) -> float:
    pure = round_up(sum(map(Fraction, ranges), Fraction(0))) if tail == 0.0 else math.inf
    if pure == 0.0 or delta == 0.0:
        return pure
    head, rest = ranges[:_MOST_DRAWS], ranges[_MOST_DRAWS:]
    tail += math.fsum(r * r for r in rest) / 8 * (1 + MARGIN)
    rho = tail + math.fsum(r * r for r in head) / 8
    return min(pure, zcdp_epsilon(rho * (1 + MARGIN), delta), adaptive_optimum(head, delta, tail))
