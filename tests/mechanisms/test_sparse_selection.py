"""Sparse selection: the condition on the bottom weight, its smallest threshold, the two clauses of Fact 3."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reticent.errors import ParameterError
from reticent.mechanisms import SparseSelection, smallest_threshold
from reticent.randomness import SecureSource, SeededSource, enumerate_outcomes

ONE, MILLIONTH = Fraction(1), Fraction(1, 10**6)
budgets = {"epsilon": st.fractions(Fraction(1, 100), 6), "delta": st.sampled_from([Fraction(1, 3), MILLIONTH])}


@given(**budgets, length=st.integers(1, 50), changed=st.integers(1, 4))
@settings(max_examples=60, deadline=None)
def test_the_smallest_threshold_keeps_the_condition_and_a_smaller_one_does_not(epsilon, delta, length, changed):
    """g s e^{a' (g - tau)} <= min(b, e^{a' g} - 1), to a relative 2e-3 in tau."""
    tau, rate = smallest_threshold(epsilon, delta, length, changed), epsilon / (2 * changed)

    def lost(threshold: float) -> float:
        return changed * length * math.exp(rate * (changed - threshold))

    least = min(float(delta), math.expm1(rate * changed))
    assert lost(tau) <= least * (1 + 1e-12)
    assert lost(tau - Fraction(2, 1024)) > least


def test_for_one_list_it_is_the_formula_of_the_proofs():
    assert smallest_threshold(Fraction(3, 20), Fraction(1, 10**7), 1) == pytest.approx(
        1 + 2 / 0.15 * math.log(1e7), abs=2e-3
    )


def test_a_threshold_that_is_too_low_is_refused():
    least = smallest_threshold(ONE, MILLIONTH, 3)
    SparseSelection(ONE, MILLIONTH, 3, least)
    with pytest.raises(ParameterError, match=r"too low .* give at least") as error:
        SparseSelection(ONE, MILLIONTH, 3, least - Fraction(1, 512))
    assert str(error.value).endswith(".")
    with pytest.raises(ParameterError, match="too low"):
        SparseSelection(ONE, MILLIONTH, 3, least, changed_lists=2)


def test_the_threshold_is_rounded_up():
    selection = SparseSelection(ONE, MILLIONTH, 1, Fraction(100_001, 1000))
    assert Fraction(100_001, 1000) <= selection.threshold < Fraction(100_001, 1000) + Fraction(1, 1024)


def test_the_law_is_that_of_fact_3():
    selection = SparseSelection.calibrated(ONE, Fraction(1, 5), 2)
    lists = [("x", "y"), ("y", "x", "z"), ("y", "y"), ()]  # z is cut off, and the second y of a list does not count
    law = enumerate_outcomes(lambda source: selection.select(lists, source)).probabilities
    weights = {"x": math.exp(0.5 * 2), "y": math.exp(0.5 * 3), None: math.exp(0.5 * selection.threshold)}
    assert law == pytest.approx({key: weight / sum(weights.values()) for key, weight in weights.items()})


def test_with_no_element_at_all_nothing_is_returned():
    selection = SparseSelection.calibrated(ONE, Fraction(1, 5), 2)
    assert selection.select([], SecureSource()) is None
    assert selection.select([(), ()], SecureSource()) is None


@given(
    lists=st.lists(st.lists(st.integers(0, 3), max_size=4), min_size=1, max_size=12),
    epsilon=st.sampled_from([ONE, Fraction(4)]),
    count=st.integers(1, 12),
)
@settings(max_examples=60, deadline=None)
def test_the_bounds_on_failure_hold(lists, epsilon, count):
    """Catches a bound that forgets the k of Fact 3, or that e^{a c} / c falls before it rises."""
    selection = SparseSelection.calibrated(epsilon, Fraction(1, 5), 2)
    counts: dict[int, int] = {}
    for each in lists:
        for element in list(dict.fromkeys(each))[:2]:
            counts[element] = counts.get(element, 0) + 1
    law = enumerate_outcomes(lambda source: selection.select(lists, source)).probabilities
    assert law[None] <= selection.missed(max(counts.values(), default=0)) * (1 + 1e-12)
    rare = sum(law[element] for element, c in counts.items() if c < count)
    assert rare <= selection.spurious(len(lists), count) * (1 + 1e-12)


@pytest.mark.parametrize("epsilon", [ONE, Fraction(1, 50)])
@pytest.mark.parametrize("length", [1, 20])
def test_the_lists_needed_are_no_more_than_the_constant_of_the_proofs_says(epsilon, length):
    """90-proofs 4: k >= (13.4 / a) ln(k (s + 1) / (beta' b)) is enough."""
    failure = 1e-3
    needed = SparseSelection.lists_needed(failure, epsilon, MILLIONTH, length)
    enough = next(
        k for k in range(1, 10**6, 10) if k >= 13.4 / epsilon * math.log(k * (length + 1) / (failure * MILLIONTH))
    )
    assert needed <= enough
    selection = SparseSelection.for_lists(needed, epsilon, MILLIONTH, length)
    assert selection.missed(math.ceil(0.9 * needed)) <= failure
    assert selection.spurious(needed, math.ceil(0.6 * needed)) <= failure
    with pytest.raises(ParameterError, match="too low"):
        SparseSelection.for_lists(int(smallest_threshold(epsilon, MILLIONTH, length)), epsilon, MILLIONTH, length)


def test_an_element_of_all_lists_is_found():
    selection = SparseSelection.for_lists(SparseSelection.lists_needed(1e-9, ONE, MILLIONTH, 2), ONE, MILLIONTH, 2)
    lists = [(k, "common") for k in range(2 * int(selection.threshold))]
    assert selection.select(lists, SeededSource(1)) == "common"


@pytest.mark.parametrize(
    ("call", "names"),
    [
        (lambda: SparseSelection(0, MILLIONTH, 1, 99), "epsilon"),
        (lambda: SparseSelection(0.5, MILLIONTH, 1, 99), "epsilon"),
        (lambda: SparseSelection(ONE, 1, 1, 99), "delta"),
        (lambda: SparseSelection(ONE, MILLIONTH, 0, 99), "length"),
        (lambda: SparseSelection(ONE, MILLIONTH, True, 99), "length"),
        (lambda: SparseSelection(ONE, MILLIONTH, 1, 99, 0), "changed_lists"),
        (lambda: SparseSelection.for_lists(0, ONE, MILLIONTH, 1), "lists"),
        (lambda: SparseSelection.lists_needed(0.0, ONE, MILLIONTH, 1), "failure"),
    ],
)
def test_a_bad_parameter_is_named_in_one_sentence(call, names):
    with pytest.raises(ParameterError, match=names) as error:
        call()
    assert str(error.value).endswith(".")
