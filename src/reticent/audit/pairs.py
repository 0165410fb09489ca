"""Two neighbouring streams that learners can tell apart."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from reticent.errors import ParameterError

__all__ = ["ties"]

Losses = npt.NDArray[np.float64]


def ties(
    n_experts: int, rounds: int, relation: str = "replace-one", *, changed: int | None = None
) -> tuple[Losses, Losses]:
    """Streams on which all experts lose 1 in every round, but in one.

    Where experts tie, one record decides who leads; where all lose, guards fire often.

    Parameters
    ----------
    n_experts, rounds : int
    relation : {"replace-one", "add-remove"}
    changed : int, optional
        The round that differs, counted from 0: a quarter of the rounds by default.

    Returns
    -------
    tuple of two float arrays of shape (rounds, n_experts)
        In that round the first stream has a record with which only expert 0 loses nothing, and the second one with
        which only expert 0 loses, or for "add-remove" nobody.

    Examples
    --------
    >>> one, other = ties(3, 8, "add-remove")
    >>> one[2].tolist(), other[2].tolist()
    ([0.0, 1.0, 1.0], [0.0, 0.0, 0.0])
    """
    if relation not in ("replace-one", "add-remove"):
        raise ParameterError(f"relation is {relation!r}; give 'replace-one' or 'add-remove'.")
    changed = rounds // 4 if changed is None else changed
    one = np.ones((rounds, n_experts))
    other = one.copy()
    one[changed, 0] = 0.0
    other[changed] = 0.0 if relation == "add-remove" else 1.0 - one[changed]
    return one, other
