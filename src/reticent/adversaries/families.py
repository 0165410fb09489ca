"""Four oblivious families of streams for regret tables: independent 0/1 losses, given each expert's rates.

In each, one expert is the final best, with loss rate `rate`; the order of the experts is shuffled by the seed.
The streams are synthetic data: the seed is no secret, and nothing here is a release.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from reticent.errors import ParameterError
from reticent.randomness import Generator, simulation_generator

__all__ = ["FAMILIES", "elimination", "iid", "leaders", "near_ties"]

Bits = npt.NDArray[np.uint8]
Rates = npt.NDArray[np.float64]

#: Rounds whose losses are drawn at a time; the streams depend on it.
_ROWS = 4096


def iid(rounds: int, n_experts: int, rate: float, seed: int) -> Bits:
    """The same rates throughout; the others' are uniform in [.2, .5].

    Parameters
    ----------
    rounds : int
        T.
    n_experts : int
        N >= 2.
    rate : float
        The loss rate of the final best expert, in [0, .2).
    seed : int

    Returns
    -------
    uint8 array of shape (rounds, n_experts)

    Examples
    --------
    >>> iid(1000, 5, 0.0, seed=1).sum(axis=0).min()
    np.uint64(0)
    """
    _check(rounds, n_experts, rate)
    generator = simulation_generator(seed)
    rates = _with_best_first(generator.uniform(0.2, 0.5, n_experts), rate)
    return _draw(rounds, n_experts, lambda t: np.broadcast_to(rates, (len(t), n_experts)), generator)


def leaders(rounds: int, n_experts: int, rate: float, seed: int) -> Bits:
    """The apparent leader changes five times before the final best one shows.

    Until T/4 the rates are as in `iid`, but expert g = 1 .. 5 loses nothing before g T / 20; from T/4 on everybody
    but the final best loses at rate .5. Parameters and result as in `iid`.
    """
    _check(rounds, n_experts, rate)
    generator = simulation_generator(seed)
    early = _with_best_first(generator.uniform(0.2, 0.5, n_experts), rate)
    late = _with_best_first(np.full(n_experts, 0.5), rate)
    spotless = np.zeros(n_experts)
    for g in range(1, min(6, n_experts)):
        spotless[g] = g * rounds / 20

    def rates(t: npt.NDArray[np.int64]) -> Rates:
        by_phase = np.where((t < rounds / 4)[:, np.newaxis], early, late)
        return np.where(t[:, np.newaxis] < spotless, 0.0, by_phase)

    return _draw(rounds, n_experts, rates, generator)


def elimination(rounds: int, n_experts: int, rate: float, seed: int) -> Bits:
    """All experts start at the best one's rate; one after another they jump to .5 for good.

    Expert j < N - 1 jumps at round (j + 1) T / (2 N); the last never does. Parameters and result as in `iid`.
    """
    _check(rounds, n_experts, rate)
    generator = simulation_generator(seed)
    jump = (np.arange(n_experts) + 1) * rounds / (2 * n_experts)
    jump[-1] = math.inf
    return _draw(rounds, n_experts, lambda t: np.where(t[:, np.newaxis] < jump, rate, 0.5), generator)


def near_ties(rounds: int, n_experts: int, rate: float, seed: int) -> Bits:
    """Nine experts are worse than the best by 2 sqrt(ln N / T) a round, the rest lose at rate .5.

    Parameters and result as in `iid`.
    """
    _check(rounds, n_experts, rate)
    generator = simulation_generator(seed)
    rates = np.full(n_experts, 0.5)
    rates[1:10] = min(0.5, rate + 2 * math.sqrt(math.log(n_experts) / rounds))
    rates[0] = rate
    return _draw(rounds, n_experts, lambda t: np.broadcast_to(rates, (len(t), n_experts)), generator)


#: The families by the names that the command line and the tables use.
FAMILIES: MappingProxyType[str, Callable[[int, int, float, int], Bits]] = MappingProxyType(
    {"iid": iid, "leaders": leaders, "elimination": elimination, "near-ties": near_ties}
)


def _draw(
    rounds: int,
    n_experts: int,
    rates: Callable[[npt.NDArray[np.int64]], Rates],
    generator: Generator,
) -> Bits:
    order = generator.permutation(n_experts)
    losses = np.empty((rounds, n_experts), dtype=np.uint8)
    for start in range(0, rounds, _ROWS):
        t = np.arange(start, min(rounds, start + _ROWS))
        losses[t[0] : t[-1] + 1, order] = generator.random((len(t), n_experts)) < rates(t)
    return losses


def _with_best_first(rates: Rates, rate: float) -> Rates:
    rates[0] = rate
    return rates


def _check(rounds: int, n_experts: int, rate: float) -> None:
    if rounds < 1 or n_experts < 2:
        raise ParameterError(f"a stream of {rounds} rounds with {n_experts} experts: give at least 1 and 2.")
    if not 0 <= rate < 0.2:
        raise ParameterError(f"the best expert's loss rate is {rate!r}; give a number in [0, .2).")
