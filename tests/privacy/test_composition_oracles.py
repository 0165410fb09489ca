"""Composition against numbers and accountants that were obtained elsewhere."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

import game
import pytest
from dp_accounting import dp_event
from dp_accounting.pld import common, privacy_loss_distribution
from dp_accounting.rdp import RdpAccountant

from reticent.privacy import (
    adaptive_optimum,
    basic_composition,
    compose,
    compose_sequence,
    optimal_composition,
    renyi_composition,
    zcdp_epsilon,
)

DELTA = 1e-6
# range, draws, KOV, bounded-range Renyi, zCDP, adaptive optimum (a certified bound of another program)
TABLE = [
    (0.01, 1000, "1.3654", "0.6998", "0.7002", "0.6495"),
    (0.1, 1000, "19.345", "8.836", "8.846", "8.320"),
    (0.3, 100, "17.375", "8.224", "8.317", "7.785"),
    (1.0, 10, "10.0", "7.770", "8.846", "7.75"),
]
ROWS = pytest.mark.parametrize(("r", "count", "kov", "renyi", "zcdp", "adaptive"), TABLE)


def rounds_to(value: float, printed: str) -> bool:
    last_digit = Decimal(1).scaleb(Decimal(printed).as_tuple().exponent)
    return abs(Decimal(value) - Decimal(printed)) <= last_digit / 2


@ROWS
def test_each_method_prints_the_digits_of_the_table(r, count, kov, renyi, zcdp, adaptive):
    assert rounds_to(optimal_composition(count, r, DELTA), kov)
    assert rounds_to(renyi_composition(count, r, DELTA), renyi)
    assert rounds_to(zcdp_epsilon(count * r * r / 8, DELTA), zcdp)


@ROWS
def test_the_adaptive_optimum_is_below_the_other_certified_bound_and_above_a_real_adversary(
    r, count, kov, renyi, zcdp, adaptive
):
    optimum = adaptive_optimum([r] * count, DELTA)
    # The best t is somewhat above r / 2; for a thousand draws the adversary tries those near it only.
    tried = range(15, 20) if count == 1000 else range(33)
    attacked = game.epsilon_of_grid_adversary(count, r, DELTA, tried, parts=32, reach=1.3 * optimum)
    assert attacked <= optimum <= float(adaptive)
    assert optimum <= attacked * 1.001 + r / 32


@ROWS
def test_the_total_is_the_least_of_all_methods(r, count, kov, renyi, zcdp, adaptive):
    least = min(
        count * r,
        optimal_composition(count, r, DELTA),
        renyi_composition(count, r, DELTA),
        adaptive_optimum([r] * count, DELTA),
    )
    assert compose(count, r, DELTA) == least


@ROWS
def test_zcdp_conversion_is_no_looser_than_dp_accounting_and_close_to_it(r, count, kov, renyi, zcdp, adaptive):
    accountant = RdpAccountant()
    accountant.compose(dp_event.ZCDpEvent(rho=r**2 / 8), count)
    theirs = accountant.get_epsilon(DELTA)
    ours = zcdp_epsilon(count * r**2 / 8, DELTA)
    assert theirs * (1 - 1e-3) <= ours <= theirs * (1 + 1e-9)


@ROWS
def test_optimal_composition_agrees_with_the_privacy_loss_distribution(r, count, kov, renyi, zcdp, adaptive):
    # Losses are multiples of r, so that the discretised distribution is exact.
    pld = privacy_loss_distribution.from_privacy_parameters(
        common.DifferentialPrivacyParameters(r, 0), value_discretization_interval=r / 2
    ).self_compose(count)
    assert optimal_composition(count, r, DELTA) == pytest.approx(pld.get_epsilon_for_delta(DELTA), rel=1e-7)


@pytest.mark.parametrize("count", [1, 2, 3, 17, 40, 150])
@pytest.mark.parametrize("r", [0.003, 0.4, 3.0])
@pytest.mark.parametrize("delta", [0.2, 1e-3, 1e-9])
def test_optimal_composition_is_certified_and_tight_in_fifty_digits(count, r, delta):
    epsilon = optimal_composition(count, r, delta)
    assert game.randomised_response_delta(epsilon, count, r) <= Decimal(delta)
    if epsilon > 0:
        assert game.randomised_response_delta(epsilon * (1 - 1e-9) - 1e-9, count, r) > Decimal(delta)


def test_optimal_composition_of_a_million_runs_agrees_with_the_central_limit():
    # Variance count * r^2 and mean count * r^2 / 2 make a Gaussian with mu = r sqrt(count) = 1.
    epsilon = optimal_composition(10**6, 1e-3, DELTA)
    assert epsilon == pytest.approx(gaussian_epsilon(1.0, DELTA), rel=1e-3)


def test_the_adaptive_optimum_of_many_small_draws_approaches_the_gaussian_of_mean_half_the_range():
    # A bounded-range draw has standard deviation r / 2 at most: mu = r sqrt(count) / 2 in the limit.
    optimum = adaptive_optimum([0.02] * 1000, DELTA)
    assert optimum == pytest.approx(gaussian_epsilon(0.02 * math.sqrt(1000) / 2, DELTA), rel=5e-3)


def gaussian_epsilon(mu: float, delta: float) -> float:
    from scipy.optimize import brentq
    from scipy.stats import norm

    def excess(epsilon: float) -> float:
        return norm.cdf(mu / 2 - epsilon / mu) - math.exp(epsilon) * norm.cdf(-mu / 2 - epsilon / mu) - delta

    return brentq(excess, 0.0, 100.0)


def test_pure_costs_add_up_exactly_and_are_rounded_up():
    assert basic_composition(3, Fraction(1, 3)) == 1.0
    assert Fraction(basic_composition(10, 0.1)) >= 10 * Fraction(0.1)
    assert compose(7, 0.25, 0.0) == 1.75
    assert compose_sequence([0.5, 0.25], 0.0) == 0.75


def test_no_draws_cost_nothing():
    assert compose(0, 0.3, 1e-6) == compose(5, 0.0, 1e-6) == compose_sequence([], 1e-6) == 0.0


def test_a_million_draws_are_accounted_without_value_iteration():
    r = 1e-3
    epsilon = compose(10**6, r, DELTA)
    assert epsilon == min(renyi_composition(10**6, r, DELTA), optimal_composition(10**6, r, DELTA))
    assert epsilon <= zcdp_epsilon(10**6 * r * r / 8, DELTA) * (1 + 1e-9)
