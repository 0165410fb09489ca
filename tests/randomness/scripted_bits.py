"""A source whose words are written down beforehand, and decimal oracles: what forces every tie to happen."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np

from reticent.randomness.bits import OrderedBits, WordArray
from reticent.randomness.exact import ExactSource

ONE = 1 << 64


class ScriptedBits(OrderedBits):
    """Given words, and given refinements, each of exactly as many bits as are asked for."""

    def __init__(self, words: Iterable[int], refinements: Iterable[int] = ()) -> None:
        super().__init__()
        self.words = [int(word) for word in words]
        self.refinements = list(refinements)
        self.fetched = 0

    def _fresh(self, count: int) -> WordArray:
        # Fetching ahead is allowed; using a word that is not there gives a word that no test expects.
        block = self.words[self.fetched : self.fetched + count]
        self.fetched += len(block)
        return np.array(block, np.uint64)

    def refine(self, count: int) -> int:
        value = self.refinements.pop(0)
        assert 0 <= value < 1 << count, "the script's refinement does not fit what is asked"
        return value

    @property
    def left(self) -> int:
        """How many words were not taken."""
        return len(self.words) - self.fetched + len(self._block) - self._at


class ScriptedSource(ExactSource):
    def __init__(self, words: Iterable[int], refinements: Iterable[int] = ()) -> None:
        self.script = ScriptedBits(words, refinements)
        super().__init__(self.script)

    @property
    def private(self) -> bool:
        return False

    @property
    def description(self) -> str:
        return "scripted"


def slots_to_words(slots: Iterable[int]) -> list[int]:
    """Words whose 16-bit parts are these, in the order in which the digit sampler reads them."""
    return np.array(list(slots), np.uint16).view(np.uint64).tolist()


def decimal_exp(x: Fraction, digits: int = 120) -> Fraction:
    """exp(-x) by the decimal module, to `digits` digits: an independent oracle."""
    if x > 2000:
        return Fraction(1, 1 << 2000)  # smaller than any test can tell, and quick to compute with
    with localcontext() as context:
        context.prec = digits
        return Fraction((-Decimal(x.numerator) / Decimal(x.denominator)).exp())


def geometric_tail(gap: int, scale: Fraction) -> Fraction:
    return Fraction(1) if gap <= 0 else decimal_exp(gap / scale)


def laplace_tail(gap: int, scale: Fraction) -> Fraction:
    if gap <= 0:
        return 1 - laplace_tail(1 - gap, scale)
    return decimal_exp(gap / scale) / (1 + decimal_exp(1 / scale))
