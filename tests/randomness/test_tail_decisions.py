"""The `exceeds` verbs: would catch a wrong cell, a rounded tie, a block that differs from its steps."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scripted_bits import ONE, ScriptedSource, geometric_tail, laplace_tail

from reticent.randomness import tails
from reticent.randomness.tails import DiscreteLaplaceTail, GeometricTail, tail_table

LAWS = {
    "geometric": (GeometricTail, geometric_tail),
    "discrete_laplace": (DiscreteLaplaceTail, laplace_tail),
}
SCALES = [Fraction(1, 1000), Fraction(1, 3), Fraction(1), Fraction(20, 3), Fraction(8), Fraction(1001, 7)]
SCALES += [Fraction(2**20 * 10, 3), Fraction(2**40), Fraction(2**60 + 1, 3)]

#: Refinements for words whose answer does not depend on them: the bounds at 64 digits are a unit or two wide.
FILLER = [ONE // 2] * 3
#: Nearer to the exact digits than this, 128 digits of the bounds need not suffice.
NEAR = 4

laws = pytest.mark.parametrize("law", LAWS)


def exceeds(source, law, gap, scale):
    return getattr(source, f"{law}_exceeds")(gap, scale)


def first_excess(source, law, threshold, queries, scale):
    return getattr(source, f"first_{law}_excess")(threshold, np.asarray(queries, np.int64), scale)


def gaps_around(scale):
    s = math.ceil(scale)
    near = [
        -2,
        -1,
        0,
        1,
        2,
        3,
        s - 1,
        s,
        s + 1,
        5 * s // 2,
        7 * s,
        40 * s,
        44 * s,
        50 * s,
        -s,
        -3 * s,
        -40 * s,
        -50 * s,
    ]
    return sorted(set(near))


def check_boundary_words(law):
    """The words around the exact probability, and the first refinements of the word that contains it."""
    oracle = LAWS[law][1]
    for scale in SCALES:
        for gap in gaps_around(scale):
            p = oracle(gap, scale)
            if p == 1:
                assert exceeds(ScriptedSource([ONE - 1]), law, gap, scale)
                continue
            digits, word = math.floor(p * ONE**2), math.floor(p * ONE)
            refinement = digits % ONE
            if word > 0:
                assert exceeds(ScriptedSource([word - 1], FILLER[:]), law, gap, scale)
            if word < ONE - 1:
                assert not exceeds(ScriptedSource([word + 1], FILLER[:]), law, gap, scale)
            mirrored = gap <= 0  # decided through 1 - U, whose digits are the complement
            for step, expected in [(-NEAR, True), (NEAR, False)]:
                if 0 <= refinement + step < ONE:
                    wanted = ONE - 1 - (refinement + step) if mirrored else refinement + step
                    source = ScriptedSource([word], [wanted])
                    assert exceeds(source, law, gap, scale) is expected
                    assert source.script.refinements == [], "the tie was not refined"


@laws
def test_ties_are_decided_by_the_next_digits_of_the_exact_probability(law):
    check_boundary_words(law)


@laws
@pytest.mark.parametrize("rounded", [True, False])
def test_a_sampler_that_rounds_its_ties_is_noticed(law, rounded, monkeypatch):
    monkeypatch.setattr(tails, "is_below", lambda *_: rounded)
    with pytest.raises(AssertionError):
        check_boundary_words(law)


@laws
def test_a_tie_that_lasts_128_digits_is_still_refined(law):
    gap, scale = 5, Fraction(20, 3)
    p = LAWS[law][1](gap, scale)
    digits = math.floor(p * 2**256)
    parts = [digits >> 192, digits >> 128 & ONE - 1, digits & (1 << 128) - 1]
    for step, expected in [(-NEAR, True), (NEAR, False)]:
        source = ScriptedSource(parts[:1], [parts[1], parts[2] + step])
        assert exceeds(source, law, gap, scale) is expected
        assert source.script.refinements == []


@laws
@pytest.mark.parametrize("scale", SCALES)
def test_every_cell_of_a_table_bounds_the_tail_at_both_its_ends(law, scale):
    kind, oracle = LAWS[law]
    table = tail_table(kind, scale)
    width = 1 << table._shift
    cells = len(table._surely)
    for cell in {*range(0, cells, 37), 0, 1, table._offset - 1, table._offset, cells - 2, cells - 1} & set(
        range(cells)
    ):
        first = (cell - table._offset) * width + 1
        # The outermost cells stand for everything beyond them.
        ends = [gap for gap in (first, first + width - 1) if gap > 0 or law == "discrete_laplace"]
        if cell == cells - 1:
            ends = [first, first + 100 * width]
        elif cell == 0:
            ends = [first + width - 1, first - 100 * width]
        for gap in ends:
            p = oracle(gap, scale) * ONE
            assert table._surely[cell] <= p <= table._possibly[cell] + 1


@laws
@given(data=st.data())
def test_any_word_is_decided_as_exact_arithmetic_decides_it(law, data):
    scale = data.draw(st.sampled_from(SCALES))
    gap = data.draw(st.integers(math.floor(-50 * scale), math.ceil(50 * scale)))
    p = LAWS[law][1](gap, scale)
    word = data.draw(st.integers(0, ONE - 1) | st.sampled_from([math.floor(p * ONE) + k for k in (-1, 1)]))
    if 0 <= word < ONE and word != math.floor(p * ONE):
        assert exceeds(ScriptedSource([word], FILLER[:]), law, gap, scale) is (word < p * ONE)


@laws
@given(data=st.data())
@settings(max_examples=60)
def test_a_block_decides_as_its_steps_and_takes_as_many_words(law, data):
    scale = data.draw(st.sampled_from(SCALES[:-1]))
    span = math.ceil(60 * scale)
    queries = data.draw(st.lists(st.integers(-span, span), max_size=40)) * data.draw(st.sampled_from([1, 20]))
    threshold = data.draw(st.integers(-span, span))
    seed = data.draw(st.integers(0, 2**32))
    words = np.random.default_rng(seed).integers(0, ONE, len(queries), np.uint64)
    for k in data.draw(st.lists(st.integers(0, max(0, len(queries) - 1)), max_size=5)):
        if k < len(queries):  # words at the boundary, which need refinement
            words[k] = min(ONE - 1, math.floor(LAWS[law][1](threshold - queries[k], scale) * ONE))
    refinements = np.random.default_rng(seed + 1).integers(0, ONE, 2000, np.uint64).tolist()

    steps = ScriptedSource(words, refinements)
    expected = next(
        (k for k, query in enumerate(queries) if exceeds(steps, law, threshold - query, scale)), len(queries)
    )
    block = ScriptedSource(words, refinements)
    at = 0
    while at < len(queries):
        size = data.draw(st.integers(1, 500))
        found = first_excess(block, law, threshold, queries[at : at + size], scale)
        at += found
        if found < len(queries[at - found : at - found + size]):
            break
    assert at == expected
    assert block.script.left == steps.script.left
    assert block.script.refinements == steps.script.refinements


@laws
@pytest.mark.parametrize("sign", [1, -1])
def test_huge_gaps_neither_overflow_nor_build_huge_tables(law, sign):
    queries = np.array([2**63 - 1, -(2**63), 2**62, -(2**62), 0], np.int64)
    for scale in (Fraction(1, 1000), Fraction(7), Fraction(2**60)):
        for threshold in (2**62 * sign, 2**70 * sign, 2**63 * sign):
            steps, block = (ScriptedSource([ONE // 3] * 5) for _ in range(2))
            expected = next(
                (k for k, q in enumerate(queries.tolist()) if exceeds(steps, law, threshold - q, scale)), len(queries)
            )
            assert first_excess(block, law, threshold, queries, scale) == expected
        assert len(tail_table(LAWS[law][0], scale)._surely) < 6000


def test_a_gap_of_at_most_zero_is_surely_reached_and_still_takes_its_word():
    source = ScriptedSource([ONE - 1, ONE - 1])
    assert source.geometric_exceeds(0, Fraction(3))
    assert source.geometric_exceeds(-(2**62), Fraction(3))
    assert source.script.left == 0


@laws
def test_numpy_integers_are_good_gaps(law):
    word = 12345678901234567890
    for gap in (-3, 0, 4):
        ours = exceeds(ScriptedSource([word]), law, np.int64(gap), Fraction(5))
        assert ours is exceeds(ScriptedSource([word]), law, gap, Fraction(5))


def test_no_queries_take_no_words():
    source = ScriptedSource([7])
    assert first_excess(source, "geometric", 5, [], Fraction(2)) == 0
    assert source.script.left == 1
