"""What a statistical audit looks at: a few whole numbers of a run's choices, where a record could show."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from reticent.randomness import IntArray

__all__ = ["AroundTheChange", "Features"]

#: Turns a run's choices (one a round, and the one after the last round) into a fixed number of whole numbers.
Features = Callable[[IntArray], Sequence[int]]


@dataclass(frozen=True)
class AroundTheChange:
    """The choices soon after the round that differs, and when and how often they change from then on.

    Parameters
    ----------
    first : int
        The first round in which the streams differ, counted from 0.
    rounds : int
        The length of the streams.
    """

    first: int
    rounds: int

    @property
    def lags(self) -> tuple[int, ...]:
        """How many rounds after the change a choice is looked at: 1, 2, 4, .., and after the last round."""
        last = self.rounds - self.first
        powers = [1 << k for k in range(last.bit_length()) if 1 << k < last]
        return (*powers, last)

    @property
    def names(self) -> tuple[str, ...]:
        """What each number is."""
        return (
            *(f"the choice {lag} round{'s' * (lag > 1)} after the change" for lag in self.lags),
            "whether the choice stays after the change",
            "the number of rounds until the choice next changes",
            "the number of changes of the choice from the change on",
        )

    def __call__(self, choices: IntArray) -> tuple[int, ...]:
        """The numbers of a run."""
        after = choices[self.first :]
        changes = np.flatnonzero(after[1:] != after[:-1])
        return (
            *(int(after[lag]) for lag in self.lags),
            int(after[1] == after[0]),
            int(changes[0]) if len(changes) else len(after),
            len(changes),
        )
