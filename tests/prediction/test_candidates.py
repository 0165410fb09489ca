"""Candidates online and offline, audited exactly; and the predictor for Littlestone classes."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from itertools import product
from typing import Any

import pytest
from toy_candidates import CLASS, EXAMPLES, Hasty, Stream, offline, online, toy

from reticent import learning
from reticent.audit import exact_joint, exact_mechanism
from reticent.classes import Conjunctions, FiniteClass, HypothesisClass, OracleClass, Points, Thresholds
from reticent.classes.projection import tabulated
from reticent.errors import InputError, ParameterError
from reticent.prediction import (
    CandidatePredictor,
    CandidateSequence,
    Constants,
    HypothesisPredictor,
    LittlestonePredictor,
    NameAndShame,
)
from reticent.randomness import SeededSource, Source, enumerate_outcomes

SETTINGS: list[dict[str, Any]] = [
    {"candidates": 1},
    {"candidates": 1, "batch": 2},
    {"candidates": 2},
    {"candidates": 2, "schedule": "paper", "first_delay": 1},
    {"candidates": 1, "groups": 2},
]


def some_streams(rounds: int, count: int) -> Iterator[Stream]:
    """The same each time; all are full of mistakes of the standard optimal algorithm."""
    order = random.Random(rounds)
    for _ in range(count):
        yield tuple(order.choices(EXAMPLES, weights=(1, 6, 2), k=rounds))


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_online_is_offline(settings: dict[str, Any]) -> None:
    """Claim 1. Catches a short delay, a batch that starts late, and a replacement that forgets earlier rounds."""
    algorithm = CandidatePredictor(CLASS, toy(**settings))
    switched = 0
    for stream in some_streams(rounds=12, count=25):
        one = enumerate_outcomes(partial(online, algorithm, stream)).probabilities
        other = enumerate_outcomes(partial(offline, algorithm, stream)).probabilities
        for outputs in {*one, *other}:
            assert one.get(outputs, 0.0) == pytest.approx(other.get(outputs, 0.0), abs=1e-12)
        switched += len(one) > 1
    assert switched > 10


def test_candidates_of_several_groups_are_online_as_offline() -> None:
    """Claim 1 where selections succeed: three mistakes, spread over four groups."""
    algorithm = CandidatePredictor(CLASS, toy(groups=4, batch=3))
    right, wrong = ("a", True), ("a", False)
    for stream in ((right,) * 10, (*(right,) * 3, wrong, *(right,) * 6)):
        one = enumerate_outcomes(partial(online, algorithm, stream)).probabilities
        other = enumerate_outcomes(partial(offline, algorithm, stream)).probabilities
        for outputs in {*one, *other}:
            assert one.get(outputs, 0.0) == pytest.approx(other.get(outputs, 0.0), abs=1e-12)


def test_without_a_schedule_it_is_rejected() -> None:
    """Claim 1 is a privacy requirement: with D = 1 the switch shows that a batch is full."""
    constants = toy(groups=4, batch=3)
    shares = {name: getattr(constants, name) for name in ("selection", "acceptance", "mirror")}
    right, wrong = ("a", True), ("a", False)
    stream: Stream = (*(right,) * 3, *(wrong,) * 3)
    changed: Stream = (wrong, *stream[1:])
    for kind, passes in ((Constants, True), (Hasty, False)):
        algorithm = CandidatePredictor(CLASS, kind(1, 1, 3, 1, 4, 3, **shares))
        promise = algorithm.privacy
        found = exact_joint(partial(online, algorithm), [(stream, changed)], promise.epsilon, promise.delta)
        assert found.passed == passes, found


def neighbours(rounds: int) -> Iterator[tuple[Stream, Stream]]:
    for stream in product(EXAMPLES, repeat=rounds):
        for t, example in product(range(rounds), EXAMPLES):
            if example > stream[t]:
                yield stream, (*stream[:t], example, *stream[t + 1 :])


@pytest.mark.parametrize(("settings", "rounds"), [({}, 6), ({"candidates": 2}, 5)], ids=str)
def test_candidates_keep_their_promise(settings: dict[str, Any], rounds: int) -> None:
    """Lemma 12. Catches a selection, an acceptance or a Mirror that costs more than it says."""
    algorithm = CandidatePredictor(CLASS, toy(**settings))
    promise = algorithm.privacy
    found = exact_joint(partial(online, algorithm), neighbours(rounds), promise.epsilon, promise.delta)
    assert found.passed, found


SHARES = {
    "selection": (Fraction(14), Fraction(1, 50)),
    "acceptance": (Fraction(4), Fraction(1, 40)),
    "mirror": (Fraction(3), Fraction(1, 30)),
}


@dataclass(frozen=True)
class Publishing(LittlestonePredictor):
    """A planted fault: nearly every example is published."""

    @cached_property
    def subsampled(self) -> NameAndShame:
        return NameAndShame(self.hypothesis_class, 0.99)


@pytest.mark.parametrize(("kind", "passes"), [(LittlestonePredictor, True), (Publishing, False)])
def test_the_whole_predictor_keeps_its_promise(kind: type[LittlestonePredictor], passes: bool) -> None:
    """Lemma 14: the prices of candidates, publication and comparison add up. Catches one that is not paid for."""
    constants = Constants(1, 1, 3, 1, 1, 1, **SHARES)
    budget = (float(2 * constants.epsilon), float(4 * constants.delta))
    algorithm = kind(CLASS, *(share * (1 + 1e-12) for share in budget), constants)
    found = exact_joint(partial(online, algorithm), neighbours(3), *budget)
    assert found.passed == passes, found


def test_the_sequence_keeps_its_promise() -> None:
    """Lemma 10. Catches a record that reaches more lists than are accounted, and a level that is not counted."""
    constants = toy(candidates=2, groups=2)

    def run(stream: Stream, source: Source) -> tuple[str, ...]:
        sequence = CandidateSequence(CLASS, constants, source)
        last, names = CLASS.soa_hypothesis(), []
        for _ in range(2):
            last = sequence.following([e for e in stream if last(e[0]) != e[1]][:1]) or CLASS.soa_hypothesis()
            names.append(str(last))
        return tuple(names)

    epsilon, delta = (constants.calls * part for part in constants.selection)
    found = exact_mechanism(run, neighbours(3), float(epsilon), float(delta))
    assert found.passed, found


def test_name_and_shame_is_exactly_what_it_says() -> None:
    """Fact 5: delta is gamma, and attained."""
    algorithm = NameAndShame(CLASS, 0.25)

    def run(stream: Stream, source: Source) -> tuple[bool, ...]:
        return online(algorithm, stream, source)  # type: ignore[arg-type]

    found = exact_joint(run, neighbours(4), 1e-9, 0.25)
    assert found.passed, found
    assert found.delta_found == pytest.approx(0.25, abs=1e-6)


def test_name_and_shame_learns_from_what_is_drawn() -> None:
    """Catches a version space that is not restricted: the mean of 200 seeded runs is within 4 d / gamma."""
    algorithm = NameAndShame(Points(1000), 0.1)
    xs, ys = [7] * 500, [True] * 500
    runs = [algorithm.start(SeededSource(seed)).update_block(xs, ys) for seed in range(200)]
    assert 5 < sum(500 - int(run.sum()) for run in runs) / 200 < algorithm.mistake_bound * 1.5


@pytest.mark.parametrize("x", [50, -1, "a", [1], None])
def test_instances_outside_the_domain_are_refused(x: Any) -> None:
    """Catches an instance that is found wrong after something was drawn."""
    table = FiniteClass([[1, 0], [0, 1]])
    for algorithm in (
        NameAndShame(Points(50), 0.1),
        LittlestonePredictor(table, 1.0, 1e-6),
        LittlestonePredictor(Points(50), 1.0, 1e-6),
        CandidatePredictor(Points(50), Constants.paper(1, 1.0, 1e-6)),
        HypothesisPredictor(learning.auto(Points(50), 1.0)),
    ):
        with pytest.raises(InputError):
            algorithm.check(x)
        predictor = algorithm.start(SeededSource(1))
        with pytest.raises(InputError, match=r"round 1 \(counted from 1\)"):
            predictor.predict(x)


@pytest.mark.parametrize("constants", [None, "paper"])
@pytest.mark.parametrize("dimension", [1, 2, 3, 4])
def test_the_default_and_the_papers_constants_run(dimension: int, constants: str | None) -> None:
    """Catches numbers of 10^27 digits that are written down."""
    table = FiniteClass([[row >> j & 1 for j in range(dimension)] for row in range(2**dimension)])
    algorithm = LittlestonePredictor(table, 1.0, 1e-6, constants)
    xs = list(range(dimension)) * 500
    ys = [bool(x % 2) for x in xs]
    predictions = algorithm.start(SeededSource(3)).update_block(xs, ys)
    assert len(predictions) == len(ys)
    statement = algorithm.privacy
    assert (statement.epsilon, statement.delta) == (1.0, 1e-6)
    assert sum(c.epsilon for c in statement.components) <= 1.0
    if constants == "paper":
        assert algorithm.mistake_bound is None
        assert "Lemma 6" in algorithm.settings["unmet"]
    else:
        assert isinstance(algorithm.mistake_bound, int)
        assert algorithm.settings["unmet"] is None


@pytest.mark.parametrize("cls", [Points(3), OracleClass(range(3), lambda seen: 1 - min(2, sum(y for _, y in seen)))])
def test_classes_that_fit_a_table_predict_as_the_table(cls: HypothesisClass) -> None:
    """Catches hypotheses that are lost, or listed on other instances."""
    table = tabulated(cls, 100)
    assert table is not None
    for seed, stream in enumerate(some_streams(rounds=40, count=20)):
        numbers = tuple(("abc".index(x), y) for x, y in stream)
        one, other = (
            online(CandidatePredictor(c, toy(groups=4, batch=3)), numbers, SeededSource(seed)) for c in (cls, table)
        )
        assert one == other


@pytest.mark.parametrize(
    ("cls", "x"),
    [
        (Points(10**6), 7),
        (Points(2**128), 2**100),
        (OracleClass(range(2**62), lambda seen: 1 if not seen else 0), 5),
        (Conjunctions(3), (0, 1, 1)),
    ],
    ids=str,
)
def test_classes_of_any_size_run_with_the_papers_constants(cls: HypothesisClass, x: Any) -> None:
    """Catches a class that is listed though no candidate ever comes."""
    predictor = LittlestonePredictor(cls, 1.0, 1e-6).start(SeededSource(1))
    assert predictor.update_block([x] * 100, [True] * 100).tolist() == [cls.soa(x)] * 100


@pytest.mark.parametrize(("labels", "fits"), [(12, True), (11, False), (3, False), (2, False)])
def test_a_table_has_at_most_so_many_labels(labels: int, fits: bool) -> None:
    """Four thresholds on three instances. Catches a bound that is off by one."""
    assert (tabulated(Thresholds(3), labels) is not None) == fits


def test_the_papers_numbers() -> None:
    """90-proofs' numbers, C_0 = C_1 = C = 1; for d = 2 the bound has 7.8e8 digits."""
    one, two = Constants.paper(1, 1.0, 1e-6), Constants.paper(2, 1.0, 1e-6)
    assert (one.samples, one.length, one.candidates) == (64, 256, 1026)
    assert one.batch == pytest.approx(3.38e10, rel=0.01)
    assert one.delay(1) == pytest.approx(1.2e12, rel=0.02)
    assert len(str(one.bound)) in (990, 991)
    assert (two.length, two.candidates) == (136048896, 816293378)
    assert str(two.bound) == "10^7.78942e+08"
    assert one.epsilon <= Fraction(1, 2)
    assert one.delta <= Fraction(1, 10**6) / 4


def test_large_enough_constants_have_a_bound() -> None:
    """Catches conditions that nothing meets."""
    constants = Constants.paper(1, 1.0, 1e-6, c0=1e5, c1=1e7)
    assert constants.unmet is None
    assert str(constants.mistake_bound) == "10^9.77145e+07"


def test_a_first_delay_too_short_for_claim_1_is_refused() -> None:
    """Catches constants that leak; the mend is the least that does not."""
    with pytest.raises(ParameterError, match="Claim 1") as refused:
        toy(2, batch=20, schedule="paper", first_delay=1)
    least = int(str(refused.value).rsplit(" ", 1)[1].rstrip("."))
    toy(2, batch=20, schedule="paper", first_delay=least)
    with pytest.raises(ParameterError, match="Claim 1"):
        toy(2, batch=20, schedule="paper", first_delay=least - 1)


def test_bad_calls_are_named() -> None:
    """Catches parameters that are found wrong later."""
    with pytest.raises(ParameterError, match="give a class such as"):
        LittlestonePredictor("points", 1.0, 1e-6)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="fits no table of 1,048,576 labels"):
        CandidatePredictor(Points(10**6), toy())
    with pytest.raises(ParameterError, match="dimension is 18"):
        LittlestonePredictor(Thresholds(2**18), 1.0, 1e-6)
    with pytest.raises(ParameterError, match="dimension 2"):
        CandidatePredictor(FiniteClass([[0, 0], [0, 1], [1, 0], [1, 1]]), toy())
    with pytest.raises(ParameterError, match="larger budget"):
        LittlestonePredictor(CLASS, 1.0, 1e-6, toy())
    with pytest.raises(ParameterError, match="'papers'; give Constants"):
        LittlestonePredictor(CLASS, 1.0, 1e-6, "papers")
    with pytest.raises(ParameterError, match="gamma"):
        NameAndShame(CLASS, 1.0)
    with pytest.raises(ParameterError, match="too small to be drawn"):
        Constants(
            1, 1, 1, 1, 1, 1,
            selection=(Fraction(1), Fraction(1, 9)),
            acceptance=(Fraction(1, 10**9), Fraction(1, 9)),
            mirror=(Fraction(1), Fraction(1, 9)),
        )  # fmt: skip
