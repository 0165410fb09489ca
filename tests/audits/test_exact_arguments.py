"""`audit.exact` as a reviewer calls it: what it takes, what it refuses, what it prints and writes."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from both_views import audit_algorithm
from dartboards import BITS, dartboard, equal

import reticent as rt
from reticent.audit import exact, exact_mechanism
from reticent.experts import ExpertsLearner, PrivateHedge
from reticent.experts.private_hedge import _Learner
from reticent.privacy import Neighbours
from reticent.randomness import Source

BOARD = dartboard(1, 0.5, 0.0, equal(2, 2))


def test_the_defaults_are_the_algorithms_own() -> None:
    """Catches another promise, relation or domain than the statement's."""
    choices, everything = audit_algorithm(BOARD, BITS, 3)
    for audit, expected in (
        (exact(BOARD), choices),
        (exact(BOARD, BITS, "replace-one", rounds=3, seen="transcript"), everything),
    ):
        assert (audit.epsilon, audit.delta) == (expected.epsilon, expected.delta)
        assert audit.log_ratio == pytest.approx(expected.log_ratio)
        assert audit.worst.output == expected.worst.output
    assert exact(BOARD).epsilon == pytest.approx(BOARD.privacy.epsilon)


def test_what_is_seen_can_be_chosen() -> None:
    """Catches an audit of the choices that passes for one of the transcript."""
    found = [exact(BOARD, seen=seen).log_ratio for seen in ("choices", "transcript")]
    assert found[0] < found[1]
    blind = exact(BOARD, seen=lambda learner, source: (0,))
    assert blind.log_ratio == pytest.approx(0.0, abs=1e-12)


def test_a_relation_is_given_by_name_or_in_full() -> None:
    """Catches a relation that is ignored, and rounds_per_person that is dropped."""
    twice = dartboard(1, 0.5, 0.0, equal(2, 2), rounds_per_person=2)
    assert exact(BOARD, relation="add-remove").log_ratio < exact(BOARD).log_ratio
    assert exact(twice, relation="replace-one") == exact(twice)
    assert exact(twice, relation=Neighbours()).log_ratio < exact(twice).log_ratio


def test_the_promise_can_be_another() -> None:
    """Catches an epsilon or a delta that is ignored."""
    assert not exact(BOARD, epsilon=0.1).passed
    assert exact(BOARD, epsilon=0.1, delta=0.99).passed


@dataclass(frozen=True)
class Unpicklable(PrivateHedge):
    def _start(self, source: Source) -> ExpertsLearner:
        learner = _Learner(self, source)
        learner.callback = lambda: None  # type: ignore[attr-defined]
        return learner


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: exact(rt.experts.Hedge(2, grid_bits=0)), "give epsilon, for an algorithm that promises nothing"),
        (lambda: exact(BOARD, delta=1.5), "delta 1.5"),
        (lambda: exact(BOARD, seen="everything"), "give 'choices', 'transcript' or a function"),
        (lambda: exact(BOARD, rounds=0), "rounds is 0"),
        (lambda: exact(BOARD, []), "domain is empty"),
        (lambda: exact(BOARD, [(0, 1), (1, 0)], "add-remove"), "lacks the zero vector"),
        (lambda: exact(BOARD, relation="swap"), "relation is 'swap'"),
        (lambda: exact(rt.experts.SparseVectorExperts(2, 0.01)), "use a coarser grid"),
        (lambda: exact(Unpicklable(2, 1.0, horizon=3, grid_bits=0)), "cannot be saved"),
        (lambda: exact_mechanism(lambda x, source: x, [], 1.0), "pairs is empty"),
        (lambda: exact(PrivateHedge(2, 5000.0, horizon=3, grid_bits=0)), "epsilon at most 500"),
        (lambda: exact(TWICE, MANY, rounds=2), "too many pairs"),
    ],
)
def test_what_cannot_be_audited_gets_one_clear_sentence(call: Any, sentence: str) -> None:
    """Catches an audit that passes because it compared nothing."""
    with pytest.raises(rt.ParameterError, match=sentence):
        call()


#: So many loss vectors that all pairs of streams would not fit into memory.
MANY = [(k / 70, 1.0) for k in range(70)]
TWICE = PrivateHedge(2, 1.0, horizon=9, rounds_per_person=2)


def test_losses_outside_the_domain_of_losses_are_refused() -> None:
    """Catches a loss that is clipped in silence."""
    with pytest.raises(rt.InputError, match="outside"):
        exact(BOARD, [(0, 0), (2, 0)])


def test_a_counterexample_reads_round_by_round() -> None:
    """Catches a table whose columns or rounds have slipped: the probabilities are those of its own streams."""
    audit = exact(rt.experts.Hedge(2, horizon=2, grid_bits=0), rounds=2, epsilon=1.0)
    first, head, start, *rounds, last = str(audit).splitlines()
    assert first.startswith("REJECTED: promised (1, 0)-DP; found delta")
    assert head.split("  ")[1:] == ["round", "losses", "neighbour's", "then seen"]
    assert start.split() == ["start", "choice", str(audit.worst.output[0][0])]
    assert [row.split()[0] for row in rounds] == ["0", "1"]
    assert [row.split()[1:3] for row in rounds] == [[f"{loss:g}" for loss in vector] for vector in audit.worst.one]
    assert sum("same" in row for row in rounds) == 1
    assert f"exp({audit.log_ratio:.6g})" in last


def test_json_has_every_figure_and_no_infinity() -> None:
    """Catches what `json` cannot write."""
    audit = exact_mechanism(lambda truth, source: truth, [(False, True)], 1.0)
    report = json.loads(json.dumps(audit.to_dict(), allow_nan=False))
    assert report["log_ratio"] is None
    assert report["passed"] is False
    report = json.loads(json.dumps(exact(BOARD).to_dict(), allow_nan=False))
    assert report["log_ratio"] == pytest.approx(exact(BOARD).log_ratio)
    assert np.shape(report["worst"]["one"]) == (3, 2)


def test_slack_is_what_the_worst_pair_leaves() -> None:
    """Catches a slack of the wrong sign."""
    assert exact(BOARD).slack == pytest.approx(1 - exact(BOARD).log_ratio / exact(BOARD).epsilon)
    assert exact(BOARD, epsilon=0.1).slack < 0
    loose = exact(BOARD, epsilon=0.1, delta=0.99)
    assert loose.slack == pytest.approx(1 - loose.delta_found / 0.99)
