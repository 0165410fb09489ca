"""The largest rates that a budget allows: never one that exceeds it."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reticent.errors import ParameterError
from reticent.privacy import calibrate_range, calibrate_sequence, compose, compose_sequence, zcdp_epsilon, zcdp_rho

epsilons = st.floats(1e-3, 10.0)
deltas = st.sampled_from([0.1, 1e-3, 1e-6, 1e-12])


def is_dyadic(x: Fraction) -> bool:
    return x.denominator & (x.denominator - 1) == 0 and x.numerator.bit_length() <= 32


@given(st.integers(1, 60), epsilons, deltas)
@settings(max_examples=40, deadline=None)
def test_a_calibrated_range_fits_the_budget_and_a_slightly_larger_one_does_not(count, epsilon, delta):
    r = calibrate_range(count, epsilon, delta)
    assert is_dyadic(r)
    assert compose(count, r, delta) <= epsilon
    assert compose(count, r * Fraction(1005, 1000), delta) > epsilon * (1 - 1e-3)


@given(st.integers(1, 10**6), st.fractions(Fraction(1, 1000), 10))
def test_a_pure_budget_is_shared_equally(count, epsilon):
    r = calibrate_range(count, epsilon, 0.0)
    assert is_dyadic(r)
    assert count * r <= epsilon < count * r * (1 + Fraction(1, 2**30))


@given(epsilons, deltas)
def test_a_zcdp_cost_fits_the_budget_and_a_slightly_larger_one_does_not(epsilon, delta):
    rho = zcdp_rho(epsilon, delta)
    assert is_dyadic(rho)
    assert zcdp_epsilon(rho, delta) <= epsilon < zcdp_epsilon(rho * Fraction(1001, 1000), delta)


@pytest.mark.parametrize("power", [1.5, 2.0])
@pytest.mark.parametrize("epsilon", [0.3, 0.7, 3.0])
def test_accounting_draw_by_draw_allows_at_least_ten_per_cent_more_than_the_zcdp_sum(power, epsilon):
    delta, listed = 1e-6, 32
    weights = [j**-power for j in range(1, listed + 1)]
    tail = listed ** (1 - power) / (power - 1)
    total = sum(weights) + tail
    rho = calibrate_sequence([w / total for w in weights], tail / total, epsilon, delta)
    assert is_dyadic(rho)
    assert math.sqrt(rho / zcdp_rho(epsilon, delta)) > 1.1
    ranges = [math.sqrt(8 * rho * w / total) for w in weights]
    assert compose_sequence(ranges, delta, float(rho) * tail / total) <= epsilon * (1 + 1e-12)


def test_a_tail_alone_is_accounted_as_zcdp():
    rho = calibrate_sequence([], 1.0, 0.7, 1e-6)
    assert rho == pytest.approx(zcdp_rho(0.7, 1e-6), rel=1e-4)
    assert zcdp_epsilon(rho, 1e-6) <= 0.7


def test_calibration_for_large_counts_needs_no_value_iteration():
    r = calibrate_range(327_345, 1.0, 1e-6)
    assert compose(327_345, r, 1e-6) <= 1.0
    assert float(r) == pytest.approx(math.sqrt(8 * zcdp_rho(1.0, 1e-6) / 327_345), rel=1e-3)


def test_planted_a_range_rounded_up_exceeds_the_budget():
    # What rounding down protects from: the next multiple of the grid is too expensive.
    r = calibrate_range(3, 1, 0.0)
    above = r + Fraction(1, r.denominator)
    assert compose(3, r, 0.0) <= 1 < compose(3, above, 0.0)


@pytest.mark.parametrize(
    ("call", "names"),
    [
        (lambda: calibrate_range(0, 1.0, 1e-6), "count"),
        (lambda: calibrate_range(5, 0.0, 1e-6), "epsilon"),
        (lambda: calibrate_range(5, -1.0, 1e-6), "epsilon"),
        (lambda: calibrate_range(5, math.nan, 1e-6), "epsilon"),
        (lambda: calibrate_range(5, math.inf, 1e-6), "epsilon"),
        (lambda: calibrate_range(5, 1.0, 1.0), "delta"),
        (lambda: zcdp_rho(1.0, 0.0), "delta"),
        (lambda: zcdp_rho(True, 1e-6), "epsilon"),
        (lambda: calibrate_sequence([1.0], 0.0, 1.0, 0.0), "delta"),
        (lambda: calibrate_sequence([1.0, -1.0], 0.0, 1.0, 1e-6), "weight"),
        (lambda: calibrate_sequence([], 0.0, 1.0, 1e-6), "weights"),
    ],
)
def test_a_bad_parameter_is_named_in_one_sentence(call, names):
    with pytest.raises(ParameterError, match=names) as error:
        call()
    assert str(error.value).endswith(".")
