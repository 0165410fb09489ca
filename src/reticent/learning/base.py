"""What all learners share: public parameters apart from private state, and one hypothesis released a round."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from reticent.classes import Hypothesis, HypothesisClass, Instance
from reticent.classes.arguments import as_label
from reticent.errors import InputError, ParameterError
from reticent.experts.base import given_parameters
from reticent.privacy import PrivacyStatement, Running
from reticent.randomness import Source, secure_unless_given

__all__ = ["ONE_RECORD_A_ROUND", "RELEASED", "OnlineLearner", "OnlineLearningAlgorithm", "as_times"]

#: What learners release.
RELEASED = "the hypothesis of every round, and nothing else"

#: What their promises assume.
ONE_RECORD_A_ROUND = (
    "the example (x, y) of a round is a function of that round's record and of public things only, earlier released "
    "hypotheses included; the class is fixed without looking at the records."
)


class OnlineLearner(Running["OnlineLearningAlgorithm"], ABC):
    """A running algorithm: it holds the private state, and releases one hypothesis a round.

    A round is: read `hypothesis`, use it, then call `update` with that round's example.

    The state is private; what may be released is `hypothesis`. How many mistakes the hypotheses make depends on the
    private examples and is not kept here. A learner may be pickled to go on elsewhere; of several continuations of
    one state only one may be released, because they share noise.
    """

    _hypothesis: Hypothesis

    @property
    def hypothesis(self) -> Hypothesis:
        """The hypothesis for the current round; reading it, and asking it for labels, draws nothing."""
        return self._hypothesis

    def update(self, x: Instance, y: bool) -> None:
        """Learn from the current round.

        Parameters
        ----------
        x : instance
            Of the domain of the class.
        y : bool
            Its label, or 0 or 1.

        Raises
        ------
        InputError
            When they are not an instance and a label; nothing is drawn then, and the state stays as it was.
        LearnerStateError
            When an earlier update was interrupted.
        """
        x, y = self._algorithm.example(x, y)
        self._enter()
        self._observe(x, y)
        self._rounds += 1
        self._whole = True

    def repeat(self, x: Instance, y: bool, times: int) -> int:
        """Learn from this many equal rounds, as `update` does from one.

        Parameters
        ----------
        x, y
            As in `update`.
        times : int
            At least 0.

        Returns
        -------
        int
            How many of the rounds were mistakes. FOR THE CURATOR ONLY: it depends on the private examples.
        """
        x, y = self._algorithm.example(x, y)
        times = as_times(times)
        self._enter()
        mistakes = self._observe_many(x, y, times)
        self._rounds += times
        self._whole = True
        return mistakes

    @abstractmethod
    def _observe(self, x: Instance, y: bool) -> None:
        """Learn from one validated example."""

    def _observe_many(self, x: Instance, y: bool, times: int) -> int:
        """Learn from a validated example so many times; the number of mistakes."""
        mistakes = 0
        for _ in range(times):
            mistakes += self._hypothesis(x) != y
            self._observe(x, y)
        return mistakes

    def __repr__(self) -> str:
        mark = "" if self.privacy.private else "NOT PRIVATE, "
        return f"<learner of {self._algorithm.name}, {mark}after {self._rounds} rounds>"


@dataclass(frozen=True)
class OnlineLearningAlgorithm(ABC):
    """The public parameters of a learning algorithm; `start` begins a run.

    Parameters
    ----------
    hypothesis_class : HypothesisClass
        The public class that is learned.
    """

    name: ClassVar[str]

    hypothesis_class: HypothesisClass

    def __post_init__(self) -> None:
        if not isinstance(self.hypothesis_class, HypothesisClass):
            raise ParameterError(
                f"hypothesis_class is {self.hypothesis_class!r}; give a class such as reticent.classes.Points(10)."
            )

    @property
    @abstractmethod
    def privacy(self) -> PrivacyStatement:
        """What a run promises, computed from the public parameters alone."""

    @property
    def public_parameters(self) -> dict[str, Any]:
        """The parameters as they were given, ready for JSON."""
        return given_parameters(self)

    def example(self, x: Any, y: Any) -> tuple[Instance, bool]:
        """An example in Python's own types.

        Raises
        ------
        InputError
            When it is not an instance of the class's domain and a label.
        """
        y = as_label(y)
        self.hypothesis_class.restrict(x, y)  # looks at x
        if isinstance(x, np.ndarray):
            return tuple(x.tolist()), y
        return x.item() if isinstance(x, np.generic) else x, y

    @property
    def settings(self) -> dict[str, Any]:
        """The numbers that the algorithm derived from its parameters, ready for JSON."""
        return {}

    def mistake_bound(self, rounds: int) -> float | None:
        """A bound on the expected mistakes on oblivious streams that some hypothesis of the class labels.

        None where none is proved.
        """
        return None

    @abstractmethod
    def _start(self, source: Source) -> OnlineLearner: ...

    def start(self, source: Source | None = None) -> OnlineLearner:
        """Begin a run.

        Parameters
        ----------
        source : Source, optional
            Where randomness comes from; a `SecureSource` unless given. With any other source the run is
            reported as not private.
        """
        return self._start(secure_unless_given(source))


def as_times(times: object) -> int:
    """How often an example comes.

    Raises
    ------
    InputError
        When it is no whole number from 0 on.
    """
    if isinstance(times, bool) or not isinstance(times, int) or times < 0:
        raise InputError(f"an example comes {times!r} times; give a whole number from 0 on.")
    return times
