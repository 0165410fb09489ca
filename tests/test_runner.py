"""One pass over the data, whatever form it has; releasable and private kept apart."""

from __future__ import annotations

import dataclasses
import json
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import reticent as rt
from reticent.experts import Dartboard, auto
from reticent.randomness import SeededSource
from reticent.runner import play

LOSSES = np.random.default_rng(1).random((3000, 6)) * np.linspace(0.1, 1, 6)


@given(st.lists(st.integers(1, 2999), max_size=8))
def test_blocks_of_any_size_make_the_same_run(cuts: list[int]) -> None:
    """Catches choices, losses or regrets that depend on how the data arrive."""
    whole = rt.run(auto(6, 1.0), LOSSES, source=SeededSource(1))
    edges = [0, *sorted(set(cuts)), 3000]
    blocks = (LOSSES[a:b] for a, b in pairwise(edges))
    cut = rt.run(auto(6, 1.0), blocks, source=SeededSource(1))
    assert (whole.choices == cut.choices).all()
    assert whole.curator.loss == cut.curator.loss
    assert whole.best_loss == cut.best_loss


def test_an_iterator_is_read_once_and_in_order() -> None:
    """Catches a second pass over data that cannot be read twice."""
    reads = []

    def blocks():
        for start in range(0, 3000, 500):
            reads.append(start)
            yield LOSSES[start : start + 500]

    algorithms = [auto(6, 1.0), Dartboard(6, 1.0, 1e-6)]
    runs = play(algorithms, blocks())
    assert reads == list(range(0, 3000, 500))
    assert [len(run.choices) for run in runs] == [3000, 3000]


def test_figures_are_those_of_the_choices() -> None:
    """Catches a loss, a best expert or a switch count that is not the run's."""
    run = rt.run(auto(6, 1.0), LOSSES)
    grid = np.rint(LOSSES * 2**20)
    assert run.loss == grid[np.arange(3000), run.choices].sum() / 2**20
    assert run.best_loss == grid.sum(axis=0).min() / 2**20
    assert run.best_expert == grid.sum(axis=0).argmin()
    assert run.regret == run.loss - run.best_loss
    assert run.switches == (np.diff(run.choices) != 0).sum()
    assert run.mean_loss == run.loss / 3000
    assert run.curator.curve.rounds[-1] == 3000
    assert run.curator.curve.loss[-1] == run.loss
    assert run.curator.curve.regret[-1] == pytest.approx(run.regret)


def test_what_may_be_released_holds_nothing_private() -> None:
    """Catches a private figure among the releasable ones."""
    run = rt.run(auto(6, 1.0), LOSSES)
    assert {f.name for f in dataclasses.fields(run.released)} == {"choices", "privacy"}
    report = run.to_dict()
    assert set(report["released"]) == {"switches", "choices_file"}
    private = {"loss", "best_expert", "best_loss", "regret", "mean_loss"}
    assert private <= set(report["curator"])
    assert not private & (set(report) | set(report["released"]) | set(report["privacy"]))
    json.dumps(report)


def test_a_secure_run_differs_from_the_next() -> None:
    """Catches a default source that is seeded."""
    choices = {tuple(rt.run(auto(6, 0.1), LOSSES[:50]).choices[:1]) for _ in range(60)}
    assert len(choices) > 1


def test_one_round_and_one_expert_are_enough() -> None:
    """Catches divisions by the number of switches, rivals or rounds."""
    for algorithm in (auto(1, 1.0), Dartboard(1, 1.0, 1e-6)):
        run = rt.run(algorithm, [[0.5]])
        assert run.choices.tolist() == [0]
        assert run.regret == 0
        str(run)
