"""The adaptive adversary of the lower bound for experts: what is played is spoiled, and one expert never loses."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from reticent.adversaries.adaptive import AdaptiveAdversary, AdaptiveStream, Bits
from reticent.errors import ParameterError
from reticent.randomness import Source

__all__ = ["SignGuessing", "SignGuessingStream"]

_HALF = Fraction(1, 2)


@dataclass(frozen=True)
class SignGuessing(AdaptiveAdversary):
    """Make every choice lose, but for the first round of each new column, and keep an expert without loss.

    ::

        column j is the pair of experts 2 j and 2 j + 1; draw its hidden sign X_j, a fair bit
        each round:
            in a live column j, expert 2 j + X_j loses 0 and the other one 1; in a retired column both lose 1
            when an expert is played, its column is retired, unless it is the last live one

    An algorithm that keeps its choice for many rounds, as private ones must, loses 1 in all of them but the first.
    The last live column was right in every round, so L* = 0. On streams that are fixed in advance this cannot
    happen: with L* = 0 the loss of a private algorithm is polylogarithmic in T there.

    Parameters
    ----------
    columns : int
        The number of columns, N / 2. The theorem takes N >= 2 T; no more than the columns that are played can be
        retired, and an algorithm that switches rarely never gets through a few hundred.

    Notes
    -----
    Sources: Asi, Feldman, Koren and Talwar (COLT 2023, Appendix C.1) for the adversary, with all rows of its matrix
    equal; Li and Ye, section 4, for the bound: on some adaptive stream with L* = 0 every (epsilon, delta)-private
    algorithm with epsilon <= 1 suffers a regret of the order of min(T, sqrt(T) / (epsilon log T))
    (docs/proofs/subsampling.md).

    Examples
    --------
    >>> from reticent.randomness import SeededSource
    >>> stream = SignGuessing(columns=2).start(SeededSource(1))
    >>> stream.losses
    array([0, 1, 1, 0], dtype=uint8)
    >>> stream.observe(1)
    >>> stream.losses
    array([1, 1, 1, 0], dtype=uint8)
    >>> stream.observe(3)  # the last live column stays
    >>> stream.losses, stream.spotless
    (array([1, 1, 1, 0], dtype=uint8), (3,))
    """

    name: ClassVar[str] = "SignGuessing"

    columns: int

    def __post_init__(self) -> None:
        if isinstance(self.columns, bool) or not isinstance(self.columns, int) or self.columns < 1:
            raise ParameterError(f"columns is {self.columns!r}; give a whole number from 1 on.")

    @property
    def n_experts(self) -> int:
        """Two for each column."""
        return 2 * self.columns

    def _start(self, source: Source) -> SignGuessingStream:
        signs = [source.bernoulli(_HALF) for _ in range(self.columns)]
        return SignGuessingStream(np.array(signs, dtype=np.int64))


class SignGuessingStream(AdaptiveStream):
    """A running `SignGuessing`.

    Parameters
    ----------
    signs : int64 array of shape (columns,)
        0 or 1: which expert of each pair is right.
    """

    def __init__(self, signs: np.ndarray[tuple[int], np.dtype[np.int64]]) -> None:
        self._losses = np.ones((len(signs), 2), dtype=np.uint8)
        self._losses[np.arange(len(signs)), signs] = 0
        self._live = len(signs)

    @property
    def losses(self) -> Bits:
        """See `AdaptiveStream`."""
        return self._losses.reshape(-1)

    @property
    def spotless(self) -> tuple[int, ...]:
        """The experts that have lost nothing: one for each live column, at least one."""
        return tuple(np.flatnonzero(self.losses == 0).tolist())

    def observe(self, choice: int) -> None:
        """See `AdaptiveStream`."""
        column = self._losses[choice // 2]
        if self._live > 1 and not column.all():
            column[:] = 1
            self._live -= 1
