"""Softmin: would catch weights less exact than claimed, a band too narrow, a rounded boundary, rows that differ."""

import math
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import accumulate, chain, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scripted_bits import ONE, ScriptedSource, decimal_exp

from reticent.randomness import SeededSource, softmin

rates = st.one_of(
    st.just(Fraction(0)),
    st.builds(Fraction, st.integers(1, 2**40), st.integers(1, 2**60)),
    st.builds(Fraction, st.integers(1, 2**40), st.integers(1, 2**10)),
)
score_lists = st.one_of(
    st.lists(st.integers(0, 50), min_size=1, max_size=30),
    st.lists(st.integers(-(2**62), 2**62), min_size=1, max_size=12),
    st.lists(st.integers(0, 2**24), min_size=1, max_size=60),
)


def exact_ends(scores, rate):
    """Cumulative weights, by decimal arithmetic."""
    least = min(scores)
    return list(accumulate(decimal_exp(rate * (score - least)) for score in scores))


def scripted(word, refinements=()):
    return ScriptedSource([word], [*refinements, *[ONE // 3] * 4])


def one(scores, rate, word, refinements=()):
    return scripted(word, refinements).softmin_index(np.array(scores, np.int64), rate)


def one_of_rows(scores, rate, word, refinements=()):
    return int(scripted(word, refinements).softmin_indices(np.array([scores], np.int64), rate)[0])


def check_boundaries(draw, scores, rate):
    """At each boundary between two indices: the words beside it, and the next digits when the word contains it."""
    ends = exact_ends(scores, rate)
    total = ends[-1]

    def index_at(u):
        return next(i for i, end in enumerate(ends) if end > u * total)

    for end in ends[:-1]:
        digits = math.floor(end / total * ONE**2)
        word, rest = divmod(digits, ONE)
        for near in (-1, 1, -(1 << 12), 1 << 12, -(1 << 30), 1 << 30):
            if 0 <= word + near < ONE:
                expected = index_at(Fraction(word + near, ONE) + Fraction(1, 3 * ONE))
                assert draw(scores, rate, word + near) == expected
        for step in (-(1 << 16), 1 << 16):
            if word < ONE and 0 <= rest + step < ONE:
                expected = index_at(Fraction(digits + step, ONE**2) + Fraction(1, 3 * ONE**2))
                assert draw(scores, rate, word, [rest + step]) == expected


CASES = [
    ([0, 1, 2, 3], Fraction(1, 3)),
    ([5, 5, 5], Fraction(1)),
    ([7, 7], Fraction(2)),
    ([10, 0, 10**6, 3, 0], Fraction(1, 7)),
    ([2**62, -(2**62), 0, 2**62 - 5], Fraction(1, 2**61)),
    ([0, 200, 0, 100, 90], Fraction(1)),
    (list(range(40)), Fraction(1, 50)),
    ([3] * 101, Fraction(1)),
]


@pytest.mark.parametrize("draw", [one, one_of_rows])
@pytest.mark.parametrize(("scores", "rate"), CASES)
def test_boundaries_are_decided_exactly(draw, scores, rate):
    check_boundaries(draw, scores, rate)


@pytest.mark.parametrize("draw", [one, one_of_rows])
def test_a_sampler_that_trusts_its_floats_is_noticed(draw, monkeypatch):
    monkeypatch.setattr(softmin, "_relative_error", lambda additions: -1.0)
    with pytest.raises(AssertionError):
        check_boundaries(draw, list(range(40)), Fraction(1, 50))


@pytest.mark.parametrize("draw", [one, one_of_rows])
def test_a_sampler_that_refines_no_ties_is_noticed(draw, monkeypatch):
    def without_refinement(scores, rate, digits, bits):
        total = exact_ends(scores, rate)[-1]
        return next(i for i, end in enumerate(exact_ends(scores, rate)) if end * ONE > digits * total)

    monkeypatch.setattr(softmin, "_exact_index", without_refinement)
    with pytest.raises(AssertionError):
        check_boundaries(draw, list(range(40)), Fraction(1, 50))


@given(score_lists, rates, st.integers(0, ONE - 1))
def test_any_word_is_decided_as_exact_arithmetic_decides_it(scores, rate, word):
    ends = exact_ends(scores, rate)
    low, high = Fraction(word, ONE) * ends[-1], Fraction(word + 1, ONE) * ends[-1]
    possible = [i for i, end in enumerate(ends) if end > low and (i == 0 or ends[i - 1] < high)]
    for draw in (one, one_of_rows):
        assert draw(scores, rate, word) in possible


@given(score_lists, rates)
def test_weights_have_the_claimed_error(scores, rate):
    array = np.array(scores, np.int64)
    distances = (array - array.min()).view(np.uint64)
    weights = softmin._weights(distances * softmin.y_per_unit(rate)).tolist()
    for weight, distance in zip(weights, distances.tolist(), strict=True):
        exact = decimal_exp(rate * distance)
        assert abs(Fraction(weight) - exact) <= max(exact / 2**44, Fraction(1, 2**96))


def test_the_table_of_powers_is_correctly_rounded():
    with localcontext() as context:
        context.prec = 60
        for k, power in enumerate(softmin.weight_powers().view(np.float64).tolist()):
            exact = Decimal(2) ** (Decimal(-k) / 2048)
            assert abs(Decimal(power) - exact) <= Decimal(2) ** (-54)


def test_the_constant_is_ln_2():
    with localcontext() as context:
        context.prec = 60
        assert abs(Decimal(softmin._STEP * 2048) - Decimal(2).ln()) <= Decimal(2) ** -54


@given(
    rows=st.integers(1, 12),
    columns=st.sampled_from([1, 2, 3, 7, 100, 101, 1023]),
    rate=rates,
    cuts=st.lists(st.integers(0, 12), max_size=3),
    seed=st.integers(0, 2**32),
)
@settings(max_examples=40)
def test_rows_and_single_draws_are_the_same_sequence(rows, columns, rate, cuts, seed):
    generator = np.random.default_rng(seed)
    scores = generator.integers(-(2**20), 2**20, (rows, columns))
    alone, blocks = SeededSource(seed), SeededSource(seed)
    expected = [alone.softmin_index(row, rate) for row in scores]
    ends = sorted({0, rows, *(min(cut, rows) for cut in cuts)})
    parts = [blocks.softmin_indices(scores[a:b], rate).tolist() for a, b in pairwise(ends)]
    assert list(chain(*parts)) == expected
    assert alone.uniform_index(10**9) == blocks.uniform_index(10**9)


def test_many_experts_and_many_rows_cross_the_inner_chunks_unnoticed():
    generator = np.random.default_rng(3)
    for shape in ((700, 100), (3, 30_000)):
        scores = generator.integers(0, 1000, shape)
        alone, block = SeededSource(1), SeededSource(1)
        expected = [alone.softmin_index(row, Fraction(1, 100)) for row in scores]
        assert block.softmin_indices(scores, Fraction(1, 100)).tolist() == expected


def test_the_best_of_far_apart_scores_is_found_at_any_place():
    for best in range(5):
        scores = np.full(5, 2**62)
        scores[best] = -(2**62)
        assert SeededSource(0).softmin_index(scores, Fraction(1)) == best


def test_no_rows_draw_nothing():
    source = ScriptedSource([5])
    assert source.softmin_indices(np.empty((0, 3), np.int64), Fraction(1)).shape == (0,)
    assert source.script.left == 1
