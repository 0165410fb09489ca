"""Losses of predictions: the experts' columns are scored against a column with the truth."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Literal

import numpy as np

from reticent.errors import InputError, ParameterError
from reticent.streams.opening import open_losses
from reticent.streams.stream import Block, LossStream

__all__ = ["losses_from_predictions"]

Loss = Literal["zero-one", "absolute", "squared"]


def losses_from_predictions(
    predictions: object, target: str, loss: Loss, scale: float = 1.0, *, clip: bool = False
) -> LossStream:
    """Score predictions against a column with the truth, and open the losses for one pass.

    Parameters
    ----------
    predictions : LossStream, or anything that `open_losses` opens
        One column with the truth; every other column holds an expert's predictions, as numbers.
    target : str
        The name of the column with the truth.
    loss : {"zero-one", "absolute", "squared"}
        1 where the prediction p differs from the truth y, else 0; or abs(p - y) / scale; or
        ((p - y) / scale)**2.
    scale : float
        The error that costs 1, above 0. It must be public: a scale taken from the data (their range, their
        largest error) depends on every round, and voids the promise. "zero-one" has no scale.
    clip : bool
        Let larger errors cost 1 too. Without it they are errors, because only the user can tell whether the scale
        or the data is wrong.

    Returns
    -------
    LossStream
        With one expert fewer than `predictions` has columns, in the same order.

    Raises
    ------
    InputError
        For a target that is no column, for no column beside it, for a prediction that is not finite, and without
        `clip` for a loss above 1.
    ParameterError
        For an unknown loss or a scale that is not above 0.

    Examples
    --------
    >>> import numpy as np
    >>> weather = np.array([[21.0, 18.0, 20.0], [15.0, 19.0, 17.0]])
    >>> stream = open_losses(weather, names=["north", "south", "measured"])
    >>> losses = losses_from_predictions(stream, "measured", "absolute", scale=10)
    >>> losses.names, [block.tolist() for block in losses.blocks()]
    (('north', 'south'), [[[0.1, 0.2], [0.2, 0.2]]])
    """
    if loss not in ("zero-one", "absolute", "squared"):
        raise ParameterError(f"loss is {loss!r}; give 'zero-one', 'absolute' or 'squared'.")
    if not 0 < scale < math.inf:
        raise ParameterError(f"scale is {scale!r}; give a public number above 0, the error that costs 1.")
    if loss == "zero-one" and scale != 1:
        raise ParameterError(f"scale is {scale!r}, but the zero-one loss has no scale; leave it out.")
    return _ScoredStream(open_losses(predictions), target, loss, scale, clip)


class _ScoredStream(LossStream):
    def __init__(self, predictions: LossStream, target: str, loss: Loss, scale: float, clip: bool) -> None:
        names = predictions.names or tuple(f"expert {j}" for j in range(predictions.n_experts))
        if target not in names:
            raise InputError(
                f"{predictions.source}: there is no column {target!r} for the target; name one of its columns."
            )
        self._target = names.index(target)
        self._columns = [j for j in range(len(names)) if j != self._target]
        if not self._columns:
            raise InputError(f"{predictions.source}: there is no column beside the target; give one for each expert.")
        super().__init__(
            predictions.source, len(self._columns), names=[names[j] for j in self._columns], rounds=predictions.rounds
        )
        self._predictions = predictions
        self._loss = loss
        self._scale = scale
        self._clip = clip

    def locate(self, row: int, column: int) -> str:
        """Where the prediction stands."""
        return self._predictions.locate(row, self._columns[column])

    def read(self) -> Iterator[Block]:
        """The losses of each block of predictions."""
        row = 0
        for block in self._predictions.blocks():
            self._refuse_infinite(block, row)
            truth = block[:, self._target, np.newaxis]
            predicted = block[:, self._columns]
            if self._loss == "zero-one":
                yield predicted != truth
            else:
                yield self._scaled(predicted, truth, row)
            row += len(block)

    def _scaled(self, predicted: Block, truth: Block, row: int) -> Block:
        with np.errstate(over="ignore"):
            errors = np.subtract(predicted, truth, dtype=np.float64)
            errors = np.abs(errors, out=errors)
            errors /= self._scale
            if self._clip:
                np.minimum(errors, 1.0, out=errors)
            elif errors.max() > 1:
                below, column = np.argwhere(errors > 1)[0]
                raise InputError(
                    f"{self.locate(row + int(below), int(column))}: the prediction is wrong by "
                    f"{errors[below, column] * self._scale:.6g}, more than the scale {self._scale:g}; "
                    "choose a larger public scale, or clip."
                )
        return errors if self._loss == "absolute" else np.square(errors, out=errors)

    def _refuse_infinite(self, block: Block, row: int) -> None:
        # A missing prediction differs from every truth, and would pass for a wrong one.
        finite = np.isfinite(block)
        if not finite.all():
            below, column = np.argwhere(~finite)[0]
            place = self._predictions.locate(row + int(below), int(column))
            raise InputError(f"{place}: the value is {block[below, column]}; give finite numbers.")
