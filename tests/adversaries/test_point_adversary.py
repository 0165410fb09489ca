"""Would catch: a point adversary that inserts too much, elsewhere, or what no point labels, or claims too much."""

import math
from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticent.adversaries import PointAdversary, information_bound, largest_insertion
from reticent.classes import FiniteClass, Points, Thresholds
from reticent.errors import InputError, ParameterError
from reticent.randomness import SecureSource, SeededSource, enumerate_outcomes


@given(
    rounds=st.integers(1, 3**6) | st.integers(3**40, 3**80),
    p=st.sampled_from([1, 0.3, Fraction(1, 7)]),
    seed=st.integers(0, 2**20),
)
def test_streams_are_realisable_and_as_long_as_asked_for(rounds, p, seed):
    stream = PointAdversary(rounds, p).stream(SeededSource(seed))
    assert stream.rounds == rounds
    assert all(stream.concept(x) == y and times > 0 for x, y, times in stream.parts)
    assert stream.concept in list(Points(3).members())
    assert {(x, y) for x, y, _ in stream.parts} <= {(2, False), (0, stream.concept(0))}


@pytest.mark.parametrize("stages", [0, 1, 2, 3])
@pytest.mark.parametrize("p", [1, Fraction(1, 4)])
@pytest.mark.parametrize("rest", [0, 1])
def test_the_expected_number_of_informative_examples_is_exact(stages, p, rest):
    adversary = PointAdversary(3**stages + rest, p)
    law = enumerate_outcomes(lambda source: adversary.stream(source).informative).probabilities
    mean = math.fsum(k * probability for k, probability in law.items())
    assert mean == pytest.approx(stages * p / 3 if stages else 1, rel=1e-12)
    assert adversary.expected_informative == pytest.approx(mean, rel=1e-12)


def by_hand(stages, p):
    """Algorithm 1, written down from the paper: the law of (label, places)."""
    law = Counter()

    def stage(a, b, places, weight):
        if b - a == 1:
            for label in (False, True):
                law[label, places] += weight / 2
            return
        third = (b - a) // 3
        stage(a, a + third, places, weight / 3)
        stage(a + 2 * third, b, places, weight / 3)
        for s in range(a, a + third):
            stage(a + third, a + 2 * third, (*places, s), weight / 3 / third * p)
            stage(a + third, a + 2 * third, places, weight / 3 / third * (1 - p))

    stage(0, 3**stages, (), Fraction(1))
    return law


@pytest.mark.parametrize("stages", [1, 2, 3])
@pytest.mark.parametrize("rest", [0, 5])
def test_the_law_is_that_of_algorithm_1(stages, rest):
    p = Fraction(2, 5)
    adversary = PointAdversary(3**stages + min(rest, 2 * 3**stages - 1), p)

    def outcome(source):
        rounds = list(adversary.stream(source))
        return tuple(rounds)

    law = enumerate_outcomes(outcome).probabilities
    expected = Counter()
    for (label, places), weight in by_hand(stages, p).items():
        rounds = [(2, False)] * adversary.rounds
        for place in places:
            rounds[place] = (0, label)
        expected[tuple(rounds)] += weight
    assert law.keys() == expected.keys()
    assert all(law[key] == pytest.approx(float(weight), rel=1e-12) for key, weight in expected.items())


@pytest.mark.parametrize("rounds", [1, 2])
def test_one_or_two_rounds_begin_with_a_fair_label(rounds):
    """Lemma 4, its smallest cases."""
    law = enumerate_outcomes(lambda source: tuple(PointAdversary(rounds).stream(source))).probabilities
    rest = ((2, False),) * (rounds - 1)
    assert law == {((0, False), *rest): 0.5, ((0, True), *rest): 0.5}
    assert PointAdversary(rounds).forced_mistakes(100.0, 0.9) == 0.5


def test_other_points_and_classes():
    """The lemma takes any two instances of any class that gives the second both labels."""
    table = FiniteClass([[0, 0, 1], [0, 1, 1]], instances=["a", "b", "c"])
    for cls, dummy, x in ((Thresholds(9), 3, 7), (table, "a", "b"), (Points(100), 5, 50)):
        adversary = PointAdversary(27, hypothesis_class=cls, dummy=dummy, x=x)
        for seed in range(20):
            stream = adversary.stream(SeededSource(seed))
            assert all(stream.concept(x) == y for x, y in stream)


def test_secure_coins_are_the_default():
    labels = {PointAdversary(3).stream().concept(0) for _ in range(200)}
    assert labels == {False, True}
    assert PointAdversary(3).stream(SecureSource()).rounds == 3


@pytest.mark.parametrize(
    ("arguments", "options", "named"),
    [
        ((0,), {}, "rounds"),
        ((2.5,), {}, "rounds"),
        ((True,), {}, "rounds"),
        ((9, 0), {}, "p is 0"),
        ((9, 1.5), {}, "p is 1.5"),
        ((9, math.nan), {}, "p is nan"),
        ((9, "1"), {}, "p is '1'"),
        ((9,), {"dummy": 0}, "dummy"),
        ((9,), {"hypothesis_class": Points(2), "dummy": 1}, "both labels"),
        ((9,), {"hypothesis_class": "points"}, "hypothesis_class"),
    ],
)
def test_bad_arguments_give_one_sentence(arguments, options, named):
    with pytest.raises(ParameterError, match=named):
        PointAdversary(*arguments, **options)


def test_an_instance_that_is_none_is_named():
    with pytest.raises(InputError, match="17"):
        PointAdversary(9, x=17)


def test_what_is_forced_grows_with_the_stages_as_long_as_the_proof_allows_p_1():
    """The design's reckoning: at epsilon = .01 and delta = 0 up to 59 stages."""
    assert PointAdversary(3**12).forced_mistakes(0.01) == 1.0
    assert PointAdversary(3**59).forced_mistakes(0.01) == pytest.approx(59 / 12)
    assert PointAdversary(3**61).forced_mistakes(0.01) is None
    assert PointAdversary(3**12).forced_mistakes(0.01, 0.01) is None
    assert PointAdversary(3**12).forced_mistakes(1.0) is None
    assert PointAdversary(3**12).forced_mistakes(math.inf) is None


@pytest.mark.parametrize(("stages", "delta"), [*product([1, 12, 59, 1000], [0.0, 1e-6, 0.01, 0.25])])
def test_the_largest_insertion_is_the_largest(stages, delta):
    p = largest_insertion(stages, 0.01, delta)
    assert 0 < p <= 1
    assert information_bound(stages, p, 0.01, delta) <= 0.25
    assert p == 1 or information_bound(stages, p + Fraction(1, 2**30), 0.01, delta) > 0.25


@pytest.mark.parametrize(("p", "delta"), [*product([1.0, 0.2], [0.0, 1e-3])])
def test_the_information_bound_sums_the_two_inequalities_of_lemma_2(p, delta):
    """A recursion with the largest D that its second inequality allows, in the place of the closed form."""
    epsilon, stages = 0.03, 25
    w = (math.exp(epsilon) - math.exp(-epsilon)) ** 2 / 4
    budget = w
    for _ in range(stages):
        budget += (p * w + delta) / 3
    recursion = 20 * p**2 * 6 * budget + stages * 20 * p * delta  # all D at once, as late as can be
    assert information_bound(stages, p, epsilon, delta) == pytest.approx(recursion, rel=1e-12)


@pytest.mark.parametrize(
    ("stages", "p", "epsilon", "delta"), [(None, 1, 0.1, 0), (3, 2, 0.1, 0), (3, 1, "1", 0), (3, 1, 0.1, -1)]
)
def test_the_information_bound_names_a_bad_argument(stages, p, epsilon, delta):
    with pytest.raises(ParameterError, match=r"^(stages|p|epsilon|delta) is .*; give a "):
        information_bound(stages, p, epsilon, delta)
