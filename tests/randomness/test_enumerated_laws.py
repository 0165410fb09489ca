"""Would catch a missing path, a law conditioned wrongly, mass lost without being told."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reticent.errors import ParameterError
from reticent.randomness import EnumeratedSource, enumerate_outcomes
from reticent.randomness.lazy import LazyInteger

SCALE = Fraction(5, 2)
A = math.exp(-1 / float(SCALE))


def geometric_mass(z):
    return (1 - A) * A**z if z >= 0 else 0.0


def laplace_mass(z):
    return (1 - A) / (1 + A) * A ** abs(z)


def geometric_tail(gap):
    return A ** max(gap, 0)


def laplace_tail(gap):
    return A**gap / (1 + A) if gap > 0 else 1 - A ** (1 - gap) / (1 + A)


MASS = {"geometric": geometric_mass, "discrete_laplace": laplace_mass}
TAIL = {"geometric": geometric_tail, "discrete_laplace": laplace_tail}
laws = pytest.mark.parametrize("law", MASS)


def assert_law(law, expected, tolerance=1e-14):
    for output in law.probabilities.keys() | expected.keys():
        assert law.probabilities.get(output, 0.0) == pytest.approx(expected.get(output, 0.0), abs=tolerance), output
    assert math.fsum(law.probabilities.values()) + law.truncated == pytest.approx(1, abs=tolerance)


@laws
@pytest.mark.parametrize("mass", [1e-15, 1e-3])
def test_a_draw_has_its_law_and_leaves_out_no_more_than_the_stated_mass(law, mass):
    found = enumerate_outcomes(lambda source: int(getattr(source, law)(SCALE)), mass=mass)
    for z, probability in found.probabilities.items():
        assert probability == pytest.approx(MASS[law](z), rel=1e-12)
    outside = 1 - math.fsum(MASS[law](z) for z in found.probabilities)
    assert 0 < found.truncated <= mass
    assert found.truncated == pytest.approx(outside, abs=1e-14)


@laws
def test_vector_draws_are_independent_single_draws(law):
    found = enumerate_outcomes(lambda source: tuple(getattr(source, f"{law}s")(SCALE, 2).tolist()), mass=1e-3)
    for (first, second), probability in found.probabilities.items():
        assert probability == pytest.approx(MASS[law](first) * MASS[law](second), rel=1e-12)


def test_finite_verbs_have_their_laws():
    third = Fraction(1, 3)
    assert_law(enumerate_outcomes(lambda s: s.uniform_index(5)), dict.fromkeys(range(5), 0.2))
    assert_law(enumerate_outcomes(lambda s: s.bernoulli(third)), {True: 1 / 3, False: 2 / 3})
    assert_law(
        enumerate_outcomes(lambda s: s.bernoulli_exp(third)), {True: math.exp(-1 / 3), False: 1 - math.exp(-1 / 3)}
    )
    weights = [math.exp(-score / 3) for score in (4, 0, 9)]
    expected = {i: weight / sum(weights) for i, weight in enumerate(weights)}
    assert_law(
        enumerate_outcomes(lambda s: s.softmin_index(np.array([2**40 + 4, 2**40, 2**40 + 9]), third)), expected
    )
    pairs = {(i, j): p * q for (i, p), (j, q) in product(expected.items(), expected.items())}
    rows = np.array([[4, 0, 9]] * 2)
    assert_law(enumerate_outcomes(lambda s: tuple(s.softmin_indices(rows, third).tolist())), pairs)


@laws
@pytest.mark.parametrize("gap", [-3, 0, 1, 6])
def test_a_decision_about_a_plain_gap_has_the_probability_of_the_tail(law, gap):
    found = enumerate_outcomes(lambda source: getattr(source, f"{law}_exceeds")(gap, SCALE))
    p = TAIL[law](gap)
    assert_law(found, {True: p, False: 1 - p})
    for answer, probability in found.probabilities.items():
        assert probability == pytest.approx(p if answer else sum(MASS[law](z) for z in range(-200, gap)), rel=1e-12)


def answers(source, law, gaps, look):
    """Several questions about one draw, which is looked at first or kept lazy."""
    draw = getattr(source, law)(SCALE)
    draw = int(draw) if look else draw
    return tuple(
        getattr(source, f"{law}_exceeds")(sign * draw + gap if sign < 0 else draw + gap, SCALE) for sign, gap in gaps
    )


@laws
@given(gaps=st.lists(st.tuples(st.just(1), st.integers(-4, 6)), min_size=1, max_size=3))
@settings(max_examples=15)
def test_lazy_draws_give_the_law_of_draws_that_are_looked_at(law, gaps):
    lazy = enumerate_outcomes(lambda source: answers(source, law, gaps, look=False))
    eager = enumerate_outcomes(lambda source: answers(source, law, gaps, look=True))
    assert_law(lazy, eager.probabilities)
    assert lazy.truncated == pytest.approx(eager.truncated, rel=1e-9)


@laws
def test_a_lazy_draw_that_is_looked_at_later_keeps_what_was_learnt(law):
    def run(source):
        draw = getattr(source, law)(SCALE)
        reached = source.geometric_exceeds(4 - draw, SCALE)
        return reached, int(draw)

    found = enumerate_outcomes(run, mass=1e-6)
    for (reached, z), probability in found.probabilities.items():
        p = geometric_tail(4 - z)
        assert probability == pytest.approx(MASS[law](z) * (p if reached else 1 - p), rel=1e-11)


@laws
def test_the_first_excess_is_the_first_of_its_steps(law):
    queries = np.array([0, 2, 1, 5])

    def block(source):
        return getattr(source, f"first_{law}_excess")(3 + source.geometric(SCALE), queries, SCALE)

    def steps(source):
        threshold = 3 + int(source.geometric(SCALE))
        hits = (k for k, q in enumerate(queries) if getattr(source, f"{law}_exceeds")(threshold - q, SCALE))
        return next(hits, 4)

    assert_law(enumerate_outcomes(block), enumerate_outcomes(steps).probabilities)


def test_a_lazy_comparison_costs_two_branches():
    calls = []

    def run(source):
        calls.append(1)
        return source.geometric_exceeds(5 - source.geometric(SCALE), SCALE)

    enumerate_outcomes(run)
    assert len(calls) == 2


def test_impossible_outcomes_are_not_walked():
    def run(source):
        assert source.bernoulli(Fraction(1))
        assert not source.bernoulli(Fraction(0))
        assert source.bernoulli_exp(Fraction(0))
        assert source.geometric_exceeds(0, SCALE)
        assert source.geometric_exceeds(-source.geometric(SCALE), SCALE)
        return source.uniform_index(1)

    assert_law(enumerate_outcomes(run), {0: 1.0})


def lazy(value):
    """A lazy integer whose first enumerated value is `value`."""
    return EnumeratedSource().geometric(SCALE) + value


@pytest.mark.parametrize(
    ("use", "expected"),
    [
        (int, 7),
        (float, 7.0),
        (bool, True),
        (hash, hash(7)),
        (abs, 7),
        (lambda x: x / 2, 3.5),
        (lambda x: x * 3, 21),
        (lambda x: 3 * x, 21),
        (lambda x: x // 2, 3),
        (lambda x: x % 2, 1),
        (lambda x: x + 0.5, 7.5),
        (lambda x: (np.arange(3) - x).tolist(), [-7, -6, -5]),
        (lambda x: list(range(10))[x], 7),
        (lambda x: int(x + lazy(1)), 8),
        (lambda x: int(x - x), 0),
        (lambda x: int(3 - x), -4),
        (lambda x: int(np.int64(3) - x), -4),
        (lambda x: int(x - np.int64(3)), 4),
        (lambda x: int(np.int64(3) + x), 10),
        (lambda x: int(-x), -7),
    ],
)
def test_other_uses_look_at_the_draw(use, expected):
    assert use(lazy(7)) == expected


@pytest.mark.parametrize(
    ("question", "holds"),
    [
        (lambda x: x == 2, lambda z: z == 2),
        (lambda x: x != 2, lambda z: z != 2),
        (lambda x: x < 2, lambda z: z < 2),
        (lambda x: x > 2, lambda z: z > 2),
        (lambda x: x <= 2, lambda z: z <= 2),
        (lambda x: x >= 2, lambda z: z >= 2),
        (lambda x: max(0, x - 2) == 0, lambda z: z <= 2),
        (lambda x: min(x, 2) == 2, lambda z: z >= 2),
    ],
)
def test_a_comparison_branches_on_its_answer_only(question, holds):
    """Catches an answer with a wrong chance, and a draw that is not conditioned on it."""

    def run(source):
        draw = source.geometric(SCALE)
        return bool(question(draw)), int(draw)

    law = enumerate_outcomes(run).probabilities
    assert all(answer == holds(value) for answer, value in law)
    answers = enumerate_outcomes(lambda source: bool(question(source.geometric(SCALE))))
    for answer, probability in answers.probabilities.items():
        assert probability == pytest.approx(sum(p for (a, _), p in law.items() if a == answer), rel=1e-12)


def test_sums_with_integers_stay_lazy_and_share_the_draw():
    source = EnumeratedSource()
    draw = source.discrete_laplace(SCALE)
    for shifted in (draw + 1, 1 + draw, draw - np.int64(2), np.int64(2) - draw, -draw):
        assert isinstance(shifted, LazyInteger)
        assert shifted.draw is draw.draw
    assert source.sizes == []
    assert repr(draw + 100).startswith("LazyInteger(")
    assert source.sizes == []


def dartboard(source, losses, look):
    """A Dartboard of two experts on a grid of units of 1, as a run to enumerate."""
    eta = Fraction(1, 2)
    cumulative, choice, choices = np.zeros(2, np.int64), source.uniform_index(2), []
    query = threshold = None
    for loss in losses:
        if threshold is None:
            draw = source.geometric(SCALE)
            query, threshold = 0, 1 + (int(draw) if look else draw)
        choices.append(choice)
        cumulative = cumulative + np.array(loss)
        query += loss[choice]
        if source.geometric_exceeds(threshold - query, SCALE):
            threshold = None
            if not source.bernoulli_exp(eta * max(query, 1)):
                choice = source.softmin_index(cumulative, eta)
    return (*choices, choice)


@pytest.mark.parametrize("losses", [[(0, 1), (0, 1)], [(1, 0), (0, 1)], [(1, 1), (1, 0)]])
def test_a_dartboard_has_the_same_law_lazily_and_eagerly(losses):
    lazy = enumerate_outcomes(lambda source: dartboard(source, losses, look=False))
    eager = enumerate_outcomes(lambda source: dartboard(source, losses, look=True), mass=1e-3)
    assert_law(lazy, lazy.probabilities)
    assert lazy.probabilities.keys() == eager.probabilities.keys()
    for output, probability in eager.probabilities.items():
        assert lazy.probabilities[output] == pytest.approx(probability, abs=eager.truncated)


def test_a_run_with_state_from_outside_is_refused():
    calls = []

    def run(source):
        calls.append(1)
        return source.uniform_index(1 + len(calls))

    with pytest.raises(ParameterError, match="different questions"):
        enumerate_outcomes(run)


@pytest.mark.parametrize("mass", [0, 1, -1e-9, math.nan])
def test_a_mass_out_of_range_is_refused(mass):
    with pytest.raises(ParameterError, match="mass"):
        enumerate_outcomes(lambda source: source.uniform_index(2), mass=mass)


def test_a_grid_too_fine_to_enumerate_is_refused():
    with pytest.raises(ParameterError, match="coarser grid"):
        enumerate_outcomes(lambda source: int(source.geometric(Fraction(2**20))))


def test_an_enumeration_is_not_private():
    assert not EnumeratedSource().private
    assert EnumeratedSource().description == "enumerated"
