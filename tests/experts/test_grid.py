"""The grid: exact rounding, exact sums, with and without numba."""

from __future__ import annotations

from fractions import Fraction
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import reticent as rt
from reticent.experts import Grid, LossBlock, column_sums

losses = st.floats(0, 1, allow_subnormal=True)


def exact_units(loss: float, bits: int) -> int:
    """Round half to even, in rational arithmetic."""
    return round(Fraction(loss) * (1 << bits))


@given(value=losses, bits=st.integers(0, 30))
def test_a_loss_is_rounded_half_to_even(value: float, bits: int) -> None:
    """Catches rounding by truncation or away from zero."""
    assert Grid(bits).vector([value], 1, 0).tolist() == [exact_units(value, bits)]


@pytest.mark.parametrize("bits", [0, 1, 20, 30])
def test_ties_go_to_even(bits: int) -> None:
    """Catches half-up rounding, which only ties can show."""
    ties = [(k + 0.5) / (1 << bits) for k in range(min(1 << bits, 64))]
    units = Grid(bits).vector(ties, len(ties), 0)
    assert units.tolist() == [exact_units(tie, bits) for tie in ties]
    assert all(u % 2 == 0 for u in units.tolist())


def test_both_zeros_are_losses() -> None:
    """Catches a check by bit patterns that refuses minus zero."""
    assert Grid().vector([0.0, -0.0], 2, 0).tolist() == [0, 0]
    assert LossBlock(np.array([[0.0, -0.0]]), Grid(), 2).totals.tolist() == [0, 0]


matrices = hnp.arrays(
    np.float64,
    st.tuples(st.integers(1, 70), st.integers(1, 5)),
    elements=losses,
)


@pytest.mark.parametrize("compiled", [True, False])
@given(matrix=matrices, bits=st.sampled_from([0, 1, 20]), kind=st.sampled_from([np.float64, np.float32]))
def test_sums_are_exact(compiled: bool, matrix: np.ndarray, bits: int, kind: type) -> None:
    """Catches drift, a second rounding, and numba and numpy disagreeing."""
    values = matrix.astype(kind)
    oracle = np.array([[exact_units(float(v), bits) for v in row] for row in values], dtype=np.int64)
    with mock.patch.object(
        column_sums, "_fused_kernels", (lambda: None) if not compiled else column_sums._fused_kernels
    ):
        block = LossBlock(values, Grid(bits), values.shape[1])
        assert block.totals.tolist() == oracle.sum(axis=0).tolist()
        for rows in range(len(values) + 1):
            assert block.prefix(rows).tolist() == oracle[:rows].sum(axis=0).tolist()
        for expert in range(values.shape[1]):
            assert block.running(expert, 0, block.rounds).tolist() == [0, *np.cumsum(oracle[:, expert]).tolist()]
        assert block.units(0, len(values)).tolist() == oracle.tolist()


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("n_experts", [3, 1500])
@pytest.mark.parametrize("kind", [np.float64, np.float32, np.uint8, bool])
def test_wide_and_long_blocks_sum_like_integers(compiled: bool, n_experts: int, kind: type) -> None:
    """Catches a kernel for wide blocks, or for bytes, that loses the rows left over."""
    bits = np.random.default_rng(1).random((203, n_experts)) < 0.3
    with mock.patch.object(
        column_sums, "_fused_kernels", (lambda: None) if not compiled else column_sums._fused_kernels
    ):
        block = LossBlock(bits.astype(kind), Grid(), n_experts)
    assert (block.totals == bits.sum(axis=0) << 20).all()
    assert (block.prefix(101) == bits[:101].sum(axis=0) << 20).all()


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("bad", [1 + 1e-9, -1e-300, np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("where", [(0, 0), (32, 1), (66, 2), (99, 0)])
def test_every_bad_loss_is_found_wherever_it_lies(compiled: bool, bad: float, where: tuple[int, int]) -> None:
    """Catches a check that skips a slice, a remainder row, or a NaN."""
    for n_experts in (3, 1500):
        values = np.zeros((100, n_experts))
        values[where] = bad
        with (
            mock.patch.object(
                column_sums, "_fused_kernels", (lambda: None) if not compiled else column_sums._fused_kernels
            ),
            pytest.raises(rt.InputError, match=f"round {where[0]}, expert {where[1]}"),
        ):
            LossBlock(values, Grid(), n_experts)


@given(st.lists(st.integers(0, 4), min_size=1, max_size=60), st.integers(0, 99))
def test_the_loss_of_choices_is_what_was_suffered(choices: list[int], seed: int) -> None:
    """Catches a loss that is booked to the expert before or after a switch."""
    values = np.random.default_rng(seed).random((len(choices), 5))
    block = LossBlock(values, Grid(), 5)
    oracle = sum(exact_units(values[t, i], 20) for t, i in enumerate(choices))
    assert block.loss_of(np.array(choices)) == oracle


def test_a_truth_value_that_is_neither_byte_is_refused() -> None:
    """Catches bytes behind a bool array that count as losses above 1, and the error that finds no such loss."""
    losses = np.array([[1, 2], [0, 1]], np.uint8).view(np.bool_)
    with pytest.raises(rt.InputError, match=r"the loss 2\.0 is outside"):
        LossBlock(losses, Grid(), 2)
