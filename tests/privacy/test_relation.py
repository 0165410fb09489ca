"""What neighbouring streams may change, counted out on small score vectors."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from reticent.errors import ParameterError
from reticent.privacy import Neighbours

LOSSES = (0.0, 0.5, 1.0)
VECTORS = [np.array(v) for v in itertools.product(LOSSES, repeat=3)]


def changes(relation: str) -> list[np.ndarray]:
    """Every change of the losses of one round for three experts."""
    if relation == "replace-one":
        return [a - b for a, b in itertools.product(VECTORS, repeat=2)]
    return [sign * v for sign in (1, -1) for v in VECTORS]


@pytest.mark.parametrize("relation", ["replace-one", "add-remove"])
@pytest.mark.parametrize("m", [1, 2])
def test_sensitivity_and_score_range_are_the_largest_there_are(relation, m):
    neighbours = Neighbours(relation, m)
    rows = np.unique(changes(relation), axis=0)
    totals = rows if m == 1 else (rows[:, None] + rows[None, :]).reshape(-1, 3)
    assert np.abs(totals).max() == neighbours.sensitivity
    assert np.ptp(totals, axis=1).max() == neighbours.score_range


@pytest.mark.parametrize("relation", ["replace-one", "add-remove"])
def test_a_softmin_draw_has_bounded_range_eta_times_score_range_and_attains_it(relation):
    eta = 0.7
    worst = 0.0
    for change in changes(relation):
        scores = np.array([0.0, 1.0, 2.0])
        p, q = (np.exp(-eta * s) / np.exp(-eta * s).sum() for s in (scores, scores + change))
        worst = max(worst, float(np.ptp(np.log(p / q))))
    assert worst == pytest.approx(eta * Neighbours(relation).score_range)


def test_replace_one_of_one_round_is_the_default():
    assert Neighbours() == Neighbours("replace-one", 1)


def test_the_description_says_what_differs():
    assert "one round" in Neighbours().description
    assert "up to 3 rounds" in Neighbours("add-remove", 3).description
    assert "add-remove" in Neighbours("add-remove", 3).description


@pytest.mark.parametrize("relation", ["replace", "", None, 1])
def test_an_unknown_relation_is_refused(relation):
    with pytest.raises(ParameterError, match="relation"):
        Neighbours(relation)


@pytest.mark.parametrize("m", [0, -1, 1.0, True, math.nan, None])
def test_rounds_per_person_is_a_whole_number_from_one_on(m):
    with pytest.raises(ParameterError, match="rounds_per_person"):
        Neighbours("replace-one", m)
