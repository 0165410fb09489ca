"""What all experts algorithms share: public parameters apart from private state, one interface."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import KW_ONLY, dataclass, fields
from functools import cached_property
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from reticent.errors import ParameterError
from reticent.experts.grid import Grid, LossBlock
from reticent.privacy import Component, Neighbours, PrivacyStatement, Running
from reticent.randomness import IntArray, Source, secure_unless_given

__all__ = [
    "ExpertsAlgorithm",
    "ExpertsLearner",
    "PrivateExpertsAlgorithm",
    "given_parameters",
    "is_real",
    "set_real",
    "set_whole",
]

#: Noise of a larger scale, in grid units, would not fit 64 bits after the shares of epsilon are taken.
_COARSEST = 1 << 42

#: The least share of epsilon that a part of an algorithm may get, and the largest.
LEAST_SHARE, LARGEST_SHARE = 0.001, 0.999


class ExpertsLearner(Running["ExpertsAlgorithm"], ABC):
    """A running algorithm: it holds the private state, and releases one choice a round.

    A round is: read `choice`, use it, then call `update` with that round's losses. `update_block` does the same
    for many rounds at once and makes the same choices.

    The state is private. What may be released is `choice` (and the choices that `update_block` returns). A learner
    may be pickled to go on elsewhere; of several continuations of one state only one may be released, because they
    share noise.
    """

    def __init__(self, algorithm: ExpertsAlgorithm, source: Source) -> None:
        super().__init__(algorithm, source)
        self._grid = algorithm.grid
        self._n_experts = algorithm.n_experts
        self._choice = self._first_choice()

    def _first_choice(self) -> int:
        """What is played before anything is known."""
        return self._source.uniform_index(self._n_experts)

    @property
    def choice(self) -> int:
        """The expert for the current round, 0 .. n_experts - 1; reading it draws nothing."""
        return self._choice

    def update(self, losses: npt.ArrayLike) -> None:
        """Learn from the current round.

        Parameters
        ----------
        losses : array_like of shape (n_experts,)
            Numbers in [0, 1]; a function of this round's record alone (and of public things).

        Raises
        ------
        InputError
            When the losses are not such numbers; nothing is drawn then, and the state stays as it was.
        """
        row = self._grid.vector(losses, self._n_experts, self._rounds)
        self._enter()
        self._observe(row)
        self._rounds += 1
        self._whole = True

    def update_block(self, losses: npt.ArrayLike | LossBlock) -> IntArray:
        """Play and learn from many rounds.

        Parameters
        ----------
        losses : array_like of shape (rounds, n_experts), or a LossBlock of this algorithm's grid

        Returns
        -------
        int64 array of shape (rounds,)
            The choice of each round, made before its losses were looked at.

        Raises
        ------
        InputError
            When any loss of the block is not a number in [0, 1]; nothing is drawn then.
        """
        if not isinstance(losses, LossBlock):
            losses = LossBlock(losses, self._grid, self._n_experts, first_round=self._rounds)
        elif losses.grid != self._grid or losses.n_experts != self._n_experts:
            raise ParameterError(
                f"the block has {losses.n_experts} experts on a grid of {losses.grid.bits} bits, the learner "
                f"{self._n_experts} on {self._grid.bits}; build it with this algorithm's grid."
            )
        self._enter()
        choices = self._observe_block(losses)
        self._rounds += losses.rounds
        self._whole = True
        return choices

    @abstractmethod
    def _observe(self, losses: IntArray) -> None:
        """Learn from one validated loss vector in grid units."""

    @abstractmethod
    def _observe_block(self, block: LossBlock) -> IntArray:
        """Learn from a validated block; the choice of each of its rounds."""

    def __repr__(self) -> str:
        mark = "" if self._source.private else f"NOT PRIVATE ({self._source.description}), "
        return f"<learner of {self._algorithm.name}, {mark}after {self._rounds} rounds>"


class ExpertsAlgorithm(ABC):
    """The public parameters of an experts algorithm; `start` begins a run."""

    name: ClassVar[str]
    n_experts: int
    grid_bits: int

    @property
    @abstractmethod
    def privacy(self) -> PrivacyStatement:
        """What a run promises, computed from the public parameters alone."""

    @property
    @abstractmethod
    def public_parameters(self) -> dict[str, Any]:
        """The parameters as they were given, ready for JSON."""

    @property
    @abstractmethod
    def settings(self) -> dict[str, Any]:
        """The numbers that the algorithm derived from its parameters, ready for JSON."""

    @abstractmethod
    def _start(self, source: Source) -> ExpertsLearner: ...

    def start(self, source: Source | None = None) -> ExpertsLearner:
        """Begin a run.

        Parameters
        ----------
        source : Source, optional
            Where randomness comes from; a `SecureSource` unless given. With any other source the run is
            reported as not private.
        """
        return self._start(secure_unless_given(source))

    @cached_property
    def grid(self) -> Grid:
        """The public grid that losses are rounded to."""
        return Grid(self.grid_bits)

    def regret_bound(self, rounds: int, best_loss: float) -> float | None:
        """A bound on the expected regret on an oblivious stream, or None where none is proved."""
        return None


@dataclass(frozen=True)
class PrivateExpertsAlgorithm(ExpertsAlgorithm):
    """The parameters that all private experts algorithms have.

    Parameters
    ----------
    n_experts : int
        N >= 1. Experts must be fixed public functions of the round's own record.
    epsilon : float
        From 1e-9 to 1e6: the price of the whole run.
    delta : float
        In [0, 1); 0 asks for pure differential privacy.
    horizon : int, optional
        The public number of rounds, where an algorithm can use it; privacy holds at any length.
    relation : {"replace-one", "add-remove"}
        What neighbouring streams are.
    rounds_per_person : int
        In how many rounds neighbouring streams may differ.
    grid_bits : int
        Losses are rounded to multiples of 2**-grid_bits.
    """

    n_experts: int
    epsilon: float
    delta: float = 0.0
    _: KW_ONLY
    horizon: int | None = None
    relation: str = "replace-one"
    rounds_per_person: int = 1
    grid_bits: int = 20

    def __post_init__(self) -> None:
        set_whole(self, "n_experts")
        set_real(self, "epsilon", 1e-9, 1e6)
        if not is_real(self.delta) or not 0 <= self.delta < 1:
            raise ParameterError(f"delta is {self.delta!r}; give a number in [0, 1), far below 1 / rounds.")
        object.__setattr__(self, "delta", float(self.delta))
        if self.horizon is not None:
            set_whole(self, "horizon")
        if self.grid.units * self.neighbours.sensitivity / self.epsilon > _COARSEST:
            raise ParameterError(
                f"epsilon is {self.epsilon:g} on a grid of {self.grid_bits} bits, too little for its noise; "
                "give a larger epsilon, or fewer grid_bits."
            )

    @cached_property
    def neighbours(self) -> Neighbours:
        """What neighbouring streams are."""
        return Neighbours(self.relation, self.rounds_per_person)

    @property
    @abstractmethod
    def components(self) -> tuple[Component, ...]:
        """Where each share of epsilon and delta goes."""

    @cached_property
    def privacy(self) -> PrivacyStatement:
        """See `ExpertsAlgorithm`: what was asked for; the components may cost a little less."""
        return PrivacyStatement(
            epsilon=float(self.epsilon),
            delta=float(self.delta),
            neighbours=self.neighbours,
            components=self.components,
            adaptive=True,
        )

    @property
    def public_parameters(self) -> dict[str, Any]:
        """The parameters as they were given, ready for JSON."""
        return given_parameters(self)


def given_parameters(parameters: Any) -> dict[str, Any]:
    """The fields of a dataclass of public parameters, ready for JSON."""
    given = {f.name: getattr(parameters, f.name) for f in fields(parameters)}
    return {k: v if isinstance(v, int | float | str | None) else repr(v) for k, v in given.items()}


def is_real(value: object) -> bool:
    """Whether a value is a number (a numpy scalar is one, a truth value is not)."""
    return isinstance(value, Real) and not isinstance(value, bool | np.bool_)


def set_real(parameters: object, name: str, least: float, most: float) -> None:
    """Make a public parameter a float of Python's within bounds."""
    value = getattr(parameters, name)
    if not is_real(value) or not least <= value <= most:
        raise ParameterError(f"{name} is {value!r}; give a number from {least:g} to {most:g}.")
    object.__setattr__(parameters, name, float(value))


def set_whole(parameters: object, name: str) -> None:
    """Make a public parameter a whole number of Python's, at least 1."""
    value = getattr(parameters, name)
    if isinstance(value, bool) or not isinstance(value, Integral) or int(value) < 1:
        raise ParameterError(f"{name} is {value!r}; give a whole number from 1 on.")
    object.__setattr__(parameters, name, int(value))
