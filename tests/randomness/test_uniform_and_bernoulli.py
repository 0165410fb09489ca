"""uniform_index, bernoulli, bernoulli_exp: would catch modulo bias and rounded probabilities."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scripted_bits import ONE, ScriptedSource, decimal_exp

from reticent.randomness import SeededSource, coins, exact

counts = st.one_of(st.integers(1, 1000), st.integers(1, 2**64), st.integers(1, 2**130))


@given(counts, st.integers(0, ONE - 1), st.lists(st.integers(0, ONE - 1), min_size=4, max_size=4))
def test_a_uniform_index_is_the_floor_of_n_times_a_uniform_number(n, word, refinements):
    source = ScriptedSource([word], [refinements[0], refinements[1] * ONE + refinements[2], 5, 5])
    index = source.uniform_index(n)
    digits = [word, *refinements[:3]]
    u = sum(Fraction(digit, ONE ** (k + 1)) for k, digit in enumerate(digits))
    assert index in (math.floor(n * u), math.floor(n * (u + Fraction(1, ONE**4))))
    assert 0 <= index < n


def check_shares_of_words(n):
    """The word that is cut by k / n goes to k - 1 or k by the next digits of k / n."""
    for k in range(1, n):
        word, rest = divmod(k * ONE**2 // n, ONE)
        if k * ONE % n == 0:
            assert ScriptedSource([word]).uniform_index(n) == k
            continue
        assert ScriptedSource([word], [max(rest - 1, 0)]).uniform_index(n) == k - 1
        assert ScriptedSource([word], [rest + 1]).uniform_index(n) == k


@pytest.mark.parametrize("n", [2, 3, 7, 64, 100])
def test_words_on_a_boundary_are_shared_exactly(n):
    check_shares_of_words(n)


def test_a_uniform_index_with_multiply_shift_bias_is_noticed(monkeypatch):
    monkeypatch.setattr(exact.ExactSource, "uniform_index", lambda self, n: self._bits.take() * n >> 64)
    with pytest.raises(AssertionError):
        check_shares_of_words(3)


def check_bernoulli_boundary(p):
    word, rest = divmod(math.floor(p * ONE**2), ONE)
    if word > 0:
        assert ScriptedSource([word - 1]).bernoulli(p)
    if word < ONE - 1:
        assert not ScriptedSource([word + 1]).bernoulli(p)
    if (p * ONE).denominator > 1:
        assert ScriptedSource([word], [rest - 1]).bernoulli(p)
        assert not ScriptedSource([word], [rest + 1]).bernoulli(p)
    elif p < 1:
        assert not ScriptedSource([word]).bernoulli(p)


@pytest.mark.parametrize("p", [Fraction(1, 3), Fraction(1, 2), Fraction(5, 8), Fraction(10**9, 10**9 + 7)])
def test_bernoulli_is_decided_by_the_exact_fraction(p):
    check_bernoulli_boundary(p)


def test_a_bernoulli_that_rounds_its_probability_is_noticed(monkeypatch):
    def rounded(p, bits):
        return (round(p * 2**bits),) * 2

    monkeypatch.setattr(exact, "fraction_bounds", rounded)
    with pytest.raises(AssertionError):
        check_bernoulli_boundary(Fraction(1, 3))


def test_sure_events_are_sure():
    for word in (0, ONE - 1):
        assert ScriptedSource([word]).bernoulli(Fraction(1))
        assert not ScriptedSource([word]).bernoulli(Fraction(0))
        assert ScriptedSource([word]).bernoulli_exp(Fraction(0))


EXPONENTS = [
    Fraction(1, 3),
    Fraction(1),
    Fraction(5, 64),  # the end of a cell
    Fraction(5, 64) - Fraction(1, 10**9),
    Fraction(22, 7),
    Fraction(1, 10**12),
    Fraction(44),
    Fraction(44) + Fraction(1, 3),
]


def check_exponential_boundary(x):
    """The words beside exp(-x), and the next digits when the word contains it."""
    word, rest = divmod(math.floor(decimal_exp(x) * ONE**2), ONE)
    for near in (1, 2**20, 2**40, 2**50):
        if word - near >= 0:
            assert ScriptedSource([word - near]).bernoulli_exp(x)
        if word + near < ONE:
            assert not ScriptedSource([word + near]).bernoulli_exp(x)
    assert ScriptedSource([word], [rest - 1]).bernoulli_exp(x)
    assert not ScriptedSource([word], [rest + 1]).bernoulli_exp(x)


@pytest.mark.parametrize("x", EXPONENTS)
def test_bernoulli_exp_is_decided_by_the_exact_exponential(x):
    check_exponential_boundary(x)


@pytest.mark.parametrize("x", EXPONENTS)
def test_bernoulli_exp_takes_one_word(x):
    for word in (0, 12345678901234567890, ONE - 1):
        source = ScriptedSource([word, 1], [ONE // 3] * 4)
        source.bernoulli_exp(x)
        assert source.script.left == 1


def test_an_exponent_whose_event_is_all_but_impossible_still_has_its_probability():
    tiny = math.floor(decimal_exp(Fraction(50)) * ONE**2)
    assert ScriptedSource([0], [tiny - 1]).bernoulli_exp(Fraction(50))
    assert not ScriptedSource([0], [tiny + 1]).bernoulli_exp(Fraction(50))
    assert not ScriptedSource([1]).bernoulli_exp(Fraction(50))


def test_a_table_that_is_off_by_a_cell_is_noticed(monkeypatch):
    surely, possibly = coins.coin_cells()
    monkeypatch.setattr(coins, "coin_cells", lambda: (possibly, surely))
    with pytest.raises((AssertionError, IndexError)):
        check_exponential_boundary(Fraction(1, 3))


@pytest.mark.parametrize("x", [Fraction(0), Fraction(1, 3), Fraction(1), Fraction(5, 2), Fraction(2**50 + 1, 2**52)])
def test_bernoulli_exp_has_the_frequency_of_its_law(x):
    source, n = SeededSource(11), 30_000
    hits = sum(source.bernoulli_exp(x) for _ in range(n))
    p = math.exp(-x)
    assert abs(hits - n * p) <= 5 * math.sqrt(n * p * (1 - p)) + 1e-9
