"""Would catch: copies that leave their block, offsets that are not uniform, and claims that are too large."""

import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticent.adversaries import BlockAdversary, PointAdversary, largest_insertion
from reticent.classes import Thresholds
from reticent.errors import ParameterError
from reticent.randomness import SeededSource, enumerate_outcomes


@given(
    rounds=st.integers(1, 10**6) | st.integers(10**30, 10**31),
    epsilon=st.sampled_from([1e-6, 1e-3, 0.0034, 0.01, 0.02, 1.0]),
    delta=st.sampled_from([0.0, 1e-12]),
    seed=st.integers(0, 2**20),
)
def test_streams_are_realisable_and_as_long_as_asked_for(rounds, epsilon, delta, seed):
    adversary = BlockAdversary(rounds, epsilon, delta, hypothesis_class=Thresholds(7), dummy=1, x=4)
    stream = adversary.stream(SeededSource(seed))
    assert stream.rounds == rounds
    assert all(stream.concept(x) == y and times > 0 for x, y, times in stream.parts)
    assert stream.informative % adversary.copies == 0


def test_the_numbers_of_lemma_5():
    adversary = BlockAdversary(10**6, 1e-3)
    assert (adversary.copies, adversary.window, adversary.block) == (10, 160, 320)
    assert adversary.auxiliary == PointAdversary(10**6 // 320, 1)
    assert adversary.copies * adversary.epsilon <= 0.01


def test_copies_stand_together_inside_their_blocks_and_their_offsets_are_uniform():
    """All places, with their exact probabilities: one stage puts an example into the first block, or none."""
    adversary = BlockAdversary(4 * 32, 0.0099)  # one copy in a window of 16, in four blocks
    assert (adversary.copies, adversary.window, adversary.auxiliary.rounds) == (1, 16, 4)

    def place(source):
        first, *others = adversary.stream(source).parts
        return first[2] if others and first[0] == adversary.dummy else 0 if others else None

    law = enumerate_outcomes(place).probabilities
    assert law.pop(None) == pytest.approx(2 / 3)
    assert law.keys() == set(range(16))
    assert all(probability == pytest.approx(1 / 48) for probability in law.values())


def test_offsets_of_different_blocks_are_independent_and_copies_stay_inside():
    adversary = BlockAdversary(9 * 64, 0.005)
    q, w = adversary.copies, adversary.window
    assert (q, w, adversary.auxiliary.rounds) == (2, 32, 9)
    pairs = Counter()
    for seed in range(3000):
        done, offsets = 0, []
        for x, _, times in adversary.stream(SeededSource(seed)).parts:
            if x == adversary.x:
                assert times == q
                offsets.append(done % (2 * w))
                assert offsets[-1] + q <= 2 * w
            done += times
        if len(offsets) == 2:
            pairs[offsets[0] // 16, offsets[1] // 16] += 1
    total = sum(pairs.values())
    assert total > 200
    # Each quarter has a chance of 1/4; 7 standard deviations.
    assert all(abs(pairs[k] - total / 4) < 7 * math.sqrt(total * 3 / 16) for k in ((0, 0), (0, 1), (1, 0), (1, 1)))


def test_a_stream_shorter_than_one_over_epsilon_is_informative_throughout():
    adversary = BlockAdversary(500, 1e-3)
    for seed in range(10):
        stream = adversary.stream(SeededSource(seed))
        assert stream.informative == stream.rounds == 500
    assert adversary.forced_mistakes(1e-3) >= 500 / 8


def test_for_larger_epsilons_examples_are_kept_with_the_probability_of_proposition_1():
    """The auxiliary learner is amplified by dummies to epsilon = 1/100."""
    for epsilon in (0.01, 0.05, 0.3, 1.0):
        adversary = BlockAdversary(3**10, epsilon)
        r = math.expm1(0.01) / math.expm1(epsilon)
        assert adversary.copies == adversary.block == 1
        assert float(adversary.auxiliary.p) == pytest.approx(r, rel=1e-9)
        assert math.log1p(float(adversary.kept) * math.expm1(epsilon)) <= 0.01
        assert adversary.forced_mistakes(epsilon) == pytest.approx(10 * r / 12, rel=1e-9)


def test_what_is_forced_grows_like_one_over_epsilon():
    """Lemma 5, (9), with its constants: between a 32nd and a quarter of the informative examples, times q."""
    for epsilon in (1e-5, 1e-4, 1e-3):
        adversary = BlockAdversary(10**12, epsilon)
        informative = adversary.copies * adversary.auxiliary.expected_informative
        assert informative / 32 < adversary.forced_mistakes(epsilon) < informative / 4


def test_what_is_forced_is_what_the_proof_of_lemma_5_gives():
    """Copy by copy: e^(-q epsilon) (alpha - j / w) - delta_q, with group privacy's delta as the sum of Fact 1."""
    epsilon, delta = 1e-3, 1e-7
    adversary = BlockAdversary(10**6, epsilon, delta)
    q, w = 10, 160
    delta_q = delta * sum(math.exp(j * epsilon) for j in range(q))
    p = largest_insertion(7, q * epsilon, delta_q)  # 3^7 <= 10^6 // 320 < 3^8
    informative = 7 * float(p) / 3
    least = sum(
        math.exp(-q * epsilon) * (informative / 4 - informative * j / w) - informative * delta_q for j in range(q)
    )
    assert adversary.forced_mistakes(epsilon, delta) == pytest.approx(least, rel=1e-9)


def test_nothing_is_claimed_about_learners_that_promise_less():
    adversary = BlockAdversary(10**6, 0.1, 1e-6)
    assert adversary.forced_mistakes(0.05) == adversary.forced_mistakes(0.1, 1e-6) > 0
    assert adversary.forced_mistakes(0.2) is None
    assert adversary.forced_mistakes(0.1, 1e-5) is None


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ((0, 0.1), "rounds"),
        ((9, 0.0), "epsilon"),
        ((9, 1.5), "epsilon"),
        ((9, math.nan), "epsilon"),
        ((9, 0.1, 0.011), "delta"),
        ((9, 1.0, 0.3), "delta"),
        ((9, 0.1, -1e-9), "delta"),
    ],
)
def test_bad_arguments_give_one_sentence(arguments, named):
    with pytest.raises(ParameterError, match=named):
        BlockAdversary(*arguments)
