"""AboveThreshold: its exact law, its price, and the faults that Lyu, Su and Li (2017) found in the literature.

A run answers a whole sequence of queries with one instance, or with several one after another; the output is the
sequence of answers.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from reticent.audit import ExactAudit, exact_mechanism
from reticent.errors import ParameterError
from reticent.mechanisms import (
    AboveThreshold,
    DworkRothNoise,
    LaplaceNoise,
    OneSidedNoise,
    RunningSumAboveThreshold,
)
from reticent.randomness import EnumeratedSource, SeededSource, Source

EPSILON = Fraction(1)
Queries = tuple[int, ...]
Run = Callable[[Queries, Source], tuple[object, ...]]


def close(length: int, values: Sequence[int]) -> Iterator[tuple[Queries, Queries]]:
    """All pairs of sequences in which each query differs by at most 1: the answers of two neighbouring data sets."""
    for one, other in product(product(values, repeat=length), repeat=2):
        if one < other and all(abs(a - b) <= 1 for a, b in zip(one, other, strict=True)):
            yield one, other


def replaced(length: int, units: int, rounds: int = 1) -> Iterator[tuple[Queries, Queries]]:
    """All pairs of sequences of losses that differ in at most `rounds` places."""
    for one, other in product(product(range(units + 1), repeat=length), repeat=2):
        if one < other and sum(a != b for a, b in zip(one, other, strict=True)) <= rounds:
            yield one, other


def first_above(threshold: int) -> Run:
    """The shipped AboveThreshold on arbitrary queries."""

    def run(queries: Queries, source: Source) -> tuple[object, ...]:
        instance = AboveThreshold(threshold, DworkRothNoise(EPSILON, 1, 1), source)
        answers: list[bool] = []
        for query in queries:
            answers.append(instance.is_above(query))
            if answers[-1]:
                break
        return tuple(answers)

    return run


def running_sum(threshold: int, noise: OneSidedNoise | LaplaceNoise, offset: int = 0, restart: bool = True) -> Run:
    """The shipped RunningSumAboveThreshold, a fresh instance after each answer "above"."""

    def run(losses: Queries, source: Source) -> tuple[object, ...]:
        instance = RunningSumAboveThreshold(threshold, noise, source, offset)
        answers = []
        for loss in losses:
            answers.append(instance.add(loss))
            if answers[-1]:
                instance = RunningSumAboveThreshold(threshold, noise, source, offset)
        return tuple(answers)

    return run


def assert_rejected(faulty: Run, sound: Run, pairs: Sequence[tuple[Queries, Queries]], epsilon: float) -> ExactAudit:
    for run, passes in ((sound, True), (faulty, False)):
        audit = exact_mechanism(run, pairs, epsilon, mass=1e-12)
        assert audit.passed == passes, str(audit)
    sys.stdout.write(f"{audit}\n")
    return audit


@pytest.mark.parametrize("threshold", [-1, 1, 3])
def test_above_threshold_is_private_for_any_queries(threshold: int) -> None:
    """Catches noise that is too small for queries that move up and down (Dwork and Roth, Theorem 3.23)."""
    audit = exact_mechanism(first_above(threshold), close(3, range(3)), float(EPSILON))
    assert audit.passed, str(audit)


@pytest.mark.parametrize("noise", [OneSidedNoise, LaplaceNoise, DworkRothNoise])
@pytest.mark.parametrize(("threshold", "offset"), [(-2, 0), (1, 0), (3, 0), (2, 1), (0, -1)])
def test_running_sums_are_private_with_the_small_noise(
    noise: type[OneSidedNoise] | type[LaplaceNoise], threshold: int, offset: int
) -> None:
    """Catches a small noise that is too small, and an offset that does not cancel (90-proofs 1.2, AT)."""
    audit = exact_mechanism(running_sum(threshold, noise(EPSILON, 1, 1), offset), replaced(4, 1), float(EPSILON))
    assert audit.passed, str(audit)
    assert noise is DworkRothNoise or threshold < 2 or audit.log_ratio > 0.9 * float(EPSILON)


@pytest.mark.parametrize("noise", [OneSidedNoise, LaplaceNoise])
def test_running_sums_are_private_for_persons_of_two_rounds(noise: type[OneSidedNoise] | type[LaplaceNoise]) -> None:
    """Catches a sensitivity that nets changes of opposite sign."""
    audit = exact_mechanism(running_sum(2, noise(EPSILON, 2, 1)), replaced(4, 1, rounds=2), float(EPSILON))
    assert audit.passed, str(audit)
    net = exact_mechanism(running_sum(2, noise(EPSILON, 1, 1)), replaced(4, 1, rounds=2), float(EPSILON))
    assert not net.passed, str(net)


@pytest.mark.parametrize("noise", [OneSidedNoise, LaplaceNoise])
def test_losses_on_a_finer_grid_cost_the_same(noise: type[OneSidedNoise] | type[LaplaceNoise]) -> None:
    """Catches scales that forget the units of the grid."""
    audit = exact_mechanism(running_sum(4, noise(EPSILON, 1, 2)), replaced(3, 2), float(EPSILON))
    assert audit.passed, str(audit)


def test_a_small_noise_does_not_fit_arbitrary_queries() -> None:
    """The suffix shift is a property of the type: it cannot be had for queries of any kind."""
    for noise in (OneSidedNoise(EPSILON, 1, 1), LaplaceNoise(EPSILON, 1, 1)):
        with pytest.raises(ParameterError, match="running sums only"):
            AboveThreshold(3, noise, EnumeratedSource())  # type: ignore[arg-type]


@pytest.mark.parametrize(("loss", "rounds"), [(-1, 1), (3, 1), (5, 2), (1, 0)])
def test_a_running_sum_takes_losses_of_rounds_and_nothing_else(loss: int, rounds: int) -> None:
    """Catches a query smuggled in as a loss; nothing is drawn and the sum stays."""
    source = EnumeratedSource()
    instance = RunningSumAboveThreshold(3, OneSidedNoise(EPSILON, 1, 2), source)
    before = repr(instance._remaining)
    with pytest.raises(ParameterError, match="must lie in"):
        instance.add(loss, rounds)
    assert source.sizes == []
    assert repr(instance._remaining) == before


def test_an_instance_that_has_fired_answers_nothing() -> None:
    """Catches the missing cut-off: an instance is paid for one answer "above"."""
    instance = AboveThreshold(-10_000, DworkRothNoise(EPSILON, 1, 1), SeededSource(1))
    assert instance.is_above(0)
    with pytest.raises(ParameterError, match="ended; start a new one"):
        instance.is_above(0)


# Faults. The first two break the precondition of the small noise; the rest are Lyu, Su and Li's.


@dataclass(frozen=True)
class DisguisedNoise(DworkRothNoise):
    """Small noise that passes for the textbook one."""

    threshold_factor = query_factor = 1


def least_of_two(noise: DworkRothNoise) -> Run:
    """The doubling detector (a): the best expert's loss; a round is one of 0 .. 3, and its bits are the losses."""

    def run(rounds: Queries, source: Source) -> tuple[object, ...]:
        instance, sums, answers = AboveThreshold(1, noise, source), [0, 0], []
        for losses in rounds:
            sums = [sums[0] + losses // 2, sums[1] + losses % 2]
            answers.append(instance.is_above(min(sums)))
            if answers[-1]:
                break
        return tuple(answers)

    return run


def test_a_query_that_is_no_constant_shift_needs_the_textbook_noise() -> None:
    """90-proofs 1.5 (a): the least cumulative loss moves up by a record, and later not any more."""
    pairs = list(replaced(3, 3))
    faulty, sound = (least_of_two(noise(EPSILON, 1, 1)) for noise in (DisguisedNoise, DworkRothNoise))
    assert_rejected(faulty, sound, pairs, float(EPSILON))


def up(halves: int) -> int:
    return (halves + 1) // 2


def rounded_sum(halves: Queries, source: Source) -> tuple[object, ...]:
    """Losses in halves on a grid of ones: the cumulative sum is rounded, and not each loss."""
    instance = RunningSumAboveThreshold(2, OneSidedNoise(EPSILON, 1, 1), source)
    answers, total = [], 0
    for loss in halves:
        before, total = total, total + loss
        answers.append(instance.add(up(total) - up(before)))
        if answers[-1]:
            break
    return tuple(answers)


def rounded_losses(halves: Queries, source: Source) -> tuple[object, ...]:
    """The same, each loss rounded to the grid before it is added."""
    instance = RunningSumAboveThreshold(2, OneSidedNoise(EPSILON, 1, 1), source)
    answers: list[bool] = []
    for loss in halves:
        answers.append(instance.add(up(loss)))
        if answers[-1]:
            break
    return tuple(answers)


def test_each_loss_is_rounded_before_it_is_added() -> None:
    """The table of 90-proofs: a rounded sum is shifted by more and by less in turn, and costs eps1 (1 + 1 / G)."""
    audit = assert_rejected(rounded_sum, rounded_losses, list(replaced(3, 2)), float(EPSILON))
    assert audit.log_ratio <= 2 * float(EPSILON)


def sparse_vector(
    threshold_scale: Fraction, query_scale: Fraction | None, most: int, *, refresh: bool = False
) -> Run:
    """Lyu, Su and Li's Figure 1: report up to `most` queries that are above; discrete Laplace noise."""

    def run(queries: Queries, source: Source) -> tuple[object, ...]:
        threshold = 1 + source.discrete_laplace(threshold_scale)
        answers: list[bool] = []
        for query in queries:
            if sum(answers) == most:
                break
            if query_scale is None:
                answers.append(query >= threshold)
            else:
                answers.append(source.discrete_laplace_exceeds(threshold - query, query_scale))
            if answers[-1] and refresh:
                threshold = 1 + source.discrete_laplace(threshold_scale)
        return tuple(answers)

    return run


def shown(queries: Queries, source: Source) -> tuple[object, ...]:
    """Shows the noisy query that was above: the noise that decided is spent again."""
    threshold, scale = 1 + int(source.discrete_laplace(1 / LYU_HALF)), 2 / LYU_HALF
    answers: list[object] = []
    for query in queries:
        above = source.discrete_laplace_exceeds(threshold - query, scale)
        if above:
            # The law of the noise, given that it reached the threshold.
            values = np.arange(threshold - query, 25)
            answers.append(query + int(values[source.softmin_index(np.abs(values), 1 / scale)]))
            break
        answers.append(False)
    return tuple(answers)


#: Queries that are answered "below" on the one side and would be above on the other, and the reverse.
APART = [((0, 0, 0, 0, 0, 0, 1, 1), (1, 1, 1, 1, 1, 1, 0, 0)), ((0, 0, 0, 1, 0, 0, 0, 1), (1, 1, 1, 0, 1, 1, 1, 0))]
LYU_EPSILON = Fraction(4)
LYU_HALF = LYU_EPSILON / 2


@pytest.mark.parametrize(
    ("faulty", "answers"),
    [
        (shown, 1),
        (sparse_vector(4 / LYU_EPSILON, Fraction(4, 3) / LYU_EPSILON, 2), 2),
        (sparse_vector(1 / LYU_HALF, None, 9), 2),
        (sparse_vector(1 / LYU_HALF, 1 / LYU_HALF, 9), 2),
        (sparse_vector(1 / LYU_HALF, 2 / LYU_HALF, 2), 2),
        (sparse_vector(1 / LYU_HALF, 2 / LYU_HALF, 2, refresh=True), 2),
    ],
    ids=[
        "3, Roth 2011: the noisy query is shown",
        "4, Lee and Clifton 2014: noise that ignores the number of answers",
        "5, Stoddard et al. 2014: no query noise, no cut-off",
        "6, Chen et al. 2015: no cut-off",
        "two answers at the price of one, threshold kept",
        "two answers at the price of one, threshold redrawn",
    ],
)
def test_the_broken_sparse_vectors_of_the_literature_are_rejected(faulty: Run, answers: int) -> None:
    """Lyu, Su and Li 2017 (arXiv 1603.01699, Figure 1, algorithms 3 to 6), and two more of the kind.

    Their sound Algorithm 1 (Dwork and Roth's Theorem 3.23, for several answers) splits epsilon between one threshold
    noise and query noises of scale 2 answers / eps2. Its proof needs that only comparisons are released (broken in
    3), that query noise grows with the number of answers above (4, and the last two), that every query has noise (5),
    and that the instance stops after so many answers above (5, 6).
    """
    sound = sparse_vector(1 / LYU_HALF, 2 * answers / LYU_HALF, answers)
    pairs = [((0, 0, 0, 0, 1), (1, 1, 1, 1, 0))] if faulty is shown else APART
    assert_rejected(faulty, sound, pairs, float(LYU_EPSILON))
