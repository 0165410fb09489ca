"""Secure noise: bulk discrete Laplace against numpy's and OpenDP's, and the decisions that learners ask for."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from measure import print_ratio, seconds

from reticent.randomness import SecureSource

SCALE = Fraction(10 * 2**20, 3)  # epsilon = 0.3 on the grid of 2**-20
DRAWS = 1_000_000


def print_rate(title: str, work: Callable[[], object], count: int, repeats: int = 5) -> None:
    best = min(seconds(work) for _ in range(repeats))
    print(f"{title}: {count / best / 1e6:.3g} M/s ({best / count * 1e9:.3g} ns each)")


def test_secure_discrete_laplace_against_numpys_laplace(benchmark) -> None:
    source, generator = SecureSource(), np.random.default_rng(1)
    benchmark(lambda: source.discrete_laplaces(SCALE, DRAWS))
    print_rate("secure discrete Laplace", lambda: source.discrete_laplaces(SCALE, DRAWS), DRAWS)
    print_ratio(
        "secure discrete Laplace over numpy's (unsafe) laplace",
        lambda: source.discrete_laplaces(SCALE, DRAWS),
        lambda: generator.laplace(scale=float(SCALE), size=DRAWS),
    )


def test_secure_discrete_laplace_against_opendp(benchmark) -> None:
    dp = pytest.importorskip("opendp.prelude")
    dp.enable_features("contrib")
    draws = 20_000
    space = dp.vector_domain(dp.atom_domain(T=int)), dp.l1_distance(T=int)
    measurement, zeros = dp.m.make_laplace(*space, scale=float(SCALE)), [0] * draws
    source = SecureSource()
    benchmark(lambda: source.discrete_laplaces(SCALE, draws))
    print_rate("OpenDP discrete Laplace", lambda: measurement(zeros), draws, repeats=3)
    print_ratio(
        f"secure discrete Laplace ({draws} draws) over OpenDP's",
        lambda: source.discrete_laplaces(SCALE, draws),
        lambda: measurement(zeros),
        pairs=3,
    )


@pytest.mark.parametrize("verb", ["first_geometric_excess", "first_discrete_laplace_excess"])
def test_a_block_of_decisions_against_as_many_secure_words(benchmark, verb: str) -> None:
    source, queries = SecureSource(), np.zeros(DRAWS, np.int64)
    far = 40 * int(SCALE)
    ask = getattr(source, verb)
    benchmark(lambda: ask(far, queries, SCALE))
    print_rate(verb, lambda: ask(far, queries, SCALE), DRAWS)
    print_ratio(
        f"{verb} over fetching one secure word a decision",
        lambda: ask(far, queries, SCALE),
        lambda: [source._bits.take_many(8192) for _ in range(DRAWS // 8192)],
    )


@pytest.mark.parametrize("verb", ["geometric_exceeds", "discrete_laplace_exceeds"])
def test_one_decision_at_a_time(benchmark, verb: str) -> None:
    source, gap = SecureSource(), 9 * int(SCALE)
    ask = getattr(source, verb)
    benchmark(lambda: ask(gap, SCALE))
    print_rate(verb, lambda: [ask(gap, SCALE) for _ in range(20_000)], 20_000)


@pytest.mark.parametrize(("rows", "n_experts"), [(10_000, 100), (1_000, 1_000), (1, 100)])
def test_softmin_against_numpys_inexact_one(benchmark, rows: int, n_experts: int) -> None:
    source, generator = SecureSource(), np.random.default_rng(2)
    scores = generator.integers(0, 2**24, (rows, n_experts))
    rate = Fraction(1, 2**21)

    def inexact() -> np.ndarray:
        ends = np.exp(-float(rate) * (scores - scores.min(axis=1, keepdims=True))).cumsum(axis=1)
        return (ends <= generator.random((rows, 1)) * ends[:, -1:]).sum(axis=1)

    ask = (
        (lambda: source.softmin_indices(scores, rate))
        if rows > 1
        else (lambda row=scores[0]: source.softmin_index(row, rate))
    )
    benchmark(ask)
    print_rate(f"secure softmin, {rows} rows of {n_experts} (weights)", ask, rows * n_experts)
    print_ratio(f"secure softmin, {rows} rows of {n_experts}, over numpy's inexact one", ask, inexact)
