"""The mechanisms of private prediction, on all pairs of short streams."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

from reticent.audit.joint import exact_joint
from reticent.audit.mechanisms import exact_mechanism
from reticent.audit.result import ExactAudit
from reticent.audit.shipped.row import ShippedAudit
from reticent.mechanisms import (
    Combine,
    IndependentCoins,
    LogisticCoins,
    MajorityVote,
    Mirror,
    MirrorSchedule,
    Replacement,
    ReplacementRule,
    SingleSwitch,
    SparseSelection,
    TruncatedLaplace,
    VoteRule,
    shaped_coins,
)
from reticent.randomness import Source

__all__ = ["prediction_audits"]

_ONE, _TENTH = Fraction(1), Fraction(1, 10)

#: u, v and y of a round: agreement, v right, u right. The first stands for a removed record.
_AGREED, _RIGHT, _WRONG = (0, 0, 0), (0, 1, 1), (0, 1, 0)
_Triple = tuple[int, int, int]


def prediction_audits(relation: str) -> Iterator[ShippedAudit]:
    """All of them in one relation."""
    for setting, changed in (("one list changes", 1), ("two lists change", 2)):
        selection = SparseSelection.calibrated(2 * _ONE, Fraction(1, 5), 1, changed)
        yield ShippedAudit(
            "sparse-selection", "SparseSelection", setting, relation, partial(_sparse_selection, selection, relation)
        )
    noise = TruncatedLaplace(_ONE, 2)
    yield ShippedAudit("truncated-laplace", "TruncatedLaplace", "bound 2", relation, partial(_noisy_count, noise))
    schedules: dict[str, MirrorSchedule] = {
        "single switch": SingleSwitch.calibrated(_ONE, _TENTH),
        "shaped coins": shaped_coins(2 * _ONE, _TENTH),
        "logistic coins": LogisticCoins(4 * _ONE, Fraction(1, 2)),
        "equal steps": IndependentCoins(tuple(Fraction(n, 4) for n in (1, 2, 3)), _ONE),
    }
    for setting, schedule in schedules.items():
        yield ShippedAudit("mirror", "Mirror", setting, relation, partial(_mirror, schedule, relation))
    rule = ReplacementRule(2, 1, TruncatedLaplace(_ONE, 1), SingleSwitch.calibrated(_ONE, Fraction(1, 4)))
    yield ShippedAudit("replacement", "Replacement", "two watched", relation, partial(_replacement, rule, relation))
    yield ShippedAudit("combine", "Combine", "D = 12, delta", relation, partial(_combine, 12, relation))
    votes = VoteRule(4, Fraction(3, 10), cap=2, guard=_ONE, slack=2)
    yield ShippedAudit("majority-vote", "MajorityVote", "two close votes", relation, partial(_votes, votes, relation))


def neighbours(records: Sequence[Any], rounds: int, relation: str) -> Iterator[tuple[Any, Any]]:
    """All streams, and in each round another record: any, or the first one when records are removed."""
    for stream, place, record in product(product(records, repeat=rounds), range(rounds), records):
        if record != stream[place] and (relation == "replace-one" or record == records[0]):
            yield stream, (*stream[:place], record, *stream[place + 1 :])


def _sparse_selection(selection: SparseSelection, relation: str) -> ExactAudit:
    """Of k = 4 lists; those of two elements are cut."""
    pairs = neighbours(((), ("x",), ("y",), ("z", "x")), 4, relation)
    if selection.changed_lists == 2:
        pairs = ((one, (*other[:2], *one[:2])) for one, other in pairs)
    return exact_mechanism(selection.select, pairs, float(selection.epsilon), float(selection.delta))


def _noisy_count(noise: TruncatedLaplace) -> ExactAudit:
    def noisy(count: int, source: Source) -> int:
        return count + noise.draw(source)

    return exact_mechanism(noisy, [(0, 1), (5, 6)], float(noise.epsilon), float(noise.delta))


def _mirror(schedule: MirrorSchedule, relation: str) -> ExactAudit:
    def run(stream: tuple[bool, ...], source: Source) -> tuple[bool, ...]:
        mirror = Mirror(schedule, 1, source)
        return tuple(mirror.respond(active) for active in stream)

    return _joint(run, (False, True), schedule.rounds + 2, relation, schedule.epsilon, schedule.delta)


def _replacement(rule: ReplacementRule, relation: str) -> ExactAudit:
    def run(stream: tuple[_Triple, ...], source: Source) -> tuple[int, ...]:
        replacement: Replacement[int] = Replacement(rule, source)
        return _predictions(replacement, stream)

    return _joint(run, (_AGREED, _RIGHT, _WRONG), 5, relation, rule.epsilon, rule.delta)


def _combine(delay: int, relation: str) -> ExactAudit:
    def run(stream: tuple[_Triple, ...], source: Source) -> tuple[int, ...]:
        return _predictions(Combine(delay, source), stream)

    delta = Fraction(1, 100)
    epsilon = Combine.epsilon_at(delay, delta)
    return _joint(run, (_AGREED, _RIGHT, _WRONG), 5, relation, Fraction(epsilon), delta)


def _votes(rule: VoteRule, relation: str) -> ExactAudit:
    """A record has a vote of its own, and may add one vote to each of the rounds after it."""

    def run(stream: tuple[tuple[int, int], ...], source: Source) -> tuple[bool | None, ...]:
        vote, before = MajorityVote(rule, source), 0
        answers: list[bool | None] = []
        for own, later in stream:
            answers.append(None if vote.ended else vote.decide(own + before))
            before += later
        return tuple(answers)

    delta = Fraction(2, 5)
    return _joint(run, ((0, 0), (0, 1), (2, 0)), 3, relation, Fraction(rule.epsilon_at(delta)), delta)


def _predictions(predictor: Replacement[int] | Combine, stream: tuple[_Triple, ...]) -> tuple[int, ...]:
    predictions = []
    for u, v, y in stream:
        predictions.append(predictor.predict(u, v))
        predictor.update(y)
    return tuple(predictions)


def _joint(
    run: Callable[[Any, Source], tuple[Any, ...]],
    records: Sequence[Any],
    rounds: int,
    relation: str,
    epsilon: Fraction,
    delta: Fraction,
) -> ExactAudit:
    return exact_joint(run, neighbours(records, rounds, relation), float(epsilon), float(delta))
