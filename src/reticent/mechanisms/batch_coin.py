"""The coin of the shrinking dartboard: whether to leave the current expert, asked at the end of each batch."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from reticent.errors import ParameterError
from reticent.mechanisms.arguments import check_whole
from reticent.randomness import LARGEST_SCALE, IntArray, Source

__all__ = ["BatchCoin"]


class BatchCoin:
    """At the end of each batch: leave with probability 1 - exp(-eta * (loss of the batch + charge)).

    The coins are decided together, by one number that is drawn at the start: Z with P(Z >= z) = exp(-eta * z). The
    choice stays for as long as Z is at least the sum of losses and charges over all batches so far. That is the same
    law, because given Z >= h the excess Z - h is distributed as Z.

    Parameters
    ----------
    batch : int
        B >= 1 rounds.
    charge : int
        In grid units, >= 1: exp(-eta * charge) is the chance of staying after a batch without loss.
    rate : Fraction
        eta for a grid unit, > 0.
    source : Source

    Notes
    -----
    **Guarantee.** The sequence of answers, "leave" or "stay" after each batch, is m max(eta, ln(1 + (1 - exp(-eta)) /
    (exp(eta charge) - 1)))-DP when up to m losses are replaced by others in [0, 1]; eta is per loss here, and the
    charge in losses (docs/proofs/rivals.md, section 1).
    """

    __slots__ = ("_batch", "_charge", "_patience", "_rounds", "_scale", "_source")

    def __init__(self, batch: int, charge: int, rate: Fraction, source: Source) -> None:
        self._batch = check_whole("batch", batch)
        self._charge = check_whole("charge", charge)
        if not rate > 0 or 1 / rate > LARGEST_SCALE:
            raise ParameterError(f"rate is {float(rate):.3g} for a grid unit; give a number from 2**-52 on.")
        self._scale = 1 / rate
        self._source = source
        # Z minus what was charged; drawn with the first loss. A lazy number when the source is enumerated.
        self._patience: int | None = None
        self._rounds = 0

    def add(self, loss: int) -> bool:
        """Add the loss of the next round, in grid units; whether the choice leaves after it."""
        self._patience = self._left() - loss
        self._rounds += 1
        if self._rounds < self._batch:
            return False
        self._rounds = 0
        self._patience -= self._charge
        return self._patience < 0

    def add_block(self, running: IntArray) -> int:
        """Add many rounds' losses, up to the first round after which the choice leaves.

        Parameters
        ----------
        running : int64 array of shape (rounds + 1,)
            The sum of the losses before each round and after the last.

        Returns
        -------
        int
            The number of that round, counted from 0, or `rounds` when the choice stays: as `add`, one by one.
        """
        rounds = len(running) - 1
        patience = int(self._left())
        ends = np.arange(self._batch - self._rounds, rounds + 1, self._batch)
        # Every batch costs at least its charge, so later ones cannot be the first to cost too much.
        near = ends[: max(patience, 0) // self._charge + 1]
        spent = running[near] - running[0] + self._charge * np.arange(1, len(near) + 1)
        first = int(np.searchsorted(spent, patience, side="right"))
        if first < len(near):
            return int(near[first]) - 1
        self._patience = patience - int(running[-1] - running[0]) - self._charge * len(ends)
        self._rounds = (self._rounds + rounds) % self._batch
        return rounds

    def _left(self) -> int:
        if self._patience is None:
            self._patience = self._source.geometric(self._scale)
        return self._patience
