"""Confidence bounds against scipy's, and the direction in which they are rounded."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta, binom

from reticent.audit.clopper_pearson import lower_bound, tail, upper_bound

alphas = st.floats(1e-9, 0.5)


@st.composite
def counts(draw: st.DrawFn) -> tuple[int, int]:
    trials = draw(st.integers(1, 100_000))
    return draw(st.integers(0, trials)), trials


@given(counts(), alphas)
def test_the_bounds_are_those_of_the_beta_quantiles(count: tuple[int, int], alpha: float) -> None:
    """Catches another interval (Wilson's, one-sided where two are meant), and a search that ends early."""
    k, n = count
    low = beta.ppf(alpha, k, n - k + 1) if k else 0.0
    high = beta.isf(alpha, k + 1, n - k) if k < n else 1.0
    assert lower_bound(k, n, alpha) == pytest.approx(low, rel=1e-8)
    assert 1 - upper_bound(k, n, alpha) == pytest.approx(1 - high, rel=1e-8, abs=1e-15)


@given(st.integers(1, 40), st.data(), alphas)
def test_a_lower_bound_is_never_above_the_exact_one(n: int, data: st.DataObject, alpha: float) -> None:
    """Catches a bound that is rounded in favour of a violation: the tail at it is worked out in fractions."""
    k = data.draw(st.integers(1, n))
    p = Fraction(lower_bound(k, n, alpha))
    assert sum(math.comb(n, j) * p**j * (1 - p) ** (n - j) for j in range(k, n + 1)) <= Fraction(alpha)


def test_the_tail_is_that_of_the_binomial_law() -> None:
    """Catches a sum that breaks off, also for a million trials."""
    chance = np.random.default_rng(1)
    for _ in range(200):
        n = int(10 ** chance.uniform(0, 6))
        k = int(chance.integers(1, n + 1))
        p = k / n * chance.uniform(0.9, 1)
        assert tail(k, n, p) == pytest.approx(binom.sf(k - 1, n, p), rel=1e-6, abs=1e-290)


def test_nothing_seen_and_everything_seen() -> None:
    """Catches the ends: no event in n runs leaves about ln(1 / alpha) / n."""
    assert lower_bound(0, 10, 0.01) == 0.0
    assert upper_bound(10, 10, 0.01) == 1.0
    assert upper_bound(0, 1000, 0.01) == pytest.approx(1 - 0.01**0.001)
    assert lower_bound(1000, 1000, 0.01) == pytest.approx(0.01**0.001)
