"""What every source asks of its arguments, before anything is drawn."""

from __future__ import annotations

from fractions import Fraction
from numbers import Rational
from operator import index

import numpy as np

from reticent.errors import ParameterError
from reticent.randomness.source import IntArray

__all__ = [
    "check_count",
    "check_exponent",
    "check_probability",
    "check_queries",
    "check_rate",
    "check_scale",
    "check_scores",
    "check_size",
    "check_variance",
]


def check_scale(scale: Fraction) -> Fraction:
    """The scale of a noise: exact and positive."""
    return _rational(scale, "scale", positive=True)


def check_variance(variance: Fraction) -> Fraction:
    """The variance parameter of a discrete Gaussian: exact and positive."""
    return _rational(variance, "variance", positive=True)


def check_rate(rate: Fraction) -> Fraction:
    """The rate of a softmin: exact, and at least 0."""
    return _rational(rate, "rate")


def check_exponent(x: Fraction) -> Fraction:
    """The x of exp(-x): exact, and at least 0."""
    return _rational(x, "x")


def check_probability(p: Fraction) -> Fraction:
    """A probability: exact, in [0, 1]."""
    p = _rational(p, "p")
    if p > 1:
        raise ParameterError(f"p = {p} is no probability; give a Fraction in [0, 1].")
    return p


def check_count(n: int) -> int:
    """The number of choices of a uniform index, at least 1."""
    n = _integer(n, "n")
    if n < 1:
        raise ParameterError(f"n = {n} leaves nothing to choose from; give a whole number from 1 on.")
    return n


def check_size(size: int) -> int:
    """The number of draws of a vector verb, at least 0."""
    size = _integer(size, "size")
    if size < 0:
        raise ParameterError(f"size = {size} is no number of draws; give a whole number from 0 on.")
    return size


def check_queries(queries: IntArray) -> IntArray:
    """The queries of a run of decisions."""
    return _integers(queries, "queries", 1)


def check_scores(scores: IntArray, dimensions: int) -> IntArray:
    """The scores of a softmin, at least one in a row."""
    scores = _integers(scores, "scores", dimensions)
    if scores.shape[-1] == 0:
        raise ParameterError("scores is empty; give at least one score to choose from.")
    return scores


def _rational(value: Fraction, name: str, *, positive: bool = False) -> Fraction:
    if type(value) is Fraction and value.numerator > 0:  # nearly always, and so told quickly
        return value
    if not isinstance(value, Rational):
        raise ParameterError(
            f"{name} is a {type(value).__name__}; give a Fraction, so that the law that runs is the law accounted."
        )
    if value < 0 or (positive and value == 0):
        raise ParameterError(f"{name} = {value} is out of range; it must be {'above' if positive else 'at least'} 0.")
    return value if isinstance(value, Fraction) else Fraction(value)


def _integer(value: int, name: str) -> int:
    try:
        return index(value)
    except TypeError:
        raise ParameterError(f"{name} is a {type(value).__name__}; give a whole number.") from None


def _integers(values: IntArray, name: str, dimensions: int) -> IntArray:
    array = np.asarray(values)
    if array.dtype == np.int64 and array.ndim == dimensions:
        return array
    if array.ndim != dimensions:
        raise ParameterError(f"{name} has {array.ndim} dimensions; give an integer array with {dimensions}.")
    if not np.can_cast(array.dtype, np.int64) and array.size:
        raise ParameterError(f"{name} holds {array.dtype}; give integers (int64), the units of the grid.")
    return array.astype(np.int64, copy=False)
