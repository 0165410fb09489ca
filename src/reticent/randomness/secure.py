"""The default source: exact laws from the operating system's generator. It cannot be seeded."""

from __future__ import annotations

import os
from collections.abc import Iterator
from ssl import RAND_bytes

import numpy as np

from reticent.errors import ParameterError
from reticent.randomness.bits import WordArray
from reticent.randomness.exact import ExactSource
from reticent.randomness.source import Source

__all__ = ["SecureSource", "secure_unless_given"]

#: Words kept ready for decisions that come one at a time: a call of RAND_bytes costs as much as 500 of its words.
_POOL = 256

#: How many forks lie between the first process and this one.
_forks = 0


def _count_fork() -> None:
    global _forks
    _forks += 1


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_count_fork)


class SecureSource(ExactSource):
    """Exact laws from OpenSSL's generator, which the operating system seeds; the only source that is private.

    Sources share nothing, and nothing is ever drawn twice: words that were fetched ahead are dropped in a forked
    process, and a pickled or copied source begins empty. (A process forked by foreign code must run Python's own
    fork hooks, as CPython demands of it anyway.)

    Examples
    --------
    >>> from fractions import Fraction
    >>> source = SecureSource()
    >>> source.private
    True
    >>> abs(source.discrete_laplace(Fraction(7, 2))) < 1000
    True
    """

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(_SecureBits())

    def __reduce__(self) -> tuple[object, ...]:
        return SecureSource, ()

    @property
    def private(self) -> bool:
        """True."""
        return True

    @property
    def description(self) -> str:
        """``"secure (operating system)"``."""
        return "secure (operating system)"


def secure_unless_given(source: Source | None) -> Source:
    """The source that was given, or a fresh `SecureSource`.

    Raises
    ------
    ParameterError
        When what was given is no source (a seed, say).
    """
    if source is None:
        return SecureSource()
    if not hasattr(source, "uniform_index"):
        raise ParameterError(
            f"source is {source!r}; give a SeededSource to simulate, or nothing for secure randomness."
        )
    return source


class _SecureBits:
    """`Bits` from OpenSSL. Blocks are fetched when asked for; only single words come from a pool."""

    __slots__ = ("_forks", "_pool")

    def __init__(self) -> None:
        self._pool: Iterator[int] = iter(())
        self._forks = _forks

    def take(self) -> int:
        if self._forks == _forks:
            for word in self._pool:  # one step of an iterator: two threads never get the same word
                return word
        pool: Iterator[int] = iter(self.take_many(_POOL).tolist())
        word = next(pool)
        self._pool, self._forks = pool, _forks
        return word

    def take_many(self, count: int) -> WordArray:
        return np.frombuffer(RAND_bytes(8 * count), np.uint64)

    def peek(self, count: int) -> WordArray:
        return self.take_many(count)

    def skip(self, count: int) -> None:
        """Nothing to do: what `peek` has shown is never shown again."""

    def refine(self, count: int) -> int:
        return int.from_bytes(RAND_bytes(count // 8), "little")
