"""Would catch: numbers that are not the bounds', options that are passed over in silence, and bad plots."""

import json
import math

import pytest

from cli.commands import only_sentence, reticent
from reticent.bounds import Setting, experts, learning, prediction


def lines_of(*arguments):
    result = reticent("bounds", *arguments)
    assert (result.exit_code, result.stderr) == (0, "")
    return [" ".join(line.split()) for line in result.stdout.splitlines()]


def figures(*arguments):
    result = reticent("bounds", *arguments, "--json", "-")
    assert (result.exit_code, result.stderr) == (0, "")
    return json.loads(result.stdout)


def test_table_1_is_the_default():
    lines = lines_of()
    for line in (
        "result points learners at least at ln T = 1,000",
        "DSS24 {1, 2, 3} concentrated ln T 1,000",
        "CLN+24 {0, .., T} all ln T 1,000",
        "LWY24 {1, 2, 3} all ln ln T 2.3",
        "Theorem A {1, 2, 3} all (ln T)^(2/3) 100",
    ):
        assert line in lines
    assert "at epsilon = 0.01 and delta = 1 / ln T = 0.001" in " ".join(lines)


def test_the_horizon_may_be_of_any_size():
    assert figures("--horizon", 10**434)["log_horizon"] == pytest.approx(434 * math.log(10))
    assert figures("--log-horizon", "1e6")["rows"][0]["value"] == pytest.approx(1e6)
    assert "Theorem A {1, 2, 3} all (ln T)^(2/3) 10,000" in lines_of("--log-horizon", "1e6")


@pytest.mark.parametrize(
    ("topic", "bounds"), [("learning", learning.ALL), ("prediction", prediction.ALL), ("experts", experts.ALL)]
)
def test_every_bound_of_a_topic_is_there(topic, bounds):
    """With its value, or with what it would need."""
    options = ["--horizon", 10**5, "--epsilon", 0.5, "--delta", 1e-6]
    report = figures(topic, *options)
    setting = Setting.of(10**5, 0.5, 1e-6, experts=100)
    assert [entry["name"] for entry in report["bounds"]] == [bound.name for bound in bounds]
    page = "\n".join(lines_of(topic, *options))
    for bound, entry in zip(bounds, report["bounds"], strict=True):
        value = bound(setting)
        if value is None:
            assert (entry["value"], entry["unmet"]) == (None, bound.unmet(setting))
            assert f"No value without {bound.unmet(setting)}" in page
        elif isinstance(value, float):
            assert (entry["value"], entry["unmet"]) == (pytest.approx(value), None)
        else:
            assert entry["value"] == {"log10": pytest.approx(value.log10)}
            assert str(value) in page
        assert f"{bound.name}: " in page


def test_a_class_brings_its_dimension():
    assert figures("learning", "--class", "thresholds:7")["dimension"] == 3
    assert figures("learning", "--dimension", 3) == figures("learning", "--class", "thresholds:7")
    report = figures("experts", "--experts", 7, "--best-loss", 2.5, "--delta", 0)
    assert (report["experts"], report["best_loss"], report["log_inverse_delta"]) == (7, 2.5, None)


def test_json_beside_the_page(here):
    lines = lines_of("learning", "--json", "bounds.json")
    assert lines[-2:] == ["Written", "bounds.json"]
    assert len(json.loads((here / "bounds.json").read_text())["bounds"]) == len(learning.ALL)


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_figure_1_is_drawn(here, suffix):
    report = figures("--plot", f"figure.{suffix}")
    assert (here / f"figure.{suffix}").stat().st_size > 5000
    assert report["figure1"]["regimes"][0]["delta"] == "1 / T"
    assert report["figure1"]["measured"] == []


def test_figure_1_with_measured_mistakes(here):
    report = figures("--plot", "figure.svg", "--runs", 1, "--seed", 3, "--log-horizon", 20)
    algorithms = {point["algorithm"] for point in report["figure1"]["measured"]}
    assert {"PointLearner", "NameAndShameLearner"} <= algorithms


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["learning", "--experts", "5"], "--experts changes nothing about learning"),
        (["learning", "--plot", "x.png"], "--plot changes nothing about learning"),
        (["experts", "--dimension", "2"], "--dimension changes nothing about experts"),
        (["experts", "--class", "points:3"], "--class changes nothing about experts"),
        (["--delta", "0.1"], "--delta changes nothing about table1"),
        (["--runs", "2"], "--runs and --seed are for --plot"),
        (["--plot", "x.png", "--seed", "2"], "--seed is for --runs"),
        (["--horizon", "10", "--log-horizon", "3"], "--horizon and --log-horizon say the same"),
        (["learning", "--dimension", "1", "--class", "points:3"], "--dimension and --class say the same"),
        (["learning", "--delta", "1"], "--delta is 1.0; give a number in [0, 1)"),
        (["learning", "--delta", "nan"], "--delta is nan"),
        (["nothing"], "is not one of"),
        (["experts", "--horizon", "10", "--best-loss", "11"], "--best-loss is 11, more than the rounds"),
    ],
)
def test_usage_is_checked(here, arguments, words):
    """Catches an option that would change nothing, without a word."""
    result = reticent("bounds", *arguments)
    assert result.exit_code == 2
    assert words in " ".join(result.stderr.split())
    assert list(here.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--log-horizon", "3"], "log_horizon is 3.0; give at least 4"),
        (["--log-horizon", "nan"], "log_horizon is nan"),
        (["--epsilon", "0"], "epsilon is 0.0; give a number from 1e-09"),
        (["--plot", "x.png", "--epsilon", "0.5"], "epsilon is 0.5; give at most 0.01"),
        (["learning", "--class", "points:x"], "points"),
    ],
)
def test_what_cannot_be_ends_with_2(here, arguments, words):
    result = reticent("bounds", *arguments)
    assert result.exit_code == 2
    assert words in only_sentence(result.stderr)
    assert list(here.iterdir()) == []


@pytest.mark.parametrize("topic", ["learning", "prediction"])
def test_a_huge_dimension_leaves_out_what_has_no_number(topic):
    result = reticent("bounds", topic, "--dimension", "1100", "--json", "-")
    assert result.exit_code == 0
    assert any(bound["value"] is None and "d <= " in bound["unmet"] for bound in json.loads(result.stdout)["bounds"])
