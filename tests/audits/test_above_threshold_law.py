"""The exact law of a whole AboveThreshold transcript against sums worked out here, in closed form."""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticent.mechanisms import (
    AboveThreshold,
    DworkRothNoise,
    LaplaceNoise,
    OneSidedNoise,
    RunningSumAboveThreshold,
)
from reticent.randomness import Source, enumerate_outcomes

losses = st.lists(st.integers(0, 2), min_size=1, max_size=5)
epsilons = st.sampled_from([Fraction(1, 5), Fraction(1), Fraction(3)])


def first_above(
    losses: Sequence[int], threshold: int, noise: OneSidedNoise | LaplaceNoise, offset: int
) -> dict[int, float]:
    """By enumeration of the shipped code: the law of the number of answers "below" before the first "above"."""

    def run(source: Source) -> int:
        instance = RunningSumAboveThreshold(threshold, noise, source, offset)
        return next((k for k, loss in enumerate(losses) if instance.add(loss)), len(losses))

    return enumerate_outcomes(run, mass=1e-30).probabilities


def one_sided_law(gaps: Sequence[int], scale: Fraction) -> list[float]:
    """The same law for geometric noises, where gap_k is threshold - query_k.

    Let a = exp(-1 / scale). Given rho, nu reaches gap + rho with probability a^max(0, gap + rho). Where all gap + rho
    are at least 0 the product over the answers below is multiplied out, and each term is a geometric series in rho.
    """
    with localcontext() as context:
        context.prec = 60
        a = (Decimal(-scale.denominator) / scale.numerator).exp()
        start = max(0, -min(gaps))
        tails = []
        for k in range(len(gaps) + 1):
            # P(the first k answers are all below)
            total = Decimal(0)
            for rho in range(start):
                total += (1 - a) * a**rho * math.prod(1 - a ** max(0, gap + rho) for gap in gaps[:k])
            for size in range(k + 1):
                for chosen in combinations(gaps[:k], size):
                    term = (1 - a) * a**start * a ** sum(gap + start for gap in chosen)
                    total += (-1) ** size * term / (1 - a ** (1 + size))
            tails.append(total)
        return [float(p - q) for p, q in zip(tails, [*tails[1:], Decimal(0)], strict=True)]


def laplace_law(gaps: Sequence[int], noise: LaplaceNoise) -> list[float]:
    """The same law for Laplace noises: the sum over rho, with sixty digits, as far as the digits matter."""
    with localcontext() as context:
        context.prec = 60

        def power(scale: Fraction) -> Decimal:
            return (Decimal(-scale.denominator) / scale.numerator).exp()

        a, b = power(noise.threshold_scale), power(noise.query_scale)

        def reaches(gap: int) -> Decimal:
            return b**gap / (1 + b) if gap > 0 else 1 - b ** (1 - gap) / (1 + b)

        far = math.ceil(45 * noise.threshold_scale)
        law = [Decimal(0)] * (len(gaps) + 1)
        for rho in range(-far, far + 1):
            below = (1 - a) / (1 + a) * a ** abs(rho)
            for k, gap in enumerate(gaps):
                law[k] += below * reaches(gap + rho)
                below *= 1 - reaches(gap + rho)
            law[-1] += below
        return [float(p) for p in law]


def gaps_of(losses: Sequence[int], threshold: int, offset: int) -> list[int]:
    return [threshold - sum(losses[: k + 1]) + (k + 1) * offset for k in range(len(losses))]


@given(losses, st.integers(-4, 8), epsilons, st.integers(-1, 2))
def test_geometric_noises_give_the_law_in_closed_form(
    losses: list[int], threshold: int, epsilon: Fraction, offset: int
) -> None:
    """Catches a comparison that is off by one, a scale without its units, and an offset of the wrong sign."""
    found = first_above(losses, threshold, OneSidedNoise(epsilon, 1, 2), offset)
    for k, probability in enumerate(one_sided_law(gaps_of(losses, threshold, offset), 2 / epsilon)):
        assert found.get(k, 0.0) == pytest.approx(probability, rel=1e-11, abs=1e-25)


@given(losses, st.integers(-4, 8), epsilons, st.integers(-1, 2), st.sampled_from([LaplaceNoise, DworkRothNoise]))
def test_laplace_noises_give_the_law_of_the_plain_sum(
    losses: list[int], threshold: int, epsilon: Fraction, offset: int, kind: type[LaplaceNoise]
) -> None:
    """The same for the discrete Laplace noises, small and textbook."""
    noise = kind(epsilon, 1, 2)
    found = first_above(losses, threshold, noise, offset)
    for k, probability in enumerate(laplace_law(gaps_of(losses, threshold, offset), noise)):
        assert found.get(k, 0.0) == pytest.approx(probability, rel=1e-11, abs=1e-18)


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=4), st.integers(-2, 3))
def test_arbitrary_queries_give_the_law_of_the_plain_sum(queries: list[int], threshold: int) -> None:
    """The same for AboveThreshold, whose queries go up and down."""
    noise = DworkRothNoise(Fraction(1), 1, 1)

    def run(source: Source) -> int:
        instance = AboveThreshold(threshold, noise, source)
        return next((k for k, query in enumerate(queries) if instance.is_above(query)), len(queries))

    found = enumerate_outcomes(run, mass=1e-30).probabilities
    for k, probability in enumerate(laplace_law([threshold - query for query in queries], noise)):
        assert found.get(k, 0.0) == pytest.approx(probability, rel=1e-11, abs=1e-18)
