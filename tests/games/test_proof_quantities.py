"""V, I, W and D against their definitions; the lemmas of the lower bound, for private learners and for the SOA."""

from __future__ import annotations

import math
from functools import partial
from itertools import product
from typing import Any

import pytest

from reticent.adversaries import information_bound
from reticent.classes import Points
from reticent.errors import ParameterError
from reticent.experts import GuardedEpochs, PrivateHedge
from reticent.games import ProofQuantities, proof_quantities
from reticent.learning import (
    HypothesisExperts,
    NameAndShameLearner,
    OnlineLearningAlgorithm,
    PointLearner,
    SOALearner,
)
from reticent.randomness import Source, enumerate_outcomes

POINTS = Points(3)
HEDGE = partial(PrivateHedge, grid_bits=0)

#: Learners that keep (epsilon, delta), with epsilon at most ln(9/8), and a number of stages that can be enumerated.
PRIVATE: dict[str, tuple[OnlineLearningAlgorithm, float, float, int]] = {
    "point learner": (PointLearner(POINTS, 0.1, delay=0), 0.1, 0.0, 1),
    "point learner, eager": (PointLearner(POINTS, 0.11, delay=-40, loyalty=0.0), 0.11, 0.0, 1),
    "hypothesis experts": (HypothesisExperts(POINTS, 0.1, horizon=9, algorithm=HEDGE), 0.1, 0.0, 2),
    "hypothesis experts, 1/100": (HypothesisExperts(POINTS, 0.01, horizon=9, algorithm=HEDGE), 0.01, 0.0, 2),
    "guarded epochs": (
        HypothesisExperts(POINTS, 0.1, algorithm=partial(GuardedEpochs, grid_bits=0, first_epoch=1)),
        0.1,
        0.0,
        1,
    ),
    "name and shame": (NameAndShameLearner(POINTS, 0.05), 0.01, 0.05, 3),
    "name and shame, a quarter": (NameAndShameLearner(POINTS, 0.25), 0.01, 0.25, 3),
}

SOA = SOALearner(POINTS)


def assert_lemmas_hold(found: ProofQuantities) -> None:
    for one in (*found.lemma_1(), *found.lemma_2_information(), *found.lemma_2_variance()):
        assert one.holds, one


@pytest.mark.parametrize("p", [1, 0.3])
@pytest.mark.parametrize("name", list(PRIVATE))
def test_the_lemmas_hold_for_private_learners(name: str, p: float) -> None:
    """Catches a quantity with a wrong factor, and a learner that shows more of B than its privacy allows."""
    algorithm, epsilon, delta, stages = PRIVATE[name]
    found = proof_quantities(algorithm, stages, p, epsilon=epsilon, delta=delta, mass=1e-12)
    assert_lemmas_hold(found)
    assert [len(level) for level in found.stages] == [3**t for t in range(stages + 1)]
    for t, information in enumerate(found.mean_information):
        assert information <= information_bound(t, p, epsilon, delta) + 1e-12
        assert 0 <= information <= 0.25
    assert math.fsum(found.mistakes) >= stages * p / 12


@pytest.mark.long
def test_the_lemmas_hold_for_points_in_two_stages() -> None:
    """Catches a recursion that is right in its first stage only."""
    found = proof_quantities(PointLearner(POINTS, 0.1, delay=0), 2, epsilon=0.1, mass=1e-12)
    assert_lemmas_hold(found)
    assert 0 < found.mean_information[1] < found.mean_information[2] < 1e-3


@pytest.mark.parametrize("p", [1, 0.5, 0.1])
@pytest.mark.parametrize("stages", [1, 2, 3])
def test_without_privacy_inequality_2_fails(stages: int, p: float) -> None:
    """Catches a check that cannot fail. Lemma 1 uses no privacy; (3) is true at epsilon = 1/100 of every learner."""
    found = proof_quantities(SOA, stages, p)
    assert not all(one.holds for one in found.lemma_2_information())
    assert all(one.holds for one in (*found.lemma_1(), *found.lemma_2_variance()))
    first = found.lemma_2_information()[0]
    assert first.smaller > 3 * first.larger


@pytest.mark.parametrize("p", [1.0, 0.5, 0.1])
def test_the_standard_optimal_algorithm_by_hand(p: float) -> None:
    """Catches a posterior that is not one.

    T = 3: only J = 2 inserts, in round 1; then Y_2 = Y_3 = 1 iff B = 1. V(1) = 0 and V(2) = p / (2 - p).
    """
    found = proof_quantities(SOA, 1, p)
    one, two, three = found.stages[1]
    assert [stage.thirds for stage in found.stages[1]] == [(1,), (2,), (3,)]
    assert two.revealed == pytest.approx((0, 0, p / (2 - p), p / (2 - p)))
    assert two.information == pytest.approx(2 * p / (2 - p))
    assert one.information == three.information == 0
    # An insertion in round 1 or 2 changes the labels of B = 1: there the ratio is e^-1/100, and 1 for round 3.
    gap = 1 - math.exp(-0.01)
    assert found.stages[0][0].variance == pytest.approx(gap**2 * 2 / 9 / 2)
    assert found.stages[0][0].difference == pytest.approx(gap**2 / 2)
    assert found.mistakes == pytest.approx((p / 3 / 2,))


@pytest.mark.parametrize("p", [1.0, 0.25])
@pytest.mark.parametrize("name", ["point learner", "hypothesis experts", "name and shame, a quarter"])
def test_three_rounds_from_the_definitions(name: str, p: float) -> None:
    """Catches states that were merged and differ, and streams that share too much: here nothing is shared."""
    algorithm, epsilon, delta, _ = PRIVATE[name]
    found = proof_quantities(algorithm, 1, p, epsilon=epsilon, delta=delta, mass=1e-12)

    def law(b: bool, *places: int) -> dict[tuple[bool, ...], float]:
        def run(source: Source) -> tuple[bool, ...]:
            learner, labels = algorithm.start(source), []
            for s in (1, 2, 3):
                labels.append(bool(learner.hypothesis(0)))
                learner.update(*((0, b) if s in places else (2, False)))
            return tuple(labels)

        return enumerate_outcomes(run, mass=1e-12).probabilities

    def mixed(b: bool, *places: int) -> dict[tuple[bool, ...], float]:
        """After J = 2."""
        without, with_first = law(b, *places), law(b, 1, *places)
        return {y: (1 - p) * without.get(y, 0) + p * with_first.get(y, 0) for y in {*without, *with_first}}

    def revealed(one: Any, zero: Any, r: int) -> float:
        total = 0.0
        for y in product((False, True), repeat=r):
            q = [sum(v for labels, v in side.items() if labels[:r] == y) / 2 for side in (zero, one)]
            total += (q[1] - q[0]) ** 2 / (q[1] + q[0]) if sum(q) else 0.0
        return total

    for path, of in (((), law), ((2,), mixed)):
        stage = next(s for s in found.stages[len(path)] if s.thirds == path)
        sides = of(True), of(False)
        assert stage.revealed == pytest.approx([revealed(*sides, r) for r in range(4)], abs=1e-10)
    w = d = 0.0
    for b, base in ((True, law(True)), (False, law(False))):
        inserted = [law(b, s) for s in (1, 2, 3)]
        for y, probability in base.items():
            ratios = [
                min(max(one.get(y, 0) / probability, math.exp(-epsilon)), math.exp(epsilon)) for one in inserted
            ]
            mean = sum(ratios) / 3
            w += probability / 2 * sum((ratio - mean) ** 2 for ratio in ratios) / 3
            d += probability / 2 * (ratios[0] - ratios[2]) ** 2
    assert found.stages[0][0].variance == pytest.approx(w, abs=1e-12)
    assert found.stages[0][0].difference == pytest.approx(d, abs=1e-12)


@pytest.mark.parametrize(("name", "value"), [("stages", 0), ("stages", 4), ("stages", True), ("p", 0), ("p", 1.5)])
def test_bad_numbers_are_named(name: str, value: Any) -> None:
    """Catches a game that would not end, and a probability that is none."""
    numbers: dict[str, Any] = {"stages": 1, "p": 1, name: value}
    with pytest.raises(ParameterError, match=f"{name} is"):
        proof_quantities(SOA, numbers["stages"], numbers["p"])
