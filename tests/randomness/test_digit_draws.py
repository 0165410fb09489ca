"""Geometric and discrete Laplace draws: would catch a rounded tie, a lost digit, a part above that never comes."""

import math
from fractions import Fraction
from itertools import chain, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scripted_bits import ScriptedSource, decimal_exp, slots_to_words

from reticent.errors import ParameterError
from reticent.randomness import SeededSource, digits
from reticent.randomness.digits import DigitTable, digit_table

SHORT = 1 << 16
#: One scale for each number of slots (8, 16, 32, 64), small and large.
SCALES = [Fraction(1, 50), Fraction(5, 2), Fraction(300), Fraction(2**20 * 10, 3), Fraction(2**40), Fraction(2**52)]


def slots_of(scale):
    return digit_table(scale).kept + 2


def slot_probabilities(scale):
    """Of each kept digit, of G >= 2**kept, and of the negative sign: by decimal arithmetic."""
    kept = digit_table(scale).kept
    ones = [decimal_exp(2**j / scale) for j in range(kept)]
    return [e / (1 + e) for e in ones] + [decimal_exp(2**kept / scale), ones[0] / (1 + ones[0])]


def draw_both(slots, refinements, scale):
    """(geometric, discrete Laplace) from the same bits."""
    magnitude = ScriptedSource(slots_to_words(slots), refinements).geometric(scale)
    source = ScriptedSource(slots_to_words(slots), refinements)
    both = magnitude, source.discrete_laplace(scale)
    assert source.script.left == 0
    assert source.script.refinements == [], "a tie was not refined"
    return both


def check_each_slot_at_its_tie(scale):
    """All slots say no except one, whose 16 bits equal those of its probability and whose next bits decide."""
    probabilities = slot_probabilities(scale)
    kept = len(probabilities) - 2
    for slot, p in enumerate(probabilities):
        short, rest = divmod(math.floor(p * SHORT**2), SHORT)
        for step, expected in [(-4, True), (4, False)]:
            if not 0 <= rest + step < SHORT:
                continue
            slots = [SHORT - 1] * len(probabilities)
            slots[slot] = short
            # The part above goes on until a comparison fails.
            above = [SHORT - 1] if slot == kept and expected else []
            geometric, laplace = draw_both(slots, [rest + step, *above], scale)
            if slot == kept + 1:
                assert (geometric, laplace) == (0, -1 if expected else 0)
            else:
                assert geometric == laplace == (1 << slot if expected else 0)


@pytest.mark.parametrize("scale", SCALES)
def test_each_digit_is_decided_at_its_tie_by_the_exact_probability(scale):
    check_each_slot_at_its_tie(scale)


@pytest.mark.parametrize("rounded", [True, False])
def test_a_sampler_that_rounds_its_ties_is_noticed(rounded, monkeypatch):
    monkeypatch.setattr(digits, "is_below", lambda *_: rounded)
    monkeypatch.setattr(DigitTable, "_part_above", lambda *_: 1)  # which would never end
    with pytest.raises(AssertionError):
        check_each_slot_at_its_tie(Fraction(300))


def check_part_above(scale):
    """The event G >= 2**kept, and above it 1 + a geometric of scale / 2**kept, which is made to be 2."""
    kept = digit_table(scale).kept
    p = slot_probabilities(scale)[kept]
    doublings = 0
    while p * 2 ** (16 << doublings) < 4:
        doublings += 1
    yes = [0] * doublings  # zeros, until so many digits of p are known that one is not 0
    slots = [SHORT - 1] * slots_of(scale)
    slots[kept] = 0
    slots[0] = 0  # digit 0 is surely 1, and must survive
    geometric, laplace = draw_both(slots, [*yes, 0, *yes, 0, *yes, SHORT - 1], scale)
    assert geometric == laplace == (3 << kept) + 1


@pytest.mark.parametrize("scale", [Fraction(5, 2), Fraction(300), Fraction(2**20 * 10, 3)])
def test_the_part_above_the_kept_digits_is_drawn_exactly(scale):
    check_part_above(scale)


def test_a_sampler_that_drops_the_part_above_is_noticed(monkeypatch):
    monkeypatch.setattr(DigitTable, "_part_above", lambda self, bits: 0)
    with pytest.raises(AssertionError):
        check_part_above(Fraction(300))


def test_a_sampler_that_stops_refining_after_64_digits_is_noticed(monkeypatch):
    refined = digits.is_below

    def stops(word, count, bounds, bits):
        lower, _ = bounds(64)
        return refined(word, count, lambda width: bounds(width) if width < 64 else (lower, lower), bits)

    monkeypatch.setattr(digits, "is_below", stops)
    with pytest.raises(AssertionError):
        check_part_above(Fraction(300))


@pytest.mark.parametrize("scale", SCALES)
def test_the_event_above_is_too_rare_for_16_bits_and_the_digits_fill_the_slots(scale):
    *_, above, _ = slot_probabilities(scale)
    assert above < Fraction(1, SHORT)
    assert slots_of(scale) in (8, 16, 32, 64)


@given(
    scale=st.sampled_from(SCALES),
    size=st.integers(0, 60),
    cuts=st.lists(st.integers(0, 60), max_size=4),
    seed=st.integers(0, 2**32),
    ties=st.booleans(),
)
@settings(max_examples=50)
def test_blocks_and_single_draws_are_the_same_sequence(scale, size, cuts, seed, ties):
    generator = np.random.default_rng(seed)
    slots = generator.integers(0, SHORT, size * slots_of(scale))
    if ties:
        shorts = np.tile([math.floor(p * SHORT) for p in slot_probabilities(scale)], size)
        slots = np.where(generator.random(slots.size) < 0.2, shorts, slots)
    refinements = generator.integers(1, SHORT, 4 * size * slots_of(scale)).tolist()
    for verb in ("geometric", "discrete_laplace"):
        alone, blocks = (ScriptedSource(slots_to_words(slots), refinements) for _ in range(2))
        expected = [getattr(alone, verb)(scale) for _ in range(size)]
        ends = sorted({0, size, *(min(cut, size) for cut in cuts)})
        parts = [getattr(blocks, f"{verb}s")(scale, b - a).tolist() for a, b in pairwise(ends)]
        assert list(chain(*parts)) == expected
        assert blocks.script.refinements == alone.script.refinements


def test_long_blocks_cross_the_inner_chunks_unnoticed():
    scale = Fraction(2**20 * 10, 3)
    whole, parts = SeededSource(5), SeededSource(5)
    expected = whole.discrete_laplaces(scale, 5000)
    assert np.array_equal(expected, np.concatenate([parts.discrete_laplaces(scale, k) for k in (1, 1023, 3000, 976)]))
    assert whole.uniform_index(10**9) == parts.uniform_index(10**9)


def test_scales_whose_draws_might_not_fit_are_refused():
    with pytest.raises(ParameterError, match="scale"):
        ScriptedSource([]).geometrics(Fraction(2**52 + 1), 3)
