"""The private learners, on all streams of a few labelled rounds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import combinations, product
from typing import Any

from reticent.adversaries import amplify_by_dummies
from reticent.audit.mechanisms import exact_mechanism
from reticent.audit.result import ExactAudit
from reticent.audit.shipped.row import ShippedAudit
from reticent.classes import Instance, Points, Thresholds
from reticent.experts import GuardedEpochs, PrivateHedge
from reticent.learning import HypothesisExperts, NameAndShameLearner, OnlineLearningAlgorithm, PointLearner
from reticent.learning.points import PointLearnerState
from reticent.randomness import Source

__all__ = ["audit_learner", "learner_audits", "replaced_examples", "seen_of"]

#: A short stream of labelled rounds.
Examples = tuple[tuple[Instance, bool], ...]


def learner_audits() -> Iterator[ShippedAudit]:
    """All of them, for replaced records: an example that no hypothesis errs on does not exist."""
    two, three = Points(2), Points(3)
    yield _learner("point-learner", "as shipped", PointLearner(two, 1.0, horizon=1), 3)
    yield _learner("point-learner", "phases of a round", PointLearner(two, 1.0, delay=-60), 3)
    yield _learner("point-learner", "phases end early", PointLearner(three, 2.0, delay=0, loyalty=0.0), 2)
    yield _learner("point-learner", "sharp", PointLearner(two, 16.0, delay=1, loyalty=0.0), 3)
    watchful = PointLearner(two, 8.0, watch_share=0.9375, delay=2, loyalty=0.0)
    yield _learner("point-learner", "watchful", watchful, 3)
    drawing = PointLearner(two, 24.0, watch_share=0.125, delay=2, loyalty=0.0)
    yield _learner("point-learner", "drawing", drawing, 3)
    pairs = PointLearner(two, 16.0, rounds_per_person=2, delay=2, loyalty=0.0)
    yield _learner("point-learner", "two rounds", pairs, 3, changed=2)

    guarded = partial(GuardedEpochs, first_epoch=2, grid_bits=0)
    yield _learner("hypothesis-experts", "as shipped", HypothesisExperts(two, 1.0, algorithm=guarded), 3, mass=1e-10)
    hedge = partial(PrivateHedge, grid_bits=0)
    of_thresholds = HypothesisExperts(Thresholds(2), 20.0, horizon=3, algorithm=hedge)
    yield _learner("hypothesis-experts", "thresholds", of_thresholds, 3)
    yield _learner("hypothesis-experts", "delta", HypothesisExperts(two, 1.5, 0.1, horizon=3, algorithm=hedge), 3)

    yield _learner("name-and-shame", "a tenth", NameAndShameLearner(three, 0.1), 3)
    yield _learner("name-and-shame", "nearly all", NameAndShameLearner(two, 0.9), 3)
    yield _learner("name-and-shame", "two rounds", NameAndShameLearner(two, 0.5, rounds_per_person=2), 3, 2)

    dummy = (1, False)
    for setting, inner, gamma, changed in (
        ("a quarter", PointLearner(two, 1.0, horizon=1), 0.25, 1),
        ("ends early", PointLearner(two, 2.0, delay=1, loyalty=0.0), 0.25, 1),
        ("two rounds", PointLearner(two, 4.0, rounds_per_person=2, delay=1, loyalty=0.0), 0.25, 2),
        ("shame", NameAndShameLearner(two, 0.5), 0.5, 1),
    ):
        yield _learner("amplified-by-dummies", setting, amplify_by_dummies(inner, gamma, dummy), 2, changed)


def _learner(
    name: str, setting: str, tiny: OnlineLearningAlgorithm, rounds: int, changed: int = 1, mass: float = 1e-15
) -> ShippedAudit:
    run = partial(audit_learner, tiny, rounds, changed, mass)
    return ShippedAudit(name, tiny.name, setting, "replace-one", run)


def audit_learner(
    algorithm: OnlineLearningAlgorithm, rounds: int, changed: int = 1, mass: float = 1e-15
) -> ExactAudit:
    """The promise of a learner on all streams of so many rounds.

    Parameters
    ----------
    algorithm : OnlineLearningAlgorithm
        Of a tiny class.
    rounds : int
    changed : int
        In how many rounds the neighbours differ.
    mass : float
        The most that one draw's support may leave out.
    """
    pairs = replaced_examples(algorithm.hypothesis_class.instances, rounds, changed)
    promise = algorithm.privacy
    return exact_mechanism(partial(seen_of, algorithm), pairs, promise.epsilon, promise.delta, mass=mass)


def replaced_examples(
    instances: Sequence[Instance], rounds: int, changed: int
) -> Iterator[tuple[Examples, Examples]]:
    """All unordered pairs of streams that differ in this number of rounds."""
    examples = list(product(instances, (False, True)))
    for places in combinations(range(rounds), changed):
        for one, other in product(product(examples, repeat=rounds), product(examples, repeat=changed)):
            neighbour = list(one)
            for place, example in zip(places, other, strict=True):
                neighbour[place] = example
            differing = sum(a != b for a, b in zip(one, neighbour, strict=True))
            if differing == changed and one < tuple(neighbour):
                yield one, tuple(neighbour)


def seen_of(algorithm: OnlineLearningAlgorithm, stream: Examples, source: Source) -> tuple[Any, ...]:
    """The hypotheses of a run, and after each round the number of phases where the learner has them."""
    learner = algorithm.start(source)
    seen: list[Any] = [learner.hypothesis]
    for x, y in stream:
        learner.update(x, y)
        seen.append(learner.hypothesis)
        if isinstance(learner, PointLearnerState):
            seen.append(learner.phases)
    return tuple(seen)
