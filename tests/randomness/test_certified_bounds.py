"""Would catch: a bound on the wrong side, a bound that stays wide, an argument reduction that loses digits."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scripted_bits import decimal_exp

from reticent.randomness.bounds import exponential_bounds, fraction_bounds, tail_bounds

arguments = st.one_of(
    st.fractions(min_value=0, max_value=60, max_denominator=10**9),
    st.builds(Fraction, st.integers(0, 2**70), st.integers(1, 2**70)),
    st.builds(lambda k: Fraction(1, 1 << k), st.integers(0, 400)),
)


@given(arguments, st.integers(1, 300))
def test_bounds_enclose_the_exponential_within_two_units(x, bits):
    lower, upper = exponential_bounds(x, bits)
    exact = decimal_exp(x) * 2**bits
    assert lower <= exact <= upper
    assert 0 <= upper - lower <= 2


@given(arguments, arguments, st.integers(1, 300))
def test_bounds_enclose_the_tail_within_three_units(x, y, bits):
    lower, upper = tail_bounds(x, y, bits)
    exact = decimal_exp(x) / (1 + decimal_exp(y)) * 2**bits
    assert lower <= exact <= upper
    assert 0 <= upper - lower <= 3


def test_exp_of_zero_is_one():
    assert exponential_bounds(Fraction(0), 64) == (1 << 64, 1 << 64)


@pytest.mark.parametrize("x", [Fraction(64), Fraction(10**30), Fraction(10**6 + 1, 3)])
def test_vanishing_exponentials_are_enclosed_without_long_work(x):
    assert exponential_bounds(x, 64) == (0, 1)


@given(st.fractions(min_value=0, max_value=1), st.integers(1, 200))
def test_bounds_of_a_fraction_are_its_neighbours(p, bits):
    lower, upper = fraction_bounds(p, bits)
    assert Fraction(lower, 1 << bits) <= p <= Fraction(upper, 1 << bits)
    assert upper - lower == (0 if (p * 2**bits).denominator == 1 else 1)
