"""Algorithm 3: candidates that replace one another, at moments that nobody can tell."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice, repeat
from typing import Any, ClassVar

from reticent.classes import FiniteClass, Hypothesis, HypothesisClass, Instance
from reticent.classes.projection import tabulated
from reticent.errors import InputError, ParameterError
from reticent.learning import OptimalHypothesis
from reticent.mechanisms import Replacement
from reticent.prediction.base import OnlinePredictionAlgorithm, OnlinePredictor, joint_statement
from reticent.prediction.candidate_sequence import CandidateSequence, Example
from reticent.prediction.constants import Constants, PowerOfTen
from reticent.prediction.name_and_shame import check_class
from reticent.privacy import PrivacyStatement, round_up
from reticent.randomness import Source

__all__ = ["CandidatePredictor", "RunningCandidates"]

#: Essential hypotheses are looked for in a table of at most so many labels.
_LARGEST_TABLE = 1 << 20

#: A batch of more mistakes is never full: every round before it would have to be remembered.
_MOST_REMEMBERED = 1 << 32


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
    hypothesis_class : HypothesisClass
        Of at most the constants' dimension. Candidates come from a table of its hypotheses, of at most 2**20 labels;
        a class that fits none (points on a million instances) needs constants whose batches are never full, such as
        the paper's, and then no candidate ever comes.
    constants : Constants

    Notes
    -----
    **Guarantee.** Jointly (`constants.epsilon`, `constants.delta`)-DP on streams that are fixed in advance, when the
    example of one round is replaced: by Claim 1 it predicts as A_N would that knew all candidates beforehand, for
    every value of the randomness, and A_N composes the candidates and N replacements. With probability at least
    1 - failure it makes at most `mistake_bound` mistakes on every realisable stream, where that is not None. Source:
    Sanyal, Algorithm 3, Claim 1 and Lemma 12; docs/proofs/prediction.md, section 2.

    It remembers every example, equal ones in a row as one, until there are N candidates.
    """

    name: ClassVar[str] = "CandidatePredictor"

    hypothesis_class: HypothesisClass
    constants: Constants

    def __post_init__(self) -> None:
        check_class(self.hypothesis_class)
        if not isinstance(self.constants, Constants):
            raise ParameterError(f"constants is {self.constants!r}; give Constants(..) or Constants.paper(..).")
        if self.hypothesis_class.at_least(self.constants.dimension + 1):
            raise ParameterError(
                f"the class has dimension {self.hypothesis_class.littlestone_dimension()}, above the constants' "
                f"{self.constants.dimension}; give constants for its dimension."
            )
        if self.table is None and self.constants.batch <= _MOST_REMEMBERED:
            raise ParameterError(
                f"hypothesis_class is {self.hypothesis_class!r}, which fits no table of {_LARGEST_TABLE:,} labels, "
                "and candidates are looked for in one; give a smaller class, such as project(cls, points)."
            )

    @cached_property
    def table(self) -> FiniteClass | None:
        """The class, hypothesis by hypothesis; None where that is too large."""
        return tabulated(self.hypothesis_class, _LARGEST_TABLE)

    def check(self, x: Instance) -> None:
        """See `OnlinePredictionAlgorithm`."""
        self.hypothesis_class.restrict(x, False)

    @cached_property
    def privacy(self) -> PrivacyStatement:
        """See `OnlinePredictionAlgorithm`."""
        c = self.constants
        return joint_statement(round_up(c.epsilon), round_up(c.delta), c.components)

    @property
    def mistake_bound(self) -> int | PowerOfTen | None:
        """See `Constants.mistake_bound`; `constants.unmet` names the lemma where it is None."""
        return self.constants.mistake_bound

    @property
    def bound_holds(self) -> str:
        """See `OnlinePredictionAlgorithm`."""
        return f"at any length, but for a probability of {float(self.constants.failure):g}"

    def _start(self, source: Source) -> RunningCandidates:
        return RunningCandidates(self, source)


class RunningCandidates(OnlinePredictor):
    """A running `CandidatePredictor`."""

    def __init__(self, algorithm: CandidatePredictor, source: Source) -> None:
        super().__init__(algorithm, source)
        self._constants = algorithm.constants
        self._table = algorithm.table
        self._sequence: CandidateSequence | None = None
        self._first: Hypothesis = (
            OptimalHypothesis(algorithm.hypothesis_class) if self._table is None else self._table.soa_hypothesis()
        )
        self._last: Hypothesis = self._first
        self._replacements: list[tuple[Hypothesis, Replacement[bool]]] = []
        #: All rounds so far, and what A_m predicted in them; of equal ones in a row only their number.
        self._history: list[tuple[Instance, bool, bool, int]] = []
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
        self._remember(x, y, 1)
        if self._counts(x, y):
            self._batch.append((x, y))
            while len(self._batch) == self._constants.batch and len(self._replacements) < self._constants.candidates:
                self._advance()

    def _counts(self, x: Instance, y: bool) -> bool:
        """Whether a round adds to the batch."""
        return len(self._replacements) < self._constants.candidates and self._last(x) != y

    def _remember(self, x: Instance, y: bool, times: int) -> None:
        """So many rounds that were predicted as the last one."""
        if len(self._replacements) < self._constants.candidates:
            _add(self._history, (x, y, self._prediction, times))

    def _advance(self) -> None:
        """From m to m + 1. By Claim 1 the predictions so far do not change by it."""
        if self._sequence is None:  # there may be more groups than memory, and no batch that is ever full
            assert self._table is not None
            self._sequence = CandidateSequence(self._table, self._constants, self._source)
        self._last = self._sequence.following(self._batch) or self._first
        replacement = Replacement[bool](self._constants.rule(len(self._replacements) + 1), self._source)
        rounds, self._history = self._history, []
        for x, y, before, times in rounds:
            now = self._last(x)
            while times and now != before and replacement.settled is None:
                _add(self._history, (x, y, replacement.predict(before, now), 1))
                replacement.update(y)
                times -= 1
            if times:
                _add(self._history, (x, y, now if replacement.settled else before, times))
        self._replacements.append((self._last, replacement))
        size = self._constants.batch
        mistakes = (repeat((x, y), min(times, size)) for x, y, _, times in self._history if self._last(x) != y)
        self._batch = list(islice(chain.from_iterable(mistakes), size))
        if len(self._replacements) == self._constants.candidates:
            self._history, self._batch = [], []


def _add(rounds: list[tuple[Instance, bool, bool, int]], some: tuple[Instance, bool, bool, int]) -> None:
    """Equal rounds in a row are kept as one with a number."""
    if rounds and rounds[-1][:3] == some[:3]:
        some = (*some[:3], rounds.pop()[3] + some[3])
    rounds.append(some)
