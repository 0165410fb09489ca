"""Would catch: a report that mixes what may be released with what may not, and files that are not what they say."""

import csv
import json

import pytest

from cli.commands import only_sentence, reticent
from reticent.learning import registry
from reticent.prediction.registry import predictor_names


@pytest.fixture
def visits(here):
    """The label is 1 at 7."""
    rows = [(k * 3 % 20, int(k * 3 % 20 == 7)) for k in range(3000)]
    path = here / "visits.csv"
    path.write_text("x,y\n" + "".join(f"{x},{y}\n" for x, y in rows))
    return path


POINTS = ("--class", "points:20", "--epsilon", "1")


def test_the_report_keeps_what_may_be_released_apart(visits):
    result = reticent("classify", visits, *POINTS)
    assert (result.exit_code, result.stderr) == (0, "")
    released, curator = result.stdout.split("For the curator only: computed from the private examples")
    assert "point at 7" in released
    assert "mistakes  " in curator


def test_files(visits, here):
    result = reticent("classify", visits, *POINTS, "--hypotheses", "h.csv", "--json", "r.json")
    assert result.exit_code == 0
    assert "h.csv (may be released)" in result.stdout
    assert "r.json (curator only)" in result.stdout
    rows = list(csv.DictReader((here / "h.csv").open()))
    assert rows[0] == {"from_round": "1", "hypothesis": "all zero"}
    assert rows[-1]["hypothesis"] == "point at 7"
    report = json.loads((here / "r.json").read_text())
    assert set(report) >= {
        "class", "algorithm", "parameters", "rounds", "epsilon", "delta", "relation", "private", "noise", "privacy",
        "released", "curator", "seconds",
    }  # fmt: skip
    assert report["released"] == {
        "switches": len(rows) - 1,
        "hypothesis": "point at 7",
        "hypotheses_file": "h.csv",
    }
    assert report["rounds"] == 3000


def test_a_seeded_run_says_so_everywhere(visits, here):
    result = reticent("classify", visits, *POINTS, "--seed", "3", "--hypotheses", "h.csv", "--json", "r.json")
    assert result.exit_code == 0
    assert result.stderr == "Warning: NOT PRIVATE (seeded with 3); for simulation only, release nothing.\n"
    assert "h.csv (NOT PRIVATE, release nothing)" in result.stdout
    assert (here / "h.csv").read_text().startswith("# NOT PRIVATE: seeded with 3; for simulation only")
    report = json.loads((here / "r.json").read_text())
    assert report["private"] is False
    assert report["warning"].startswith("NOT PRIVATE")


def test_standard_input_and_json_on_standard_output(visits):
    result = reticent("classify", "-", *POINTS, "--json", "-", stdin=visits.read_text())
    assert result.exit_code == 0
    assert json.loads(result.stdout)["released"]["hypothesis"] == "point at 7"


@pytest.mark.parametrize("learner", registry.learner_names())
def test_every_learner_runs(visits, learner):
    assert reticent("classify", visits, *POINTS, "--delta", "0.1", "--learner", learner).exit_code == 0


@pytest.mark.parametrize("predictor", predictor_names())
def test_every_predictor_runs(visits, predictor):
    result = reticent("classify", visits, *POINTS, "--delta", "0.1", "--predictor", predictor)
    assert result.exit_code == 0
    assert "0.1)-joint differential privacy" in result.stdout or predictor == "learner"
    assert "joint differential privacy" in result.stdout


def test_labels_are_for_one_person_each(visits, here):
    options = ("--delta", "1e-6", "--predictor", "points", "--labels", "l.csv", "--json", "r.json")
    result = reticent("classify", visits, *POINTS, *options)
    assert (result.exit_code, result.stderr) == (0, "")
    assert "May be released, each label to one person" in result.stdout
    assert "l.csv (each line to the person of its round)" in result.stdout
    assert "l.csv (may be released)" not in result.stdout
    first, *lines = (here / "l.csv").read_text().splitlines()
    assert first.startswith("# the label of a round may be given to that round's person, and to nobody else")
    rows = list(csv.DictReader(lines))
    assert [row["round"] for row in rows] == [str(t) for t in range(1, 3001)]
    assert {row["label"] for row in rows} <= {"0", "1"}
    report = json.loads((here / "r.json").read_text())
    assert report["released"] == {}
    assert report["personal"]["labels_file"] == "l.csv"


def test_labels_of_a_seeded_run_say_so(visits, here):
    options = ("--delta", "1e-6", "--predictor", "points", "--labels", "l.csv", "--seed", "3")
    result = reticent("classify", visits, *POINTS, *options)
    assert "l.csv (NOT PRIVATE, release nothing)" in result.stdout
    assert (here / "l.csv").read_text().startswith("# NOT PRIVATE: seeded with 3; for simulation only")


def test_columns_can_be_chosen(here):
    (here / "t.csv").write_text("a,b,ill,c\n" + "".join(f"{k % 9},{k % 2},{int(k % 9 > 4)},5\n" for k in range(900)))
    result = reticent("classify", "t.csv", "--class", "thresholds:9", "--x", "a", "--y", "ill", "--epsilon", "4")
    assert result.exit_code == 0
    pair = ("--class", "conjunctions:2", "--x", "b, ill", "--y", "b", "--epsilon", "1")
    assert "x is 'b', 'ill' and y is 'b'" in only_sentence(reticent("classify", "t.csv", *pair).stderr)


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (("--class", "points:5", "--epsilon", "1"), 1, "visits.csv, line 4, column 'x': the instance 6 is not in"),
        (("--class", "points:0", "--epsilon", "1"), 2, "'points:0': n_instances is 0"),
        (("--class", "circles:9", "--epsilon", "1"), 2, "neither a file nor the name of a class"),
        (("--class", "points:20", "--epsilon", "1", "--x", "z"), 2, "there is no column 'z'"),
        (("--class", "thresholds:20", "--epsilon", "1", "--learner", "points"), 2, "learns points"),
        (("--class", "points:20", "--epsilon", "1", "--learner", "name-and-shame"), 2, "give a delta above 0"),
        (("--class", "points:20", "--epsilon", "1", "--predictor", "points"), 2, "give a delta above 0"),
        (
            ("--class", "points:20", "--epsilon", "1", "--learner", "points", "--predictor", "points"),
            2,
            "give one of them",
        ),
        ((*POINTS, "--labels", "l.csv"), 2, "anybody can label with them; give --predictor"),
        ((*POINTS, "--predictor", "auto"), 2, "a predictor releases no hypotheses"),
        (
            ("--class", "points:5", "--epsilon", "1", "--delta", "0.1", "--predictor", "points"),
            1,
            "visits.csv, line 4, column 'x': the instance 6 is not in",
        ),
    ],
)
def test_failures_are_one_sentence_and_write_nothing(visits, here, arguments, code, sentence):
    released = () if "--predictor" in arguments and "auto" not in arguments else ("--hypotheses", "h.csv")
    result = reticent("classify", visits, *arguments, *released)
    assert result.exit_code == code
    assert sentence in only_sentence(result.stderr)
    assert sorted(path.name for path in here.iterdir()) == ["visits.csv"]


@pytest.mark.parametrize(
    "arguments",
    [
        ("--epsilon", "1"),
        ("--class", "points:20"),
        ("--class", "points:20", "--epsilon", "0"),
        (*POINTS, "--learner", "best"),
        (*POINTS, "--hypotheses", "h.npy"),
        (*POINTS, "--hypotheses", "visits.csv"),
        (*POINTS, "--relation", "add-remove"),
    ],
)
def test_usage(visits, arguments):
    assert reticent("classify", visits, *arguments).exit_code == 2


def test_help_has_examples():
    text = reticent("classify", "--help").stdout
    assert "reticent classify visits.csv --class points:1000 --epsilon 1" in text
    assert "Exit code 0" in text
