"""Predictions become losses: what each loss is, and what is refused."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from reticent.errors import InputError, ParameterError
from reticent.streams import LossStream, losses_from_predictions, open_losses

FRAME = pd.DataFrame({"north": [1.0, 4.0, 2.0], "y": [2.0, 2.0, 2.0], "south": [2.0, 0.0, 5.0]})

tables = hnp.arrays(
    np.float64, st.tuples(st.integers(1, 8), st.integers(2, 4)), elements=st.floats(-100, 100, allow_nan=False)
)


def read(stream: LossStream) -> np.ndarray:
    return np.concatenate(list(stream.blocks()))


@given(table=tables, data=st.data(), block_bytes=st.integers(1, 200))
def test_each_loss_is_its_formula_for_any_block_size(
    table: np.ndarray, data: st.DataObject, block_bytes: int
) -> None:
    target = data.draw(st.integers(0, table.shape[1] - 1))
    predicted, truth = np.delete(table, target, axis=1), table[:, [target]]
    expected = {
        "zero-one": predicted != truth,
        "absolute": np.abs(predicted - truth) / 300,
        "squared": (np.abs(predicted - truth) / 300) ** 2,
    }
    for loss, losses in expected.items():
        stream = losses_from_predictions(
            open_losses(table, block_bytes=block_bytes), f"expert {target}", loss, 1.0 if loss == "zero-one" else 300
        )
        np.testing.assert_array_equal(read(stream), losses, strict=True)


def test_the_target_is_no_expert() -> None:
    stream = losses_from_predictions(FRAME, "y", "zero-one")
    assert (stream.names, stream.n_experts, stream.rounds) == (("north", "south"), 2, 3)
    np.testing.assert_array_equal(read(stream), [[True, False], [True, True], [False, True]])


def test_unsigned_predictions_do_not_wrap_around() -> None:
    frame = pd.DataFrame({"a": np.array([0], np.uint8), "y": np.array([3], np.uint8)})
    assert read(losses_from_predictions(frame, "y", "absolute", 4)).item() == 0.75


def test_booleans_are_numbers() -> None:
    frame = pd.DataFrame({"a": [True, False], "y": [True, True]})
    assert read(losses_from_predictions(frame, "y", "absolute")).tolist() == [[0.0], [1.0]]
    assert read(losses_from_predictions(frame, "y", "zero-one")).tolist() == [[False], [True]]


def test_clipping_is_asked_for() -> None:
    stream = losses_from_predictions(FRAME, "y", "squared", 2, clip=True)
    np.testing.assert_array_equal(read(stream), [[0.25, 0.0], [1.0, 1.0], [0.0, 1.0]])


def test_places_are_those_of_the_predictions(tmp_path) -> None:
    FRAME.to_csv(tmp_path / "l.csv", index=False)
    stream = losses_from_predictions(tmp_path / "l.csv", "y", "zero-one")
    assert stream.locate(1, 1) == f"{tmp_path}/l.csv, line 3, column 'south'"


@pytest.mark.parametrize(
    ("frame", "target", "options", "sentence"),
    [
        (FRAME, "z", {}, "the losses: there is no column 'z' for the target; name one of its columns."),
        (FRAME[["y"]], "y", {}, "the losses: there is no column beside the target; give one for each expert."),
        (
            FRAME,
            "y",
            {"loss": "absolute", "scale": 2.5},
            "the losses, row 3 (counted from 1), column 'south': the prediction is wrong by 3, more than the scale "
            "2.5; choose a larger public scale, or clip.",
        ),
        (
            FRAME,
            "y",
            {"loss": "squared"},
            "the losses, row 2 (counted from 1), column 'north': the prediction is wrong by 2, more than the scale "
            "1; choose a larger public scale, or clip.",
        ),
        (
            # Missing in polars is null; NaN is a number that equals nothing, and would pass for a wrong prediction.
            np.array([[0.0, 0.0], [np.nan, 1.0]]),
            "expert 1",
            {},
            "the losses, row 2 (counted from 1), expert 0: the value is nan; give finite numbers.",
        ),
        (
            np.array([[0.0, -np.inf]]),
            "expert 1",
            {"loss": "absolute", "clip": True},
            "the losses, row 1 (counted from 1), expert 1: the value is -inf; give finite numbers.",
        ),
    ],
    ids=["no target", "nothing else", "absolute above 1", "squared above 1", "NaN", "infinite truth"],
)
def test_refused_data(frame: object, target: str, options: dict, sentence: str) -> None:
    with pytest.raises(InputError) as refused:
        list(losses_from_predictions(frame, target, **{"loss": "zero-one", **options}).blocks())
    assert str(refused.value) == sentence


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"loss": "hinge"}, "loss is 'hinge'; give 'zero-one', 'absolute' or 'squared'."),
        (
            {"loss": "absolute", "scale": 0},
            "scale is 0; give a public number above 0, the error that costs 1.",
        ),
        (
            {"loss": "absolute", "scale": float("nan")},
            "scale is nan; give a public number above 0, the error that costs 1.",
        ),
        (
            {"loss": "squared", "scale": float("inf")},
            "scale is inf; give a public number above 0, the error that costs 1.",
        ),
        ({"loss": "zero-one", "scale": 2}, "scale is 2, but the zero-one loss has no scale; leave it out."),
    ],
)
def test_refused_parameters(options: dict, sentence: str) -> None:
    with pytest.raises(ParameterError) as refused:
        losses_from_predictions(FRAME, "y", **options)
    assert str(refused.value) == sentence
