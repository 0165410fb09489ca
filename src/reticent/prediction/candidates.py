"""Algorithm 3: candidates that replace one another, at moments that nobody can tell."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any, ClassVar

from reticent.classes import FiniteClass, Hypothesis, Instance
from reticent.errors import InputError, ParameterError
from reticent.mechanisms import Replacement
from reticent.prediction.base import OnlinePredictionAlgorithm, OnlinePredictor, joint_statement
from reticent.prediction.candidate_sequence import CandidateSequence, Example
from reticent.prediction.constants import Constants, PowerOfTen
from reticent.prediction.name_and_shame import check_class
from reticent.privacy import PrivacyStatement, round_up
from reticent.randomness import Source

__all__ = ["CandidatePredictor", "RunningCandidates", "check_finite"]


@dataclass(frozen=True)
class CandidatePredictor(OnlinePredictionAlgorithm):
    """Predicts as the last candidate, once its replacement of the one before has been accepted and delayed.

    ::

        m = 0; A_0 = h_0, the standard optimal algorithm before any example
        each round: while m < N and h_m has made K mistakes on all rounds so far:
                        h_{m+1} = the next of the candidates (h_0 where there is none)
                        A_{m+1} = Replacement (A_m, h_{m+1}) with delay D_{m+1}, run over all rounds so far
                        m += 1
                    predict as A_m

    Parameters
    ----------
    hypothesis_class : FiniteClass
        Of at most the constants' dimension.
    constants : Constants

    Notes
    -----
    **Guarantee.** Jointly (`constants.epsilon`, `constants.delta`)-DP on streams that are fixed in advance, when the
    example of one round is replaced: by Claim 1 it predicts as A_N would that knew all candidates beforehand, for
    every value of the randomness, and A_N composes the candidates and N replacements. With probability at least
    1 - failure it makes at most `mistake_bound` mistakes on every realisable stream, where that is not None. Source:
    Sanyal, Algorithm 3, Claim 1 and Lemma 12; docs/proofs/prediction.md, section 2.

    It remembers every example, until there are N candidates.
    """

    name: ClassVar[str] = "CandidatePredictor"

    hypothesis_class: FiniteClass
    constants: Constants

    def __post_init__(self) -> None:
        check_finite(self.hypothesis_class)
        if not isinstance(self.constants, Constants):
            raise ParameterError(f"constants is {self.constants!r}; give Constants(..) or Constants.paper(..).")
        if self.hypothesis_class.at_least(self.constants.dimension + 1):
            raise ParameterError(
                f"the class has dimension {self.hypothesis_class.littlestone_dimension()}, above the constants' "
                f"{self.constants.dimension}; give constants for its dimension."
            )

    @cached_property
    def privacy(self) -> PrivacyStatement:
        """See `OnlinePredictionAlgorithm`."""
        c = self.constants
        return joint_statement(round_up(c.epsilon), round_up(c.delta), c.components)

    @property
    def mistake_bound(self) -> int | PowerOfTen | None:
        """See `Constants.mistake_bound`; `constants.unmet` names the lemma where it is None."""
        return self.constants.mistake_bound

    def _start(self, source: Source) -> RunningCandidates:
        return RunningCandidates(self, source)


class RunningCandidates(OnlinePredictor):
    """A running `CandidatePredictor`."""

    def __init__(self, algorithm: CandidatePredictor, source: Source) -> None:
        super().__init__(algorithm, source)
        self._constants = algorithm.constants
        self._class = algorithm.hypothesis_class
        self._sequence: CandidateSequence | None = None
        self._first: Hypothesis = self._class.soa_hypothesis()
        self._last: Hypothesis = self._first
        self._replacements: list[tuple[Hypothesis, Replacement[bool]]] = []
        #: All rounds so far, and what A_m predicted in them.
        self._history: list[tuple[Instance, bool, bool]] = []
        #: The first mistakes of h_m.
        self._batch: list[Example] = []
        self._prediction = False

    def _check(self, x: Any) -> None:
        try:
            self._first(x)
        except TypeError:
            raise InputError(f"the instance {x!r} is not in the domain.") from None

    def _predict(self, x: Instance) -> bool:
        prediction = self._first(x)
        for candidate, replacement in self._replacements:
            prediction = replacement.predict(prediction, candidate(x))
        self._prediction = prediction
        return prediction

    def _observe(self, x: Instance, y: bool) -> None:
        for _, replacement in self._replacements:
            replacement.update(y)
        if len(self._replacements) == self._constants.candidates:
            return
        self._history.append((x, y, self._prediction))
        if self._last(x) != y:
            self._batch.append((x, y))
            while len(self._batch) == self._constants.batch and len(self._replacements) < self._constants.candidates:
                self._advance()

    def _advance(self) -> None:
        """From m to m + 1. By Claim 1 the predictions so far do not change by it."""
        if self._sequence is None:  # there may be more groups than memory, and no batch that is ever full
            self._sequence = CandidateSequence(self._class, self._constants, self._source)
        self._last = self._sequence.following(self._batch) or self._first
        replacement = Replacement[bool](self._constants.rule(len(self._replacements) + 1), self._source)
        for t, (x, y, before) in enumerate(self._history):
            self._history[t] = x, y, replacement.predict(before, self._last(x))
            replacement.update(y)
        self._replacements.append((self._last, replacement))
        mistakes = ((x, y) for x, y, _ in self._history if self._last(x) != y)
        self._batch = list(islice(mistakes, self._constants.batch))
        if len(self._replacements) == self._constants.candidates:
            self._history, self._batch = [], []


def check_finite(hypothesis_class: object) -> None:
    """A class whose essential hypotheses can be found."""
    check_class(hypothesis_class)
    if not isinstance(hypothesis_class, FiniteClass):
        raise ParameterError(
            f"hypothesis_class is {hypothesis_class!r}; give a FiniteClass, such as "
            "FiniteClass(list(labellings(cls, points)), points)."
        )
