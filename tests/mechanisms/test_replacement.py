"""The truncated noise, and Lemma 11's two properties for every value of the randomness."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reticent.errors import LearnerStateError, ParameterError
from reticent.mechanisms import Replacement, ReplacementRule, SingleSwitch, TruncatedLaplace, calibrate_mirror
from reticent.randomness import SecureSource, SeededSource, enumerate_outcomes

ONE, MILLIONTH = Fraction(1), Fraction(1, 10**6)


@given(st.fractions(Fraction(1, 50), 8), st.sampled_from([Fraction(1, 3), Fraction(1, 100), MILLIONTH]))
@settings(max_examples=50, deadline=None)
def test_the_bound_is_the_smallest_and_delta_is_the_last_probability(epsilon, delta):
    noise = TruncatedLaplace.calibrated(epsilon, delta)
    weights = [math.exp(-epsilon * abs(z)) for z in range(-noise.bound, noise.bound + 1)]
    assert float(noise.delta) == pytest.approx(weights[-1] / math.fsum(weights), rel=1e-12)
    assert noise.delta <= delta
    assert noise.bound == 0 or TruncatedLaplace(epsilon, noise.bound - 1).delta > delta


@pytest.mark.parametrize("share", [Fraction(1, 10), Fraction(1, 2), ONE])
def test_the_bound_is_below_that_of_the_proofs(share):
    """R6: x = (2/a) ln(2 (1 + e^{a/2}) / b) for continuous noise; here a/2 is the share, b/2 its delta."""
    b = 1e-6
    assert TruncatedLaplace.calibrated(share, Fraction(b) / 2).bound < math.log(2 * (1 + math.exp(share)) / b) / share


def test_the_law_of_the_noise():
    noise = TruncatedLaplace(Fraction(1, 2), 3)
    law = enumerate_outcomes(noise.draw).probabilities
    weights = {z: math.exp(-abs(z) / 2) for z in range(-3, 4)}
    assert law == pytest.approx({z: weight / sum(weights.values()) for z, weight in weights.items()})
    assert abs(TruncatedLaplace.calibrated(Fraction(1, 1000), MILLIONTH).draw(SecureSource())) < 10**5
    assert TruncatedLaplace(ONE, 0).draw(SecureSource()) == 0


@dataclass(frozen=True)
class FixedNoise(TruncatedLaplace):
    """Noise that is always `value`."""

    value: int = 0

    def draw(self, source):
        assert abs(self.value) <= self.bound
        return self.value


@dataclass(frozen=True)
class FixedAnswers:
    """A random zone whose answers are known."""

    answers: tuple[bool, ...]
    epsilon: Fraction = ONE
    delta: Fraction = MILLIONTH

    @property
    def rounds(self):
        return len(self.answers)

    def says_now(self, n, before, source):
        return self.answers[n - 1]


#: u, v and y: both wrong, v right, u right.
RECORDS = [(0, 0, 1), (0, 1, 1), (0, 1, 0)]


def every_rule(delay, tolerance, bound, rounds):
    """The rule with each value of its randomness."""
    for value in range(-bound, bound + 1):
        for answers in itertools.product((False, True), repeat=rounds):
            yield ReplacementRule(delay, tolerance, FixedNoise(ONE, bound, value), FixedAnswers(answers))


def violations(rule, stream):
    """Where Lemma 11 fails on this stream: the name of the property."""
    replacement, u_mistakes, v_mistakes, w_mistakes = Replacement(rule, SeededSource(0)), 0, 0, 0
    for u, v, y in stream:
        w = replacement.predict(u, v)
        if u_mistakes <= rule.quiet_mistakes and w != u:
            yield "quiet"
        replacement.update(y)
        u_mistakes, v_mistakes, w_mistakes = u_mistakes + (u != y), v_mistakes + (v != y), w_mistakes + (w != y)
        if v_mistakes < rule.tolerance and w_mistakes > rule.most_mistakes:
            yield "most"


@pytest.mark.parametrize(
    ("delay", "tolerance", "bound", "rounds"),
    [(1, 1, 0, 1), (1, 2, 1, 1), (2, 1, 0, 2), (3, 1, 1, 1), (4, 2, 1, 1), (3, 2, 0, 2), (2, 3, 0, 1)],
)
def test_lemma_11_holds_for_all_streams_and_all_values_of_the_randomness(delay, tolerance, bound, rounds):
    """(i') and (ii') of 90-proofs 7.3; catches a threshold that is off by one."""
    for rule in every_rule(delay, tolerance, bound, rounds):
        for stream in itertools.product(RECORDS, repeat=7):
            assert not list(violations(rule, stream)), (rule, stream)


@given(
    stream=st.lists(st.sampled_from(RECORDS), min_size=20, max_size=60),
    delay=st.integers(1, 12),
    tolerance=st.integers(1, 4),
    bound=st.integers(0, 3),
    seed=st.integers(0, 10**6),
)
@settings(max_examples=150, deadline=None)
def test_lemma_11_holds_on_longer_streams(stream, delay, tolerance, bound, seed):
    schedule = SingleSwitch.calibrated(2 * ONE, Fraction(1, 20))
    rule = ReplacementRule(delay, tolerance, TruncatedLaplace(ONE, bound), schedule)
    assert not list(violations(rule, stream))


@pytest.mark.parametrize(("batch", "tolerance", "bound"), [(3, 1, 0), (2, 2, 0), (3, 1, 1), (1, 2, 1), (2, 3, 0)])
def test_a_replacement_is_quiet_until_its_batch_is_full_and_one_round_less_of_delay_is_not(batch, tolerance, bound):
    """Claim 1' for N = 1: D_1 = K_0 + K_1 - 1 + 2 x, the batch K_0 need not be the tolerance K_1; it is tight."""

    def switches_early(shortened):
        for value in range(-bound, bound + 1):
            noise, now = FixedNoise(ONE, bound, value), FixedAnswers((True,))
            delay = ReplacementRule.quiet_for(batch - 1, tolerance, noise, now).delay
            assert delay == batch + tolerance - 1 + 2 * bound
            rule = ReplacementRule(max(1, delay - shortened), tolerance, noise, now)
            for stream in itertools.product(RECORDS[1:], repeat=delay + 1):
                replacement, mistakes = Replacement(rule, SeededSource(0)), 0
                for u, v, y in stream:
                    if replacement.predict(u, v) != u and mistakes < batch:
                        return True
                    replacement.update(y)
                    mistakes += u != y
        return False

    assert not switches_early(0)
    assert switches_early(1)


def test_the_rules_of_a_chain_have_the_delays_of_the_arithmetic_schedule():
    """D_1 = 2 K - 1 + 2 x and D_{j+1} = D_j + m + 2 K - 1 + 2 x."""
    batch, noise = 50, TruncatedLaplace.calibrated(Fraction(1, 4), MILLIONTH)
    schedule = calibrate_mirror(ONE, MILLIONTH)
    mistakes, delays = batch - 1, []
    for _ in range(4):
        rule = ReplacementRule.quiet_for(mistakes, batch, noise, schedule)
        delays.append(rule.delay)
        mistakes = rule.most_mistakes
    step = schedule.rounds + 2 * batch - 1 + 2 * noise.bound
    assert delays == [2 * batch - 1 + 2 * noise.bound + j * step for j in range(4)]
    assert rule.epsilon == Fraction(5, 4)
    assert rule.delta == noise.delta + schedule.delta


def test_agreement_draws_nothing_and_labels_may_be_any():
    rule = ReplacementRule(1, 1, TruncatedLaplace(ONE, 0), FixedAnswers((True,)))
    replacement = Replacement(rule, SeededSource(0))
    predictions = []
    for u, v, y in [("cat", "cat", "dog"), ("cat", "dog", "dog"), ("cat", "dog", "cat"), ("cow", "cow", "cat")]:
        predictions.append(replacement.predict(u, v))
        replacement.update(y)
    assert predictions == ["cat", "cat", "dog", "cow"]


def test_rounds_cannot_be_predicted_twice_or_updated_before():
    rule = ReplacementRule(1, 1, TruncatedLaplace(ONE, 0), FixedAnswers(()))
    replacement = Replacement(rule, SeededSource(0))
    with pytest.raises(LearnerStateError, match="before predict"):
        replacement.update(0)
    replacement.predict(0, 1)
    with pytest.raises(LearnerStateError, match="twice"):
        replacement.predict(0, 1)


@pytest.mark.parametrize(
    ("call", "names"),
    [
        (lambda: TruncatedLaplace(ONE, -1), "bound"),
        (lambda: TruncatedLaplace(ONE, 2**23 + 1), "bound"),
        (lambda: TruncatedLaplace(0, 3), "epsilon"),
        (lambda: TruncatedLaplace.calibrated(ONE, Fraction(2)), "delta"),
        (lambda: TruncatedLaplace.calibrated(Fraction(1, 10**9), MILLIONTH**2), "bound"),
        (lambda: ReplacementRule(0, 1, TruncatedLaplace(ONE, 1), FixedAnswers(())), "delay"),
        (lambda: ReplacementRule(1, 0, TruncatedLaplace(ONE, 1), FixedAnswers(())), "tolerance"),
        (lambda: ReplacementRule.quiet_for(-1, 1, TruncatedLaplace(ONE, 1), FixedAnswers(())), "mistakes"),
    ],
)
def test_a_bad_parameter_is_named_in_one_sentence(call, names):
    with pytest.raises(ParameterError, match=names) as error:
        call()
    assert str(error.value).endswith(".")
