"""PointPredictor: its law, its bound, and what it refuses."""

from __future__ import annotations

import pickle
import random
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest
from toy_points import ToyPoints, offline, online, streams

from reticent.errors import InputError, LearnerStateError, ParameterError
from reticent.prediction import PointPredictor, PointShares
from reticent.randomness import SeededSource, enumerate_outcomes


@pytest.mark.parametrize(
    ("settings", "rounds"),
    [
        ({"size": 1}, 6),
        ({"size": 2}, 6),
        ({"size": 1, "each": Fraction(1), "zone": (2, 3, 2)}, 6),
        ({"size": 1, "tolerance": 2}, 6),
    ],
)
def test_online_is_offline(settings: dict[str, Any], rounds: int) -> None:
    """Catches a delay that breaks Claim 1, and a selection that forgets the rounds before it."""
    algorithm = ToyPoints(1.0, 0.1, **settings)
    switched = 0
    for stream in streams(rounds):
        one = enumerate_outcomes(partial(online, algorithm, stream)).probabilities
        other = enumerate_outcomes(partial(offline, algorithm, stream)).probabilities
        assert one == pytest.approx({k: other.get(k, 0.0) for k in one}, abs=1e-12)
        assert sum(other.values()) == pytest.approx(sum(one.values()))
        switched += any(any(outputs) for outputs in one)
    assert switched > 10


def test_a_shortened_delay_is_not_offline() -> None:
    """Catches a comparison that could not fail: with one round less Claim 1 is false."""
    algorithm = ToyPoints(1.0, 0.1, size=2, shortening=1)
    stream = (("a", True), ("a", False), ("a", False), ("a", False), ("a", True), ("a", True))
    laws = [enumerate_outcomes(partial(run, algorithm, stream)).probabilities for run in (online, offline)]
    assert laws[0] != pytest.approx(laws[1], abs=1e-6) or set(laws[0]) != set(laws[1])


def test_the_bound_is_small_at_the_usual_budget() -> None:
    """Catches a search that got worse, and shares that are spent twice."""
    algorithm = PointPredictor(1.0, 1e-6)
    assert algorithm.mistake_bound <= 760
    statement = algorithm.privacy
    assert sum(c.epsilon for c in statement.components) <= 1.0
    assert sum(c.delta for c in statement.components) <= 1e-6
    assert not statement.adaptive
    assert algorithm.rule.quiet_mistakes == algorithm.batch - 1


@pytest.mark.parametrize("epsilon", [0.05, 0.3, 0.69, 0.75, 1.0, 3.0, 20.0, 90.0])
@pytest.mark.parametrize("delta", [1e-9, 1e-3, 0.2])
def test_every_budget_has_a_predictor(epsilon: float, delta: float) -> None:
    """Catches a search that leaves a part without budget."""
    algorithm = PointPredictor(epsilon, delta)
    assert sum(c.delta for c in algorithm.privacy.components) <= delta * (1 + 1e-12)
    assert algorithm.selection.missed(algorithm.batch) <= delta


def realisable(seed: int, positives: int) -> tuple[list[Any], list[bool]]:
    """Early, late, sparse and bunched appearances of one instance of label 1, among others of label 0."""
    order = random.Random(seed)
    fillers = order.choice([0, 1, positives // 2, 3 * positives])
    xs = ["point"] * positives + [order.randrange(1 + seed % 50) for _ in range(fillers)]
    kind = seed % 4
    if kind == 0:
        order.shuffle(xs)
    elif kind == 1:
        xs.reverse()
    elif kind == 2 and fillers:
        cut = order.randrange(positives)
        xs = xs[:cut] + xs[positives:] + xs[cut:positives]
    return xs, [x == "point" for x in xs]


@pytest.mark.parametrize("first", range(0, 1000, 250))
def test_a_thousand_realisable_streams_stay_within_the_bound(first: int) -> None:
    """Catches a bound that is off by one: streams end beyond it, and some runs come within it closely."""
    algorithm = PointPredictor(10.0, 1e-9)
    mistakes = []
    for seed in range(first, first + 250):
        xs, ys = realisable(seed, positives=algorithm.mistake_bound + 40)
        predictions = algorithm.start(SeededSource(seed)).update_block(xs, ys)
        mistakes.append(sum(p != y for p, y in zip(predictions.tolist(), ys, strict=True)))
    assert max(mistakes) <= algorithm.mistake_bound
    assert max(mistakes) > algorithm.rule.delay


def test_the_usual_budget_on_a_long_stream() -> None:
    """Catches counts of the block path that go wrong when instances are many."""
    algorithm = PointPredictor(1.0, 1e-6)
    xs = np.arange(30_000) % 7
    ys = xs == 3
    predictions = algorithm.start(SeededSource(5)).update_block(xs, ys)
    mistakes = int(np.count_nonzero(predictions != ys))
    assert algorithm.rule.delay <= mistakes <= algorithm.mistake_bound


@pytest.mark.parametrize("seed", range(30))
def test_blocks_of_any_size_predict_the_same(seed: int) -> None:
    """Catches a block path that looks ahead, miscounts, or draws in another order."""
    order = np.random.Generator(np.random.PCG64(seed))
    algorithm = PointPredictor(8.0, 1e-3, tolerance=1 + seed % 2)
    xs = order.integers(0, 3, 600)
    ys = (xs == 1) ^ (order.random(600) < (0.05 if seed % 2 else 0))
    if seed % 3 == 0:
        xs = np.array(["p", "q", "r"])[xs]
    stepwise = online(algorithm, tuple(zip(xs.tolist(), ys.tolist(), strict=True)), SeededSource(seed))
    for block in (1, 7, 600):
        predictor = algorithm.start(SeededSource(seed))
        parts = [predictor.update_block(xs[i : i + block], ys[i : i + block]) for i in range(0, 600, block)]
        assert tuple(np.concatenate(parts).tolist()) == stepwise
    assert any(stepwise)


def state(predictor: Any) -> bytes:
    return pickle.dumps({k: v for k, v in vars(predictor).items() if k != "_source"})


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda p: p.predict([1]), "cannot be remembered"),
        (lambda p: p.predict((1, [2])), "cannot be hashed"),
        (lambda p: p.predict(float("nan")), "equals itself"),
        (lambda p: p.update_block([1, 2], [0]), "2 instances and 1 labels"),
        (lambda p: p.update_block([1, 2], [0, 2]), r"row 2 \(counted from 1\): the label is 2"),
        (lambda p: p.update_block([1, 2], np.array([0, 3])), r"row 2 \(counted from 1\): the label is 3"),
        (lambda p: p.update_block([1, {}], [0, 1]), "cannot be remembered"),
    ],
)
def test_bad_input_leaves_the_predictor_as_it_was(call: Any, words: str) -> None:
    """Catches a check that comes after a change."""
    predictor = PointPredictor(8.0, 1e-3).start(SeededSource(1))
    predictor.update_block(["a"] * 5, [1] * 5)
    before = state(predictor)
    with pytest.raises(InputError, match=words):
        call(predictor)
    assert state(predictor) == before


def test_a_round_has_one_instance_and_one_label() -> None:
    """Catches a predictor that can be asked about many instances in one round."""
    predictor = PointPredictor(8.0, 1e-3).start(SeededSource(1))
    with pytest.raises(LearnerStateError, match="before predict"):
        predictor.update(True)
    assert predictor.predict("a") == predictor.predict("a")
    with pytest.raises(LearnerStateError, match="another instance"):
        predictor.predict("b")
    with pytest.raises(LearnerStateError, match="round is open"):
        predictor.update_block(["a"], [1])
    with pytest.raises(InputError, match="the label is 'x'"):
        predictor.update("x")  # type: ignore[arg-type]
    predictor.update(True)
    assert predictor.rounds == 1


def test_an_interrupted_call_ends_the_predictor(monkeypatch: pytest.MonkeyPatch) -> None:
    """Catches a round that is learned twice after Ctrl-C."""
    predictor = PointPredictor(8.0, 1e-3).start(SeededSource(1))
    predictor.predict("a")

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(predictor, "_observe", interrupt)
    with pytest.raises(KeyboardInterrupt):
        predictor.update(True)
    monkeypatch.undo()
    with pytest.raises(LearnerStateError, match="interrupted"):
        predictor.update(True)


def test_a_saved_predictor_goes_on() -> None:
    """Catches state that is not saved."""
    algorithm = PointPredictor(8.0, 1e-3)
    xs, ys = ["a", "b"] * 200, [True, False] * 200
    whole = algorithm.start(SeededSource(2)).update_block(xs, ys)
    predictor = algorithm.start(SeededSource(2))
    first = predictor.update_block(xs[:101], ys[:101])
    rest = pickle.loads(pickle.dumps(predictor)).update_block(xs[101:], ys[101:])
    assert np.concatenate([first, rest]).tolist() == whole.tolist()


def test_a_seeded_predictor_says_that_it_is_not_private() -> None:
    """Catches a simulation that passes for a release."""
    predictor = PointPredictor(1.0, 1e-6).start(SeededSource(2))
    assert "NOT PRIVATE" in str(predictor.privacy)
    assert "NOT PRIVATE" in repr(predictor)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"epsilon": 0.0}, "epsilon"),
        ({"epsilon": "1"}, "epsilon"),
        ({"delta": 0.0}, "delta"),
        ({"tolerance": 0}, "tolerance"),
        ({"failure": 1.0}, "failure"),
    ],
)
def test_bad_parameters_are_named(arguments: dict[str, Any], words: str) -> None:
    """Catches a parameter that is only found wrong later."""
    with pytest.raises(ParameterError, match=words):
        PointPredictor(**{"epsilon": 1.0, "delta": 1e-6, **arguments})


def test_bad_shares_are_named() -> None:
    """Catches shares that spend the budget twice."""
    with pytest.raises(ParameterError, match="shares of delta"):
        PointShares((0.2, 0.2, 0.6), (0.5, 0.5, 0.5))
