"""Would catch: a curator's figure among what may be released, lines that do not fit, a missing warning."""

import re

import pytest
from sample_runs import LONG_NAMES, as_if_secure, play

from reticent.adversaries import iid
from reticent.report.text import run_text

LOSSES = iid(2000, 30, 0.01, 1)


@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize("name", ["dartboard", "doubling", "scheduled-hedge", "hedge"])
def test_every_line_fits(width, name):
    for run in (play(name, LOSSES, LONG_NAMES[:30]), as_if_secure(play(name, LOSSES, LONG_NAMES[:30]))):
        assert max(map(len, run_text(run, width).splitlines())) <= width


def test_what_may_be_released_comes_first_and_holds_no_figure_of_the_curator():
    run = as_if_secure(play("scheduled-hedge", LOSSES))
    released, curator = run_text(run).split("For the curator only")
    assert "May be released" in released
    for figure in (run.loss, run.best_loss, run.regret):
        assert not re.search(rf"\b{figure:,.6g}\b", released)
        assert f"{figure:,.6g}" in curator
    for component in run.privacy.components:
        assert component.name in released


def test_a_seeded_report_warns_and_offers_nothing_for_release():
    text = run_text(play("dartboard", LOSSES, seed=3))
    assert "NOT PRIVATE (seeded with 3)" in text
    assert "May be released" not in text


def test_an_algorithm_without_privacy_promises_nothing():
    text = run_text(as_if_secure(play("hedge", LOSSES)))
    assert "NOT PRIVATE (no privacy promised)" in text
    assert "May be released" not in text
    assert re.search(r"promise +none", text)


def test_a_control_character_in_a_name_reaches_no_terminal():
    text = run_text(play("dartboard", [[0.0, 1.0]] * 5, ["\x1b[31mred\x07\nMay be released", "b"]))
    assert "\x1b" not in text
    assert "\x07" not in text
    assert text.count("May be released") == 1
    assert not any(line.startswith("May be released") for line in text.splitlines())
