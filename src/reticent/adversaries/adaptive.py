"""What an adaptive adversary against experts algorithms is: it sees the choices, and then sets the next losses."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from reticent.randomness import Source, secure_unless_given

__all__ = ["AdaptiveAdversary", "AdaptiveStream", "Bits"]

#: Losses 0 and 1, shape (n_experts,).
Bits = npt.NDArray[np.uint8]


class AdaptiveStream(ABC):
    """A stream that is made while it is played.

    A round is: the adversary sets `losses`; a choice is made without looking at them; `observe` is told of it.
    """

    @property
    @abstractmethod
    def losses(self) -> Bits:
        """The losses of the current round, fixed before its choice; do not write to it, and copy it to keep it."""

    @abstractmethod
    def observe(self, choice: int) -> None:
        """Set the losses of the next round, knowing the choice of the current one."""


@dataclass(frozen=True)
class AdaptiveAdversary(ABC):
    """The public parameters of an adaptive adversary; `start` begins a stream."""

    name: ClassVar[str]

    @property
    @abstractmethod
    def n_experts(self) -> int:
        """N."""

    @abstractmethod
    def _start(self, source: Source) -> AdaptiveStream: ...

    def start(self, source: Source | None = None) -> AdaptiveStream:
        """Begin a stream.

        Parameters
        ----------
        source : Source, optional
            The adversary's coins; a `SecureSource` unless given.
        """
        return self._start(secure_unless_given(source))
