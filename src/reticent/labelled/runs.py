"""Finished runs on labelled rounds: what may be released, to whom, and what is for the curator only."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from reticent.classes import Hypothesis
from reticent.learning import OnlineLearningAlgorithm
from reticent.prediction import OnlinePredictionAlgorithm
from reticent.privacy import PrivacyStatement
from reticent.report.labelled_text import bound_in_words, learned_text, predicted_text
from reticent.report.labels import PERSONAL_LABELS, not_private

__all__ = ["LabelledCurator", "LabelledPersonal", "LabelledReleased", "LabelledRun", "LearnedRun", "PredictedRun"]

#: Up to here every reader of JSON takes a whole number as it is.
_LARGEST_NUMBER = 1 << 53


@dataclass(frozen=True, eq=False)
class LabelledReleased:
    """What may be released under the run's privacy statement.

    Parameters
    ----------
    hypotheses : tuple of pairs (round, Hypothesis)
        Each hypothesis that differs from the one before, and the round from which on it is used, counted from 1.
        The last may stand for the round after the stream.
    privacy : PrivacyStatement
    """

    hypotheses: tuple[tuple[int, Hypothesis], ...]
    privacy: PrivacyStatement

    @property
    def switches(self) -> int:
        """How often the hypothesis changed."""
        return len(self.hypotheses) - 1


@dataclass(frozen=True, eq=False)
class LabelledPersonal:
    """FOR ONE PERSON EACH: the label of a round may be given to the person of that round, and to nobody else.

    All labels but one are jointly private of that one's record; with it they are not, for it may show the record by
    itself. So the whole array is for the curator only.

    Parameters
    ----------
    labels : bool array of shape (rounds,)
    privacy : PrivacyStatement
    """

    labels: npt.NDArray[np.bool_]
    privacy: PrivacyStatement


@dataclass(frozen=True, eq=False)
class LabelledCurator:
    """FOR THE CURATOR ONLY: figures computed from the private examples; releasing them is not covered.

    Parameters
    ----------
    rounds : int
    mistakes : int
    ones : int
        Rounds whose label is 1.
    mistaken_rounds : tuple of int
        The rounds of the mistakes, counted from 1.
    """

    rounds: int
    mistakes: int
    ones: int
    mistaken_rounds: tuple[int, ...] = field(repr=False)


@dataclass(frozen=True, eq=False, repr=False)
class LabelledRun(ABC):
    """A finished run; what may be released and what is for the curator only are apart.

    Parameters
    ----------
    algorithm : OnlineLearningAlgorithm or OnlinePredictionAlgorithm
    curator : LabelledCurator
    seconds : float
    """

    algorithm: OnlineLearningAlgorithm | OnlinePredictionAlgorithm
    curator: LabelledCurator
    seconds: float

    @property
    @abstractmethod
    def privacy(self) -> PrivacyStatement:
        """Releasable: what the run promises."""

    @abstractmethod
    def report(self, width: int = 100) -> str:
        """The report as text, in lines of at most `width` characters."""

    @property
    def private(self) -> bool:
        """False for seeded runs and for algorithms that promise nothing."""
        return self.privacy.private

    @property
    def noise(self) -> str:
        """The source of randomness."""
        return self.privacy.noise or ""

    @property
    def mistakes(self) -> int:
        """Curator only: how often what was said of a round's instance was wrong."""
        return self.curator.mistakes

    def __repr__(self) -> str:
        mark = "" if self.private else f"NOT PRIVATE ({self.noise}), "
        return f"<run of {self.algorithm.name}, {mark}{self.curator.rounds:,} rounds>"

    def __str__(self) -> str:
        return self.report()

    def to_dict(self) -> dict[str, Any]:
        """The run as one JSON object, without the hypotheses but the last, and without the labels."""
        statement = self.privacy.to_dict()
        warning = not_private(self)
        return {
            **({} if warning is None else {"warning": f"{warning}; for simulation only, release nothing."}),
            "algorithm": self.algorithm.name,
            "parameters": {**self.algorithm.public_parameters, **self.algorithm.settings},
            "rounds": self.curator.rounds,
            "epsilon": statement["epsilon"],
            "delta": statement["delta"],
            "relation": statement["relation"],
            "private": self.private,
            "noise": self.noise,
            "privacy": statement,
            **self._outputs(),
            "curator": {
                "warning": "computed from the private examples; for the curator only",
                "mistakes": self.mistakes,
                "mistake_bound": self._mistake_bound(),
                "ones": self.curator.ones,
            },
            "seconds": self.seconds,
        }

    @abstractmethod
    def _outputs(self) -> dict[str, Any]:
        """What may be released, and to whom."""

    @abstractmethod
    def _mistake_bound(self) -> float | str | None: ...


@dataclass(frozen=True, eq=False, repr=False)
class LearnedRun(LabelledRun):
    """A finished run of a learner.

    Parameters
    ----------
    released : LabelledReleased
    algorithm, curator, seconds
        See `LabelledRun`.
    """

    algorithm: OnlineLearningAlgorithm
    released: LabelledReleased

    @property
    def hypothesis(self) -> Hypothesis:
        """Releasable: the hypothesis after the last round."""
        return self.released.hypotheses[-1][1]

    @property
    def privacy(self) -> PrivacyStatement:
        """Releasable: what the hypotheses promise."""
        return self.released.privacy

    def report(self, width: int = 100) -> str:
        """See `LabelledRun`."""
        return learned_text(self, width)

    def _outputs(self) -> dict[str, Any]:
        return {
            "released": {
                "switches": self.released.switches,
                "hypothesis": str(self.hypothesis),
                "hypotheses_file": None,
            }
        }

    def _mistake_bound(self) -> float | None:
        return self.algorithm.mistake_bound(self.curator.rounds)


@dataclass(frozen=True, eq=False, repr=False)
class PredictedRun(LabelledRun):
    """A finished run of a predictor: nothing of it is for everybody.

    Parameters
    ----------
    personal : LabelledPersonal
    algorithm, curator, seconds
        See `LabelledRun`.
    """

    algorithm: OnlinePredictionAlgorithm
    personal: LabelledPersonal

    @property
    def privacy(self) -> PrivacyStatement:
        """Releasable: what the labels promise."""
        return self.personal.privacy

    def report(self, width: int = 100) -> str:
        """See `LabelledRun`."""
        return predicted_text(self, width)

    def _outputs(self) -> dict[str, Any]:
        return {"released": {}, "personal": {"warning": PERSONAL_LABELS, "labels_file": None}}

    def _mistake_bound(self) -> float | str | None:
        bound = self.algorithm.mistake_bound
        if bound is None or (isinstance(bound, int | float) and bound <= _LARGEST_NUMBER):
            return bound
        return bound_in_words(bound)
