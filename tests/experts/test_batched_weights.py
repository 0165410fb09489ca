"""ShrinkingDartboard and LazyToPrivate: their public numbers, and what they refuse."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

import reticent as rt
from reticent.experts import LazyParameters, LazyToPrivate, ShrinkingDartboard, ShrinkingParameters
from reticent.mechanisms import EqualRates
from reticent.privacy import Neighbours
from reticent.randomness import SeededSource

KINDS = ((ShrinkingDartboard, ShrinkingParameters), (LazyToPrivate, LazyParameters))


@pytest.mark.parametrize(("algorithm", "parameters"), KINDS)
def test_parameters_that_are_too_dear_or_of_another_kind_are_refused(algorithm: type, parameters: type) -> None:
    """Catches a promise below the price, and a charge of the wrong coin."""
    dear = parameters(Fraction(1), 1, EqualRates(Fraction(1), 5))
    with pytest.raises(rt.ParameterError, match="cost epsilon"):
        algorithm(3, 1.0, parameters=dear)
    other = LazyParameters if parameters is ShrinkingParameters else ShrinkingParameters
    with pytest.raises(rt.ParameterError, match=parameters.__name__):
        algorithm(3, 100.0, parameters=other(Fraction(1), 1, EqualRates(Fraction(1), 5)))
    with pytest.raises(rt.ParameterError, match="batch"):
        parameters(Fraction(1), 0, EqualRates(Fraction(1), 5))
    with pytest.raises(rt.ParameterError, match="epsilon"):
        parameters(Fraction(0), 1, EqualRates(Fraction(1), 5))
    blunt = parameters(Fraction(1), 1, EqualRates(Fraction(1, 1 << 24), 1))
    with pytest.raises(rt.ParameterError, match="grid_bits"):
        algorithm(3, 3.0, parameters=blunt, grid_bits=30)


def test_a_batch_that_is_long_enough_needs_no_forced_redraws() -> None:
    """L2P: catches a charge for what the batch hides already (B of about 2 / eps_coin for a small eta)."""
    rates = EqualRates(Fraction(1, 1000), 5)
    assert LazyParameters(Fraction(1, 2), 4, rates).charge(Neighbours(), 1 << 20) == 0
    assert LazyParameters(Fraction(1, 2), 2, rates).charge(Neighbours(), 1 << 20) > 0
    assert LazyParameters(Fraction(1, 2), 2, rates).charge(Neighbours("add-remove"), 1 << 20) == 0


@pytest.mark.parametrize(("algorithm", "parameters"), KINDS)
@pytest.mark.parametrize("batch", [1, 5])
def test_expected_losses_are_those_of_multiplicative_weights_and_within_the_bound(
    algorithm: type, parameters: type, batch: int
) -> None:
    """Marginal lemma: catches weights that lag behind, and a bound for batches of one round."""
    rate, rounds, runs = 0.05, 500, 100
    chosen = parameters(Fraction(2), batch, EqualRates(Fraction(rate), 4000))
    losses = (np.random.default_rng(1).random((rounds, 4)) < [0.05, 0.3, 0.3, 0.5]).astype(float)
    before = np.vstack([np.zeros(4), losses.cumsum(axis=0)])[np.arange(rounds) // batch * batch]
    weights = np.exp(-rate * before)
    expected = float((weights / weights.sum(axis=1, keepdims=True) * losses).sum())
    one = algorithm(4, 1000.0, parameters=chosen)
    suffered = [
        losses[np.arange(rounds), one.start(SeededSource(seed)).update_block(losses)].sum() for seed in range(runs)
    ]
    assert abs(np.mean(suffered) - expected) < 5 * np.std(suffered) / math.sqrt(runs)  # seeded: it passes for good
    least = losses.sum(axis=0).min()
    bound = one.regret_bound(rounds, least)
    assert bound == pytest.approx((rate * least + math.log(4)) * batch / -math.expm1(-rate * batch) - least)
    assert expected - least <= bound


def test_a_horizon_that_nothing_fits_is_named() -> None:
    with pytest.raises(rt.errors.ParameterError, match="a horizon of 1000000000000000000000; give a larger epsilon"):
        LazyToPrivate(3, 1.0, horizon=10**21)
