"""Would catch: a report that mixes what may be released with what may not, and files that are not what they say."""

import csv
import json

import numpy as np
import pyarrow.parquet as pq
import pytest

from cli.commands import NAMES, reticent, some_losses, write_csv
from reticent.experts import registry

BUDGET = ("--epsilon", "1", "--delta", "1e-6")


def test_the_report_keeps_what_may_be_released_apart(losses):
    result = reticent("run", losses, *BUDGET)
    assert (result.exit_code, result.stderr) == (0, "")
    released, curator = result.stdout.split("For the curator only: computed from the private losses")
    assert "May be released" in released
    assert "(1, 0)-differential privacy" in released  # the default does not need delta
    assert "secure" in released
    for figure in ("best expert", "regret", "all experts"):
        assert figure in curator
        assert figure not in released


def test_json_has_the_keys_of_the_contract(losses, here):
    assert reticent("run", losses, *BUDGET, "--json", "r.json", "--choices", "c.csv").exit_code == 0
    report = json.loads((here / "r.json").read_text())
    assert set(report) >= {
        "algorithm", "parameters", "rounds", "experts", "epsilon", "delta", "relation", "private", "noise", "privacy",
        "released", "curator", "seconds",
    }  # fmt: skip
    assert report["rounds"] == 300
    assert report["experts"] == 3
    assert (report["epsilon"], report["delta"], report["relation"]) == (1.0, 0.0, "replace-one")
    assert report["private"] is True
    assert report["privacy"]["components"]
    assert report["released"]["choices_file"] == "c.csv"
    assert isinstance(report["released"]["switches"], int)
    assert set(report["curator"]) >= {"loss", "best_expert", "best_loss", "regret", "mean_loss"}
    assert report["curator"]["best_expert"] == "tree"
    assert "curator only" in report["curator"]["warning"]
    assert "warning" not in report


def test_json_on_standard_output_is_all_that_stands_there(losses):
    result = reticent("run", losses, *BUDGET, "--json", "-")
    assert json.loads(result.stdout)["released"]["choices_file"] is None
    assert result.stderr == ""


def test_the_choices_are_the_same_in_every_format(losses, here):
    for name in ("c.csv", "c.npy", "c.parquet"):
        assert reticent("run", losses, *BUDGET, "--seed", "5", "--choices", name).exit_code == 0
    choices = np.load(here / "c.npy")
    assert choices.dtype == np.int64
    assert len(choices) == 300
    rows = list(csv.DictReader((here / "c.csv").read_text().splitlines()[1:]))
    assert [int(row["round"]) for row in rows] == list(range(1, 301))
    assert [int(row["expert_index"]) for row in rows] == choices.tolist()
    assert [row["expert_name"] for row in rows] == [NAMES[i] for i in choices]
    table = pq.read_table(here / "c.parquet").to_pydict()
    assert table["round"] == list(range(1, 301))
    assert table["expert_index"] == choices.tolist()
    assert table["expert_name"] == [NAMES[i] for i in choices]


def test_a_private_file_of_choices_holds_choices_and_nothing_else(losses, here):
    for name in ("c.csv", "c.npy", "c.parquet"):
        assert reticent("run", losses, *BUDGET, "--choices", name).exit_code == 0
    lines = (here / "c.csv").read_text().splitlines()
    assert lines[0] == "round,expert_index,expert_name"
    assert len(lines) == 301
    about = {key.decode() for key in pq.read_schema(here / "c.parquet").metadata}
    assert about == {"reticent.privacy"}
    assert sorted(path.name for path in here.iterdir()) == ["c.csv", "c.npy", "c.parquet", "losses.csv"]


@pytest.mark.parametrize("mark", [("--seed", "5"), ("--algorithm", "hedge")])
def test_what_is_not_private_says_so_everywhere(losses, here, mark):
    for name in ("c.csv", "c.npy", "c.parquet"):
        result = reticent("run", losses, *BUDGET, *mark, "--choices", name, "--json", "r.json")
        assert result.exit_code == 0
        assert "NOT PRIVATE" in result.stderr
        assert "NOT PRIVATE" in result.stdout
        assert "may be released" not in result.stdout.lower()
        report = json.loads((here / "r.json").read_text())
        assert report["private"] is False
        assert report["warning"].startswith("NOT PRIVATE")
    assert (here / "c.csv").read_text().startswith("# NOT PRIVATE: ")
    assert b"NOT PRIVATE" in pq.read_schema(here / "c.parquet").metadata[b"reticent.warning"]
    assert "NOT PRIVATE" in (here / "c.npy.NOT-PRIVATE.txt").read_text()


def test_a_seed_reproduces_the_run(losses):
    first, second = (reticent("run", losses, *BUDGET, "--seed", "5", "--json", "-") for _ in range(2))
    a, b = json.loads(first.stdout), json.loads(second.stdout)
    assert a["noise"] == "seeded with 5"
    assert a["curator"] == b["curator"]


def test_pictures_are_written_in_the_format_of_their_suffix(losses, here):
    for suffix, start in ((".png", b"\x89PNG"), (".svg", b"<?xml"), (".pdf", b"%PDF")):
        files = f"all{suffix}", f"released{suffix}"
        result = reticent("run", losses, *BUDGET, "--plot", files[0], "--plot-released", files[1])
        assert result.exit_code == 0
        assert f"{files[0]} (curator only)" in result.stdout
        assert f"{files[1]} (may be released)" in result.stdout
        assert all((here / file).read_bytes().startswith(start) for file in files)


def test_predictions_are_scored_against_the_target(here):
    truth = np.arange(50)
    path = write_csv(here / "p.csv", np.column_stack([truth, truth + 1, truth - 5]), ["truth", "near", "far"])
    score = ("--target", "truth", "--loss", "absolute", "--scale", "10")
    report = json.loads(reticent("run", path, *BUDGET, *score, "--json", "-").stdout)
    assert report["experts"] == 2
    assert report["curator"]["best_expert"] == "near"
    assert report["curator"]["best_loss"] == pytest.approx(5.0, abs=1e-4)


def test_clipping_is_asked_for(here):
    path = write_csv(here / "p.csv", [[0.0, 3.0, 0.5]] * 20, ["truth", "far", "near"])
    score = ("--target", "truth", "--loss", "absolute")
    assert reticent("run", path, *BUDGET, *score).exit_code == 1
    report = json.loads(reticent("run", path, *BUDGET, *score, "--clip", "--json", "-").stdout)
    assert report["curator"]["uniform_loss"] == pytest.approx(15.0)


def test_standard_input_is_read(losses):
    result = reticent("run", "-", *BUDGET, "--json", "-", stdin=losses.read_text())
    assert json.loads(result.stdout)["rounds"] == 300


def test_the_horizon_is_the_files_own_where_its_format_tells(here):
    np.save(here / "l.npy", some_losses(120))
    report = json.loads(reticent("run", "l.npy", *BUDGET, "--json", "-").stdout)
    assert report["parameters"]["horizon"] == 120
    report = json.loads(reticent("run", "l.npy", *BUDGET, "--horizon", "7", "--json", "-").stdout)
    assert report["parameters"]["horizon"] == 7


def test_relation_and_rounds_per_person_reach_the_algorithm(losses):
    options = ("--relation", "add-remove", "--rounds-per-person", "3")
    report = json.loads(reticent("run", losses, *BUDGET, *options, "--json", "-").stdout)
    assert report["relation"] == "add-remove"
    assert report["privacy"]["rounds_per_person"] == 3


@pytest.mark.parametrize("name", registry.algorithm_names())
def test_every_algorithm_of_the_registry_runs(losses, name):
    result = reticent("run", losses, *BUDGET, "--algorithm", name, "--horizon", "300", "--json", "-")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["private"] is (name != "hedge")
