"""What a privacy reviewer reads."""

from __future__ import annotations

import json
import math
from dataclasses import FrozenInstanceError
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticent.errors import ParameterError
from reticent.privacy import Component, Neighbours, PrivacyStatement

SHARES = (
    Component("AboveThreshold", 0.25, 0.0, "one-sided geometric noise"),
    Component("update coin", 0.05, 0.0, "max(eta, eps2)"),
    Component("redraws", 0.7, 1e-6, "at most 40 draws at eta = 0.02"),
)


def statement(**changes) -> PrivacyStatement:
    given = {"epsilon": 1.0, "delta": 1e-6, "neighbours": Neighbours(), "components": SHARES}
    return PrivacyStatement(**{**given, **changes})


def test_the_text_names_the_promise_the_relation_and_every_share():
    text = str(statement(neighbours=Neighbours("add-remove", 2)))
    for part in ("(1, 1e-06)", "add-remove", "up to 2 rounds", "Released: the choice", "released before"):
        assert part in text.replace("\n", " ")
    for share in SHARES:
        line = next(line for line in text.splitlines() if share.name in line)
        assert f"{share.epsilon:g}" in line
        assert share.explanation in line
    assert "total" in text
    assert max(map(len, text.splitlines())) <= 110


def test_the_text_says_the_assumption_on_experts():
    assert "a function of that round's record and of public things only" in str(statement()).replace("\n", " ")


def test_the_text_says_whether_adaptive_streams_are_covered():
    assert "It holds also when" in str(statement())
    assert "It holds NOT when" in str(statement(adaptive=False))


def test_a_statement_names_its_noise_once_a_learner_runs():
    assert statement().noise is None
    running = statement().with_noise("secure (operating system)", private=True)
    assert running.private
    assert "Noise: secure (operating system)." in str(running)
    assert "NOT PRIVATE" not in str(running)


def test_a_seeded_run_says_aloud_that_it_is_not_private():
    seeded = statement().with_noise("seeded with 7", private=False)
    assert not seeded.private
    assert str(seeded).startswith("NOT PRIVATE")
    assert "seeded with 7" in str(seeded)
    assert seeded.to_dict()["private"] is False


def test_no_promise_is_an_infinite_epsilon_and_null_in_json():
    none = PrivacyStatement.none()
    assert none.epsilon == math.inf
    assert not none.private
    assert str(none).startswith("NOT PRIVATE")
    as_json = json.loads(json.dumps(none.to_dict(), allow_nan=False))
    assert as_json["epsilon"] is None
    assert as_json["private"] is False
    assert PrivacyStatement.from_dict(as_json) == none


@given(
    st.floats(0.0, 5.0),
    st.floats(0.0, 5.0),
    st.sampled_from([0.0, 1e-9, 1e-6]),
    st.sampled_from(["replace-one", "add-remove"]),
    st.integers(1, 5),
    st.booleans(),
    st.sampled_from([None, "seeded with 7", "secure (operating system)"]),
)
def test_json_there_and_back_changes_nothing(first, second, delta, relation, m, adaptive, noise):
    original = PrivacyStatement(
        epsilon=math.nextafter(first + second, math.inf),
        delta=delta,
        neighbours=Neighbours(relation, m),
        components=(Component("a", first, delta, "x"), Component("b", second)),
        adaptive=adaptive,
    )
    if noise is not None:
        original = original.with_noise(noise, private=noise.startswith("secure"))
    text = json.dumps(original.to_dict(), allow_nan=False)
    assert PrivacyStatement.from_dict(json.loads(text)) == original


def test_shares_that_exceed_the_claim_are_refused():
    with pytest.raises(ParameterError, match="components spend epsilon"):
        statement(epsilon=0.99)
    with pytest.raises(ParameterError, match="components spend delta"):
        statement(delta=1e-7)


def test_shares_that_exceed_the_claim_only_by_the_rounding_of_doubles_are_accepted():
    tenths = tuple(Component(f"share {i}", 0.1) for i in range(10))
    assert sum((Fraction(c.epsilon) for c in tenths), Fraction(0)) > 1
    assert PrivacyStatement(1.0, 0.0, Neighbours(), tenths).epsilon == 1.0


def test_a_statement_cannot_be_changed():
    with pytest.raises((FrozenInstanceError, AttributeError)):
        statement().epsilon = 0.1


@pytest.mark.parametrize("epsilon", [-1.0, math.nan, True, "1", None])
def test_epsilon_is_a_number_above_zero(epsilon):
    with pytest.raises(ParameterError, match=r"epsilon is .*; give a number above 0\.$"):
        statement(epsilon=epsilon)


def test_epsilon_may_be_zero_where_delta_is_not():
    """What name and shame promises; (0, 0) would promise that nothing depends on the records."""
    shares = (Component("publication", 0.0, 0.1),)
    assert PrivacyStatement(0.0, 0.1, Neighbours(), shares).private
    with pytest.raises(ParameterError, match=r"epsilon is 0\.0; give a number above 0\.$"):
        PrivacyStatement(0.0, 0.0, Neighbours())


@pytest.mark.parametrize("delta", [1.0, -1e-9, math.nan, math.inf, True, "0", None])
def test_delta_is_a_number_from_zero_to_below_one(delta):
    with pytest.raises(ParameterError, match=r"delta is .*; give a number in \[0, 1\)\.$"):
        statement(delta=delta)


@pytest.mark.parametrize("epsilon", [-0.1, math.inf, math.nan, None])
def test_a_share_is_finite_and_not_negative(epsilon):
    with pytest.raises(ParameterError, match="epsilon of redraws"):
        Component("redraws", epsilon)
