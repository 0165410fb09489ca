"""The delayed coin in machine code: would catch a decision that is not that of the single verbs, or other words."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scripted_bits import ONE, ScriptedBits, ScriptedSource

from reticent.errors import ParameterError
from reticent.experts import Dartboard
from reticent.experts.tuning import DartboardParameters
from reticent.mechanisms import DelayedCoin, EqualRates, OneSidedNoise
from reticent.randomness import SeededSource, departures
from reticent.randomness.bounds import exponential_bounds
from reticent.randomness.coins import coin_cells

#: These write words that sit on the edge of one decision of the loop that numba compiles.
in_machine_code = pytest.mark.skipif(
    departures._compiled_play() is None,
    reason="numba, an extra, is not installed: then each decision is a single verb, and their edges are tried "
    "in test_tail_decisions.py and test_uniform_and_bernoulli.py",
)


class SameNoise(OneSidedNoise):
    """Not known to the machine code: every decision is a single verb."""


losses_of_a_block = st.lists(st.integers(0, 16), max_size=60)
rates = st.fractions(Fraction(1, 2000), 2, max_denominator=5000)


def coin(kind, source, delay, floor, rate, epsilon):
    return DelayedCoin(delay, kind(Fraction(epsilon), 1, 16), floor, rate, source)


def play(kind, source, blocks, *rules):
    """Where it leaves, over all blocks; it is restarted then."""
    watch, left = coin(kind, source, *rules), []
    for block in blocks:
        running = np.concatenate([[0], np.cumsum(block, dtype=np.int64)])
        row = 0
        while row < len(block):
            found = row + watch.add_block(running[row:])
            left.append(found - len(block))
            row = found + 1
            if row <= len(block):
                watch.restart()
    return left, watch._remaining, watch._suffered


@given(
    st.lists(losses_of_a_block, min_size=1, max_size=6),
    st.integers(-20, 60),
    st.integers(0, 30),
    rates,
    st.sampled_from([1, 4, 40]),
    st.integers(0, 2**32),
)
@settings(max_examples=300)
def test_machine_code_decides_as_the_single_verbs_do(blocks, delay, floor, rate, epsilon, seed):
    rules = delay, floor, rate, epsilon
    fast, slow = SeededSource(seed), SeededSource(seed)
    assert play(OneSidedNoise, fast, blocks, *rules) == play(SameNoise, slow, blocks, *rules)
    assert fast.uniform_index(ONE) == slow.uniform_index(ONE)


# Words in doubt: at the ends of cells of the tail and of the coin, and with a digit at its limit.
doubtful = st.one_of(
    st.integers(0, ONE - 1),
    st.sampled_from([word for cells in coin_cells() for word in cells[:200]]).flatmap(
        lambda word: st.sampled_from([max(word - 1, 0), word, min(word + 1, ONE - 1)])
    ),
    st.integers(0, 40).map(lambda k: min(ONE - 1, ONE * k // 40)),
)


@given(
    st.lists(doubtful, min_size=400, max_size=400),
    st.integers(-5, 20),
    rates,
    st.lists(st.integers(0, ONE - 1), min_size=200, max_size=200),
)
@settings(max_examples=60)
def test_words_in_doubt_are_decided_alike(words, delay, rate, refinements):
    def source():
        return ScriptedSource(words, [r % (1 << 16) for r in refinements])

    block = [1, 0, 3, 16] * 5
    rules = delay, 2, rate, 4
    try:
        expected = play(SameNoise, source(), [block], *rules)
    except (AssertionError, IndexError):  # the script has not as many bits as this path asks for
        return
    assert play(OneSidedNoise, source(), [block], *rules) == expected


rules_of_a_dartboard = st.tuples(
    st.floats(-5, 30), st.fractions(Fraction(1, 50), 2, max_denominator=50), st.sampled_from([1, 2, 30])
)


def dartboard(n_experts, delay, rate, cap, grid_bits):
    redraws = EqualRates(rate, cap)
    parameters = DartboardParameters(Fraction(1), Fraction(1, 4), delay, redraws)
    return Dartboard(n_experts, 1e6, 0.0, parameters=parameters, grid_bits=grid_bits)


def state(learner):
    coin = learner._guard
    noise = None if coin is None else (coin._remaining, coin._suffered)
    return learner.choice, learner._redraws, learner._suffered, learner._cumulative.tolist(), noise


def as_steps_and_as_blocks(algorithm, losses, cuts, source):
    steps, blocks = algorithm.start(source()), algorithm.start(source())
    singly = []
    for row in losses:
        singly.append(steps.choice)
        steps.update(row)
    together = [blocks.update_block(part).tolist() for part in np.split(losses, sorted(cuts)) if len(part)]
    assert [choice for part in together for choice in part] == singly
    assert state(blocks) == state(steps)
    assert blocks._source.uniform_index(ONE) == steps._source.uniform_index(ONE)


@given(
    rules_of_a_dartboard,
    st.sampled_from([1, 2, 5]),
    st.sampled_from([0, 3, 20]),
    st.sampled_from([np.float64, np.float32, np.uint8, np.bool_]),
    st.integers(0, 300),
    st.lists(st.integers(0, 300), max_size=3),
    st.integers(0, 2**32),
)
@settings(max_examples=300)
def test_redraws_in_machine_code_are_those_of_steps(rules, n_experts, grid_bits, kind, rounds, cuts, seed):
    """The prefix sums, the words, the coin after a redraw, and the last redraw."""
    losses = np.random.default_rng(seed).random((rounds, n_experts))
    losses = (losses < 0.4).astype(kind) if kind in (np.uint8, np.bool_) else losses.astype(kind)
    algorithm = dartboard(n_experts, *rules, grid_bits)
    as_steps_and_as_blocks(algorithm, losses, cuts, lambda: SeededSource(seed))


@given(
    st.lists(doubtful, min_size=400, max_size=400),
    rules_of_a_dartboard,
    st.lists(st.integers(0, ONE - 1), min_size=200, max_size=200),
)
@settings(max_examples=100)
def test_redraws_in_doubt_are_those_of_steps(words, rules, refinements):
    """Words at the edges of the coin's and of an even softmin's intervals."""
    algorithm = dartboard(2, *rules, 0)
    losses = np.array([[1.0, 1.0], [0.0, 0.0], [1.0, 1.0]] * 6)
    try:
        as_steps_and_as_blocks(
            algorithm, losses, [5], lambda: ScriptedSource(words, [r % (1 << 16) for r in refinements])
        )
    except IndexError:  # the script has not as many bits as these decisions ask for
        return


def first_digits(x):
    """floor(2**64 exp(-x))."""
    lower, upper = exponential_bounds(x, 128)
    assert lower >> 64 == upper >> 64
    return lower >> 64


@in_machine_code
@pytest.mark.parametrize("gap", range(1, 40, 3))
def test_a_word_at_the_edge_of_firing_is_decided_by_further_digits(gap):
    """Floats cannot tell here: they must see that they cannot."""
    rules = departures.DelayRules(0, 0, Fraction(4), Fraction(4), Fraction(50))
    edge = first_digits(Fraction(gap, 4))
    for further, fires in [(0, True), (ONE - 1, False)]:
        source = ScriptedSource([edge, ONE - 1, ONE - 1], [further])
        found = source.first_departure(rules, np.array([0, 3], np.int64), gap + 3, 0)
        assert found is not None
        assert found.row == (0 if fires else 1)


@in_machine_code
@pytest.mark.parametrize("suffered", range(1, 40, 3))
def test_a_word_at_the_edge_of_the_coin_is_decided_by_further_digits(suffered):
    rules = departures.DelayRules(0, 0, Fraction(4), Fraction(4), Fraction(1, 8))
    edge = first_digits(Fraction(suffered + 3, 8))
    for further, leaves in [(0, False), (ONE - 1, True)]:
        source = ScriptedSource([0, edge, ONE - 1, ONE - 1], [further])
        found = source.first_departure(rules, np.array([0, 3], np.int64), 4, suffered)
        assert found is not None
        assert found.row == (0 if leaves else 1)


@in_machine_code
def test_a_digit_at_its_limit_is_left_to_exact_arithmetic():
    """The machine code must stop at a tie of 16 bits and not decide it."""
    asked = []
    original = departures.digit_table(Fraction(4)).geometric
    search = departures.DepartureSearch(departures.DelayRules(0, 0, Fraction(4), Fraction(4), Fraction(1, 8)))
    limits, _ = search._digits.limits
    tie = int(limits[0]) | (0xFFFF_FFFF_FFFF << 16)

    class Noting:
        limits = search._digits.limits

        def geometric(self, bits):
            asked.append(True)
            return original(bits)

    search._digits = Noting()
    source = ScriptedSource([tie, *[ONE - 1] * 8], [0])
    search.first(np.array([0, 1, 2], np.int64), None, 0, source.script)
    assert asked == [True]


@pytest.mark.parametrize("remaining", [1 << 62, -(1 << 62)])
def test_what_might_overflow_is_left_to_the_single_verbs(remaining):
    rules = departures.DelayRules(0, 0, Fraction(4), Fraction(4), Fraction(1, 8))
    search = departures.DepartureSearch(rules)
    assert search.first(np.array([0, 1], np.int64), remaining, 0, ScriptedSource([1]).script) is None


def test_a_noise_that_cannot_be_drawn_is_refused_in_blocks_as_in_steps():
    rules = departures.DelayRules(0, 0, Fraction(2**53), Fraction(2**53), Fraction(1, 8))
    with pytest.raises(ParameterError, match="draws need a scale"):
        SeededSource(1).first_departure(rules, np.array([0, 1], np.int64), None, 0)


class ShownOnce(ScriptedBits):
    """As the secure source: what was shown and not taken is never shown again."""

    def peek(self, count):
        return self.take_many(count)

    def skip(self, count):
        pass


@pytest.mark.parametrize("word", [ONE // 2 - 1, ONE // 2])
def test_the_word_of_a_redraw_in_doubt_is_not_exchanged_for_a_fresh_one(word):
    """Only the secure source shows words once: another word after a look at the first has another law."""
    algorithm = dartboard(2, 0.0, Fraction(1, 2), 30, 0)
    fires, leaves, elsewhere = 0, ONE - 1, ONE - 1 if word < ONE // 2 else 0
    source = ScriptedSource([])
    source._bits = ShownOnce([0, ONE - 1, ONE - 1, fires, leaves, word, *[elsewhere] * 600])
    learner = algorithm.start(source)
    learner.update_block(np.ones((1, 2)))
    assert learner.choice == (word >= ONE // 2)
    assert learner._redraws == 1
