"""The adaptive optimum against the game itself, played out on a fine grid, and planted faults that it catches."""

from __future__ import annotations

import math

import game
import numpy as np
import pytest

from reticent.privacy import adaptive_optimum, compose, compose_sequence, zcdp_epsilon
from reticent.privacy.composition import adaptive, renyi

CASES = [
    ([0.5], 0.01, 1001),
    ([2.0], 0.1, 1001),
    ([0.5, 0.5], 0.01, 201),
    ([3.0, 3.0], 1e-3, 201),
    ([0.3, 0.3, 0.3], 1e-3, 49),
    ([1.0, 1.0, 1.0], 1e-6, 49),
    ([1.0, 0.25], 0.01, 201),
    ([0.25, 1.0], 0.01, 201),
    ([1.0, 0.5, 0.25], 1e-3, 49),
]


@pytest.mark.parametrize(("ranges", "delta", "choices"), CASES)
def test_no_adversary_gets_more_than_the_certified_cost_and_the_best_gets_nearly_all(ranges, delta, choices):
    epsilon = adaptive_optimum(ranges, delta)
    assert game.worst_delta(epsilon, ranges, choices) <= delta
    assert game.worst_delta(epsilon * 0.997, ranges, choices) > delta


@pytest.mark.parametrize(("ranges", "delta", "choices"), CASES)
def test_the_total_cost_of_a_sequence_withstands_every_adversary(ranges, delta, choices):
    assert game.worst_delta(compose_sequence(ranges, delta), ranges, choices) <= delta


def test_one_draw_costs_what_its_closed_form_says():
    # The best a = e^(x - t) is sqrt(e^(x - r)), and then V(x) = (1 - a)(e^r - e^x / a) / (e^r - 1).
    for r in (0.1, 1.0, 4.0):
        for x in (0.1 * r, 0.5 * r, 0.9 * r):
            a = math.exp((x - r) / 2)
            delta = (1 - a) * (math.exp(r) - math.exp(x) / a) / math.expm1(r)
            assert x <= adaptive_optimum([r], delta) <= x * 1.003


@pytest.mark.parametrize("r", [0.01, 0.5, 4.0])
def test_the_renyi_divergence_at_each_order_is_the_largest_over_the_shift(r):
    order = np.geomspace(0.1, 50, 20)
    t = np.linspace(0, r, 4001)[:, None]
    p = game.stay_probability(t, r)
    searched = (np.log(p * np.exp(order * t) + (1 - p) * np.exp(order * (t - r))) / order).max(axis=0)
    claimed = renyi._bounded_range_divergence(order, r)
    assert (claimed >= searched * (1 - 1e-12)).all()
    np.testing.assert_allclose(claimed, searched, rtol=1e-6, atol=1e-9)


def test_a_tail_accounted_as_zcdp_costs_no_less_than_its_draws_one_by_one():
    ranges = [0.4 * j**-0.75 for j in range(1, 201)]
    one_by_one = compose_sequence(ranges, 1e-6)
    total = sum(r * r for r in ranges) / 8
    assert one_by_one < zcdp_epsilon(total, 1e-6)
    previous = zcdp_epsilon(total, 1e-6)
    for listed in (10, 40, 160):
        tail = sum(r * r for r in ranges[listed:]) / 8
        mixed = compose_sequence(ranges[:listed], 1e-6, tail)
        assert one_by_one * (1 - 1e-3) <= mixed < previous
        previous = mixed


def test_a_tail_withstands_an_adversary_who_spends_it_in_one_draw():
    head, last, delta = [1.0], 0.5, 1e-2
    epsilon = compose_sequence(head, delta, tail_rho=last**2 / 8)
    assert game.worst_delta(epsilon, [*head, last], 201) <= delta


def test_the_tail_bound_holds_for_the_value_of_its_draws():
    # Ten draws of range 0.1: the game's value is known up to 0.1 % from the iteration itself.
    ranges = [0.1] * 10
    tail = adaptive._tail(10 * 0.1**2 / 8, 0.01, 1e-6)
    for delta in (0.05, 1e-3, 1e-6):
        assert tail.epsilon(delta) >= adaptive_optimum(ranges, delta) * (1 - 1e-3)


def test_planted_an_accountant_that_takes_half_the_range_is_caught():
    delta, ranges = 1e-2, [1.0, 1.0]
    halved = zcdp_epsilon(sum((r / 2) ** 2 for r in ranges) / 8, delta)
    assert game.worst_delta(halved, ranges, 101) > delta


def test_planted_an_adversary_who_may_only_split_evenly_is_caught():
    # Accounting only the symmetric draw t = r / 2 underrates an adversary who adapts.
    delta, r = 1e-6, 1.0
    p = float(game.stay_probability(np.array(r / 2), r))
    count = 3
    symmetric = [(math.comb(count, k) * p**k * (1 - p) ** (count - k), (k - count / 2) * r) for k in range(count + 1)]
    low, high = 0.0, count * r
    while high - low > 1e-9:
        epsilon = (low + high) / 2
        enough = sum(w * max(0.0, -math.expm1(epsilon - loss)) for w, loss in symmetric) <= delta
        low, high = (low, epsilon) if enough else (epsilon, high)
    assert game.worst_delta(high, [r] * count, 49) > delta


def test_planted_value_iteration_without_the_bulge_is_caught(monkeypatch):
    # The maximum over the edges of the cells alone is a lower bound: an adversary between the edges beats it.
    delta, ranges = 0.01, [0.5, 0.5]
    monkeypatch.setattr(adaptive, "_ALL_CELLS", 1)
    assert game.worst_delta(adaptive_optimum(ranges, delta), ranges, 801) <= delta
    monkeypatch.setattr(adaptive, "_largest_in_cells", lambda chord, excess: chord.max(axis=0))
    assert game.worst_delta(adaptive_optimum(ranges, delta), ranges, 801) > delta


def test_bounds_carried_over_to_another_grid_stay_above_the_closed_form():
    rng = np.random.default_rng(3)
    r, size = 2.0, 100
    value = adaptive._Value(r / 32, np.zeros(1)).before_draw(adaptive._draw(r, 32, 16), size)
    fine = r / 32 / 7
    carried = value._on_grid(fine, 400)
    x = fine * rng.integers(0, 400, size=50)
    a = np.exp((x - r) / 2)
    exact = np.where(x < r, (1 - a) * (math.exp(r) - np.exp(x) / a) / math.expm1(r), 0.0)
    assert (carried[np.round(x / fine).astype(int)] >= exact).all()


def test_planted_an_accountant_of_the_mean_cost_is_caught():
    # compose at half the draws, as if only every second one counted.
    delta = 1e-3
    assert game.worst_delta(compose(1, 0.6, delta), [0.6, 0.6], 201) > delta
