"""Mistakes of private predictors, which release labels only."""

from __future__ import annotations

import math
from dataclasses import replace

from reticent.bounds.bound import Condition, Setting, stated
from reticent.bounds.conditions import AT_MOST_ONE, DELTA, DIMENSION, POINTS, ln
from reticent.errors import ParameterError
from reticent.prediction import Constants, PointPredictor, PowerOfTen

__all__ = [
    "ALL",
    "cln24_prediction",
    "kmm23",
    "name_and_shame",
    "point_predictor",
    "theorem_3",
    "theorem_3_arithmetic",
    "theorem_3_arithmetic_constants",
    "theorem_3_constants",
]

_CLASS = "classes of dimension d"
_BELOW: Condition = ("delta < 1/10", lambda s: s.log_inverse_delta > math.log(10))
_DRAWN: Condition = ("delta >= 1e-100, or the shares of it cannot be drawn", lambda s: s.delta >= 1e-100)
_PAPER = (AT_MOST_ONE, DELTA, _BELOW)

#: 2^((d + 1)^2) fits a double.
_LARGEST_DIMENSION = 30
_FITS: Condition = (
    f"d <= {_LARGEST_DIMENSION}, or not even the logarithm fits a double",
    lambda s: s.dimension <= _LARGEST_DIMENSION,
)


def _has_shares(s: Setting) -> bool:
    try:
        Constants.paper(s.dimension, s.epsilon, s.delta)
    except ParameterError:
        return False
    return True


_SHARES: Condition = ("a smaller d, or a larger delta: the shares of delta cannot be drawn", _has_shares)


@stated(
    "KMM+23",
    "Kaplan, Mansour, Moran, Nissim, Stemmer 2023, at failure probability 1 / T",
    "upper",
    "(d ln(1 / delta) ln(T^2) / epsilon)^2",
    who="their predictor, also on adaptive streams",
    where=_CLASS,
    constants="the constant and logarithmic factors are open, and taken as 1",
    requires=(DELTA,),
)
def kmm23(s: Setting) -> float:
    """A majority of many learners predicts privately, and its mistakes grow with (ln T)^2."""
    return 2 * (ln(s.dimension) + ln(s.log_inverse_delta) + ln(2 * s.log_horizon) - math.log(s.epsilon))


@stated(
    "CLN+24 prediction",
    "Cohen, Lyu, Nelson, Sarlos, Stemmer 2024, Algorithm 3",
    "upper",
    "(ln(1 / delta) / epsilon)^2",
    who="their predictor",
    where="points on any domain",
    requires=(POINTS, DELTA),
)
def cln24_prediction(s: Setting) -> float:
    """Points can be predicted with mistakes that do not grow with T."""
    return 2 * (ln(s.log_inverse_delta) - math.log(s.epsilon))


@stated(
    "Name and shame",
    "Sanyal 2026, Fact 5",
    "upper",
    "d / delta",
    who="NameAndShame, (0, delta)-jointly DP",
    where=_CLASS,
    constants=None,
    requires=(DELTA,),
)
def name_and_shame(s: Setting) -> float:
    """Predicting from a published part delta of the records takes no more than d / delta mistakes on average."""
    return ln(s.dimension) + s.log_inverse_delta


@stated(
    "Theorem 3",
    "Sanyal 2026, Theorems 3 and C",
    "upper",
    "2^(2^(c (d + 1)^2)) (ln(2 / (epsilon delta)) / epsilon)^2",
    who="LittlestonePredictor",
    where=_CLASS,
    constants="c is open, and taken as 1",
    requires=(*_PAPER, _FITS),
)
def theorem_3(s: Setting) -> float:
    """Every Littlestone class can be predicted with mistakes that do not grow with T."""
    return 2.0 ** ((s.dimension + 1) ** 2) * math.log(2) + _logarithms(s)


@stated(
    "Theorem 3, arithmetic",
    "Sanyal 2026, Theorem 3, with delays that add up instead of 9^j D_0 (docs/proofs/prediction.md)",
    "upper",
    "2^(c (d + 1)^2) (ln(2 / (epsilon delta)) / epsilon)^2",
    who="LittlestonePredictor",
    where=_CLASS,
    constants="c is open, and taken as 1",
    requires=_PAPER,
)
def theorem_3_arithmetic(s: Setting) -> float:
    """The same with one exponential less: each delay exceeds the last by a constant."""
    return (s.dimension + 1) ** 2 * math.log(2) + _logarithms(s)


@stated(
    "Theorem 3, numbers",
    "Sanyal 2026, (4) and Section 7.2",
    "upper",
    "K - 1 + D_N + m, D_j = 9^j D_0",
    who="CandidatePredictor",
    where=_CLASS,
    quantity="mistakes, with probability 1 - delta",
    constants="C_0, C_1 and C are open, and taken as 1, which is too small for Lemma 6",
    requires=(*_PAPER, DIMENSION, _DRAWN, _FITS, _SHARES),
)
def theorem_3_constants(s: Setting) -> float:
    """The number that Theorem 3's own constants give, before `Combine`."""
    return _log_of(Constants.paper(s.dimension, s.epsilon, s.delta).bound)


@stated(
    "Theorem 3, arithmetic, numbers",
    "Sanyal 2026, Section 7.1, with delays that add up (docs/proofs/prediction.md)",
    "upper",
    "K - 1 + D_N + m, D_j = j (2 K - 1 + 2 x) + (j - 1) m",
    who="CandidatePredictor",
    where=_CLASS,
    quantity="mistakes, with probability 1 - delta",
    constants="C_0, C_1 and C are open, and taken as 1, which is too small for Lemma 6",
    requires=(*_PAPER, DIMENSION, _DRAWN, _FITS, _SHARES),
)
def theorem_3_arithmetic_constants(s: Setting) -> float:
    """The number that the same constants give when the delays add up."""
    paper = Constants.paper(s.dimension, s.epsilon, s.delta)
    return _log_of(replace(paper, schedule="arithmetic", first_delay=None).bound)


@stated(
    "PointPredictor",
    "docs/proofs/prediction.md, section 1",
    "upper",
    "K_1 - 1 + D_1 + m",
    who="PointPredictor",
    where="points on any domain",
    quantity="mistakes, with probability 1 - delta",
    constants=None,
    requires=(
        POINTS,
        DELTA,
        ("1/1000 <= epsilon <= 100", lambda s: 0.001 <= s.epsilon <= 100),
        ("1e-100 <= delta <= 1/2", lambda s: 1e-100 <= s.delta <= 0.5),
    ),
)
def point_predictor(s: Setting) -> float:
    """What the shipped predictor of points promises."""
    return ln(PointPredictor(s.epsilon, s.delta).mistake_bound)


def _logarithms(s: Setting) -> float:
    """Of (ln(2 / (epsilon delta)) / epsilon)^2."""
    return 2 * (math.log(math.log(2 / s.epsilon) + s.log_inverse_delta) - math.log(s.epsilon))


def _log_of(bound: int | PowerOfTen) -> float:
    return bound.log10 * math.log(10) if isinstance(bound, PowerOfTen) else math.log(bound)


#: In the order of their years.
ALL = (
    kmm23,
    cln24_prediction,
    name_and_shame,
    theorem_3,
    theorem_3_arithmetic,
    theorem_3_constants,
    theorem_3_arithmetic_constants,
    point_predictor,
)
