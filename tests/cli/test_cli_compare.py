"""Would catch: a table that is unsorted, unmarked or broken by long names, and algorithms that went missing."""

import json

import numpy as np
import pytest

from cli.commands import reticent, some_losses, write_csv
from reticent.experts import registry

BUDGET = ("--epsilon", "1", "--delta", "1e-6")


def rows_of(stdout):
    """The table's rows, cells apart."""
    lines = stdout.splitlines()
    (rule,) = [k for k, line in enumerate(lines) if line.startswith("───")]
    return [[cell.strip() for cell in line.split("  ") if cell.strip()] for line in lines[rule + 1 :] if line]


def test_the_table_has_every_algorithm_the_smallest_regret_first(losses):
    result = reticent("compare", losses, *BUDGET, "--runs", "2", "--horizon", "300")
    assert (result.exit_code, result.stderr) == (0, "")
    rows = rows_of(result.stdout)
    different = {registry.make(name, 3, 1.0, 1e-6, horizon=300) for name in registry.algorithm_names()}
    assert len(rows) == len(different)
    regrets = [float(row[2].replace(",", "")) for row in rows]
    assert regrets == sorted(regrets)
    assert {row[0]: row[1] for row in rows}["Hedge"] == "NO"
    assert {row[0]: row[1] for row in rows}["PrivateHedge"] == "yes"
    assert "Curator only: computed from the private losses." in result.stdout


def test_rounds_of_a_text_file_are_counted_for_those_that_need_a_horizon(losses):
    result = reticent("compare", losses, *BUDGET, "--runs", "1")
    assert (result.exit_code, result.stderr) == (0, "")
    assert "PrivateHedge" in result.stdout


def test_what_cannot_be_built_is_left_out_with_a_warning(losses):
    result = reticent("compare", losses, "--epsilon", "1e-8", "--runs", "1")
    assert result.exit_code == 0
    assert "dartboard is left out" in result.stderr


def test_what_was_asked_for_and_cannot_be_ends_with_2(losses, no_draws):
    result = reticent("compare", losses, "--epsilon", "1e-8", "--algorithms", "auto,dartboard")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "too little for its noise" in result.stderr
    result = reticent("compare", losses, *BUDGET, "--algorithms", "auto,newton")
    assert result.exit_code == 2
    assert "'newton'" in result.stderr


def test_only_the_algorithms_asked_for_are_run_each_once(losses):
    result = reticent("compare", losses, *BUDGET, "--runs", "1", "--algorithms", "hedge, doubling,hedge")
    assert sorted(row[0] for row in rows_of(result.stdout)) == ["Doubling", "Hedge"]


def test_json_and_picture_are_written(losses, here):
    options = ("--runs", "3", "--algorithms", "dartboard,hedge", "--json", "r.json", "--plot", "p.svg")
    assert reticent("compare", losses, *BUDGET, *options).exit_code == 0
    report = json.loads((here / "r.json").read_text())
    assert report["rounds"] == 300
    assert "curator only" in report["warning"]
    assert [len(entry["regrets"]) for entry in report["algorithms"]] == [3, 3]
    assert [entry["private"] for entry in report["algorithms"]] == [True, False]
    assert (here / "p.svg").read_bytes().startswith(b"<?xml")


def test_a_seed_makes_a_comparison_reproducible_and_marks_it(losses):
    options = ("--runs", "2", "--algorithms", "dartboard,hedge", "--seed", "3", "--json", "-")
    first, second = (reticent("compare", losses, *BUDGET, *options) for _ in range(2))
    assert first.stdout == second.stdout
    assert "NOT PRIVATE" in json.loads(first.stdout)["warning"]
    assert "NOT PRIVATE" in first.stderr
    assert "NOT PRIVATE" in reticent("compare", losses, *BUDGET, *options[:-2]).stdout


@pytest.mark.parametrize("columns", [72, 80, 120])
def test_long_and_strange_names_do_not_break_the_table(here, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    names = ["a name without an end " * 9, "[red]markup[/red] :smile:", "dollar $x$"]
    path = write_csv(here / ("a file with a long name " * 5 + ".csv"), some_losses(), names)
    result = reticent("compare", path, *BUDGET, "--runs", "1", "--horizon", "300")
    assert max(map(len, result.stdout.splitlines())) <= columns
    assert "[red]markup[/red] :smile:" in " ".join(result.stdout.split())
    for row in rows_of(result.stdout):
        assert len(row) == 6


def test_a_bad_stream_ends_with_1_and_writes_nothing(here):
    losses = some_losses()
    losses[299, 2] = np.nan
    path = write_csv(here / "losses.csv", losses)
    result = reticent("compare", path, *BUDGET, "--runs", "1", "--json", "r.json", "--plot", "p.png")
    assert (result.exit_code, result.stdout) == (1, "")
    assert [file.name for file in here.iterdir()] == ["losses.csv"]
