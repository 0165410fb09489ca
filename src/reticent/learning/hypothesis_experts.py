"""The hypotheses of a finite class as experts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from reticent import experts
from reticent.classes import Hypothesis, Instance
from reticent.errors import ParameterError
from reticent.learning.base import ONE_RECORD_A_ROUND, RELEASED, OnlineLearner, OnlineLearningAlgorithm
from reticent.privacy import PrivacyStatement
from reticent.randomness import Source

__all__ = ["HypothesisExperts"]

#: A round costs a look at each hypothesis.
_MOST_HYPOTHESES = 1 << 20

#: Losses that are given to the experts algorithm at a time.
_CELLS = 1 << 20

#: Labels that a learner remembers, so that an instance that comes again is not asked about again.
_REMEMBERED = 1 << 26


@dataclass(frozen=True)
class HypothesisExperts(OnlineLearningAlgorithm):
    """Learn any finite class privately: its hypotheses are experts, which lose 1 when they err.

    Parameters
    ----------
    hypothesis_class : HypothesisClass
        Of at most 2**20 hypotheses.
    epsilon, delta, horizon, rounds_per_person
        As in `reticent.experts.PrivateExpertsAlgorithm`.
    algorithm : callable
        What chooses among the experts: called like `reticent.experts.auto`, the default. Those of
        `reticent.experts` are, and a `functools.partial` of one adds its own parameters.

    Notes
    -----
    **Guarantee.** The whole sequence of hypotheses is (epsilon, delta)-DP (replace-one), at any length, also on
    adaptive streams where `algorithm` allows them: the losses of a round are a function of its example, and a
    hypothesis is chosen as an expert is (docs/proofs/learning.md). Assumption: the example of a round is a function
    of that round's record and of public things only. Mistakes: the regret bound of `algorithm`, if it has one, since
    some hypothesis makes none.

    Examples
    --------
    >>> from reticent.classes import Thresholds
    >>> algorithm = HypothesisExperts(Thresholds(8), epsilon=1.0)
    >>> algorithm.experts.name, algorithm.experts.n_experts
    ('GuardedEpochs', 9)
    >>> algorithm.start().hypothesis(3) in (False, True)
    True
    """

    name: ClassVar[str] = "HypothesisExperts"

    epsilon: float
    delta: float = 0.0
    _: KW_ONLY
    horizon: int | None = None
    rounds_per_person: int = 1
    algorithm: Callable[..., experts.ExpertsAlgorithm] = experts.auto

    def __post_init__(self) -> None:
        super().__post_init__()
        size = self.hypothesis_class.size()
        if not 1 <= size <= _MOST_HYPOTHESES:
            raise ParameterError(
                f"the class has {size:,} hypotheses, and HypothesisExperts looks at all of them in every round; "
                f"give a class of 1 to {_MOST_HYPOTHESES:,}."
            )
        _ = self.experts  # so that bad parameters are found now

    @cached_property
    def hypotheses(self) -> tuple[Hypothesis, ...]:
        """The experts."""
        return tuple(self.hypothesis_class.members())

    @cached_property
    def experts(self) -> experts.ExpertsAlgorithm:
        """The experts algorithm."""
        return self.algorithm(
            self.hypothesis_class.size(),
            self.epsilon,
            self.delta,
            horizon=self.horizon,
            rounds_per_person=self.rounds_per_person,
        )

    @property
    def privacy(self) -> PrivacyStatement:
        """See `OnlineLearningAlgorithm`."""
        return replace(self.experts.privacy, released=RELEASED, assumption=ONE_RECORD_A_ROUND)

    @property
    def settings(self) -> dict[str, Any]:
        """See `OnlineLearningAlgorithm`."""
        return {"experts_algorithm": self.experts.name, **self.experts.settings}

    def mistake_bound(self, rounds: int) -> float | None:
        """See `OnlineLearningAlgorithm`."""
        bound = self.experts.regret_bound(rounds, 0.0)
        return None if bound is None else min(float(rounds), bound)

    def _start(self, source: Source) -> HypothesisExpertsState:
        return HypothesisExpertsState(self, source)


class HypothesisExpertsState(OnlineLearner):
    """A running `HypothesisExperts`."""

    def __init__(self, algorithm: HypothesisExperts, source: Source) -> None:
        super().__init__(algorithm, source)
        self._hypotheses = algorithm.hypotheses
        self._chooser = algorithm.experts.start(source)
        self._hypothesis = self._hypotheses[self._chooser.choice]
        self._labels: dict[Instance, npt.NDArray[np.bool_]] = {}

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_labels": {}}

    def _observe(self, x: Instance, y: bool) -> None:
        self._chooser.update(self._labels_of(x) != y)
        self._hypothesis = self._hypotheses[self._chooser.choice]

    def _observe_many(self, x: Instance, y: bool, times: int) -> int:
        erring = self._labels_of(x) != y
        rows = max(1, _CELLS // len(erring))
        mistakes = 0
        for start in range(0, times, rows):
            block = np.broadcast_to(erring, (min(rows, times - start), len(erring)))
            mistakes += int(np.count_nonzero(erring[self._chooser.update_block(block)]))
        self._hypothesis = self._hypotheses[self._chooser.choice]
        return mistakes

    def _labels_of(self, x: Instance) -> npt.NDArray[np.bool_]:
        labels = self._labels.get(x)
        if labels is None:
            labels = np.fromiter((h(x) for h in self._hypotheses), dtype=np.bool_, count=len(self._hypotheses))
            if (len(self._labels) + 1) * len(labels) <= _REMEMBERED:
                self._labels[x] = labels
        return labels
