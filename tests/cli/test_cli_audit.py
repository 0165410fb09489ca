"""Would catch: a violation that ends with 0 or without its counterexample, and audits that went missing."""

import json

import pytest

from cli.commands import reticent
from reticent import experts, mechanisms
from reticent.audit import shipped_audits
from reticent.audit.shipped.learners import learner_audits
from reticent.classes import Points
from reticent.cli import audit as command
from reticent.experts import DartboardParameters, PrivateExpertsAlgorithm, registry
from reticent.learning import registry as registry_of_learners
from reticent.mechanisms import EqualRates, OneSidedNoise


def rows_of(stdout):
    """The rows of all tables, cells apart, without the headings."""
    lines, rows = stdout.splitlines(), []
    for k, line in enumerate(lines):
        if line.startswith("───"):
            name = ""
            for row in lines[k + 1 :]:
                if not row:
                    break
                cells = [cell.strip() for cell in row.split("  ") if cell.strip()]
                if len(cells) == 1:  # its settings stand below
                    name = row
                else:
                    rows.append([name, *cells] if row.startswith(" ") else cells)
    return rows


@pytest.fixture
def in_this_process(monkeypatch):
    """So that what a test has planted is there."""
    monkeypatch.setattr("reticent.audit.processes.usable_cores", lambda: 1)


@pytest.fixture
def two_rows(monkeypatch, in_this_process):
    """Of the Dartboard's, in which the faults below show."""
    chosen = [
        row
        for row in shipped_audits()
        if row.relation == "replace-one"
        and row.name == "dartboard"
        and row.setting in ("checks after a loss", "the cap is reached")
    ]
    assert len(chosen) == 2
    monkeypatch.setattr(command, "shipped_audits", lambda: chosen)


@pytest.mark.long
def test_every_claim_of_the_library_holds(monkeypatch):
    """The whole command: what a privacy reviewer runs."""
    monkeypatch.setenv("COLUMNS", "80")
    result = reticent("audit")
    assert (result.exit_code, result.stderr) == (0, "")
    rows = rows_of(result.stdout)
    assert len(rows) == len(shipped_audits())
    assert all(row[-1] == "yes" for row in rows)
    assert result.stdout.endswith(f"{len(rows)} audits, no claim violated.\n")
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_each_mechanism_and_private_algorithm_is_audited_in_both_relations():
    """Catches an algorithm that was added and not audited."""
    of_learners = {row.name for row in learner_audits()}
    rows = [row for row in shipped_audits() if row.name not in of_learners]
    settings = {relation: [r for r in rows if r.relation == relation] for relation in ("replace-one", "add-remove")}
    labels = [[(row.name, row.setting) for row in of_one] for of_one in settings.values()]
    assert labels[0] == labels[1]
    assert len(set(labels[0])) == len(labels[0])
    titles = {row.title for row in rows}
    made = [registry.make(name, 3, 1.0, 1e-6, horizon=9) for name in registry.algorithm_names()]
    assert {a.name for a in made if isinstance(a, PrivateExpertsAlgorithm)} <= titles
    assert {name for name in mechanisms.__all__ if "AboveThreshold" in name} <= titles
    assert "exponential mechanism" in titles
    assert experts.auto(2, 1.0).name in titles


def test_each_private_learner_is_audited():
    """Catches a learner that was added and not audited."""
    made = [registry_of_learners.make(name, Points(3), 1.0, 0.1) for name in registry_of_learners.learner_names()]
    private = {learner.name for learner in made if learner.privacy.private}
    assert private <= {row.title for row in shipped_audits()}


@pytest.mark.parametrize(
    ("owner", "verb", "fault"),
    [
        (DartboardParameters, "floor", lambda *arguments: 0),
        (EqualRates, "rate", lambda self, draw: self.learning_rate),
        (OneSidedNoise, "exceeds", lambda self, source, gap: gap <= 0),
    ],
    ids=["no floor", "no cap", "no query noise"],
)
def test_a_violation_ends_with_1_and_shows_its_counterexample(monkeypatch, here, two_rows, owner, verb, fault):
    monkeypatch.setattr(owner, verb, fault)
    result = reticent("audit", "dartboard", "--json", "a.json")
    assert result.exit_code == 1
    assert "NO" in [row[-1] for row in rows_of(result.stdout)]
    assert "REJECTED: promised" in result.stdout
    assert "on the neighbour" in result.stdout
    assert result.stdout.splitlines()[-1].endswith("REJECTED.")
    report = json.loads((here / "a.json").read_text())
    assert report["passed"] is False
    assert not all(row["passed"] for row in report["exact"])


def test_json_tells_what_the_table_tells(in_this_process):
    result = reticent("audit", "exponential", "--json", "-")
    assert (result.exit_code, result.stderr) == (0, "")
    report = json.loads(result.stdout)
    assert report["passed"] is True
    assert [row["setting"] for row in report["exact"]] == ["one draw", "four draws, delta"] * 2
    one = report["exact"][0]
    assert one["epsilon"] == 1.0
    assert 0.7 < one["log_ratio"] < 0.8
    assert {"delta", "delta_found", "truncated", "worst", "relation", "class"} <= set(one)


def test_names_choose_what_is_audited(in_this_process):
    rows = rows_of(reticent("audit", "exponential", "sparse-vector").stdout)
    assert {row[0] for row in rows} == {"exponential", "sparse-vector"}


def test_a_statistical_audit_is_reproducible_and_tells_its_power():
    options = ("scheduled-hedge", "--statistical", "--runs", "200", "--seed", "1")
    first, second = (reticent("audit", *options) for _ in range(2))
    assert first.exit_code == 0
    assert first.stdout == second.stdout
    assert [row[0] for row in rows_of(first.stdout)] == ["scheduled-hedge"] * 2
    assert "noise seeded with 1" in " ".join(first.stdout.split())
    report = json.loads(reticent("audit", *options, "--exact", "--json", "-").stdout)
    assert len(report["statistical"]) == 2
    assert len(report["exact"]) > 2
    assert report["statistical"][0]["tested"] == 100


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("newton",), "'newton' is none of above-threshold"),
        (("running-sum", "--statistical"), "nothing of running-sum can be audited statistically"),
        (("dartboard-paper",), "nothing of dartboard-paper can be audited exactly"),
        (("--runs", "3"), "3 is not in the range"),
    ],
)
def test_what_cannot_be_audited_ends_with_2(arguments, message):
    result = reticent("audit", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in " ".join(result.stderr.split())


def test_an_option_that_would_change_nothing_is_refused():
    result = reticent("audit", "dartboard", "--runs", "200")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "--runs is for --statistical; add it, or leave --runs out." in result.stderr
