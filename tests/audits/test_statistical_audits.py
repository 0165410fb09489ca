"""The statistical audit: it finds planted faults, lets sound algorithms pass, and says what it could have found."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import pytest
from dartboards import dartboard, equal

import reticent as rt
from reticent.audit import AroundTheChange, StatisticalAudit, statistical
from reticent.audit.events import choose_event
from reticent.audit.statistical_audit import _detectable, _epsilon_bound
from reticent.experts import Dartboard, PrivateHedge
from reticent.experts.dartboard import DartboardLearner
from reticent.mechanisms import DelayedCoin, EqualRates, OneSidedNoise
from reticent.randomness import Source

ROUNDS, CHANGED = 60, 20


def streams(n_experts: int = 3, relation: str = "replace-one") -> tuple[np.ndarray, np.ndarray]:
    """All experts tie, but in one round."""
    one = np.full((ROUNDS, n_experts), 1.0)
    other = one.copy()
    one[CHANGED] = [0.0] + [1.0] * (n_experts - 1)
    other[CHANGED] = 0.0 if relation == "add-remove" else 1 - one[CHANGED]
    return one, other


@dataclass(frozen=True)
class SharpHedge(PrivateHedge):
    """Accounts for a rate and draws with a hundred times that."""

    @cached_property
    def rates(self) -> EqualRates:
        sound = PrivateHedge(self.n_experts, self.epsilon, self.delta, horizon=self.horizon).rates
        return EqualRates(100 * sound.learning_rate, sound.cap)

    @property
    def components(self) -> Any:
        return PrivateHedge(self.n_experts, self.epsilon, self.delta, horizon=self.horizon).components


class QuietLearner(DartboardLearner):
    """Noise of a fiftieth of the scale that was paid for."""

    def _coin(self, rate: Fraction) -> DelayedCoin:
        noise = self._noise
        self._noise = OneSidedNoise(50 * noise.epsilon, noise.sensitivity, noise.units)
        coin = super()._coin(rate)
        self._noise = noise
        return coin


@dataclass(frozen=True)
class Quiet(Dartboard):
    def _start(self, source: Source) -> DartboardLearner:
        return QuietLearner(self, source, self.derived)


def board(kind: type[Dartboard], relation: str = "replace-one") -> Dartboard:
    return dartboard(0.5, 0.5, 8.0, equal(1 / 32, 4), n_experts=3, grid_bits=4, algorithm=kind, relation=relation)


SOUND = {
    "dartboard": lambda relation: board(Dartboard, relation),
    "private hedge": lambda relation: PrivateHedge(3, 1.0, 1e-6, horizon=ROUNDS, relation=relation),
    "guarded epochs": lambda relation: rt.experts.GuardedEpochs(3, 1.0, first_epoch=10, relation=relation),
    "scheduled hedge": lambda relation: rt.experts.ScheduledHedge(
        3, 1.0, horizon=ROUNDS, schedule=rt.experts.EveryRounds(7), relation=relation
    ),
}


@pytest.mark.parametrize("relation", ["replace-one", "add-remove"])
@pytest.mark.parametrize("name", SOUND)
def test_sound_algorithms_pass(name: str, relation: str) -> None:
    """Catches bounds of the wrong side, and an event that is tested on the runs that chose it."""
    audit = statistical(SOUND[name](relation), *streams(relation=relation), runs=1500, seed=3, workers=1)
    assert audit.passed, str(audit)
    assert audit.epsilon_bound <= 1.0
    assert str(audit).startswith("passed: promised")


@pytest.mark.parametrize(
    ("faulty", "record"),
    [(SharpHedge(3, 1.0, 1e-6, horizon=ROUNDS), [0.0, 1.0, 1.0]), (board(Quiet), [0.0, 0.0, 0.0])],
    ids=["a rate that is a hundred times too large", "noise of a fiftieth of the scale"],
)
def test_planted_faults_are_rejected(faulty: Any, record: list[float]) -> None:
    """Catches an audit that cannot fail."""
    one, other = streams()
    one[CHANGED], other[CHANGED] = record, 1 - np.array(record)
    audit = statistical(faulty, one, other, runs=1500, seed=3, workers=1)
    assert not audit.passed, str(audit)
    assert audit.epsilon_bound > 1.2 * audit.epsilon
    assert audit.detectable < math.inf
    assert str(audit).startswith("REJECTED: promised")


@dataclass(frozen=True)
class Responder(rt.experts.ScheduledHedge):
    """One draw between two experts: randomised response."""


def responder(epsilon: float) -> Responder:
    return Responder(2, epsilon, horizon=2, schedule=rt.experts.EveryRounds(1))


def test_the_bound_comes_close_to_an_epsilon_that_is_known() -> None:
    """Catches a bound that is valid and blunt: a draw whose log-odds move from -1 to 1 costs 1."""
    one, other = np.array([[0.0, 1.0], [0.0, 0.0]]), np.array([[1.0, 0.0], [0.0, 0.0]])
    audit = statistical(responder(2.0), one, other, runs=10_000, seed=1)
    assert 0.85 < audit.epsilon_bound <= 1.0
    assert audit.event.startswith("the choice 1 round after the change is")


def test_delta_is_taken_off() -> None:
    """Catches a bound that holds a leak against epsilon which delta allows: P is about .73, Q about .27."""
    one, other = np.array([[0.0, 1.0], [0.0, 0.0]]), np.array([[1.0, 0.0], [0.0, 0.0]])
    bounds = [
        statistical(responder(2.0), one, other, runs=2000, seed=1, workers=1, delta=delta).epsilon_bound
        for delta in (0.0, 0.2, 0.44, 0.75)
    ]
    assert bounds == sorted(bounds, reverse=True)
    assert bounds[1] < math.log((0.731 - 0.2) / 0.269)
    assert bounds[-1] == 0.0


def test_the_result_depends_on_the_seed_and_not_on_the_workers() -> None:
    """Catches runs that share noise or are counted twice when they are spread over processes."""
    audits = [
        statistical(SOUND["private hedge"]("replace-one"), *streams(), runs=200, seed=seed, workers=workers)
        for seed, workers in ((1, 1), (1, 2), (2, 1))
    ]
    assert audits[0] == audits[1]
    assert audits[0].to_dict() != audits[2].to_dict()
    assert audits[0].noise == "seeded with 1"


def test_progress_tells_every_run_once() -> None:
    """Catches a bar that does not reach its end."""
    steps: list[int] = []
    audit = statistical(
        SOUND["scheduled hedge"]("replace-one"), *streams(), runs=201, workers=2, progress=steps.append
    )
    assert sum(steps) == 2 * 201
    assert audit.tested == 101
    assert audit.noise == "secure (operating system)"


def test_what_is_called_detectable_is_detected_with_a_chance_of_80_percent() -> None:
    """Catches a power that is promised and not there: the exact chance of rejection at the detectable epsilon."""
    from scipy.stats import binom

    for seen, tested, epsilon, delta in ((50, 100, 1.0, 0.0), (60, 400, 0.5, 1e-3), (300, 300, 3.0, 0.1)):
        detectable = _detectable(seen, tested, epsilon, delta, 0.005)
        assert epsilon < detectable < math.inf
        rare = (seen / tested - delta) / math.exp(detectable)
        rejects = [c for c in range(tested + 1) if _epsilon_bound(seen, c, tested, delta, 0.005) > epsilon]
        assert binom.cdf(max(rejects), tested, rare) == pytest.approx(0.8, abs=1e-6)
    assert _detectable(3, 100, 1.0, 0.0, 0.005) == math.inf


def test_the_score_of_all_numbers_finds_what_no_single_number_shows() -> None:
    """Catches events of one number only: many numbers that each lean a little to one side."""
    chance = np.random.default_rng(1)
    one, other = ((chance.random((4000, 30)) < p).astype(np.int64) for p in (0.6, 0.4))
    event = choose_event(one[:2000], other[:2000], [f"bit {k}" for k in range(30)], 0.0, 0.005)
    assert "score" in event.text
    assert event.holds(one[2000:]).mean() > 20 * event.holds(other[2000:]).mean() or not event.likelier_on_one


def test_features_of_ones_own_are_used() -> None:
    """Catches a default that cannot be replaced."""
    one, other = np.array([[0.0, 1.0], [0.0, 0.0]]), np.array([[1.0, 0.0], [0.0, 0.0]])
    audit = statistical(responder(2.0), one, other, runs=1000, seed=1, workers=1, features=second_choice)
    assert audit.event.startswith("feature 0 is")


def second_choice(choices: np.ndarray) -> tuple[int, ...]:
    return (int(choices[1]),)


def test_the_features_around_the_change_are_what_they_say() -> None:
    """Catches an off-by-one: the choice of the round that differs was made before its losses were seen."""
    features = AroundTheChange(2, 7)
    assert features.lags == (1, 2, 4, 5)
    assert len(features.names) == len(features(np.arange(8)))
    assert features(np.array([9, 9, 3, 3, 4, 4, 5, 6])) == (3, 4, 5, 6, 1, 1, 3)
    assert features(np.array([9, 9, 3, 3, 3, 3, 3, 3])) == (3, 3, 3, 3, 1, 6, 0)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"other": np.full((ROUNDS, 3), 1.0), "one": np.full((ROUNDS, 3), 1.0)}, "differ in 0 rounds"),
        ({"other": np.full((ROUNDS, 3), 0.0)}, "differ in 60 rounds"),
        ({"other": np.full((ROUNDS, 2), 0.0)}, "give two of one shape"),
        ({"runs": 99}, "runs is 99"),
        ({"confidence": 1.0}, "confidence is 1.0"),
        ({"workers": 0}, "workers is 0"),
        ({"seed": -1}, "seed"),
        ({"algorithm": rt.experts.Hedge(3)}, "give epsilon"),
        ({"algorithm": SOUND["dartboard"]("add-remove")}, "add-remove neighbours"),
    ],
)
def test_bad_arguments_get_one_clear_sentence(changes: dict[str, Any], message: str) -> None:
    """Catches streams that are no neighbours, whose difference would prove nothing."""
    one, other = streams()
    call = {"algorithm": SOUND["dartboard"]("replace-one"), "one": one, "other": other, "seed": 1, **changes}
    with pytest.raises(rt.ParameterError, match=message):
        statistical(**call)


def test_json_has_every_figure() -> None:
    """Catches a figure that reports forget, and an infinity that JSON does not know."""
    audit = StatisticalAudit(1.0, 0.0, 0.5, 0.99, math.inf, "an event", 10, 5, False, 100, "seeded with 1")
    report = audit.to_dict()
    assert report["detectable"] is None
    assert report["likelier_on"] == "other"
    assert "could not have shown any violation" in str(audit)
