"""Play a learner on labelled rounds: one pass over the data, one hypothesis a round."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from reticent.classes import Hypothesis
from reticent.errors import InputError, ParameterError
from reticent.learning import OnlineLearner, OnlineLearningAlgorithm
from reticent.privacy import PrivacyStatement
from reticent.randomness import SecureSource, Source
from reticent.report.labelled_text import labelled_text
from reticent.report.labels import not_private
from reticent.report.progress import Progress
from reticent.streams.labelled import open_labelled

__all__ = ["LabelledCurator", "LabelledReleased", "LabelledRun", "classify"]


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
class LabelledRun:
    """A finished run; what may be released and what is for the curator only are apart.

    Parameters
    ----------
    algorithm : OnlineLearningAlgorithm
    released : LabelledReleased
    curator : LabelledCurator
    private : bool
        False for seeded runs and for algorithms that promise nothing.
    noise : str
        The source of randomness.
    seconds : float
    """

    algorithm: OnlineLearningAlgorithm
    released: LabelledReleased
    curator: LabelledCurator
    private: bool
    noise: str
    seconds: float

    @property
    def hypothesis(self) -> Hypothesis:
        """Releasable: the hypothesis after the last round."""
        return self.released.hypotheses[-1][1]

    @property
    def privacy(self) -> PrivacyStatement:
        """Releasable: what the hypotheses promise."""
        return self.released.privacy

    @property
    def mistakes(self) -> int:
        """Curator only: how often the hypothesis of a round was wrong on its example."""
        return self.curator.mistakes

    def __repr__(self) -> str:
        mark = "" if self.private else f"NOT PRIVATE ({self.noise}), "
        return f"<run of {self.algorithm.name}, {mark}{self.curator.rounds:,} rounds>"

    def __str__(self) -> str:
        return labelled_text(self)

    def to_dict(self) -> dict[str, Any]:
        """The run as one JSON object, without the hypotheses but the last."""
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
            "released": {
                "switches": self.released.switches,
                "hypothesis": str(self.hypothesis),
                "hypotheses_file": None,
            },
            "curator": {
                "warning": "computed from the private examples; for the curator only",
                "mistakes": self.mistakes,
                "mistake_bound": self.algorithm.mistake_bound(self.curator.rounds),
                "ones": self.curator.ones,
            },
            "seconds": self.seconds,
        }


def classify(
    algorithm: OnlineLearningAlgorithm,
    examples: Any,
    *,
    x: Sequence[str] | None = None,
    y: str | None = None,
    source: Source | None = None,
    progress: bool = True,
) -> LabelledRun:
    """Play a learner on labelled rounds.

    Parameters
    ----------
    algorithm : OnlineLearningAlgorithm
    examples : array, data frame, Arrow table, path, or iterator of such blocks; or a LabelledStream
        A row a round: whole numbers for the instance, and its label.
    x, y : optional
        The columns of the instance and of the label, as in `reticent.streams.open_labelled`.
    source : Source, optional
        A fresh `SecureSource` unless given; a `SeededSource` gives a reproducible simulation that is reported as
        NOT private.
    progress : bool
        Show a bar on a terminal's stderr when the run takes more than two seconds.

    Returns
    -------
    LabelledRun

    Raises
    ------
    InputError
        When the examples are not what they should be; no round of the faulty block is played.

    Notes
    -----
    **Guarantee.** `LabelledRun.released` is what the algorithm's privacy statement covers. `LabelledRun.curator` is
    not private.

    Examples
    --------
    >>> import numpy as np
    >>> import reticent as rt
    >>> rounds = np.arange(2000) % 5
    >>> examples = np.column_stack([rounds, rounds == 3])
    >>> result = classify(rt.learning.PointLearner(rt.classes.Points(5), epsilon=1.0, horizon=2000), examples)
    >>> result.private, result.hypothesis
    (True, point at 3)
    """
    begin = time.perf_counter()
    if not isinstance(algorithm, OnlineLearningAlgorithm):
        raise ParameterError(
            f"{algorithm!r} is no learner with its parameters; give one, such as "
            "learning.auto(classes.Points(9), epsilon=1.0)."
        )
    stream = open_labelled(examples, x, y)
    source = SecureSource() if source is None else source
    learner: OnlineLearner | None = None
    released: list[tuple[int, Hypothesis]] = []
    mistaken: list[int] = []
    rounds = ones = 0
    with Progress(stream.rounds, enabled=progress) as bar:
        for first, block in stream.blocks():
            for row, example in enumerate(block, first):
                try:
                    algorithm.example(*example)
                except InputError as error:
                    raise InputError(f"{stream.locate(row)}: {error}") from None
            if learner is None:  # the first block is valid: now, and not before, randomness may be drawn
                learner = algorithm.start(source)
                released.append((1, learner.hypothesis))
            for instance, label in block:
                rounds += 1
                if learner.hypothesis(instance) != label:
                    mistaken.append(rounds)
                ones += label
                learner.update(instance, label)
                if learner.hypothesis != released[-1][1]:
                    released.append((rounds + 1, learner.hypothesis))
            bar.advance(len(block))
    if learner is None:
        raise AssertionError("streams refuse to be empty")
    statement = learner.privacy
    return LabelledRun(
        algorithm=algorithm,
        released=LabelledReleased(tuple(released), statement),
        curator=LabelledCurator(rounds, len(mistaken), ones, tuple(mistaken)),
        private=statement.private,
        noise=statement.noise or "",
        seconds=time.perf_counter() - begin,
    )
