"""Would catch: figures that leak, that lack their mark, or that cannot be read."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from layout import faults, texts_of
from matplotlib.figure import Figure
from sample_runs import SHAPES, Forbidden, as_if_secure, play

from reticent.errors import MissingExtraError, ParameterError
from reticent.report.display import RunDisplay

VIEWS = ["plot_regret", "plot_loss", "plot_choices", "plot_epsilon"]


@cache
def run_of(shape):
    algorithm, losses, names = SHAPES[shape]()
    return play(algorithm, losses, names)


@pytest.mark.parametrize("shape", SHAPES)
def test_nothing_overlaps_and_legends_lie_outside_the_data(shape):
    assert faults(RunDisplay(run_of(shape)).plot().figure_) == []


@pytest.mark.parametrize("view", ["plot", "plot_released", *VIEWS])
def test_every_view_can_be_read_on_its_own(view):
    assert faults(getattr(RunDisplay(as_if_secure(run_of("long names"))), view)().figure_) == []


def test_the_four_views_of_a_private_run_say_who_may_see_them():
    display = RunDisplay.from_run(as_if_secure(run_of("three experts"))).plot()
    marks = {ax.get_title(loc="left"): ax.get_title(loc="right") for ax in display.axes_.flat}
    assert marks == {
        "Cumulative regret": "curator only",
        "Loss a round so far": "curator only",
        "Choices": "may be released",
        "Shares of epsilon": "may be released",
    }
    assert not any("NOT PRIVATE" in text for text in texts_of(display.figure_))


@pytest.mark.parametrize("view", ["plot", "plot_released", *VIEWS])
def test_every_view_of_a_seeded_run_says_not_private(view):
    display = getattr(RunDisplay(run_of("three experts")), view)()
    for ax in display.axes_.flat:
        assert "NOT PRIVATE (seeded with 1)" in ax.get_title(loc="right")
        assert "may be released" not in ax.get_title(loc="right")


def test_every_view_of_an_algorithm_without_privacy_says_not_private():
    display = RunDisplay(as_if_secure(run_of("a bound in the picture"))).plot()
    for ax in display.axes_.flat:
        assert "NOT PRIVATE (no privacy promised)" in ax.get_title(loc="right")


@pytest.mark.parametrize("shape", SHAPES)
def test_the_released_figure_never_looks_at_the_private_losses(shape):
    run = replace(as_if_secure(run_of(shape)), curator=Forbidden())
    for view in ("plot_released", "plot_choices", "plot_epsilon"):
        texts_of(getattr(RunDisplay(run), view)().figure_)


def test_the_choices_are_drawn_where_they_were_made():
    run = as_if_secure(run_of("five rounds, two experts"))
    run = replace(run, released=replace(run.released, choices=np.array([1, 1, 0, 1, 0])))
    ax = RunDisplay(run).plot_choices().ax_
    (image,) = ax.images
    assert [label.get_text() for label in ax.get_yticklabels()] == ["b", "a"]
    assert (image.get_array() > 0).tolist() == [[1, 1, 0, 1, 0], [0, 0, 1, 0, 1]]
    assert tuple(image.get_extent()) == (0.5, 5.5, 1.5, -0.5)


def test_one_round_among_many_still_shows():
    run = run_of("a bound in the picture")
    choices = np.zeros(10_000, dtype=np.int64)
    choices[5000] = 2
    run = replace(run, released=replace(run.released, choices=choices))
    (image,) = RunDisplay(run).plot_choices().ax_.images
    assert image.get_array()[1].max() > 0.25
    assert np.count_nonzero(image.get_array()[1]) == 1


def test_only_experts_that_were_played_have_a_row_and_the_rarest_share_the_last():
    run = run_of("many switches, a thousand experts")
    labels = [label.get_text() for label in RunDisplay(run).plot_choices().ax_.get_yticklabels()]
    played = len(np.unique(run.choices))
    assert labels[-1] == f"{played - 19} others"
    assert len(labels) == 20
    most = int(np.bincount(run.choices).argmax())
    assert f"expert {most}" in labels


def test_a_dollar_sign_in_a_name_starts_no_formula():
    figure = RunDisplay(run_of("long names")).plot().figure_
    names = [label for label in figure.axes[2].get_yticklabels() if "$" in label.get_text()]
    assert names
    assert not any(label.get_parse_math() for label in names)


def test_a_bound_that_fits_is_drawn_and_one_that_does_not_is_written():
    near = RunDisplay(run_of("a bound in the picture")).plot_regret().ax_
    bound = [line for line in near.lines if line.get_label().startswith("bound on its mean")]
    run = run_of("a bound in the picture")
    assert bound[0].get_ydata()[-1] == run.algorithm.regret_bound(10_000, run.best_loss)
    far = RunDisplay(play("dartboard", np.zeros((1000, 5)))).plot_regret().ax_
    assert any("above the picture" in line.get_label() for line in far.lines)
    assert far.get_ylim()[1] < 10


def test_the_regret_curve_ends_with_the_regret():
    run = run_of("three experts")
    ax = RunDisplay(run).plot_regret().ax_
    curve = next(line for line in ax.lines if line.get_label().startswith("regret"))
    assert curve.get_xydata()[-1].tolist() == [10_000, run.regret]
    assert curve.get_xydata()[0].tolist() == [0, 0]


def test_the_bars_are_the_components_of_the_statement():
    run = run_of("three experts")
    ax = RunDisplay(run).plot_epsilon().ax_
    assert [bar.get_width() for bar in ax.patches] == [c.epsilon for c in run.privacy.components]
    assert [label.get_text() for label in ax.get_yticklabels()] == [c.name for c in run.privacy.components]


def test_views_draw_into_given_axes():
    run = run_of("three experts")
    figure = Figure(figsize=(13, 9), layout="constrained")
    axes = figure.subplots(2, 2)
    display = RunDisplay(run).plot(ax=axes)
    assert display.figure_ is figure
    assert display.axes_.tolist() == axes.tolist()
    assert RunDisplay(run).plot_choices(ax=axes[0, 0]).ax_ is axes[0, 0]


def test_one_axes_gives_up_its_place_to_the_four_views():
    figure = Figure(figsize=(13, 9), layout="constrained")
    display = RunDisplay(run_of("three experts")).plot(ax=figure.subplots())
    assert display.axes_.shape == (2, 2)
    assert faults(figure) == []


@pytest.mark.parametrize("given", [[], [1, 2, 3, 4], "axes"])
def test_what_is_no_axes_is_refused(given):
    with pytest.raises(ParameterError, match="ax has"):
        RunDisplay(run_of("three experts")).plot(ax=given)


def test_a_missing_matplotlib_is_named(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "matplotlib.figure", None)
    with pytest.raises(MissingExtraError, match=r"reticent\[plot\]"):
        RunDisplay(run_of("three experts")).plot()


def test_a_notebook_shows_the_drawn_figure():
    display = RunDisplay(run_of("three experts"))
    assert display._repr_png_() is None
    assert display.plot()._repr_png_().startswith(b"\x89PNG")
