"""What all predictors share: public parameters apart from private state, and one label released a round."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from reticent.classes import Instance
from reticent.classes.arguments import as_label
from reticent.errors import InputError, LearnerStateError, ParameterError
from reticent.experts.base import given_parameters, is_real
from reticent.prediction.constants import PowerOfTen
from reticent.privacy import Component, Neighbours, PrivacyStatement, Running
from reticent.randomness import Source, secure_unless_given

__all__ = [
    "OBLIVIOUS",
    "PERSONAL",
    "BoolArray",
    "OnlinePredictionAlgorithm",
    "OnlinePredictor",
    "check_number",
    "joint_statement",
]

BoolArray = npt.NDArray[np.bool_]

#: What predictors release, and to whom.
PERSONAL = (
    "the predicted label of each round, to the person of that round and to nobody else; it may show that person's "
    "own record, and what all other labels together show of it is what the promise bounds"
)
#: What their promises assume.
OBLIVIOUS = (
    "the example (x, y) of a round is a function of that round's record and of public things that no released "
    "prediction has changed: a stream fixed in advance."
)


class OnlinePredictor(Running["OnlinePredictionAlgorithm"], ABC):
    """A running algorithm: it holds the private state, and releases one label a round.

    A round is: call `predict` with the instance, use the label, then call `update` with the true one. `update_block`
    does the same for many rounds at once and makes the same predictions.

    The state is private; what may be released are the predictions. A predictor may be pickled to go on elsewhere; of
    several continuations of one state only one may be released, because they share noise.
    """

    def __init__(self, algorithm: OnlinePredictionAlgorithm, source: Source) -> None:
        super().__init__(algorithm, source)
        self._open: tuple[Instance, bool] | None = None

    def predict(self, x: Instance) -> bool:
        """The label of the current round's instance; asked again before `update`, the same answer.

        Parameters
        ----------
        x : instance
            Of the algorithm's domain.

        Raises
        ------
        InputError
            When it is not an instance; nothing is drawn then, and the state stays as it was.
        LearnerStateError
            When the round has been predicted with another instance, or an earlier call was interrupted.
        """
        if self._open is None:
            x = self._instance(x)
            self._enter()
            self._open = x, self._predict(x)
            self._whole = True
        elif self._instance(x) != self._open[0]:
            raise LearnerStateError(
                f"round {self._rounds + 1} (counted from 1) was predicted with another instance; call update with "
                "its label first."
            )
        return self._open[1]

    def update(self, y: bool) -> None:
        """Learn the label of the round that was predicted last.

        Parameters
        ----------
        y : bool
            Or 0 or 1.

        Raises
        ------
        InputError
            When it is not a label; nothing is drawn then, and the state stays as it was.
        LearnerStateError
            When no round is open, or an earlier call was interrupted.
        """
        if self._open is None:
            raise LearnerStateError("update was called before predict; predict the round first.")
        try:
            y = as_label(y)
        except InputError as error:
            raise self._in_round(error) from None
        self._enter()
        self._observe(self._open[0], y)
        self._open = None
        self._rounds += 1
        self._whole = True

    def update_block(self, xs: Iterable[Instance], ys: Iterable[bool]) -> BoolArray:
        """Predict and learn from many rounds.

        Parameters
        ----------
        xs : instances
            Fast for one-dimensional arrays of whole numbers or strings.
        ys : labels
            As many.

        Returns
        -------
        bool array of shape (rounds,)
            The prediction of each round, made before its label was looked at.

        Raises
        ------
        InputError
            When any of them is not an instance or not a label, or their numbers differ; nothing is drawn then.
        """
        if self._open is not None:
            raise LearnerStateError("a round is open; call update with its label first.")
        labels = as_labels(ys)
        instances = self._instances(xs)
        if len(instances) != len(labels):
            raise InputError(f"there are {len(instances)} instances and {len(labels)} labels; give as many of each.")
        self._enter()
        predictions = self._observe_block(instances, labels)
        self._rounds += len(labels)
        self._whole = True
        return predictions

    def _in_round(self, error: InputError, row: int = 0) -> InputError:
        return InputError(f"round {self._rounds + row + 1} (counted from 1): {error}")

    def _instance(self, x: Any, row: int = 0) -> Instance:
        """The instance in Python's own types, looked at before anything is drawn."""
        instance: Instance = _unwrapped(x)
        try:
            self._check(instance)
        except InputError as error:
            raise self._in_round(error, row) from None
        return instance

    def _check(self, x: Any) -> None:
        """As the algorithm's `check`; faster where the state knows the instance."""
        self._algorithm.check(x)

    def _instances(self, xs: Iterable[Any]) -> npt.NDArray[Any] | list[Instance]:
        """A block of them; an array where the predictor has a fast path for it."""
        return [self._instance(x, row) for row, x in enumerate(xs)]

    @abstractmethod
    def _predict(self, x: Instance) -> bool:
        """The label of a validated instance."""

    @abstractmethod
    def _observe(self, x: Instance, y: bool) -> None:
        """Learn from the example of the round that was predicted."""

    def _observe_block(self, xs: npt.NDArray[Any] | list[Instance], ys: BoolArray) -> BoolArray:
        """Round by round."""
        predictions = np.zeros(len(ys), dtype=np.bool_)
        for t, (x, y) in enumerate(zip(xs.tolist() if isinstance(xs, np.ndarray) else xs, ys.tolist(), strict=True)):
            predictions[t] = self._predict(x)
            self._observe(x, y)
        return predictions

    def __repr__(self) -> str:
        mark = "" if self.privacy.private else "NOT PRIVATE, "
        return f"<predictor of {self._algorithm.name}, {mark}after {self._rounds} rounds>"


@dataclass(frozen=True)
class OnlinePredictionAlgorithm(ABC):
    """The public parameters of a prediction algorithm; `start` begins a run."""

    name: ClassVar[str]

    @property
    @abstractmethod
    def privacy(self) -> PrivacyStatement:
        """What a run promises, computed from the public parameters alone."""

    @property
    def public_parameters(self) -> dict[str, Any]:
        """The parameters as they were given, ready for JSON."""
        return given_parameters(self)

    @property
    def mistake_bound(self) -> float | PowerOfTen | None:
        """At most so many mistakes on realisable streams, as `bound_holds` says; None where that is not proved."""
        return None

    @property
    def bound_holds(self) -> str:
        """In which sense, and for how long, `mistake_bound` holds."""
        return "on average at any length"

    def check(self, x: Instance) -> None:
        """Raise an InputError unless x is an instance; any hashable value is one where no class says otherwise."""
        if not isinstance(x, Hashable) or x != x:
            raise InputError(f"the instance {x!r} cannot be remembered; give a hashable value that equals itself.")
        try:
            hash(x)
        except TypeError:
            raise InputError(
                f"the instance {x!r} cannot be hashed; give numbers, strings or tuples of them."
            ) from None

    @property
    def settings(self) -> dict[str, Any]:
        """The numbers that the algorithm derived from its parameters, ready for JSON."""
        return {}

    @abstractmethod
    def _start(self, source: Source) -> OnlinePredictor: ...

    def start(self, source: Source | None = None) -> OnlinePredictor:
        """Begin a run.

        Parameters
        ----------
        source : Source, optional
            Where randomness comes from; a `SecureSource` unless given. With any other source the run is
            reported as not private.
        """
        return self._start(secure_unless_given(source))


def joint_statement(epsilon: float, delta: float, components: tuple[Component, ...]) -> PrivacyStatement:
    """The promise of a predictor on streams fixed in advance, for the replacement of one round's (x, y)."""
    return PrivacyStatement(
        epsilon, delta, Neighbours(), components, adaptive=False, released=PERSONAL, assumption=OBLIVIOUS, joint=True
    )


def check_number(name: str, value: Any, least: float, most: float) -> float:
    """A public real number strictly between two others."""
    if not is_real(value) or not least < value < most:
        raise ParameterError(f"{name} is {value!r}; give a number between {least:g} and {most:g}.")
    return float(value)


def as_labels(ys: Iterable[Any]) -> BoolArray:
    """Labels as truth values; the first that is none is named."""
    if isinstance(ys, np.ndarray) and ys.ndim == 1 and ys.dtype.kind in "biu":
        wrong = np.flatnonzero((ys != 0) & (ys != 1))
        if len(wrong):
            row = int(wrong[0])
            raise InputError(f"row {row + 1} (counted from 1): the label is {ys.tolist()[row]}; give 0 or 1.")
        return np.asarray(ys, dtype=np.bool_)
    labels = []
    for row, y in enumerate(ys, 1):
        try:
            labels.append(as_label(y))
        except InputError as error:
            raise InputError(f"row {row} (counted from 1): {error}") from None
    return np.array(labels, dtype=np.bool_)


def _unwrapped(x: Any) -> Any:
    if isinstance(x, np.ndarray):
        return tuple(_unwrapped(each) for each in x.tolist()) if x.ndim else x.item()
    return x.item() if isinstance(x, np.generic) else x
