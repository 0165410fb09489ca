"""Combine: its price against exact accounts, its smallest delay, its mistakes."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reticent.errors import InputError, LearnerStateError, ParameterError
from reticent.mechanisms import Combine
from reticent.mechanisms.combine import renyi_divergence
from reticent.privacy import coins_delta
from reticent.randomness import SeededSource, enumerate_outcomes

HALF, MILLIONTH = Fraction(1, 2), Fraction(1, 10**6)


@pytest.mark.parametrize(
    ("epsilon", "delta", "most"),
    [(HALF, MILLIONTH / 2, 648), (HALF, Fraction(1, 200), 146), (Fraction(1, 4), MILLIONTH / 2, 2600)],
)
def test_the_smallest_delay_is_at_most_that_of_the_proofs(epsilon, delta, most):
    delay = Combine.smallest_delay(epsilon, delta)
    assert delay <= most
    assert Combine.epsilon_at(delay, delta) <= epsilon < Combine.epsilon_at(delay - 1, delta)


@pytest.mark.parametrize("delta", [0.1, 1e-3, 1e-9])
@pytest.mark.parametrize("epsilon", [1.0, 0.5, 0.1])
def test_c_77_suffices(epsilon, delta):
    """90-proofs 5.2: D >= 77 eps^-2 ln(2 / delta) for the share (eps / 2, delta / 2)."""
    delay = Combine.smallest_delay(Fraction(epsilon) / 2, Fraction(delta) / 2)
    assert delay <= 77 / epsilon**2 * math.log(2 / delta)


def chance(a, b):
    return a * a / (a * a + b * b)


def largest_divergence(order, delay, total):
    """Over all counters a + b = total, all changes of one triple and both directions."""
    a = np.arange(delay, total - delay + 1, dtype=float)
    b = total - a
    largest = 0.0
    states = [(a, b), (a + 1, b), (a, b + 1)]
    for one in states:
        for other in states:
            p, q = chance(*one), chance(*other)
            moment = p**order * q ** (1 - order) + (1 - p) ** order * (1 - q) ** (1 - order)
            largest = max(largest, float(np.log(moment).max()) / (order - 1))
    return largest


@pytest.mark.parametrize("delay", [8, 20, 60])
def test_the_renyi_bound_holds_for_all_states_offsets_and_directions_and_is_tight(delay):
    """Proposition 8, round by round; the table of 90-proofs says that it may fail for orders above D."""
    for order in (1.2, 2.0, delay / 8 + 1, delay / 4):
        exact = sum(largest_divergence(order, delay, total) for total in range(2 * delay, 12 * delay))
        rest = 8 * order / (12 * delay)  # about what comes later
        bound = float(renyi_divergence(np.array([order - 1]), delay)[0])
        assert exact < bound
        assert bound < 1.05 * (exact + rest)
    assert math.isinf(renyi_divergence(np.array([float(delay)]), delay)[0])


@pytest.mark.parametrize("order", [1.5, 10.0, 40.0])
def test_lemma_7_holds_in_every_round_and_needs_its_factor(order):
    """At large orders a state off balance costs more than 8 alpha / S^2, the price at balance for small ones."""
    delay, w = 200, order - 0.5
    reach = 4 * math.log1p(1 / delay) * w
    factor = 1 + math.expm1(0.255 * reach**2) * (1 + 1 / (4 * w * w)) / 6
    excess = []
    for total in range(2 * delay, 4 * delay, 7):
        middle = 8 * order / (total + 1 - 1 / (4 * delay)) ** 2
        excess.append(largest_divergence(order, delay, total) / middle)
    assert max(excess) <= factor
    assert order < 40 or max(excess) > 1.003


def exact_delta(pairs, epsilon):
    """Of the coins of one pair of streams, in the worse direction."""
    p, q = (np.array([chance(*state) for state in side]) for side in zip(*pairs, strict=True))
    return max(coins_delta(p, 1 - p, q, 1 - q, epsilon), coins_delta(q, 1 - q, p, 1 - p, epsilon))


@pytest.mark.parametrize("balance", [0.5, 0.3, 0.9, 0.0])
@pytest.mark.parametrize("change", [((1, 0), (0, 1)), ((1, 0), (0, 0)), ((0, 1), (0, 0))])
def test_streams_of_thousands_of_disagreements_cost_less_than_the_claim(balance, change):
    """The exact delta of one pair of streams, by convolution, beside what is claimed for all."""
    delay, delta = Combine.smallest_delay(HALF, MILLIONTH), 1e-6
    a = b = delay
    pairs = []
    for n in range(8000):
        pairs.append(tuple((a + da, b + db) for da, db in change))
        first = (n * 0.6180339887) % 1 < balance
        a, b = a + first, b + (not first)
    found = exact_delta(pairs, 0.5)
    assert found <= delta
    assert balance != 0.5 or change != ((1, 0), (0, 1)) or found > delta / 1000


def test_a_delay_of_one_costs_far_more():
    """Planted: the fault `D = 1` of the verification page, at the promise of the delay that it should have."""
    pairs = [((1 + n // 2 + 1, 1 + n - n // 2), (1 + n // 2, 1 + n - n // 2 + 1)) for n in range(100)]
    assert exact_delta(pairs, 0.5) > 0.1
    assert math.isinf(Combine.epsilon_at(1, MILLIONTH))


def test_the_law_of_a_prediction():
    def run(source):
        combine = Combine(3, source)
        outputs = []
        for u, v, y in [(0, 1, 0), (1, 1, 0), (1, 0, 1), (1, 0, 0), (0, 1, 1)]:
            outputs.append(combine.predict(u, v))
            combine.update(y)
        return outputs[1], outputs[2], outputs[4]

    law = enumerate_outcomes(run).probabilities
    # First (3 + 1)^2 to 3^2 for u, which says 1; in the end (3 + 2)^2 to (3 + 1)^2 for u, which says 0.
    first, last = {1: 16 / 25, 0: 9 / 25}, {0: 25 / 41, 1: 16 / 41}
    assert law == pytest.approx({(1, i, j): first[i] * last[j] for i in first for j in last})


@given(st.lists(st.sampled_from([(0, 0, 1), (0, 1, 0), (0, 1, 1), (1, 0, 1)]), max_size=9), st.integers(1, 4))
@settings(max_examples=40, deadline=None)
def test_the_expected_mistakes_keep_to_lemma_13(stream, delay):
    """E M <= 3 min(M(U), M(V)) + 2 D, exactly."""

    def mistakes(source):
        combine, total = Combine(delay, source), 0
        for u, v, y in stream:
            total += combine.predict(u, v) != y
            combine.update(y)
        return total

    law = enumerate_outcomes(mistakes).probabilities
    expected = math.fsum(count * probability for count, probability in law.items())
    best = min(sum(record[side] != record[2] for record in stream) for side in (0, 1))
    assert expected <= 3 * best + 2 * delay + 1e-9


def test_one_good_predictor_is_soon_followed():
    """A long stream on which v is always right, u always wrong."""
    combine, mistakes = Combine(50, SeededSource(4)), 0
    for _ in range(20_000):
        mistakes += combine.predict(0, 1) != 1
        combine.update(1)
    assert mistakes <= 2 * 50


def test_bad_calls_are_refused_and_change_nothing():
    combine = Combine(2, SeededSource(1))
    with pytest.raises(LearnerStateError, match="before predict"):
        combine.update(1)
    with pytest.raises(InputError, match="labels 0 and 1"):
        combine.predict(0, 2)
    combine.predict(0, 1)
    with pytest.raises(LearnerStateError, match="twice"):
        combine.predict(0, 1)
    with pytest.raises(InputError, match="label is 3"):
        combine.update(3)
    combine.update(1)
    with pytest.raises(ParameterError, match="delay"):
        Combine(0, SeededSource(1))
    with pytest.raises(ParameterError, match="delta"):
        Combine.smallest_delay(HALF, Fraction(0))
