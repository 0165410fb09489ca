"""Mistakes of online learners, which release a hypothesis each round."""

from __future__ import annotations

import math

from reticent.adversaries.information import LARGEST_EPSILON, largest_insertion
from reticent.bounds.bound import Condition, Setting, stated
from reticent.bounds.conditions import AT_MOST_ONE, DELTA, DIMENSION, POINTS, QUARTER, ln, log_sum

__all__ = [
    "ALL",
    "cln24_lower",
    "dss24_lower",
    "dss24_upper",
    "gl21",
    "lemma_5",
    "lit88",
    "lwy24_lower",
    "lwy24_upper",
    "lwy25",
    "lyu26",
    "theorem_1",
    "theorem_1_explicit",
    "theorem_2",
    "theorem_b",
]

_POINTS = "three points"
_EVERY = "every (epsilon, delta)-DP learner"
_CLASS = "classes of dimension d"
_SLACK = 1e-12

_SQUARE: Condition = (
    "delta <= epsilon^2",
    lambda s: s.log_inverse_delta >= -2 * math.log(s.epsilon) - _SLACK,
)
_TWO: Condition = ("d >= 2", lambda s: s.dimension >= 2)
_NOT_LARGE: Condition = ("delta <= 1 / ln T", lambda s: s.log_inverse_delta >= ln(s.log_horizon) - _SLACK)
_FITS: Condition = ("d <= 1000, or not even the logarithm fits a double", lambda s: s.dimension <= 1000)


@stated(
    "Lit88",
    "Littlestone 1988",
    "upper",
    "d",
    who="the standard optimal algorithm, not private",
    where=_CLASS,
    constants=None,
)
def lit88(s: Setting) -> float:
    """Without privacy d mistakes are enough, and no deterministic learner does with fewer."""
    return ln(s.dimension)


@stated(
    "DSS24 lower",
    "Dmitriev, Szabo, Sanyal 2024, Theorem 1",
    "lower",
    "ln T",
    who="concentrated learners",
    where=_POINTS,
    requires=(POINTS, _NOT_LARGE),
)
def dss24_lower(s: Setting) -> float:
    """A learner whose hypotheses on a dull stream hardly vary makes more mistakes the longer the stream is."""
    return ln(s.log_horizon)


@stated(
    "DSS24 upper",
    "Dmitriev, Szabo, Sanyal 2024, after Theorem 1",
    "upper",
    "d / delta",
    who="name and shame, (0, delta)-DP",
    where=_CLASS,
    constants=None,
    requires=(DELTA,),
)
def dss24_upper(s: Setting) -> float:
    """Learning from a published part delta of the records takes no more than d / delta mistakes on average."""
    return ln(s.dimension) + s.log_inverse_delta


@stated(
    "CLN+24 lower",
    "Cohen, Lyu, Nelson, Sarlos, Stemmer 2024",
    "lower",
    "ln T",
    who=_EVERY,
    where="points 0..T",
    requires=(POINTS, _NOT_LARGE),
)
def cln24_lower(s: Setting) -> float:
    """With as many points as rounds no private learner escapes ln T."""
    return ln(s.log_horizon)


@stated(
    "LWY24 lower",
    "Li, Wang, Ye 2024, on the first min(T, epsilon / delta) rounds",
    "lower",
    "d ln(min(T, epsilon / delta))",
    who=_EVERY,
    where=_CLASS,
    requires=(DIMENSION,),
)
def lwy24_lower(s: Setting) -> float:
    """No private learner of two hypotheses that agree somewhere escapes ln T, if delta is at most epsilon / T."""
    # The theorem has delta <= epsilon / T. For a larger delta it is used for so few rounds, and the rest is dummies.
    rounds = max(min(s.log_horizon, math.log(s.epsilon) + s.log_inverse_delta), 0.0)
    return ln(s.dimension * rounds)


@stated(
    "LWY24 upper",
    "Li, Wang, Ye 2024",
    "upper",
    "ln T",
    who="AboveThreshold, then a selection",
    where=_POINTS,
    constants="the constant factor, which grows with 1 / epsilon, is open, and taken as 1",
    requires=(POINTS,),
)
def lwy24_upper(s: Setting) -> float:
    """A guard on the mistakes and one private selection learn points, with delta = 0."""
    return ln(s.log_horizon)


@stated(
    "GL21",
    "Golowich, Livni 2021",
    "upper",
    "2^(8 * 2^d) ln(T / delta) / epsilon",
    who="their learner",
    where=_CLASS,
    constants="the constant and logarithmic factors are open, and taken as 1",
    requires=(DELTA, _FITS),
)
def gl21(s: Setting) -> float:
    """Every Littlestone class has a private learner whose mistakes grow with ln T only."""
    return 8 * 2.0**s.dimension * math.log(2) + ln(s.log_horizon + s.log_inverse_delta) - math.log(s.epsilon)


@stated(
    "LWY25",
    "Li, Wang, Ye 2025",
    "upper",
    "2^(2^(c d)) (ln T + ln(1 / delta)) / epsilon",
    who="their learner, also on adaptive streams",
    where=_CLASS,
    constants="the constant factor and c are open, and taken as 1",
    requires=(DELTA, _FITS),
)
def lwy25(s: Setting) -> float:
    """The same on adaptive streams."""
    return 2.0**s.dimension * math.log(2) + ln(s.log_horizon + s.log_inverse_delta) - math.log(s.epsilon)


@stated(
    "Lyu26",
    "Lyu 2026",
    "upper",
    "d^9.5 ln T ln(1 / delta) / epsilon",
    who="his learner",
    where=_CLASS,
    constants="the constant and logarithmic factors are open, and taken as 1",
    requires=(DELTA,),
)
def lyu26(s: Setting) -> float:
    """A private learner whose mistakes are polynomial in d."""
    return 9.5 * ln(s.dimension) + ln(s.log_horizon) + ln(s.log_inverse_delta) - math.log(s.epsilon)


@stated(
    "Theorem 1",
    "Sanyal 2026, Theorems 1 and A",
    "lower",
    "min((ln(2 T))^(2/3), 1 / delta)",
    who=_EVERY,
    where=_POINTS,
    requires=(POINTS, ("epsilon <= 1/100", lambda s: s.epsilon <= 0.01), QUARTER),
)
def theorem_1(s: Setting) -> float:
    """No private learner of three points escapes (ln T)^(2/3), unless delta is larger than the inverse of that."""
    return min(2 / 3 * math.log(s.log_horizon + math.log(2)), s.log_inverse_delta)


@stated(
    "Theorem 1, explicit",
    "Sanyal 2026, proof of Theorem 1",
    "lower",
    "L p / 12, L = floor(log_3 T), p <= 1 the largest with information_bound(L, p, epsilon, delta) <= 1/4",
    who=_EVERY,
    where=_POINTS,
    constants=None,
    requires=(POINTS, ("epsilon <= ln(9/8)", lambda s: s.epsilon <= LARGEST_EPSILON), QUARTER),
)
def theorem_1_explicit(s: Setting) -> float:
    """The number of mistakes that the proof of Theorem 1 forces with its own constants."""
    stages = math.floor(s.log_horizon / math.log(3) * (1 + _SLACK))
    if stages == 0:
        return -math.log(2)  # one informative example in the first round
    return ln(stages / 12 * float(largest_insertion(stages, s.epsilon, s.delta)))


@stated(
    "Lemma 5",
    "Sanyal 2026, Lemma 5",
    "lower",
    "min(T, (ln(2 + epsilon T))^(2/3) / epsilon, 1 / delta)",
    who=_EVERY,
    where="two points, one of them with label 0",
    requires=(AT_MOST_ONE, _SQUARE, QUARTER),
)
def lemma_5(s: Setting) -> float:
    """What a phase at one node of a shattered tree forces, at any epsilon up to 1."""
    return _phases(s, 1)


@stated(
    "Theorem 2",
    "Sanyal 2026, Theorem 2",
    "lower",
    "min(T, (d / epsilon) (ln(2 + epsilon T / d))^(2/3), d / delta)",
    who=_EVERY,
    where=_CLASS,
    requires=(_TWO, AT_MOST_ONE, _SQUARE, QUARTER),
)
def theorem_2(s: Setting) -> float:
    """A phase at each node of a path: the mistakes grow with d."""
    return _phases(s, s.dimension)


@stated(
    "Theorem B",
    "Sanyal 2026, Theorem B",
    "lower",
    "min((d / epsilon) (ln T)^(2/3), d / delta)",
    who=_EVERY,
    where=_CLASS,
    requires=(
        _TWO,
        AT_MOST_ONE,
        _SQUARE,
        QUARTER,
        ("T >= (d / epsilon)^2", lambda s: s.log_horizon >= 2 * math.log(s.dimension / s.epsilon)),
    ),
)
def theorem_b(s: Setting) -> float:
    """Theorem 2 on streams that are long enough."""
    return ln(s.dimension) + min(2 / 3 * ln(s.log_horizon) - math.log(s.epsilon), s.log_inverse_delta)


def _phases(s: Setting, d: int) -> float:
    rounds = log_sum(math.log(2), math.log(s.epsilon) + s.log_horizon - math.log(d))  # ln(2 + epsilon T / d)
    of_privacy = math.log(d / s.epsilon) + 2 / 3 * math.log(rounds)
    return min(s.log_horizon, of_privacy, math.log(d) + s.log_inverse_delta)


#: In the order of their years.
ALL = (
    lit88,
    gl21,
    dss24_lower,
    dss24_upper,
    cln24_lower,
    lwy24_lower,
    lwy24_upper,
    lwy25,
    lyu26,
    theorem_1,
    theorem_1_explicit,
    lemma_5,
    theorem_2,
    theorem_b,
)
