"""Would catch: algorithms that look alike, a comparison without its mark, unreadable axes."""

from functools import cache

import numpy as np
import pytest
from layout import faults, texts_of
from matplotlib.figure import Figure

import reticent as rt
from reticent.adversaries import leaders
from reticent.experts import registry
from reticent.report.display import ComparisonDisplay

SHAPES = {
    "short": lambda: np.tile([[0.25, 0.5, 0.125]], (6, 1)),
    "long": lambda: leaders(5000, 20, 0.01, 1),
    "no loss at all": lambda: np.zeros((300, 3)),
}


@cache
def comparison_of(shape, names=registry.algorithm_names(), runs=3):
    losses = SHAPES[shape]()
    algorithms = [registry.make(name, losses.shape[1], 1.0, 1e-6, horizon=len(losses)) for name in names]
    return rt.compare(list(dict.fromkeys(algorithms)), losses, runs=runs, seed=1, progress=False)


@pytest.mark.parametrize(
    ("shape", "view"), [*((s, "plot") for s in SHAPES), ("long", "plot_curves"), ("long", "plot_spread")]
)
def test_nothing_overlaps_and_legends_lie_outside_the_data(shape, view):
    assert faults(getattr(ComparisonDisplay(comparison_of(shape)), view)().figure_) == []


def test_no_two_lines_look_alike():
    lines = ComparisonDisplay(comparison_of("long")).plot_curves().ax_.lines
    looks = [(line.get_color(), line.get_linestyle(), line._unscaled_dash_pattern) for line in lines]
    assert len(set(map(str, looks))) == len(comparison_of("long").entries)


def test_the_legend_and_the_rows_name_every_algorithm_the_smallest_regret_first():
    comparison = comparison_of("long")
    display = ComparisonDisplay(comparison).plot()
    in_order = sorted(comparison.entries, key=lambda entry: entry.mean_regret)
    rows = [label.get_text() for label in display.axes_[0, 1].get_yticklabels()]
    legend = [text.get_text() for text in display.axes_[0, 0].get_legend().get_texts()]
    assert len(set(rows)) == len(in_order)
    assert [row.removesuffix("\n(not private)") for row in rows] == legend
    assert all(row.startswith(entry.algorithm.name) for row, entry in zip(rows, in_order, strict=True))
    assert ["not private" in row for row in rows] == [not entry.private for entry in in_order]


def test_everything_is_marked_for_the_curator_and_as_seeded():
    for ax in ComparisonDisplay(comparison_of("long")).plot().axes_.flat:
        assert ax.get_title(loc="right") == "curator only\nNOT PRIVATE (seeded)"


def test_a_secure_comparison_carries_no_false_alarm():
    algorithms = [registry.make("dartboard", 3, 1.0, 1e-6)]
    figure = ComparisonDisplay(rt.compare(algorithms, SHAPES["short"](), runs=1, progress=False)).plot().figure_
    assert not any("NOT PRIVATE" in text for text in texts_of(figure))
    assert "one run" in texts_of(figure)


def test_regrets_that_span_factors_get_a_logarithmic_axis_and_zeros_a_symmetric_one():
    long = ComparisonDisplay(comparison_of("long")).plot()
    assert long.axes_[0, 0].get_xscale() == "log"
    assert long.axes_[0, 0].get_yscale() in ("log", "symlog")
    short = ComparisonDisplay(comparison_of("short")).plot()
    assert short.axes_[0, 0].get_xscale() == short.axes_[0, 0].get_yscale() == "linear"


def test_curves_end_with_the_mean_regret():
    comparison = comparison_of("long")
    ends = sorted(line.get_ydata()[-1] for line in ComparisonDisplay(comparison).plot_curves().ax_.lines)
    assert ends == pytest.approx(sorted(entry.mean_regret for entry in comparison.entries))


def test_it_draws_into_given_axes():
    figure = Figure(layout="constrained")
    axes = figure.subplots(1, 2)
    assert ComparisonDisplay(comparison_of("short")).plot(ax=axes).axes_.tolist() == [axes.tolist()]
