"""Bad calls: each gives one clear sentence of ours, draws nothing, and leaves nothing changed."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import reticent as rt
from reticent import experts as ex
from reticent.mechanisms import DecayingRates, EqualRates, OneSidedNoise, RunningSumAboveThreshold
from reticent.privacy import Neighbours
from reticent.randomness import SeededSource


class NoSource:
    """Every verb fails the test: randomness was asked for before the input was checked."""

    private = True
    description = "none"

    def __getattr__(self, verb: str) -> Any:
        raise AssertionError(f"{verb} was asked for")


GOOD = np.tile([0.0, 0.5, 1.0], (20, 1))


def with_cell(value: float, row: int = 7, column: int = 1) -> np.ndarray:
    losses = GOOD.copy()
    losses[row, column] = value
    return losses


def run(losses: Any, **options: Any) -> rt.Run:
    return rt.run(ex.Dartboard(3, 1.0, 1e-6), losses, source=NoSource(), **options)


def dartboard(**options: Any) -> ex.Dartboard:
    return ex.Dartboard(**{"n_experts": 3, "epsilon": 1.0, "delta": 1e-6, **options})


CALLS: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "a loss above 1": (
        lambda: run(with_cell(1.25)),
        rt.InputError,
        "the losses, row 8 (counted from 1), expert 1: "
        "the loss 1.25 is outside [0, 1]; divide the losses by a public bound.",
    ),
    "a loss a hair above 1": (
        lambda: run(with_cell(math.nextafter(1, 2))),
        rt.InputError,
        "the losses, row 8 (counted from 1), expert 1: "
        "the loss 1.0000000000000002 is outside [0, 1]; divide the losses by a public bound.",
    ),
    "a loss below 0": (
        lambda: run(with_cell(-0.5), names=["a", "b", "c"]),
        rt.InputError,
        "the losses, row 8 (counted from 1), column 'b': "
        "the loss -0.5 is outside [0, 1]; divide the losses by a public bound.",
    ),
    "a missing loss": (
        lambda: run(with_cell(math.nan)),
        rt.InputError,
        "the losses, row 8 (counted from 1), expert 1: "
        "the loss is missing (NaN); give a number in [0, 1] for every expert.",
    ),
    "an infinite loss": (
        lambda: run(with_cell(math.inf)),
        rt.InputError,
        "the losses, row 8 (counted from 1), expert 1: "
        "the loss inf is outside [0, 1]; divide the losses by a public bound.",
    ),
    "a byte above 1": (
        lambda: run(with_cell(1.0).astype(np.uint8) + 1),
        rt.InputError,
        "the losses, row 1 (counted from 1), expert 2: "
        "the loss 2.0 is outside [0, 1]; divide the losses by a public bound.",
    ),
    "another number of experts": (
        lambda: run(GOOD[:, :2]),
        rt.ParameterError,
        "Dartboard has n_experts = 3, but there are 2 columns in the losses; give one column for each expert.",
    ),
    "epsilon 0": (
        lambda: dartboard(epsilon=0),
        rt.ParameterError,
        "epsilon is 0; give a number from 1e-09 to 1e+06.",
    ),
    "epsilon infinite": (
        lambda: ex.auto(3, math.inf),
        rt.ParameterError,
        "epsilon is inf; give a number from 1e-09 to 1e+06.",
    ),
    "epsilon as text": (
        lambda: ex.auto(3, "1"),
        rt.ParameterError,
        "epsilon is '1'; give a number from 1e-09 to 1e+06.",
    ),
    "delta 1": (
        lambda: dartboard(delta=1),
        rt.ParameterError,
        "delta is 1; give a number in [0, 1), far below 1 / rounds.",
    ),
    "delta missing": (
        lambda: ex.auto(3, 1.0, math.nan),
        rt.ParameterError,
        "delta is nan; give a number in [0, 1), far below 1 / rounds.",
    ),
    "no experts": (lambda: ex.auto(0, 1.0), rt.ParameterError, "n_experts is 0; give a whole number from 1 on."),
    "half an expert": (
        lambda: ex.Hedge(2.5),
        rt.ParameterError,
        "n_experts is 2.5; give a whole number from 1 on.",
    ),
    "an unknown relation": (lambda: dartboard(relation="swap"), rt.ParameterError, None),
    "nobody": (lambda: dartboard(rounds_per_person=0), rt.ParameterError, None),
    "a grid of half a bit": (
        lambda: dartboard(grid_bits=0.5),
        rt.ParameterError,
        "grid_bits is 0.5; give a whole number from 0 to 30.",
    ),
    "an unknown rule": (
        lambda: dartboard(parameters="best"),
        rt.ParameterError,
        "parameters is 'best'; give 'tuned', 'paper', 'decaying' or a DartboardParameters.",
    ),
    "a guess below 0": (
        lambda: dartboard(expected_best_loss=-1),
        rt.ParameterError,
        "expected_best_loss is -1; give a number from 0 to 1e+18.",
    ),
    "parameters that cost too much": (
        lambda: dartboard(
            parameters=ex.DartboardParameters(Fraction(1), Fraction(1), 1.0, EqualRates(Fraction(1), 1))
        ),
        rt.ParameterError,
        "these parameters cost epsilon 3.99814, more than the 1 allowed.",
    ),
    "no horizon for a draw every round": (
        lambda: ex.PrivateHedge(3, 1.0),
        rt.ParameterError,
        "PrivateHedge draws every round: give horizon, the public number of rounds.",
    ),
    "no horizon for equal times": (
        lambda: ex.ScheduledHedge(3, 1.0, schedule=ex.EveryRounds(5)),
        rt.ParameterError,
        "horizon is missing: only geometric times can do without it; give the number of rounds.",
    ),
    "times that do not grow": (
        lambda: ex.GeometricTimes(growth=1.0),
        rt.ParameterError,
        "growth is 1.0; give a number from 1.0001 to 1e+06.",
    ),
    "shares of more than the whole": (
        lambda: ex.GuardedEpochs(3, 1.0, guard_share=0.9, rate_share=0.2),
        rt.ParameterError,
        "guard_share 0.9 and rate_share 0.2 leave nothing to select with; give shares that add up to less than 1.",
    ),
    "epsilon as a truth value": (
        lambda: ex.auto(3, True),
        rt.ParameterError,
        "epsilon is True; give a number from 1e-09 to 1e+06.",
    ),
    "an epsilon of four hundred digits": (
        lambda: dartboard(epsilon=10**400),
        rt.ParameterError,
        f"epsilon is {10**400}; give a number from 1e-09 to 1e+06.",
    ),
    "noise that fits no number": (
        lambda: ex.auto(3, 1e-6, grid_bits=30),
        rt.ParameterError,
        "epsilon is 1e-06 on a grid of 30 bits, too little for its noise; give a larger epsilon, or fewer grid_bits.",
    ),
    "an endless horizon": (
        lambda: dartboard(horizon=math.inf),
        rt.ParameterError,
        "horizon is inf; give a whole number from 1 on.",
    ),
    "an epoch beyond the integers": (
        lambda: ex.GuardedEpochs(2, 1.0, grid_bits=30, first_epoch=3_000_000),
        rt.ParameterError,
        "first_epoch is 3000000; on a grid of 30 bits give at most 262144 rounds.",
    ),
    "half an epoch": (
        lambda: ex.GuardedEpochs(2, 1.0, first_epoch=10.5),
        rt.ParameterError,
        "first_epoch is 10.5; give a whole number from 1 on.",
    ),
    "a rate that is no fraction": (
        lambda: EqualRates(0.01, 3),
        rt.ParameterError,
        "a rate is 0.01; give a Fraction, so that the law that runs is the law that was accounted.",
    ),
    "ragged losses": (
        lambda: ex.auto(2, 1.0).start(SeededSource(1)).update([[0.1], [0.2, 0.3]]),
        rt.InputError,
        "the losses are no table of numbers; give 2 numbers in [0, 1] for each round.",
    ),
    "masked losses": (
        lambda: ex.auto(2, 1.0).start(SeededSource(1)).update(np.ma.masked_array([0.1, 0.2], [True, False])),
        rt.InputError,
        "the losses are a masked array, and some may be missing; give 2 numbers in [0, 1] for each round.",
    ),
    "two horizons for Hedge": (
        lambda: ex.Hedge(3, horizon=10, expected_best_loss=1.0),
        rt.ParameterError,
        "Hedge takes horizon or expected_best_loss, not both; leave one out.",
    ),
    "rates that do not decay": (
        lambda: DecayingRates(Fraction(1), Fraction(1, 2)),
        rt.ParameterError,
        "decaying rates need first > 0, power > 1/2 and offset >= 0; got 1, 0.5 and 0.",
    ),
    "a sum that jumps": (
        lambda: RunningSumAboveThreshold(5, OneSidedNoise(Fraction(1), 1, 4), SeededSource(1)).add(5),
        rt.ParameterError,
        "the loss of 1 rounds is 5 units; it must lie in [0, 4].",
    ),
    "an empty comparison": (
        lambda: rt.compare([], GOOD),
        rt.ParameterError,
        "algorithms is empty; give at least one.",
    ),
    "a comparison of one that is no list": (
        lambda: rt.compare(ex.auto(3, 1.0), GOOD),
        rt.ParameterError,
        "algorithms is one algorithm, GuardedEpochs; give a list of them.",
    ),
    "no runs": (
        lambda: rt.compare([ex.auto(3, 1.0)], GOOD, runs=0),
        rt.ParameterError,
        "runs is 0; give a whole number from 1 on.",
    ),
    "two grids": (
        lambda: rt.compare([ex.auto(3, 1.0), ex.auto(3, 1.0, grid_bits=8)], GOOD),
        rt.ParameterError,
        "give at least one algorithm, all with the same grid_bits.",
    ),
    "a family with too high a rate": (
        lambda: rt.adversaries.iid(10, 3, 0.5, 1),
        rt.ParameterError,
        "the best expert's loss rate is 0.5; give a number in [0, .2).",
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_bad_call_gets_one_clear_sentence(name: str) -> None:
    """Catches a foreign exception, a sentence without place or mend, and a draw before the check."""
    call, kind, sentence = CALLS[name]
    with pytest.raises(kind) as caught:
        call()
    assert isinstance(caught.value, ValueError)
    text = str(caught.value)
    assert text.endswith(".")
    assert "\n" not in text
    if sentence is not None:
        assert text == sentence


@pytest.mark.parametrize("bad", [1.25, -0.5, math.nan])
def test_a_bad_block_later_in_the_stream_ends_the_run_before_any_of_it_is_played(bad: float) -> None:
    """Catches a block of which some rounds are played before its last round is checked."""
    algorithm = ex.Dartboard(3, 1.0, 1e-6)
    learner = algorithm.start(SeededSource(1))
    learner.update_block(GOOD)
    with pytest.raises(rt.InputError, match="round 39, expert 2"):
        learner.update_block(with_cell(bad, row=19, column=2))
    assert learner.rounds == 20


def test_neighbours_name_the_argument() -> None:
    """Catches a sentence that does not say what to give."""
    with pytest.raises(rt.ParameterError, match="replace-one"):
        Neighbours("swap", 1)
    with pytest.raises(rt.ParameterError, match="rounds_per_person"):
        Neighbours("replace-one", 0)
