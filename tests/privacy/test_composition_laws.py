"""Laws of composition that must hold for all parameters."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reticent.errors import ParameterError
from reticent.privacy import (
    adaptive_optimum,
    basic_composition,
    compose,
    compose_sequence,
    optimal_composition,
    renyi_composition,
    zcdp_epsilon,
)

# The value iteration is exact to about 0.1 %, and its grid depends on the parameters.
GRID = 1 + 5e-3

counts = st.integers(1, 60)
ranges = st.floats(1e-4, 4.0)
deltas = st.sampled_from([0.3, 1e-2, 1e-6, 1e-12])
few = settings(max_examples=40, deadline=None)


@given(counts, ranges, deltas, st.integers(1, 20))
@few
def test_more_draws_never_cost_less(count, r, delta, more):
    assert compose(count, r, delta) <= compose(count + more, r, delta) * GRID


@given(counts, ranges, deltas, st.floats(1.0, 2.0))
@few
def test_sharper_draws_never_cost_less(count, r, delta, factor):
    assert compose(count, r, delta) <= compose(count, r * factor, delta) * GRID


@given(counts, ranges)
@few
def test_a_larger_delta_never_costs_more(count, r):
    costs = [compose(count, r, delta) for delta in (0.0, 1e-12, 1e-6, 1e-2, 0.3)]
    assert all(later <= earlier * GRID for earlier, later in itertools.pairwise(costs))


@given(counts, ranges, deltas)
@few
def test_the_optimum_is_the_least_and_every_method_bounds_it(count, r, delta):
    optimum = adaptive_optimum([r] * count, delta)
    for other in (
        basic_composition(count, r),
        optimal_composition(count, r, delta),
        renyi_composition(count, r, delta),
        zcdp_epsilon(count * r * r / 8, delta),
    ):
        assert optimum <= other * GRID


@given(counts, ranges, deltas)
@few
def test_renyi_accounting_is_never_looser_than_its_zcdp_bound(count, r, delta):
    assert renyi_composition(count, r, delta) <= zcdp_epsilon(count * r * r / 8, delta) * (1 + 1e-5) + 1e-12


@given(st.lists(st.floats(0.01, 1.0), min_size=2, max_size=12), deltas, st.data())
@few
def test_leaving_a_draw_out_or_shrinking_it_never_costs_more(sequence, delta, data):
    which = data.draw(st.integers(0, len(sequence) - 1))
    whole = compose_sequence(sequence, delta) * GRID
    assert compose_sequence(sequence[:which] + sequence[which + 1 :], delta) <= whole
    assert compose_sequence([*sequence[:which], sequence[which] / 2, *sequence[which + 1 :]], delta) <= whole


@given(counts, ranges, deltas)
@few
def test_equal_draws_cost_the_same_as_a_sequence(count, r, delta):
    assert compose(count, r, delta) <= compose_sequence([r] * count, delta) * (1 + 1e-12)


@given(st.integers(0, 10**6), st.floats(1e-6, 10.0))
def test_basic_composition_is_never_below_the_exact_product(count, r):
    assert Fraction(basic_composition(count, r)) >= count * Fraction(r)


def test_planted_a_product_of_doubles_is_below_the_exact_one_somewhere():
    # So that the law above could fail: without rounding up, it does.
    assert any(Fraction(count * r) < count * Fraction(r) for count in range(2, 50) for r in (0.1, 0.7, 1.3))


@given(st.fractions(Fraction(1, 10**6), 3, max_denominator=10**9))
def test_a_fraction_is_accounted_as_a_double_that_is_not_smaller(r):
    double = float(r) if Fraction(float(r)) >= r else math.nextafter(float(r), math.inf)
    assert compose(5, r, 1e-6) == compose(5, double, 1e-6)


@pytest.mark.parametrize(
    ("call", "names"),
    [
        (lambda: compose(-1, 0.1, 0.0), "count"),
        (lambda: compose(1.5, 0.1, 0.0), "count"),
        (lambda: compose(True, 0.1, 0.0), "count"),
        (lambda: compose(1, -0.1, 0.0), "draw_range"),
        (lambda: compose(1, math.nan, 0.0), "draw_range"),
        (lambda: compose(1, math.inf, 0.0), "draw_range"),
        (lambda: compose(1, "0.1", 0.0), "draw_range"),
        (lambda: compose(1, 0.1, 1.0), "delta"),
        (lambda: compose(1, 0.1, -1e-9), "delta"),
        (lambda: compose(1, 0.1, math.nan), "delta"),
        (lambda: compose_sequence([0.1, -0.1], 1e-6), "range"),
        (lambda: compose_sequence([0.1], 1e-6, -1.0), "tail_rho"),
        (lambda: compose_sequence([0.1], 0.0, 1.0), "tail_rho"),
    ],
)
def test_a_bad_parameter_is_named_in_one_sentence(call, names):
    with pytest.raises(ParameterError, match=names) as error:
        call()
    assert str(error.value).endswith(".")
