"""Streams of uniform bits, and the uniform number that is drawn digit by digit for as long as a decision needs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Protocol

import numpy as np
import numpy.typing as npt

from reticent.randomness.bounds import Bounds

__all__ = ["Bits", "OrderedBits", "SingleWords", "WordArray", "is_below"]

WordArray = npt.NDArray[np.uint64]

#: Words fetched at once when a decision needs one.
_BLOCK = 512


class SingleWords(Protocol):
    """Independent uniform 64-bit words, one by one, and apart from them the bits that settle ties."""

    def take(self) -> int:
        """The next word."""

    def refine(self, count: int) -> int:
        """`count` fresh bits as a number; `count` is a multiple of 8."""


class Bits(SingleWords, Protocol):
    """Words also by the block.

    Each decision takes a number of words that does not depend on how it falls; whatever more a tie needs comes
    from `refine`. So decisions made one by one and decisions made in blocks meet the same words.
    """

    def take_many(self, count: int) -> WordArray:
        """The next `count` words."""

    def peek(self, count: int) -> WordArray:
        """The next words, between 1 and `count` of them, not yet taken."""

    def skip(self, count: int) -> None:
        """Take the first `count` of the words that `peek` has just shown."""


class OrderedBits(ABC):
    """`Bits` from a reproducible sequence: every way of asking takes the same words in the same order."""

    def __init__(self) -> None:
        self._block: WordArray = np.empty(0, np.uint64)
        self._at = 0

    @abstractmethod
    def _fresh(self, count: int) -> WordArray:
        """The next `count` words of the sequence."""

    @abstractmethod
    def refine(self, count: int) -> int:
        """See `Bits`."""

    def take(self) -> int:
        """See `Bits`."""
        at = self._at
        if at == len(self._block):
            self._block, at = self._fresh(_BLOCK), 0
        self._at = at + 1
        return int(self._block.item(at))

    def take_many(self, count: int) -> WordArray:
        """See `Bits`."""
        rest = self._block[self._at : self._at + count]
        self._at += len(rest)
        if len(rest) == count:
            return rest
        fresh = self._fresh(count - len(rest))
        return np.concatenate([rest, fresh]) if len(rest) else fresh

    def peek(self, count: int) -> WordArray:
        """See `Bits`."""
        if self._at == len(self._block):
            self._block, self._at = self._fresh(max(count, _BLOCK)), 0
        return self._block[self._at : self._at + count]

    def skip(self, count: int) -> None:
        """See `Bits`."""
        self._at += count


def is_below(digits: int, count: int, bounds: Bounds, bits: SingleWords) -> bool:
    """Whether U < p, for a uniform U of which the first `count` binary digits are known, and a p known by bounds.

    U lies in [digits, digits + 1] * 2**-count. While that interval overlaps the bounds on p, the number of digits
    of both is doubled, without limit: the answer is never rounded, and is True with probability exactly p.
    """
    while True:
        lower, upper = bounds(count)
        if digits < lower:
            return True
        if digits >= upper:
            return False
        digits = digits << count | bits.refine(count)
        count *= 2
