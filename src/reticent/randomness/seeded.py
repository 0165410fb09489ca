"""Reproducible randomness, for simulations and tests: never private."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from reticent.errors import ParameterError
from reticent.randomness.bits import OrderedBits, WordArray
from reticent.randomness.exact import ExactSource

__all__ = ["Generator", "SeededSource", "simulation_generator"]

#: What synthetic streams are drawn with.
Generator = np.random.Generator


class SeededSource(ExactSource):
    """The exact laws from a numpy generator: the same seed gives the same decisions, one by one or in blocks.

    Whoever knows or guesses the seed can take the noise away: a run with this source is reported as not private.

    Parameters
    ----------
    seed : int
        At least 0.

    Examples
    --------
    >>> SeededSource(7).description
    'seeded with 7'
    >>> SeededSource(7).uniform_index(1000) == SeededSource(7).uniform_index(1000)
    True
    """

    __slots__ = ("_seed",)

    def __init__(self, seed: int) -> None:
        super().__init__(_SeededBits(_seed_sequence(seed)))
        self._seed = seed

    @property
    def private(self) -> bool:
        """False."""
        return False

    @property
    def description(self) -> str:
        """Such as ``"seeded with 7"``."""
        return f"seeded with {self._seed}"


def simulation_generator(seed: int | Sequence[int]) -> Generator:
    """A numpy generator to build synthetic streams with: for data, never for releases.

    Parameters
    ----------
    seed : int or sequence of int
        Each at least 0. Data made with a seed are independent of the decisions of ``SeededSource(seed)``.
    """
    return np.random.default_rng(_seed_sequence(seed))


class _SeededBits(OrderedBits):
    """Words from one generator, refinements from another."""

    def __init__(self, seed: np.random.SeedSequence) -> None:
        super().__init__()
        # Children of the seed, so that they are independent of default_rng(seed), which may have made the data.
        words, ties = seed.spawn(2)
        self._words = np.random.PCG64(words)
        self._ties = np.random.Generator(np.random.PCG64(ties))

    def _fresh(self, count: int) -> WordArray:
        return self._words.random_raw(count)

    def refine(self, count: int) -> int:
        return int.from_bytes(self._ties.bytes(count // 8), "little")


def _seed_sequence(seed: int | Sequence[int]) -> np.random.SeedSequence:
    try:
        return np.random.SeedSequence(seed)
    except (TypeError, ValueError):
        raise ParameterError(f"seed = {seed!r} is no seed; give a whole number from 0 on.") from None
