"""Play a learner or a predictor on labelled rounds."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from reticent.classes import Hypothesis, Instance
from reticent.errors import InputError, ParameterError
from reticent.labelled.runs import (
    LabelledCurator,
    LabelledPersonal,
    LabelledReleased,
    LabelledRun,
    LearnedRun,
    PredictedRun,
)
from reticent.learning import OnlineLearner, OnlineLearningAlgorithm
from reticent.prediction import OnlinePredictionAlgorithm, OnlinePredictor
from reticent.randomness import SecureSource, Source
from reticent.report.progress import Progress
from reticent.streams.labelled import LabelledStream, open_labelled

__all__ = ["classify"]

Examples = list[tuple[Instance, bool]]


def classify(
    algorithm: OnlineLearningAlgorithm | OnlinePredictionAlgorithm,
    examples: Any,
    *,
    x: Sequence[str] | None = None,
    y: str | None = None,
    source: Source | None = None,
    progress: bool = True,
) -> LabelledRun:
    """Play a learner or a predictor on labelled rounds.

    Parameters
    ----------
    algorithm : OnlineLearningAlgorithm or OnlinePredictionAlgorithm
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
    LearnedRun or PredictedRun

    Raises
    ------
    InputError
        When the examples are not what they should be; no round of the faulty block is played.

    Notes
    -----
    **Guarantee.** `LearnedRun.released` is what a learner's privacy statement covers. `PredictedRun.personal` holds a
    label for each round, which may be given to that round's person and to nobody else: joint differential privacy
    (Sanyal, Definition 4) bounds what the labels of all other rounds show of a record, and not what its own one does.
    `curator` is not private.

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
    if isinstance(algorithm, OnlineLearningAlgorithm):
        play: _Learning | _Predicting = _Learning(algorithm)
    elif isinstance(algorithm, OnlinePredictionAlgorithm):
        play = _Predicting(algorithm)
    else:
        raise ParameterError(
            f"{algorithm!r} is no learner or predictor with its parameters; give one, such as "
            "learning.auto(classes.Points(9), epsilon=1.0)."
        )
    stream = open_labelled(examples, x, y)
    source = SecureSource() if source is None else source
    mistaken: list[int] = []
    rounds = ones = 0
    with Progress(stream.rounds, enabled=progress) as bar:
        for block in _checked(stream, play.check):
            if not rounds:  # the first block is valid: now, and not before, randomness may be drawn
                play.start(source)
            labels = np.fromiter((label for _, label in block), np.bool_, len(block))
            mistaken += (np.flatnonzero(play.block(block) != labels) + rounds + 1).tolist()
            ones += int(labels.sum())
            rounds += len(block)
            bar.advance(len(block))
    return play.finished(LabelledCurator(rounds, len(mistaken), ones, tuple(mistaken)), time.perf_counter() - begin)


def _checked(stream: LabelledStream, check: Callable[[Instance], None]) -> Iterator[Examples]:
    """Blocks whose instances have all been looked at."""
    for first, block in stream.blocks():
        for row, (instance, _) in enumerate(block, first):
            try:
                check(instance)
            except InputError as error:
                raise InputError(f"{stream.locate(row)}: {error}") from None
        yield block


class _Learning:
    """A learner at play: what is said of an instance is what the current hypothesis says."""

    def __init__(self, algorithm: OnlineLearningAlgorithm) -> None:
        self._algorithm = algorithm
        self._hypotheses: list[tuple[int, Hypothesis]] = []

    def check(self, x: Instance) -> None:
        self._algorithm.example(x, False)

    def start(self, source: Source) -> None:
        self._learner: OnlineLearner = self._algorithm.start(source)
        self._hypotheses.append((1, self._learner.hypothesis))

    def block(self, examples: Examples) -> npt.NDArray[np.bool_]:
        said = np.zeros(len(examples), dtype=np.bool_)
        for row, (x, y) in enumerate(examples):
            said[row] = self._learner.hypothesis(x)
            self._learner.update(x, y)
            if self._learner.hypothesis != self._hypotheses[-1][1]:
                self._hypotheses.append((self._learner.rounds + 1, self._learner.hypothesis))
        return said

    def finished(self, curator: LabelledCurator, seconds: float) -> LearnedRun:
        released = LabelledReleased(tuple(self._hypotheses), self._learner.privacy)
        return LearnedRun(self._algorithm, curator, seconds, released)


class _Predicting:
    """A predictor at play."""

    def __init__(self, algorithm: OnlinePredictionAlgorithm) -> None:
        self._algorithm = algorithm
        self._labels: list[npt.NDArray[np.bool_]] = []

    def check(self, x: Instance) -> None:
        self._algorithm.check(x)

    def start(self, source: Source) -> None:
        self._predictor: OnlinePredictor = self._algorithm.start(source)

    def block(self, examples: Examples) -> npt.NDArray[np.bool_]:
        xs, ys = zip(*examples, strict=True)
        whole = isinstance(xs[0], int)  # one column: an array, which some predictors read faster
        self._labels.append(self._predictor.update_block(np.array(xs) if whole else xs, ys))
        return self._labels[-1]

    def finished(self, curator: LabelledCurator, seconds: float) -> PredictedRun:
        personal = LabelledPersonal(np.concatenate(self._labels), self._predictor.privacy)
        return PredictedRun(self._algorithm, curator, seconds, personal)
