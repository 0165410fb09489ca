"""What amplification by subsampling computes, against exact arithmetic."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticent.errors import ParameterError
from reticent.privacy import amplify


@given(
    st.floats(1e-9, 690.0),
    st.fractions(Fraction(1, 10**12), 1, max_denominator=10**13),
    st.integers(1, 70),
    st.just(0.0) | st.floats(1e-200, 0.9),
)
def test_both_numbers_are_rounded_up_and_hardly(epsilon: float, q: Fraction, m: int, delta: float) -> None:
    """Catches a rounding for the attacker, cancellation for small numbers, and a formula that gives much away."""
    amplified, amplified_delta = amplify(epsilon, delta, q, m)
    p = 1 - (1 - q) ** m if m <= 64 else min(Fraction(1), m * q)
    growth = Fraction(math.expm1(epsilon))  # to a relative 2^-52
    exact = math.log1p(float(p * growth))
    assert exact * (1 - 1e-15) <= amplified <= min(epsilon, exact * (1 + 2**-40)) * (1 + 1e-15)
    assert p * Fraction(delta) <= Fraction(amplified_delta) <= p * Fraction(delta) * (1 + Fraction(1, 2**50))


@pytest.mark.parametrize("epsilon", [699.0, 700.0, 701.0, 1e5, 1e6])
@pytest.mark.parametrize("q", [Fraction(1), Fraction(1, 3), Fraction(1, 10**9)])
def test_a_huge_epsilon_loses_ln_q(epsilon: float, q: Fraction) -> None:
    """Catches an overflow of e^epsilon."""
    assert amplify(epsilon, 0.0, q)[0] == pytest.approx(epsilon + math.log(q), rel=1e-12)
    assert amplify(epsilon, 0.0, q)[0] >= epsilon + math.log(q)


def test_the_promise_never_gets_worse_and_grows_with_q_and_rounds() -> None:
    """Catches a wrong side of the minimum, and a person whose second round costs nothing."""
    assert amplify(0.7, 0.01, Fraction(1), 5) == (0.7, 0.01)
    prices = [amplify(1.0, 0.1, q, m) for q in (Fraction(1, 100), Fraction(1, 10)) for m in (1, 2, 64, 65)]
    assert prices[:4] == sorted(prices[:4])
    assert len(set(prices)) == len(prices)
    assert prices[0] < prices[4]
    assert prices[7] == (1.0, 0.1)


@pytest.mark.parametrize("q", [Fraction(0), Fraction(-1), Fraction(3, 2)])
def test_q_is_a_probability(q: Fraction) -> None:
    """Catches a part that is none."""
    with pytest.raises(ParameterError, match="q is"):
        amplify(1.0, 0.0, q)
