"""Would catch: Table 1 or Figure 1 with other regimes, or in another order, than in the paper."""

import json
import math

import numpy as np
import pytest

from reticent.bounds import figure1, learning, table1
from reticent.bounds.measured import measure
from reticent.errors import ParameterError

LARGE = pytest.mark.parametrize("log_horizon", [1e3, 1e6])


@LARGE
def test_table_1_has_the_papers_lines_in_the_papers_order(log_horizon):
    """LWY24 < Theorem A < ln T, which is for concentrated learners or for many points only."""
    rows = table1(log_horizon).rows
    assert [(row.result, row.domain, row.learner) for row in rows] == [
        ("DSS24", "{1, 2, 3}", "concentrated"),
        ("CLN+24", "{0, .., T}", "all"),
        ("LWY24", "{1, 2, 3}", "all"),
        ("Theorem A", "{1, 2, 3}", "all"),
    ]
    dss, cln, lwy, theorem_a = (row.value for row in rows)
    assert lwy < theorem_a < cln == dss == log_horizon
    assert theorem_a == pytest.approx(log_horizon ** (2 / 3), rel=1e-3)
    # ln floor(epsilon ln T) is ln ln T up to the constant ln(1 / epsilon).
    assert lwy == pytest.approx(math.log(log_horizon) + math.log(0.01))
    assert {row.bound.direction for row in rows} == {"lower"}


def test_table_1_grows_as_the_paper_says():
    """Catches a wrong exponent: a million-fold ln T."""
    small, large = (table1(log_horizon).rows for log_horizon in (1e6, 1e12))
    growth = [math.log(b.value / a.value, 1e6) for a, b in zip(small, large, strict=True)]
    assert growth[:2] == pytest.approx([1, 1])
    assert growth[2] < 0.1
    assert growth[3] == pytest.approx(2 / 3, abs=1e-3)


#: For each regime the powers of ln T that the paper's figure shows: lower bounds by LWY24 and Theorem 1, upper bounds
#: by LWY24 and DSS24; None where a bound is nothing like a power.
POWERS = {
    "1 / T": (1, 2 / 3, 1, None),
    "exp(-(ln T)^(3/4))": (3 / 4, 2 / 3, 1, None),
    "exp(-(ln T)^(2/3))": (2 / 3, 2 / 3, 1, None),
    "1 / ln T": (None, 2 / 3, 1, 1),
    "(ln T)^(-2/3)": (None, 2 / 3, 1, 2 / 3),
    "1/4": (None, 0, 1, 0),
}


@LARGE
def test_figure_1_has_the_papers_regimes(log_horizon):
    figure = figure1(log_horizon)
    assert [regime.name for regime in figure.regimes] == list(POWERS)
    assert np.all(np.diff([regime.log_inverse_delta for regime in figure.regimes]) < 0)
    names = ["LWY24 lower", "Theorem 1", "LWY24 upper", "DSS24 upper"]
    for regime in figure.regimes:
        for name, power in zip(names, POWERS[regime.name], strict=True):
            value = figure.at(regime)[name]
            if power is None:
                assert not isinstance(value, float) or not 0.4 < math.log(max(value, 1), log_horizon) < 1.1
            else:
                allowed = 0.12 if power == 0 else 0.03  # 4 is the 0.2th power of 1000
                assert math.log(value, log_horizon) == pytest.approx(power, abs=max(allowed, 0.21 * (power == 0)))


@LARGE
def test_figure_1_has_the_papers_order(log_horizon):
    """Which lower bound leads where, where the upper bounds meet, and where the gap is open."""
    figure = figure1(log_horizon)
    at = [figure.at(regime) for regime in figure.regimes]
    lwy, theorem, upper = ([values[name] for values in at] for name in ("LWY24 lower", "Theorem 1", "LWY24 upper"))
    shame = [figure.upper[1].log_value(figure.setting(regime.log_inverse_delta)) for regime in figure.regimes]
    # LWY24 leads for small delta, Theorem 1 for large delta; they cross about exp(-(ln T)^(2/3)).
    assert lwy[0] > lwy[1] > lwy[2]
    assert lwy[1] > theorem[1]
    assert lwy[2] == pytest.approx(theorem[2], rel=0.05)
    assert all(a > b for a, b in zip(theorem[3:], lwy[3:], strict=True))
    # Theorem 1 is flat until (ln T)^(-2/3), and is 1 / delta from there on, as the upper bound is.
    assert theorem[0] == theorem[1] == theorem[2] == theorem[3]
    assert math.log(theorem[4]) == pytest.approx(shame[4], abs=1e-3)
    assert theorem[5] == pytest.approx(math.exp(shame[5])) == pytest.approx(4)
    # ln T is tight at 1 / T; the upper bounds meet at 1 / ln T.
    assert lwy[0] == pytest.approx(upper[0], rel=0.01)
    assert shame[3] == pytest.approx(math.log(upper[3]))
    assert all(x > math.log(y) for x, y in zip(shame[:3], upper[:3], strict=True))
    # The gap is open exactly between them.
    gap = figure.best_upper() - figure.best_lower()
    x = figure.axis()
    assert np.all(gap > -1e-9)
    between = (x < log_horizon) & (x > 2 / 3 * math.log(log_horizon) * 1.001)
    assert np.all(gap[between] > 0)
    assert np.all(gap[~between] < 1e-2)


def test_a_figure_is_for_theorem_1():
    for wrong in ({"log_horizon": 10.0}, {"log_horizon": 1e7}, {"epsilon": 0.02}, {"runs": -1}):
        with pytest.raises(ParameterError, match=next(iter(wrong))):
            figure1(**wrong)
    with pytest.raises(ParameterError, match="log_horizon is 3"):
        table1(3.0)


def test_both_are_json():
    figure = json.loads(json.dumps(figure1(1e6).to_dict(), allow_nan=False))
    assert figure["regimes"][5]["bounds"]["Theorem 1"] == pytest.approx(4)
    assert figure["regimes"][0]["bounds"]["DSS24 upper"] == {"log10": pytest.approx(1e6 / math.log(10))}
    assert figure["measured"] == []
    table = json.loads(json.dumps(table1().to_dict(), allow_nan=False))
    assert [row["result"] for row in table["rows"]] == ["DSS24", "CLN+24", "LWY24", "Theorem A"]


def test_measured_points_lie_where_theory_has_them():
    """Catches points of another algorithm, or at another delta: laws with seeds that stay."""
    some, most, tiny = math.log(100), math.log(4), 60.0
    points = measure(200.0, 1.0, [some, most, tiny], 20, 1)
    by = {(point.algorithm, point.log_inverse_delta): point for point in points}
    assert set(by) == {
        ("PointLearner", math.inf),
        ("NameAndShameLearner", some),
        ("PointPredictor", some),
        ("NameAndShameLearner", most),
        ("PointPredictor", most),
        ("PointPredictor", tiny),  # name and shame would take e^60 mistakes
    }
    assert 350 < by["PointLearner", math.inf].mean < 450  # about 2 ln T / epsilon
    # The number of positives until one is published is geometric.
    for x, mean in ((some, 100), (most, 4)):
        point = by["NameAndShameLearner", x]
        assert abs(point.mean - mean) < 6 * mean / math.sqrt(20)
        forced = learning.theorem_1_explicit(figure1(200.0).setting(x))
        assert point.mean > forced
    for x in (some, most, tiny):
        assert 0 < by["PointPredictor", x].mean < 10_000
    assert all(point.runs == 20 for point in points)
