"""Would catch: a released file into which a figure of the curator has found its way."""

import io
from dataclasses import replace

import numpy as np
import pytest

import reticent as rt
from reticent.cli.choices import CHOICES_SUFFIXES, choices_writers
from reticent.cli.classify import hypotheses_writer, labels_writer
from reticent.report.display import RunDisplay


class Forbidden:
    """Stands where the curator's figures are."""

    def __getattr__(self, name):
        raise AssertionError(f"a release looks at the curator's {name}")


@pytest.fixture
def run():
    losses = np.tile([0.25, 0.0, 1.0], (200, 1))
    return replace(rt.run(rt.experts.Dartboard(3, 1.0, 1e-6), losses, progress=False), curator=Forbidden())


@pytest.mark.parametrize("suffix", CHOICES_SUFFIXES)
def test_choices_are_written_without_a_look_at_the_curators_figures(run, tmp_path, suffix):
    (write,) = choices_writers(run, tmp_path / f"c{suffix}").values()
    file = io.BytesIO()
    write(file)
    assert file.tell() > 0


def test_hypotheses_and_labels_are_written_without_a_look_at_the_curators_figures():
    examples = np.column_stack([np.arange(60) % 3, np.arange(60) % 3 == 1])
    learned = rt.classify(rt.learning.auto(rt.classes.Points(3), 1.0), examples)
    predicted = rt.classify(rt.prediction.auto(rt.classes.Points(3), 1.0, 1e-6), examples)
    for run, writer in ((learned, hypotheses_writer), (predicted, labels_writer)):
        file = io.BytesIO()
        writer(replace(run, curator=Forbidden()))(file)
        assert file.tell() > 0


def test_the_released_picture_is_drawn_without_a_look_at_the_curators_figures(run):
    RunDisplay(run).plot_released().figure_.savefig(io.BytesIO(), format="png")


def test_the_full_picture_does_look():
    """The test's own check: the stand-in is noticed."""
    losses = np.tile([0.25, 0.0, 1.0], (20, 1))
    run = replace(rt.run(rt.experts.Dartboard(3, 1.0, 1e-6), losses, progress=False), curator=Forbidden())
    with pytest.raises(AssertionError, match="curator's"):
        RunDisplay(run).plot()
