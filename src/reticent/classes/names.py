"""Classes by their names on the command line, such as thresholds:1000."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from reticent.classes import families
from reticent.classes.arguments import short
from reticent.classes.base import HypothesisClass
from reticent.classes.conjunctions import Conjunctions, MonotoneConjunctions
from reticent.classes.finite import FiniteClass
from reticent.classes.intervals import Intervals
from reticent.classes.parities import Parities
from reticent.classes.points import Points
from reticent.classes.sparse import AllFunctions, Sparse
from reticent.classes.thresholds import Thresholds
from reticent.errors import ParameterError

__all__ = ["class_names", "named"]

#: What makes the class, the letters of its numbers, and numbers for an example.
_CLASSES: dict[str, tuple[Callable[..., HypothesisClass], str, str]] = {
    "points": (Points, "N", "1000"),
    "thresholds": (Thresholds, "N", "1000"),
    "intervals": (Intervals, "N", "1000"),
    "sparse": (Sparse, "N,k", "1000,3"),
    "parities": (Parities, "n", "20"),
    "conjunctions": (Conjunctions, "n", "20"),
    "monotone": (MonotoneConjunctions, "n", "20"),
    "cube": (AllFunctions, "n", "20"),
    "decision-lists": (families.decision_lists, "n", "4"),
    "halfspaces": (families.halfspaces, "k", "5"),
    "rectangles": (families.rectangles, "k", "5"),
    "tree": (families.tree, "d", "5"),
    "addressing": (families.addressing, "n", "16"),
    "majority": (families.majority, "n", "5"),
}


def class_names() -> list[str]:
    """The names with the letters of their numbers: points:N, ..."""
    return [f"{name}:{letters}" for name, (_, letters, _) in _CLASSES.items()]


def named(text: str) -> HypothesisClass:
    """The class with this name, or in the CSV file of this name.

    Parameters
    ----------
    text : str
        A name with its numbers, see `class_names`; or the path of a CSV file, a row a hypothesis and a column an
        instance, as in `FiniteClass.from_csv`. A file that is called like a class: ./NAME.

    Raises
    ------
    ParameterError
        When there is no such class, or its numbers are not what it needs.
    InputError
        For a file that holds no class.

    Examples
    --------
    >>> named("thresholds:1000").littlestone_dimension(), named("sparse:1000,3").littlestone_dimension()
    (9, 3)
    """
    name, colon, numbers = text.partition(":")
    there = os.path.exists(text)  # never an error, unlike a Path's
    if name in _CLASSES and (colon or not there):
        return _make(name, numbers)
    if there or Path(text).suffix:
        return FiniteClass.from_csv(text)
    raise ParameterError(
        f"{short(text)} is neither a file nor the name of a class; the names are {', '.join(class_names())}."
    )


def _make(name: str, numbers: str) -> HypothesisClass:
    make, letters, example = _CLASSES[name]
    given = short(f"{name}:{numbers}" if numbers else name)
    try:
        values = [int(number) for number in numbers.split(",")]
    except ValueError:
        values = []
    if len(values) != len(letters.split(",")):
        wanted = "two whole numbers" if "," in letters else "a whole number"
        raise ParameterError(f"{given}: {name}:{letters} needs {wanted}; write it like {name}:{example}.")
    try:
        return make(*values)
    except ParameterError as error:
        raise ParameterError(f"{given}: {error}") from None
