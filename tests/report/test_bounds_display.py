"""Would catch: a figure whose labels overlap at some length, or whose curves are not the bounds."""

import math
from dataclasses import replace

import numpy as np
import pytest
from layout import faults, texts_of

from reticent.bounds import Measured, figure1
from reticent.report.bounds_display import Figure1Display

MEASURED = (
    Measured("PointLearner", "hypotheses", math.inf, 5, 2e5, 200.0),
    Measured("NameAndShameLearner", "hypotheses", math.log(4), 5, 4.0, 3.0),
    Measured("PointPredictor", "labels", math.log(4), 5, 3e4, 100.0),
)


@pytest.mark.parametrize("log_horizon", [20.0, 100.0, 1e3, 1e6])
def test_nothing_overlaps(log_horizon):
    assert faults(Figure1Display(replace(figure1(log_horizon), measured=MEASURED)).plot().figure_) == []


def test_each_bound_is_drawn_where_it_is_the_best():
    """Solid above, dashed below, and nothing of a bound where another is better."""
    figure = figure1()
    lines = [line for line in Figure1Display(figure).plot().ax_.lines if len(line.get_xdata()) > 2]
    assert [line.get_linestyle() for line in lines] == ["-", "-", "--", "--"]
    for line, best in zip(lines, [figure.best_upper()] * 2 + [figure.best_lower()] * 2, strict=True):
        shown = ~np.isnan(line.get_ydata())
        assert 0 < shown.sum() < len(shown)
        assert np.log(line.get_ydata()[shown]) == pytest.approx(best[shown])


def test_legend_and_ticks_name_everything():
    texts = " ".join(texts_of(Figure1Display(replace(figure1(), measured=MEASURED)).plot().figure_))
    for name in ("LWY24, upper", "DSS24, upper", "LWY24, lower", "Theorem 1, lower", "open"):
        assert name in texts
    assert "mean and spread of 5 runs" in texts
    assert "PointPredictor (a predictor: it releases labels)" in texts
    assert "epsilon = 0.01, ln T = 1,000" in texts
