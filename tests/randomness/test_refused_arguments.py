"""Bad arguments: one clear sentence, and nothing drawn."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scripted_bits import ScriptedSource

from reticent.errors import ParameterError
from reticent.randomness import EnumeratedSource, RecordingSource

ONE = Fraction(1)
ROW = np.arange(3)

BAD = {
    "no choices": (lambda s: s.uniform_index(0), "n = 0"),
    "half a choice": (lambda s: s.uniform_index(2.5), "n is a float"),
    "probability above 1": (lambda s: s.bernoulli(Fraction(3, 2)), "p = 3/2"),
    "negative probability": (lambda s: s.bernoulli(Fraction(-1, 2)), "p = -1/2"),
    "float probability": (lambda s: s.bernoulli(0.5), "p is a float"),
    "negative exponent": (lambda s: s.bernoulli_exp(Fraction(-1)), "x = -1"),
    "NaN exponent": (lambda s: s.bernoulli_exp(math.nan), "x is a float"),
    "scale 0": (lambda s: s.geometric(Fraction(0)), "scale = 0"),
    "negative scale": (lambda s: s.discrete_laplace(-ONE), "scale = -1"),
    "float scale": (lambda s: s.geometric_exceeds(3, 2.0), "scale is a float"),
    "scale 0 of a decision": (lambda s: s.discrete_laplace_exceeds(3, Fraction(0)), "scale = 0"),
    "scale 0 of a block": (lambda s: s.first_geometric_excess(3, ROW, Fraction(0)), "scale = 0"),
    "float queries": (lambda s: s.first_discrete_laplace_excess(3, ROW / 2, ONE), "queries holds float64"),
    "a matrix of queries": (lambda s: s.first_geometric_excess(3, ROW[None], ONE), "queries has 2 dimensions"),
    "negative size": (lambda s: s.geometrics(ONE, -1), "size = -1"),
    "half a size": (lambda s: s.discrete_laplaces(ONE, 1.5), "size is a float"),
    "variance 0": (lambda s: s.discrete_gaussian(Fraction(0)), "variance = 0"),
    "float variance": (lambda s: s.discrete_gaussians(2.0, 3), "variance is a float"),
    "negative size of Gaussians": (lambda s: s.discrete_gaussians(ONE, -2), "size = -2"),
    "no scores": (lambda s: s.softmin_index(ROW[:0], ONE), "scores is empty"),
    "float scores": (lambda s: s.softmin_index(ROW / 2, ONE), "scores holds float64"),
    "unsigned scores": (lambda s: s.softmin_index(ROW.astype(np.uint64), ONE), "scores holds uint64"),
    "a row for many rows": (lambda s: s.softmin_indices(ROW, ONE), "scores has 1 dimensions"),
    "rows without columns": (lambda s: s.softmin_indices(np.empty((2, 0), np.int64), ONE), "scores is empty"),
    "negative rate": (lambda s: s.softmin_index(ROW, -ONE), "rate = -1"),
    "float rate": (lambda s: s.softmin_indices(ROW[None], 0.5), "rate is a float"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_arguments_are_refused_before_anything_is_drawn(case):
    ask, sentence = BAD[case]
    source = ScriptedSource(range(10))
    with pytest.raises(ParameterError, match=sentence):
        ask(source)
    assert source.script.left == 10


@pytest.mark.parametrize("case", BAD)
def test_enumeration_and_recording_refuse_the_same_arguments(case):
    ask, sentence = BAD[case]
    for source in (EnumeratedSource(), RecordingSource(ScriptedSource(range(10)))):
        with pytest.raises(ParameterError, match=sentence):
            ask(source)
    assert source.record["decisions"] == []


def test_whole_numbers_are_good_fractions():
    assert ScriptedSource([0]).bernoulli(1)
    assert ScriptedSource([0]).geometric_exceeds(3, 5)
    assert ScriptedSource([0] * 5).softmin_index([4, 4], 1) == 0
