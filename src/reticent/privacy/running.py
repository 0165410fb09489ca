"""What every running algorithm keeps beside its own state."""

from __future__ import annotations

from typing import Generic, Protocol, TypeVar

from reticent.errors import LearnerStateError
from reticent.privacy.statement import PrivacyStatement
from reticent.randomness import Source

__all__ = ["Promising", "Running"]


class Promising(Protocol):
    """Public parameters that tell what a run promises."""

    @property
    def privacy(self) -> PrivacyStatement:
        """What a run promises, computed from the public parameters alone."""


A = TypeVar("A", bound=Promising)


class Running(Generic[A]):
    """A run: its public parameters, its source of randomness, and how many rounds it has learned from."""

    def __init__(self, algorithm: A, source: Source) -> None:
        self._algorithm = algorithm
        self._source = source
        self._rounds = 0
        self._whole = True

    @property
    def algorithm(self) -> A:
        """The public parameters."""
        return self._algorithm

    @property
    def privacy(self) -> PrivacyStatement:
        """The algorithm's statement, with the source of randomness that this run uses."""
        return self._algorithm.privacy.with_noise(self._source.description, private=self._source.private)

    @property
    def rounds(self) -> int:
        """How many rounds have been learned from."""
        return self._rounds

    def _enter(self) -> None:
        """From here until `_whole` is set the state is not whole: a round that is learned twice is paid twice."""
        if not self._whole:
            raise LearnerStateError(
                f"a call after round {self._rounds} was interrupted, and going on could count a round twice; "
                "start a new run."
            )
        self._whole = False
