"""Mirror: how short the zones are, what each schedule costs, and what the answers promise for every draw."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reticent.errors import ParameterError
from reticent.mechanisms import (
    IndependentCoins,
    LogisticCoins,
    Mirror,
    SingleSwitch,
    calibrate_mirror,
    shaped_coins,
)
from reticent.mechanisms.mirror.independent_coins import shift_delta
from reticent.privacy import coins_delta, renyi_coins_delta, zcdp_epsilon
from reticent.randomness import EnumeratedSource, RecordingSource, SecureSource, SeededSource

MILLIONTH = Fraction(1, 10**6)
ONE, HALF, QUARTER = Fraction(1), Fraction(1, 2), Fraction(1, 4)


@pytest.mark.parametrize(
    ("epsilon", "delta", "most"),
    [(ONE, Fraction(1, 100), 52), (ONE, Fraction(1, 10**4), 157), (ONE, MILLIONTH, 281), (HALF, MILLIONTH, 894),
     (HALF, Fraction(1, 100), 144), (QUARTER, MILLIONTH, 3031)],
)  # fmt: skip
def test_shaped_coins_are_at_most_as_many_as_the_table_of_the_proofs_says(epsilon, delta, most):
    coins = shaped_coins(epsilon, delta)
    assert coins.rounds <= most
    assert 0.9 * delta < coins.delta <= delta


@pytest.mark.parametrize(
    ("epsilon", "delta", "rounds"),
    [(ONE, Fraction(1, 100), 12), (ONE, Fraction(1, 10**4), 26), (ONE, MILLIONTH, 38),
     (Fraction(8, 10), MILLIONTH, 75), (Fraction(3, 4), Fraction(1, 100), 27), (Fraction(3, 4), MILLIONTH, 121),
     (Fraction(72, 100), MILLIONTH, 221)],
)  # fmt: skip
def test_a_single_switch_has_the_rounds_of_the_table_of_the_proofs(epsilon, delta, rounds):
    switch = SingleSwitch.calibrated(epsilon, delta)
    assert switch.rounds <= rounds
    assert switch.delta <= delta


@pytest.mark.parametrize(
    ("epsilon", "delta", "most"),
    [(ONE, Fraction(1, 100), 158), (ONE, MILLIONTH, 959), (HALF, MILLIONTH, 3665),
     (Fraction(1, 10), MILLIONTH, 88834)],
)  # fmt: skip
def test_logistic_coins_are_at_most_as_many_as_the_closed_form_says(epsilon, delta, most):
    assert LogisticCoins(epsilon, delta).rounds <= most


def test_the_shortest_schedule_is_taken():
    assert isinstance(calibrate_mirror(ONE, MILLIONTH), SingleSwitch)
    assert isinstance(calibrate_mirror(HALF, MILLIONTH), IndependentCoins)
    far = calibrate_mirror(Fraction(1, 4000), Fraction(1, 10**10))
    assert isinstance(far, LogisticCoins)
    assert far.rounds > 10**9
    assert 0 < far.chance(far.rounds // 3) < HALF


@given(st.fractions(Fraction(1, 5), 4), st.sampled_from([Fraction(1, 3), Fraction(1, 50), Fraction(1, 10**5)]))
@settings(max_examples=25, deadline=None)
def test_any_calibrated_schedule_keeps_to_its_budget(epsilon, delta):
    schedule = calibrate_mirror(epsilon, delta)
    assert schedule.epsilon == epsilon
    assert 0 < schedule.delta <= delta


def product_delta(p, q, epsilon):
    """An independent account: the losses on a fine grid, all rounded up, convolved in full by numpy."""
    step, law, lowest = 1e-5, np.ones(1), 0
    certain = 0.0
    for one, other in zip(p, q, strict=True):
        points = {}
        for a, b in ((one, other), (1 - one, 1 - other)):
            if a > 0 and b == 0:
                certain += float(a)
            elif a > 0:
                at = math.ceil(math.log(a / b) / step)
                points[at] = points.get(at, 0.0) + float(a)
        low, high = min(points), max(points)
        moved = np.zeros(len(law) + high - low)
        for at, mass in points.items():
            moved[at - low : at - low + len(law)] += mass * law
        law, lowest = moved, lowest + low
    return certain + float((law * np.maximum(0, -np.expm1(epsilon - step * (lowest + np.arange(len(law)))))).sum())


def test_the_delta_of_coins_agrees_with_an_independent_account_in_both_directions():
    coins = shaped_coins(2 * ONE, Fraction(1, 50))
    after, before = (*coins.chances, ONE), (Fraction(0), *coins.chances)
    forward, backward = product_delta(after, before, 2.0), product_delta(before, after, 2.0)
    found = shift_delta(coins.chances, 2 * ONE)
    assert found == pytest.approx((forward, backward), rel=5e-3)
    assert found[0] == pytest.approx(found[1], rel=1e-9)  # the chances are symmetric
    assert float(coins.delta) == max(found)


def test_an_unsymmetric_schedule_costs_the_larger_of_both_directions():
    """Catches an accountant that looks one way: the last coin ends with "now" for sure, the first costs little."""
    chances = tuple(Fraction(n, 40) for n in range(1, 20))
    coins = IndependentCoins(chances, ONE)
    forward, backward = shift_delta(chances, ONE)
    assert forward < 0.1 < backward < float(coins.delta) + 1e-15


@pytest.mark.parametrize("place", [1, 5, 100, 200, 236])
def test_a_change_within_the_zone_costs_no_more_than_one_before_it(place):
    coins = shaped_coins(ONE, MILLIONTH)
    after, before = (*coins.chances, ONE)[place:], (Fraction(0), *coins.chances)[place:]
    p, not_p, q, not_q = (
        np.array([float(x) for x in row]) for side in (after, before) for row in (side, [1 - x for x in side])
    )
    assert coins_delta(p, not_p, q, not_q, 1.0) <= 1.005 * coins.delta
    assert coins_delta(q, not_q, p, not_p, 1.0) <= 1.005 * coins.delta


def test_more_coins_than_are_convolved_are_accounted_by_renyi_divergences():
    coins = shaped_coins(Fraction(1, 8), MILLIONTH)
    assert coins.rounds > 3000
    assert 0.9e-6 < coins.delta <= MILLIONTH
    p, q = ([float(x) for x in row] for row in ((*coins.chances, 1), (0, *coins.chances)))
    rests = ([float(1 - x) for x in row] for row in ((*coins.chances, ONE), (Fraction(0), *coins.chances)))
    not_p, not_q = map(np.array, rests)
    p, q = np.array(p), np.array(q)
    assert renyi_coins_delta(p, not_p, q, not_q, 0.125) <= MILLIONTH
    assert coins_delta(p, not_p, q, not_q, 0.125) < 0.6e-6


@pytest.mark.parametrize(("mirrors", "most"), [(2, 430), (4, 920), (10, 2150)])
def test_several_mirrors_share_a_budget_at_far_less_than_its_parts(mirrors, most):
    """R9: the parts of an equal split would need 817, 3482 and 20439 rounds."""
    schedule = calibrate_mirror(ONE, MILLIONTH, mirrors)
    assert schedule.rounds <= most
    assert schedule.delta <= MILLIONTH
    assert schedule.mirrors == mirrors
    assert LogisticCoins(ONE, MILLIONTH, mirrors).rounds > schedule.rounds


def switch_laws(weights, place):
    """The law of the switch among the other rounds, without and with one more active round at `place` = 0, .., m."""
    m, total = len(weights), sum(weights)
    without = {n: Fraction(w, total) for n, w in enumerate(weights, 1)}
    with_ = {}
    for n, w in enumerate(weights, 1):
        seen = (
            n if n <= place else n - 1
        )  # the round at `place` is not seen: a switch there is first seen on the next
        with_[seen] = with_.get(seen, 0) + Fraction(w, total)
    return without, with_, range(m + 1)


@pytest.mark.parametrize("epsilon", [Fraction(71, 100), Fraction(3, 4), ONE, 3 * ONE])
def test_a_single_switch_keeps_its_delta_for_every_place_and_both_directions(epsilon):
    """90-proofs 3.4, by enumeration in fractions."""
    switch = SingleSwitch.calibrated(epsilon, Fraction(1, 10**4))
    scale, worst = Fraction(math.exp(epsilon)), Fraction(0)
    for place in range(switch.rounds + 1):
        one, other, places = switch_laws(switch.weights, place)
        for p, q in ((one, other), (other, one)):
            worst = max(worst, sum(max(p.get(n, 0) - scale * q.get(n, 0), 0) for n in places))
    assert worst <= switch.delta * (1 + Fraction(1, 10**9))
    assert worst == pytest.approx(switch.delta, rel=1e-9)


def test_a_switch_that_rises_or_falls_too_fast_is_refused():
    for weights in ((1, 2), (3, 1), (1, 1, 2)):  # e - 1 = 1.718.., e = 2.718..
        with pytest.raises(ParameterError, match="it must be from"):
            SingleSwitch(weights, ONE)
    with pytest.raises(ParameterError, match="more than ln 2"):
        SingleSwitch.calibrated(HALF, MILLIONTH)
    with pytest.raises(ParameterError, match="whole numbers from 1"):
        SingleSwitch((), ONE)


@pytest.mark.parametrize(("epsilon", "delta"), [(ONE, MILLIONTH), (QUARTER, Fraction(1, 100)), (5 * ONE, HALF)])
def test_the_logistic_theorem_holds_for_the_chances_that_are_drawn(epsilon, delta):
    """Ends, steps and rounding, each from the chances themselves."""
    coins = LogisticCoins(epsilon, delta)
    chances = [coins.chance(n) for n in range(1, coins.rounds + 1)]
    odds = [math.log(q / (1 - q)) for q in chances]
    step = max(b - a for a, b in itertools.pairwise(odds))
    end = max(chances[0], 1 - chances[-1])
    rho = step / 2 * (1 + step / 4)
    left = float(delta) - (1 + math.exp(epsilon)) * float(end)
    assert left > 0
    assert zcdp_epsilon(rho * (1 - 1e-9), left) <= epsilon
    assert max(shift_delta(tuple(chances), epsilon)) < delta


@pytest.mark.parametrize(
    "schedule",
    [
        SingleSwitch.calibrated(ONE, Fraction(1, 10)),
        shaped_coins(2 * ONE, Fraction(1, 10)),
        LogisticCoins(4 * ONE, HALF),
    ],
    ids=["switch", "shaped", "logistic"],
)
@given(st.lists(st.booleans(), max_size=60), st.integers(0, 12), st.integers(0, 10**6))
@settings(max_examples=40, deadline=None)
def test_the_promises_of_fact_4_hold_for_every_draw(schedule, active, delay, seed):
    """Inactive rounds and the first D active ones: never; after the first D + m active ones: always."""
    mirror = Mirror(schedule, delay, SeededSource(seed))
    seen = 0
    for bit in active:
        answer = mirror.respond(bit)
        seen += bit
        if not bit or seen <= delay:
            assert not answer
        elif seen > delay + schedule.rounds:
            assert answer
        assert mirror.settled == (seen >= delay + schedule.rounds)
        assert mirror.quiet == max(0, delay - seen)


@given(st.lists(st.booleans(), max_size=60), st.integers(0, 60), st.integers(0, 6), st.integers(0, 10**6))
@settings(max_examples=60, deadline=None)
def test_many_rounds_at_once_are_the_same_rounds(active, cut, delay, seed):
    schedule = SingleSwitch.calibrated(ONE, Fraction(1, 10))
    one, many = (Mirror(schedule, delay, SeededSource(seed)) for _ in range(2))
    answers = [one.respond(bit) for bit in active]
    blocks = [many.respond_many(np.array(part, dtype=bool)) for part in (active[:cut], active[cut:])]
    assert np.concatenate(blocks).tolist() == answers
    assert many.quiet == one.quiet
    assert many.settled == one.settled


def test_outside_the_random_zone_nothing_is_drawn():
    source = EnumeratedSource()
    mirror = Mirror(SingleSwitch.calibrated(ONE, MILLIONTH), 10, source)
    assert not mirror.respond_many(np.ones(10, dtype=bool)).any()
    assert source.sizes == []


def test_the_secure_source_draws_all_schedules():
    for schedule in (
        SingleSwitch.calibrated(ONE, MILLIONTH),
        shaped_coins(ONE, MILLIONTH),
        LogisticCoins(ONE, MILLIONTH),
    ):
        source = RecordingSource(SecureSource())
        answers = Mirror(schedule, 3, source).respond_many(np.ones(3 + schedule.rounds + 2, dtype=bool))
        assert answers[-2:].all()
        assert not answers[:3].any()


@pytest.mark.parametrize(
    ("call", "names"),
    [
        (lambda: IndependentCoins((HALF, ONE), ONE), "chance 2"),
        (lambda: IndependentCoins((HALF,), 0), "epsilon"),
        (lambda: IndependentCoins((HALF,), 0.5), "epsilon"),
        (lambda: LogisticCoins(17 * ONE, HALF), "epsilon"),
        (lambda: calibrate_mirror(ONE, ONE), "delta"),
        (lambda: calibrate_mirror(ONE, HALF, 0), "mirrors"),
        (lambda: IndependentCoins((HALF,), ONE, 0), "mirrors"),
        (lambda: calibrate_mirror(ONE, Fraction(0)), "delta"),
        (lambda: calibrate_mirror(-ONE, HALF), "epsilon"),
        (lambda: Mirror(SingleSwitch((1,), ONE), -1, SeededSource(1)), "delay"),
        (lambda: Mirror(SingleSwitch((1,), ONE), True, SeededSource(1)), "delay"),
    ],
)
def test_a_bad_parameter_is_named_in_one_sentence(call, names):
    with pytest.raises(ParameterError, match=names) as error:
        call()
    assert str(error.value).endswith(".")
