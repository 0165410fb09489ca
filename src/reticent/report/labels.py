"""Names and marks as reports print them: short, printable, told apart, and honest about privacy."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from reticent.experts import ExpertsAlgorithm

if TYPE_CHECKING:
    from reticent.labelled import LabelledRun
    from reticent.runner import Run

__all__ = [
    "CURATOR_ONLY",
    "MAY_BE_RELEASED",
    "PERSONAL_LABELS",
    "algorithm_labels",
    "not_private",
    "shorten",
    "shorten_all",
]

#: On every figure that was computed from the private losses.
CURATOR_ONLY = "curator only"

#: On every figure that the privacy statement covers.
MAY_BE_RELEASED = "may be released"


#: On labels that are jointly private: who may see one says nothing of who may see all.
PERSONAL_LABELS = (
    "the label of a round may be given to that round's person, and to nobody else; all labels together are for the "
    "curator only"
)


def not_private(run: Run | LabelledRun) -> str | None:
    """The warning that every report of this run carries, or None for a private run.

    Parameters
    ----------
    run : Run or LabelledRun

    Returns
    -------
    str or None
        Such as ``"NOT PRIVATE (seeded with 7)"``.
    """
    if run.private:
        return None
    promises = math.isfinite(run.privacy.epsilon)
    return f"NOT PRIVATE ({run.noise if promises else 'no privacy promised'})"


def shorten(name: str, width: int) -> str:
    """The name in at most `width` characters, its middle left out; characters that cannot be printed become ``?``.

    Names come from files: a control character in one of them must not reach a terminal.

    Examples
    --------
    >>> shorten("departure delay above 15 minutes", 16)
    'departur…minutes'
    """
    printable = "".join(c if c.isprintable() else "?" for c in name)
    if len(printable) <= width:
        return printable
    tail = (width - 1) // 2
    return f"{printable[: width - 1 - tail]}…{printable[len(printable) - tail :]}"


def shorten_all(names: Sequence[str], indices: Sequence[int], width: int) -> list[str]:
    """The short names of some experts, all different.

    Left out is the middle, the beginning or the end, whichever tells most of them apart; those that still look
    alike get their index.

    Parameters
    ----------
    names : sequence of str
        Of all experts.
    indices : sequence of int
        The experts to be named.
    width : int

    Examples
    --------
    >>> shorten_all(["the linear model, size 10", "the linear model, size 20", "C"], [0, 1, 2], 12)
    ['the li…ze 10', 'the li…ze 20', 'C']
    >>> shorten_all(["the one and only model"] * 2, [0, 1], 12)
    ['the o…odel#0', 'the o…odel#1']
    """
    whole = [shorten(names[i], len(names[i])) for i in indices]
    fitting = (
        [shorten(name, width) for name in whole],
        [name if len(name) <= width else f"…{name[len(name) - width + 1 :]}" for name in whole],
        [name if len(name) <= width else f"{name[: width - 1]}…" for name in whole],
    )
    short = max(fitting, key=lambda labels: len(set(labels)))
    return [
        f"{shorten(label, width - len(f'#{i}'))}#{i}" if short.count(label) > 1 else label
        for i, label in zip(indices, short, strict=True)
    ]


def algorithm_labels(algorithms: Sequence[ExpertsAlgorithm]) -> list[str]:
    """What a report calls each of them: the name, and the public parameters in which namesakes differ.

    Examples
    --------
    >>> from reticent.experts import Dartboard, Hedge
    >>> algorithm_labels([Dartboard(3, 1.0, 1e-6), Dartboard(3, 1.0, 1e-6, parameters="decaying"), Hedge(3)])
    ['Dartboard (tuned)', 'Dartboard (decaying)', 'Hedge']
    """
    labels = []
    for algorithm in algorithms:
        namesakes = [other.public_parameters for other in algorithms if other.name == algorithm.name]
        own = algorithm.public_parameters
        differing = [key for key in own if any(other.get(key) != own[key] for other in namesakes)]
        inside = ", ".join(own[key] if isinstance(own[key], str) else f"{key}={own[key]}" for key in differing)
        labels.append(f"{algorithm.name} ({inside})" if inside else algorithm.name)
    return labels
