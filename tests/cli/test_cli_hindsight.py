"""Would catch: a table of wrong or missing figures, a stream mistaken for another, noise that passes for private."""

import json
import math
from functools import partial

import numpy as np
import pytest

from cli.commands import only_sentence, reticent, some_losses, write_csv
from reticent import hindsight as module
from reticent.adversaries import elimination, iid
from reticent.experts import GuardedEpochs, ScheduledHedge

SMALL = ("--rounds", "200", "--experts", "4")
BUDGET = ("--epsilon", "1", "--delta", "0", "--runs", "2")
HINDSIGHT = (*BUDGET, "--hindsight")


@pytest.fixture
def few(monkeypatch):
    """Two settings of each of two algorithms."""

    def settings(n_experts, horizon, epsilon, delta):
        guarded = partial(GuardedEpochs, n_experts, epsilon, delta)
        scheduled = partial(ScheduledHedge, n_experts, epsilon, delta)
        return {
            "ScheduledHedge": [scheduled(horizon=horizon), scheduled(horizon=2 * horizon)],
            "GuardedEpochs": [guarded(guard_share=0.1), guarded(guard_share=0.3)],
        }

    monkeypatch.setattr(module, "settings_in_hindsight", settings)


@pytest.fixture
def flight(monkeypatch):
    """Few flights, and quickly."""
    monkeypatch.setattr("reticent.cli.named_streams.flights", lambda: (iid(200, 3, 0.1, seed=1), ("a", "b", "c")))


def tables_of(stdout):
    """The rows of both tables, cells apart."""
    tables, rows = [], None
    for line in stdout.splitlines():
        if line.startswith("───"):
            rows = []
            tables.append(rows)
        elif rows is not None and line:
            if "   " not in line:
                rows = None
                continue
            rows.append([cell.strip() for cell in line.split("  ") if cell.strip()])
    return tables


def test_every_stream_has_its_row_and_the_ratios_their_summary(few, here):
    write_csv(here / "mine.csv", some_losses(100))
    result = reticent("compare", "mine.csv", "iid:0.01", "elimination:0", *SMALL, *HINDSIGHT, "--json", "r.json")
    assert result.exit_code == 0
    report = json.loads((here / "r.json").read_text())
    streams = report["streams"]
    assert [s["stream"] for s in streams] == ["mine.csv", "iid:0.01", "elimination:0"]
    assert [(s["rounds"], s["experts"]) for s in streams] == [(100, 3), (200, 4), (200, 4)]
    regrets, ratios = tables_of(result.stdout)
    assert [row[0] for row in regrets] == [s["stream"] for s in streams]
    for row, stream in zip(regrets, streams, strict=True):
        best = stream["best_in_hindsight"][stream["winner"]]
        assert row[1:5] == [
            f"{stream['default']['mean_regret']:,.1f}",
            f"{stream['default']['spread']:,.1f}",
            stream["winner"],
            f"{best['mean_regret']:,.1f}",
        ]
    assert [row[0] for row in ratios] == [*(s["stream"] for s in streams), "geometric mean", "largest"]
    for key, column in (("ratio", -3), ("ratio_own_settings_included", -2), ("ratio_to_private_hedge", -1)):
        values = [s[key] for s in streams]
        assert [float(row[column]) for row in ratios[:-2]] == pytest.approx(values, rel=0.1)
        summary = report["summary"][key]
        assert summary["largest"] == max(values)
        assert math.log(summary["geometric_mean"]) == pytest.approx(np.mean(np.log(values)))
        assert float(ratios[-2][column]) == pytest.approx(summary["geometric_mean"], rel=0.1)


def test_the_page_says_what_its_figures_are(few, here):
    result = reticent("compare", "iid:0.01", *SMALL, *HINDSIGHT)
    text = " ".join(result.stdout.split())
    assert "Curator only: computed from the private losses." in text
    assert "epsilon 1, delta 0, 2 runs of each" in text
    assert "4 settings" in text
    assert f"a mean regret below ln(N) / epsilon = {math.log(4):.3g} counts as that much" in text
    assert "NOT PRIVATE" not in text
    assert result.stderr == "stream 1 of 1: iid:0.01\n"


def test_the_whole_grid_is_tried(here):
    result = reticent("compare", "iid:0.01", "--rounds", "300", "--experts", "3", *HINDSIGHT, "--json", "-")
    (stream,) = json.loads(result.stdout)["streams"]
    assert stream["settings_tried"] > 150
    assert set(stream["best_in_hindsight"]) == set(module.settings_in_hindsight(3, 300, 1.0, 0.0))


def test_the_json_has_its_keys(few, here):
    report = json.loads(reticent("compare", "iid:0.01", *SMALL, *HINDSIGHT, "--json", "-").stdout)
    assert list(report) == ["warning", "epsilon", "delta", "runs", "streams", "summary"]
    assert "curator only" in report["warning"]
    assert "NOT PRIVATE" not in report["warning"]
    assert (report["epsilon"], report["delta"], report["runs"]) == (1.0, 0.0, 2)
    assert report["streams"][0].keys() >= {
        "stream", "rounds", "experts", "default", "private_hedge", "hedge", "best_in_hindsight", "winner",
        "winner_own_settings_included", "settings_tried", "ratio", "ratio_own_settings_included",
        "ratio_to_private_hedge", "regrets_below_count_as", "seeded",
    }  # fmt: skip


def test_a_seed_makes_it_reproducible_and_marks_it(few, here):
    options = ("iid:0.01", "near-ties:0", *SMALL, *HINDSIGHT, "--seed", "3")
    first, second = (reticent("compare", *options, "--json", "-") for _ in range(2))
    assert first.stdout == second.stdout
    report = json.loads(first.stdout)
    assert "NOT PRIVATE" in report["warning"]
    assert all(stream["seeded"] for stream in report["streams"])
    assert "NOT PRIVATE" in first.stderr
    assert "NOT PRIVATE" in reticent("compare", *options).stdout


def test_the_streams_seed_is_not_the_noises(few, here):
    drawn = [
        json.loads(reticent("compare", "iid:0.1", *SMALL, *BUDGET, "--json", "-", *seeds).stdout)["best_loss"]
        for seeds in (("--stream-seed", "1"), ("--stream-seed", "1", "--seed", "9"), ("--stream-seed", "2"))
    ]
    losses = [float(iid(200, 4, 0.1, seed=seed).sum(axis=0).min()) for seed in (1, 1, 2)]
    assert drawn == losses


def test_thirteen_are_the_families_and_the_flights_each_once(few, flight, here):
    result = reticent("compare", "iid:0", "thirteen", "iid:0.0", *SMALL, *HINDSIGHT, "--runs", "1", "--json", "-")
    names = [stream["stream"] for stream in json.loads(result.stdout)["streams"]]
    families = ("iid", "leaders", "elimination", "near-ties")
    assert names == [*(f"{family}:{rate}" for family in families for rate in ("0", "0.01", "0.1")), "flights"]


@pytest.mark.parametrize(("name", "rounds"), [("flights", 200), ("elimination:0.05", 50)])
def test_named_streams_serve_the_plain_comparison_too(flight, here, name, rounds):
    size = () if name == "flights" else ("--rounds", "50", "--experts", "3")
    result = reticent("compare", name, *size, *BUDGET, "--algorithms", "auto,hedge", "--json", "-")
    report = json.loads(result.stdout)
    assert (report["stream"], report["rounds"], report["experts"]) == (name, rounds, 3)
    if name != "flights":
        assert report["best_loss"] == elimination(50, 3, 0.05, 20261129).sum(axis=0).min()


@pytest.mark.parametrize("name", ["flights", "iid:0.01", "thirteen"])
def test_a_file_comes_before_a_stream_of_its_name(few, flight, here, no_draws, name):
    (here / name).write_text("a,b\n0,1\n")
    result = reticent("compare", name, *BUDGET)
    assert (result.exit_code, result.stdout) == (1, "")
    assert f"Warning: {name!r} is read from the file of that name." in result.stderr
    assert "suffix" in result.stderr


def test_a_directory_does_not_hide_a_named_stream(flight, here):
    (here / "flights").mkdir()
    assert reticent("compare", "flights", *BUDGET, "--algorithms", "hedge").exit_code == 0


def test_losses_come_from_standard_input_and_predictions_are_scored(few, here):
    stdin = "a,b,truth\n" + "0,1,0\n" * 50
    options = ("--target", "truth", "--loss", "zero-one", "--json", "-")
    result = reticent("compare", "-", *HINDSIGHT, *options, stdin=stdin)
    (stream,) = json.loads(result.stdout)["streams"]
    assert (stream["stream"], stream["rounds"], stream["experts"]) == ("standard input", 50, 2)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ((), "STREAM"),
        (("losses.csv", "iid:0.01"), "--hindsight"),
        (("losses.csv", "losses.csv"), "--hindsight"),
        (("thirteen",), "--hindsight"),
        (("iid",), "iid:0.01"),
        (("iid:", "--hindsight"), "iid:0.01"),
        (("iid:much", "--hindsight"), "iid:0.01"),
        (("leaders:0.2", "--hindsight"), "[0, .2)"),
        (("leaders:nan", "--hindsight"), "[0, .2)"),
        (("losses.csv", "--rounds", "10"), "--rounds"),
        (("flights", "--stream-seed", "1", "--hindsight"), "--stream-seed"),
        (("iid:0", "--experts", "1"), "experts"),
        (("iid:0", "--target", "a", "--loss", "zero-one"), "--target"),
        (("losses.csv", "--hindsight", "--algorithms", "hedge"), "--algorithms"),
        (("losses.csv", "--hindsight", "--plot", "p.png"), "--plot"),
        (("losses.csv", "--hindsight", "--relation", "add-remove"), "--relation"),
        (("losses.csv", "--hindsight", "--rounds-per-person", "2"), "--rounds-per-person"),
        (("losses.csv", "--hindsight", "--runs", "0"), "runs"),
        (("losses.csv", "--hindsight", "--json", "losses.csv"), "named twice"),
    ],
)
def test_what_cannot_be_ends_with_2_before_anything_is_drawn(losses, flight, no_draws, monkeypatch, arguments, named):
    monkeypatch.setattr(module, "compare", lambda *_, **__: pytest.fail("a run was started"))
    result = reticent("compare", "--epsilon", "1", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert named in result.stderr.splitlines()[-1]


def test_a_file_that_is_not_there_ends_the_command_before_the_first_stream(here, monkeypatch):
    monkeypatch.setattr(module, "compare", lambda *_, **__: pytest.fail("a run was started"))
    result = reticent("compare", "iid:0", "none.csv", *SMALL, *HINDSIGHT)
    assert (result.exit_code, result.stdout) == (1, "")
    assert "none.csv" in only_sentence(result.stderr)


def test_a_bad_loss_ends_it_with_1_and_writes_nothing(few, here):
    (here / "bad.csv").write_text("a,b\n0,1\n0,7\n")
    result = reticent("compare", "bad.csv", *HINDSIGHT, "--json", "r.json")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "bad.csv, line 3, column 'b'" in result.stderr
    assert not (here / "r.json").exists()


@pytest.mark.parametrize("columns", [72, 80, 120])
def test_long_names_and_large_figures_fit_the_page(few, here, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    name = "a name without an end " * 5 + "\x1b[31m.csv"
    write_csv(here / name, some_losses(100))
    result = reticent("compare", name, "elimination:0.01", *SMALL, *HINDSIGHT)
    assert max(map(len, result.stdout.splitlines())) <= columns
    assert "\x1b" not in result.stdout + result.stderr
    assert [len(row) for row in tables_of(result.stdout)[0]] == [6, 6]


def test_a_misspelt_family_is_told_from_a_file(here):
    result = reticent("compare", "idd:0.01", *BUDGET)
    assert result.exit_code == 2
    assert "the families are iid, leaders, elimination, near-ties." in " ".join(result.stderr.split())
