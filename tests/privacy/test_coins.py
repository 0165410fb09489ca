"""The delta of independent coins: certified, tight, and right where a coin is certain."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom

from reticent.errors import ParameterError
from reticent.privacy import coins_delta, renyi_coins_delta

chances = st.integers(0, 64).map(lambda k: k / 64)


def exact_delta(p, q, epsilon):
    """By enumeration of all outcomes, in fractions."""
    total, scale = Fraction(0), Fraction(math.exp(epsilon))
    for outcome in itertools.product((0, 1), repeat=len(p)):
        one = math.prod(Fraction(x) if side else 1 - Fraction(x) for side, x in zip(outcome, p, strict=True))
        other = math.prod(Fraction(x) if side else 1 - Fraction(x) for side, x in zip(outcome, q, strict=True))
        total += max(one - scale * other, Fraction(0))
    return float(total)


@given(st.lists(st.tuples(chances, chances), min_size=1, max_size=7), st.sampled_from([0.05, 0.3, 1.0, 3.0]))
@settings(max_examples=150, deadline=None)
def test_both_accounts_bound_the_exact_delta_from_above(coins, epsilon):
    """Catches a loss rounded down, mass that is lost off the grid, and coins that are certain under one law."""
    p, q = (np.array(side) for side in zip(*coins, strict=True))
    exact = exact_delta(p, q, epsilon)
    assert exact <= coins_delta(p, 1 - p, q, 1 - q, epsilon) * (1 + 1e-12)
    assert exact <= renyi_coins_delta(p, 1 - p, q, 1 - q, epsilon) * (1 + 1e-12)


@pytest.mark.parametrize("count", [1, 30, 1000])
@pytest.mark.parametrize("epsilon", [0.2, 1.0])
def test_the_convolution_is_tight_for_equal_coins(count, epsilon):
    """Catches a grid that is too coarse: against the binomial law."""
    p, q = 0.5 + 0.3 / math.sqrt(count), 0.5
    heads = np.arange(count + 1)
    losses = heads * math.log(p / q) + (count - heads) * math.log((1 - p) / (1 - q))
    exact = float((binom.pmf(heads, count, p) * np.maximum(0, -np.expm1(epsilon - losses))).sum())
    ones = np.ones(count)
    found = coins_delta(p * ones, (1 - p) * ones, q * ones, (1 - q) * ones, epsilon)
    assert exact <= found <= 1.02 * exact + 1e-12
    loose = renyi_coins_delta(p * ones, (1 - p) * ones, q * ones, (1 - q) * ones, epsilon)
    assert exact <= loose
    assert count == 1 or loose <= 8 * exact


def test_a_delta_far_below_the_rounding_of_one_is_still_resolved():
    """Catches sums that lose small probabilities beside large ones."""
    count = 400
    p, q = 0.505, 0.495
    heads = np.arange(count + 1)
    losses = heads * math.log(p / q) + (count - heads) * math.log((1 - p) / (1 - q))
    ones = np.ones(count)
    for epsilon in (1.0, 3.0):
        exact = float((binom.pmf(heads, count, p) * np.maximum(0, -np.expm1(epsilon - losses))).sum())
        assert exact <= coins_delta(p * ones, q * ones, q * ones, p * ones, epsilon) <= 1.1 * exact
    assert exact < 1e-14


def test_a_rare_outcome_of_large_loss_is_not_lost_beyond_the_grid():
    """Catches mass above the highest point that is forgotten: there the loss is many standard deviations."""
    p, q = np.array([1e-3, 0.5]), np.array([1e-9, 0.5])
    assert 1e-3 - 2e-9 < coins_delta(p, 1 - p, q, 1 - q, 0.3) < 1.01e-3


def test_equal_coins_tell_nothing():
    half = np.full(5, 0.5)
    assert coins_delta(half, half, half, half, 0.1) < 1e-200


def test_coins_of_different_numbers_are_refused():
    with pytest.raises(ParameterError, match="four arrays of one length"):
        coins_delta(np.ones(2), np.zeros(2), np.ones(3), np.zeros(3), 1.0)
