"""The auditor audited: it must find what is known to be there, on code whose law is known."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import dartboards
import numpy as np
import pytest
from both_views import audit_algorithm
from dartboards import BITS, dartboard, equal

import reticent.experts as ex
from reticent.audit import exact_mechanism, exact_streams
from reticent.audit.stream_laws import Losses, StreamLaws, stream_laws
from reticent.audit.transcripts import choice, transcript
from reticent.experts import ExpertsAlgorithm
from reticent.privacy import Neighbours
from reticent.randomness import Source, enumerate_outcomes

MASS = 1e-9
ALGORITHMS = {
    "dartboard": dartboard(1, 1, 0.5, equal(1, 2)),
    "doubling": ex.Doubling(2, 40.0, first_best_loss=0.01, patience=1.0, horizon=3, grid_bits=0),
    "guarded epochs": ex.GuardedEpochs(2, 24.0, rate_share=0.5, first_epoch=2, grid_bits=0),
    "sparse vector": ex.SparseVectorExperts(2, 3.0, redraws=2, delay=0.0, grid_bits=0),
}


def play(algorithm: ExpertsAlgorithm, stream: tuple[Losses, ...], source: Source) -> tuple[int, ...]:
    learner = algorithm.start(source)
    choices = [learner.choice]
    for losses in stream:
        learner.update(losses)
        choices.append(learner.choice)
    return tuple(choices)


def play_block(algorithm: ExpertsAlgorithm, stream: tuple[Losses, ...], source: Source) -> tuple[int, ...]:
    learner = algorithm.start(source)
    return (*learner.update_block(np.array(stream)).tolist(), learner.choice)


@cache
def laws_of(name: str) -> StreamLaws:
    return stream_laws(ALGORITHMS[name], BITS, 3, mass=MASS)


@pytest.mark.parametrize("run", [play, play_block])
@pytest.mark.parametrize("name", ALGORITHMS)
@pytest.mark.parametrize("numbers", [(1, 2, 3), (3, 0, 1)])
def test_shared_prefixes_give_the_law_of_plain_re_execution(name: str, numbers: tuple[int, ...], run: Any) -> None:
    """Catches states that are merged and differ, and a block path whose law is not that of single steps."""
    laws = laws_of(name)
    plain = enumerate_outcomes(lambda source: run(ALGORITHMS[name], laws.stream(numbers), source), mass=MASS)
    for outputs in product(*map(range, laws.probabilities.shape[3:])):
        choices = tuple(i for (i,) in laws.output(outputs))
        assert laws.probabilities[(*numbers, *outputs)] == pytest.approx(
            plain.probabilities.get(choices, 0.0), rel=1e-11, abs=1e-15
        )
    assert laws.truncated[numbers] == pytest.approx(plain.truncated, rel=1e-6)
    assert laws.probabilities[numbers].sum() + laws.truncated[numbers] == pytest.approx(1.0, abs=1e-12)


def test_the_choices_are_the_ends_of_the_transcripts() -> None:
    """Catches a summary of transcripts that loses or mixes outputs."""
    algorithm = ALGORITHMS["dartboard"]
    summed, direct = stream_laws(algorithm, BITS, 3, transcript).choices(), stream_laws(algorithm, BITS, 3, choice)
    where = [
        [known.index(output) for output in new] for known, new in zip(direct.outputs, summed.outputs, strict=True)
    ]
    for axis, order in enumerate(where, start=3):
        direct = type(direct)(
            direct.vectors, 3, direct.outputs, direct.probabilities.take(order, axis), direct.truncated
        )
    assert summed.probabilities == pytest.approx(direct.probabilities, abs=1e-15)


def test_randomised_response_has_the_delta_that_it_has() -> None:
    """Catches a wrong divergence: p = 3/4 or 1/4 gives ln 3, and delta(ln 2) = 3/4 - 2/4."""

    def respond(truth: bool, source: Source) -> bool:
        return source.bernoulli(Fraction(3, 4) if truth else Fraction(1, 4))

    pairs = [(False, True)]
    assert exact_mechanism(respond, pairs, math.log(3)).passed
    audit = exact_mechanism(respond, pairs, math.log(2), 0.25)
    assert audit.passed
    assert audit.log_ratio == pytest.approx(math.log(3))
    assert audit.delta_found == pytest.approx(0.25)
    assert not exact_mechanism(respond, pairs, math.log(2), 0.2499).passed
    assert not exact_mechanism(respond, pairs, math.log(3) - 1e-6).passed


def test_an_output_that_is_impossible_on_one_side_is_an_infinite_ratio() -> None:
    """Catches ratios that are skipped where they are worst."""
    audit = exact_mechanism(lambda truth, source: truth, [(False, True)], 100.0)
    assert audit.log_ratio == math.inf
    assert not audit.passed


def test_what_truncation_could_explain_is_not_held_against_the_promise() -> None:
    """Catches false alarms at the end of an enumerated support: z and z + 1 have other supports."""

    def shifted(by: int, source: Source) -> int:
        return by + int(source.discrete_laplace(Fraction(1, 2)))

    audit = exact_mechanism(shifted, [(0, 1)], 2.0, mass=1e-12)
    assert audit.passed
    assert audit.log_ratio == pytest.approx(2.0, abs=1e-9)
    assert not exact_mechanism(shifted, [(0, 1)], 1.999, mass=1e-12).passed


def test_an_algorithm_without_privacy_is_rejected_with_a_counterexample() -> None:
    """Catches an audit that cannot fail."""
    hedge = ex.Hedge(2, horizon=2, grid_bits=0)
    audit = exact_streams(stream_laws(hedge, BITS, 2), Neighbours(), 1.0)
    assert not audit.passed
    assert str(audit).startswith("REJECTED: promised (1, 0)-DP")
    worst = audit.worst
    assert worst.p / worst.q == pytest.approx(math.exp(audit.log_ratio))
    assert sum(a != b for a, b in zip(worst.one, worst.other, strict=True)) == 1


def test_the_rounds_that_differ_are_those_that_neighbours_may_differ_in() -> None:
    """Catches a relation that is ignored: each more generous relation finds more."""
    laws = stream_laws(ex.Hedge(2, horizon=3, grid_bits=0), BITS, 3)
    found = {
        (relation, m): exact_streams(laws, Neighbours(relation, m), 1.0)
        for relation in ("replace-one", "add-remove")
        for m in (1, 2)
    }
    for (relation, m), audit in found.items():
        one, other = audit.worst.one, audit.worst.other
        changed = [(a, b) for a, b in zip(one, other, strict=True) if a != b]
        assert len(changed) == m
        assert relation == "replace-one" or all((0.0, 0.0) in pair for pair in changed)
    assert found["add-remove", 1].log_ratio < found["replace-one", 1].log_ratio < found["replace-one", 2].log_ratio
    assert found["add-remove", 1].log_ratio < found["add-remove", 2].log_ratio < found["replace-one", 2].log_ratio


def test_the_worst_adaptive_rule_is_the_worst_of_all_rules() -> None:
    """Catches a maximum taken in the wrong order: all rules for two rounds are tried one by one, by running them."""
    algorithm, vectors, epsilon = ex.PrivateHedge(2, 2.0, 0.2, horizon=3, grid_bits=0), ((0.0, 1.0), (1.0, 0.0)), 1.0

    def run(rule: tuple[tuple[int, ...], ...], source: Source) -> tuple[int, ...]:
        first, second = rule
        learner = algorithm.start(source)
        i = learner.choice
        learner.update(vectors[first[i]])
        j = learner.choice
        learner.update(vectors[second[2 * i + j]])
        return i, j, learner.choice

    firsts, seconds = list(product((0, 1), repeat=2)), list(product((0, 1), repeat=4))
    pairs = [((a, s), (b, s)) for a, b in product(firsts, repeat=2) for s in seconds if a != b]
    pairs += [((f, a), (f, b)) for f in firsts for a, b in product(seconds, repeat=2) if a != b]
    every_rule = exact_mechanism(run, pairs, epsilon, 0.5).delta_found
    # A rule may also choose, in the light of the first choice, in which round the worlds differ.
    mixed = [((a, s), (b, u)) for a, b in product(firsts, repeat=2) for s, u in product(seconds, repeat=2)]
    mixed = [
        ((a, s), (b, u))
        for (a, s), (b, u) in mixed
        if all((a[i] == b[i]) or all(s[2 * i + j] == u[2 * i + j] for j in (0, 1)) for i in (0, 1))
    ]
    found = exact_streams(stream_laws(algorithm, vectors, 2), Neighbours(), epsilon, 0.5).delta_found
    assert found >= every_rule - 1e-15
    assert found == pytest.approx(exact_mechanism(run, mixed, epsilon, 0.5).delta_found, abs=1e-14)


def test_the_audit_is_held_against_the_components_and_not_only_the_promise() -> None:
    """Catches a promise with slack that hides a component that costs more than it says."""
    generous = ex.Dartboard(2, 50.0, parameters=dartboards.dartboard(1, 1, 0.5, equal(1, 2)).derived, grid_bits=0)
    assert audit_algorithm(generous, BITS, 2)[0].epsilon == pytest.approx(6.0)
