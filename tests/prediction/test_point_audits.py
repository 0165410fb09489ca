"""Exact audits of PointPredictor, and planted faults that they reject."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from fractions import Fraction
from functools import partial

import pytest
from toy_points import Stream, ToyPoints, neighbours, online

from reticent.audit import exact_joint, exact_mechanism
from reticent.audit.result import ExactAudit
from reticent.mechanisms import SparseSelection
from reticent.randomness import Source


def audit(algorithm: ToyPoints, pairs: Iterable[tuple[Stream, Stream]]) -> ExactAudit:
    """Of the predictions of all rounds but the changed one."""
    return exact_joint(partial(online, algorithm), pairs, *algorithm.price)


@pytest.mark.parametrize(
    "algorithm",
    [
        ToyPoints(1.0, 0.1, size=1),
        ToyPoints(1.0, 0.1, size=2),
        ToyPoints(1.0, 0.1, size=1, each=Fraction(1), zone=(2, 3, 2)),
        ToyPoints(1.0, 0.1, size=1, tolerance=2),
        ToyPoints(1.0, 0.1, size=3),
    ],
    ids=["one mistake", "two mistakes", "small epsilon", "tolerance two", "three mistakes"],
)
def test_point_predictors_keep_their_promise(algorithm: ToyPoints) -> None:
    """Catches every fault of the composition: on all streams of six rounds, for every place of the changed round."""
    found = audit(algorithm, neighbours(6))
    assert found.passed, found


@pytest.mark.parametrize("shortening", [1, 2, 3])
def test_a_shortened_delay_is_rejected(shortening: int) -> None:
    """Claim 1 needs D_1 >= K_0 - 1 + K_1 + 2 x: one less, and the switch shows that the batch is full."""
    found = audit(ToyPoints(1.0, 0.1, size=2, shortening=shortening), neighbours(6))
    assert found.delta_found > 0.9


def test_own_output_left_in_is_rejected() -> None:
    """Definition 4 leaves out the prediction of the changed round: it tells which instance came."""
    algorithm = ToyPoints(1.0, 0.1, size=2)

    def run(stream: Stream, source: Source) -> tuple[bool, ...]:
        return online(algorithm, stream, source)

    found = exact_mechanism(run, neighbours(6), *algorithm.price)
    assert found.delta_found > 0.9


def test_a_selection_without_its_threshold_is_rejected() -> None:
    """Fact 3 needs the weight of "nothing": without it an instance of one record is selected."""

    class Eager(ToyPoints):
        @property
        def selection(self) -> SparseSelection:  # type: ignore[override]
            eager = copy(super().selection)
            object.__setattr__(eager, "threshold", Fraction(-4))
            return eager

    examples = [("a", True), ("b", True)]
    stream = (*examples, ("a", True), ("a", True), ("a", True), ("a", True))
    changed = (("b", True), *stream[1:])
    found = audit(Eager(1.0, 0.1, size=1), [(stream, changed)])
    assert not found.passed
