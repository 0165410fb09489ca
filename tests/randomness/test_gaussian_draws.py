"""Discrete Gaussian draws: would catch a staircase below the curve, a rounded tie, a side or a strip that is lost."""

import math
from fractions import Fraction
from itertools import chain, pairwise

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scripted_bits import ONE, ScriptedSource, decimal_exp

from reticent.errors import ParameterError
from reticent.randomness import EnumeratedSource, SeededSource, enumerate_outcomes, gaussians
from reticent.randomness.gaussians import gaussian_table
from reticent.randomness.lazy import LazyInteger

#: Strips of one integer and of many; sigma just below and above a power of two.
VARIANCES = [Fraction(1, 50), Fraction(1), Fraction(7, 3), Fraction(63), Fraction(4096), Fraction(2**20 * 10, 3) ** 2]
LARGEST = Fraction(2**104)
DROPPED = ONE - 1


def curve(value, variance):
    return decimal_exp(value * value / (2 * variance))


def point(variance, strip, place, negative, height):
    """The words of a point: in the middle of its strip's words."""
    table = gaussian_table(variance)
    low = table._limits[strip - 1] if strip else 0
    return [(low + table._limits[strip]) // 2, (place << 64 - table._shift) + negative, height]


def dropped():
    return [DROPPED, 0, 0]


@pytest.mark.parametrize("variance", [*VARIANCES, LARGEST])
def test_the_staircase_is_nowhere_below_the_curve_and_fits_into_a_word(variance):
    table = gaussian_table(variance)
    width = 1 << table._shift
    for strip in (*range(20), 100, 254, 255):
        assert table._heights[strip] >= table._total * curve(strip * width, variance)
    assert table._limits[-1] <= ONE
    assert table._limits[-1] >= ONE - 2 * 256 - 4, "too many words are dropped"
    assert all(a < b for a, b in pairwise(table._limits))
    # The tail is halved from strip to strip, and the curve falls faster, from less than half a word on.
    assert 2 * table._total * curve(256 * width, variance) < 1
    assert (257**2 - 256**2) * width**2 / (2 * variance) > 1


@pytest.mark.parametrize("variance", VARIANCES[1:])
@pytest.mark.parametrize("negative", [0, 1])
def test_a_point_is_kept_below_the_curve_and_dropped_above(variance, negative):
    table = gaussian_table(variance)
    for strip in (0, 1, 5, 11):
        place = (1 << table._shift) * 2 // 3
        magnitude = (strip << table._shift) + place
        value = -1 - magnitude if negative else magnitude
        kept = table._total * curve(value, variance) / table._heights[strip]
        height, rest = divmod(math.floor(kept * ONE**2), ONE)
        if not 4 < height < ONE - 4:
            continue
        other = point(variance, 0, 0, 0, 0)
        for offset, refinements, expected in (
            (-3, [], value),
            (3, [], 0),
            (0, [rest - 4], value),
            (0, [rest + 4], 0),
        ):
            if refinements and not 0 <= refinements[0] < ONE:
                continue
            words = point(variance, strip, place, negative, height + offset)
            source = ScriptedSource([*words, *other], refinements)
            assert source.discrete_gaussian(variance) == expected
            assert source.script.refinements == [], "a tie was not refined"


def test_what_is_dropped_is_drawn_again_from_refinements():
    variance = Fraction(4096)
    again = point(variance, 3, 1, 1, 0)
    source = ScriptedSource([*dropped(), *dropped()], [*dropped(), *again])
    assert source.discrete_gaussian(variance) == -1 - ((3 << gaussian_table(variance)._shift) + 1)
    assert source.script.refinements == []


def test_the_tail_is_reached():
    variance = Fraction(1)
    table = gaussian_table(variance)
    tail = table._limits[-2]  # the one word of the tail
    # Two strips beyond; the height must be 0 to about two hundred bits per step.
    source = ScriptedSource([tail, 0, 0, *dropped()], [1, 1, 0, *[0] * 11])
    # The first zero bit ends the halvings: strip 258, of height 0 to 64, 128, 256, .. digits: far below the curve.
    value = source.discrete_gaussian(variance)
    assert value == 258
    refused = ScriptedSource([tail, 0, 1, *point(variance, 0, 0, 0, 0)], [0])
    assert refused.discrete_gaussian(variance) == 0


@given(
    variance=st.sampled_from(VARIANCES),
    size=st.integers(0, 40),
    cuts=st.lists(st.integers(0, 40), max_size=4),
    seed=st.integers(0, 2**32),
)
@settings(max_examples=40)
def test_blocks_and_single_draws_are_the_same_sequence(variance, size, cuts, seed):
    alone, blocks = SeededSource(seed), SeededSource(seed)
    expected = [alone.discrete_gaussian(variance) for _ in range(size)]
    ends = sorted({0, size, *(min(cut, size) for cut in cuts)})
    assert list(chain(*(blocks.discrete_gaussians(variance, b - a).tolist() for a, b in pairwise(ends)))) == expected
    assert alone.uniform_index(10**9) == blocks.uniform_index(10**9)


def test_floats_and_exact_arithmetic_decide_alike(monkeypatch):
    variance = Fraction(2**20 * 10, 3) ** 2
    expected = SeededSource(3).discrete_gaussians(variance, 2_000)
    undecided = gaussian_table(variance)

    def never_sure(words):
        values, _, _ = gaussians.GaussianTable._decide(undecided, words)
        return values, np.zeros(len(words), bool), np.zeros(len(words), bool)

    class Undecided(gaussians.GaussianTable):
        def _decide(self, words):
            return never_sure(words)

    bits = SeededSource(3)._bits
    assert Undecided(variance).draws(2_000, bits).tolist() == expected.tolist()


def gaussian_sf(gaps, variance):
    sigma = math.sqrt(variance)
    if sigma > 100:  # the discrete law is the rounded continuous one, to less than exp(-2 pi**2 sigma**2)
        return stats.norm.sf((gaps - 0.5) / sigma)
    values = np.arange(-40 - 40 * math.ceil(sigma), 41 + 40 * math.ceil(sigma))
    weights = np.exp(-(values**2) / (2 * float(variance)))
    tails = np.append(weights[::-1].cumsum()[::-1], 0.0) / weights.sum()
    return tails[np.clip(gaps - values[0], 0, len(values))]


@pytest.mark.parametrize("variance", [*VARIANCES[2:], LARGEST])
def test_draws_follow_the_exact_law(variance):
    draws = SeededSource(2).discrete_gaussians(variance, 400_000 if variance > 50 else 40_000)
    sigma = math.sqrt(variance)
    edges = np.unique(np.round(sigma * np.linspace(-3, 3, 150)).astype(np.int64))
    tails = np.concatenate([[1.0], gaussian_sf(edges, variance), [0.0]])
    observed = np.bincount(np.searchsorted(edges, draws, side="right"), minlength=len(edges) + 1)
    assert stats.chisquare(observed, len(draws) * -np.diff(tails)).pvalue > 1e-5  # seeded: it passes for good


def test_sides_low_digits_and_magnitudes_are_independent():
    variance = Fraction(2**20 * 10, 3) ** 2
    draws = SeededSource(5).discrete_gaussians(variance, 500_000)
    magnitude = np.abs(draws)
    quarter = np.searchsorted(math.sqrt(variance) * stats.norm.isf([0.375, 0.25, 0.125]), magnitude)
    table = np.zeros((2, 16, 4))
    np.add.at(table, ((draws < 0).astype(int), magnitude & 15, quarter), 1)
    assert stats.chi2_contingency(table.reshape(2, 64)).pvalue > 1e-5
    assert stats.chi2_contingency(table.transpose(1, 0, 2).reshape(16, 8)).pvalue > 1e-5


@pytest.mark.parametrize("sigma", [2.5, 1000.0])
def test_draws_agree_with_those_of_opendp(sigma):
    dp = pytest.importorskip("opendp.prelude")
    dp.enable_features("contrib")
    n = 20_000
    space = dp.vector_domain(dp.atom_domain(T=int)), dp.l2_distance(T=float)
    theirs = np.array(dp.m.make_gaussian(*space, scale=sigma)([0] * n))
    ours = SeededSource(6).discrete_gaussians(Fraction(sigma) ** 2, 5 * n)
    edges = np.unique(np.quantile(ours, np.linspace(0.02, 0.98, 30)).astype(np.int64))
    counts = [np.bincount(np.searchsorted(edges, d, side="right"), minlength=len(edges) + 1) for d in (ours, theirs)]
    # OpenDP cannot be seeded: the limit is one that a right sampler passes for longer than the tests will be run.
    assert stats.chi2_contingency(np.array(counts)).pvalue > 1e-12


@pytest.mark.parametrize("mass", [1e-3, 1e-15, 1e-40])
@pytest.mark.parametrize("variance", [Fraction(1, 50), Fraction(7, 3), Fraction(63)])
def test_the_enumerated_law_leaves_out_what_it_says_and_no_more_than_asked(variance, mass):
    found = enumerate_outcomes(lambda source: int(source.discrete_gaussian(variance)), mass=mass)
    v = mpmath.mpf(variance.numerator) / variance.denominator
    total = mpmath.nsum(lambda z: mpmath.exp(-z * z / (2 * v)), [-mpmath.inf, mpmath.inf])
    reach = max(found.probabilities)
    assert min(found.probabilities) == -reach
    for z in (0, reach // 2, reach, -reach):
        assert found.probabilities[z] == pytest.approx(float(mpmath.exp(-z * z / (2 * v)) / total), rel=1e-12)
    outside = 2 * mpmath.nsum(lambda z: mpmath.exp(-z * z / (2 * v)), [reach + 1, mpmath.inf]) / total
    assert found.truncated == pytest.approx(float(outside), rel=1e-9)
    assert found.truncated <= mass


def test_enumerated_draws_are_lazy_one_by_one_and_looked_at_in_blocks():
    draw = EnumeratedSource().discrete_gaussian(Fraction(1))
    assert isinstance(draw, LazyInteger)
    found = enumerate_outcomes(lambda s: tuple(s.discrete_gaussians(Fraction(1), 2).tolist()), mass=1e-2)
    assert found.probabilities[1, -2] == pytest.approx(found.probabilities[-1, 0] * math.exp(-2), rel=1e-12)


def test_variances_whose_draws_might_not_fit_are_refused():
    with pytest.raises(ParameterError, match="variance"):
        ScriptedSource([]).discrete_gaussians(LARGEST + 1, 3)
