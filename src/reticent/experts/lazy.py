"""A learner that keeps its expert between events, so that a block of rounds costs one pass over its losses."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Protocol

import numpy as np

from reticent.experts.base import ExpertsAlgorithm, ExpertsLearner
from reticent.experts.grid import LossBlock
from reticent.randomness import IntArray, Source

__all__ = ["NEVER", "Event", "Guard", "LazyLearner"]

#: A round number that is never reached.
NEVER = 1 << 62

#: How many rounds of a new choice are looked at first: it may leave soon, and a column is slow to read.
_REACH = 512


class Guard(Protocol):
    """Watches the loss of the current choice."""

    def add(self, loss: int) -> bool:
        """Whether it fires after a round with this loss, in grid units."""

    def add_block(self, running: IntArray) -> int:
        """The first round after which it fires, or the number of rounds; the sums before each and after the last."""


@dataclass(slots=True)
class Event:
    """What a learner knows when it may act.

    Parameters
    ----------
    rounds : int
        Completed rounds, the current one included.
    fired : bool
        Whether the guard fired (it may do so just when the public round number is reached).
    suffered : int
        What the choice has lost since the last event, in grid units.
    cumulative : callable
        Gives each expert's loss over all completed rounds, in grid units; worked out only when asked for.
    """

    rounds: int
    fired: bool
    suffered: int
    cumulative: Callable[[], IntArray]


class LazyLearner(ExpertsLearner):
    """The choice changes only at events: a guard fires, or a public round number is reached.

    Subclasses set ``_guard`` (watches the loss of the current choice; None when there is none) and ``_alarm``
    (the event comes after this many rounds at the latest), and say in `_on_event` what happens.
    """

    def __init__(self, algorithm: ExpertsAlgorithm, source: Source) -> None:
        super().__init__(algorithm, source)
        self._cumulative = np.zeros(self._n_experts, dtype=np.int64)
        self._guard: Guard | None = None
        self._alarm = NEVER
        self._suffered = 0

    @abstractmethod
    def _on_event(self, event: Event) -> None:
        """Act at an event."""

    def _observe(self, losses: IntArray) -> None:
        self._cumulative += losses
        loss = int(losses[self._choice])
        self._suffered += loss
        fired = self._guard.add(loss) if self._guard is not None else False
        if fired or self._rounds + 1 == self._alarm:
            suffered, self._suffered = self._suffered, 0
            self._on_event(Event(self._rounds + 1, fired, suffered, self._cumulative.copy))

    def _observe_block(self, block: LossBlock) -> IntArray:
        rounds = block.rounds
        choices = np.empty(rounds, dtype=np.int64)
        row, reach = 0, rounds
        while row < rounds:
            stop = end = min(rounds, row + reach, self._alarm - self._rounds)
            reach *= 4
            fired = False
            if self._guard is not None:
                end = row + self._guard.add_block(block.running(self._choice, row, stop)) + 1
                fired, end = end <= stop, min(end, stop)
            choices[row:end] = self._choice
            self._suffered += block.loss(self._choice, row, end)
            row = end
            if fired or self._rounds + row == self._alarm:
                suffered, self._suffered, reach = self._suffered, 0, _REACH
                losses = partial(self._within, block, row)
                self._on_event(Event(self._rounds + row, fired, suffered, losses))
        self._cumulative += block.totals
        return choices

    def _within(self, block: LossBlock, row: int) -> IntArray:
        return self._cumulative + block.prefix(row)
