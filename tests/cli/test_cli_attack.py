"""Would catch: an attack on another adversary or learner than asked for, and figures that hide what they are."""

import json

import pytest

from cli.commands import only_sentence, reticent
from reticent.games.attacks import attack, attack_names

SMALL = ("--rounds", "243", "--runs", "3", "--seed", "1")


@pytest.mark.parametrize("adversary", attack_names())
def test_every_adversary_against_every_learner(adversary, monkeypatch):
    monkeypatch.setenv("COLUMNS", "90")  # room for all names, with bounds of a million and more
    small = ("--class", "thresholds:3") if adversary == "tree" else ()
    result = reticent("attack", adversary, *small, "--rounds", "81", "--runs", "2", "--seed", "1", "--delta", "1e-9")
    assert result.exit_code == 0
    for name in attack(adversary).opponents():
        if (adversary, name) != ("tree", "points"):
            assert f"\n{name} " in result.stdout
    assert "simulated runs on synthetic streams" in result.stdout
    left_out = "Warning: points is left out" in result.stderr
    assert left_out == (adversary == "tree")


def test_the_table_shows_what_the_theorem_forces_and_only_on_the_private():
    result = reticent("attack", "point", *SMALL, "--against", "points,soa")
    assert result.exit_code == 0
    points, soa = result.stdout.splitlines()[-2:]
    assert points.split()[:3] == ["points", "(0.01,", "0)"]
    assert points.split()[-2] == "0.417"  # 5 stages / 12
    assert soa.split()[:2] == ["soa", "none"]
    assert soa.split()[-2] == "-"


def test_a_seeded_attack_says_so_and_is_reproducible():
    one, same = (reticent("attack", "point", *SMALL, "--against", "points") for _ in range(2))
    assert one == same
    assert one.stderr == "Warning: NOT PRIVATE (seeded with 1): for simulation only.\n"
    assert "NOT PRIVATE (seeded with 1)" in one.stdout


def test_without_a_seed_the_coins_are_secure():
    result = reticent("attack", "point", "--rounds", "9", "--runs", "2", "--against", "soa")
    assert result.stderr == ""
    assert "secure (operating system)" in " ".join(result.stdout.split())


def test_json(here):
    arguments = ("attack", "tree", "--class", "thresholds:3", *SMALL, "--against", "soa,guarded-epochs")
    shown = json.loads(reticent(*arguments, "--json", "-").stdout)
    assert reticent(*arguments, "--json", "a.json").exit_code == 0
    assert json.loads((here / "a.json").read_text()) == shown
    assert (shown["adversary"], shown["rounds"], shown["runs"], shown["class"]) == ("tree", 243, 3, "thresholds:3")
    assert shown["warning"].startswith("NOT PRIVATE (seeded with 1)")
    soa, guarded = shown["opponents"]
    assert (soa["name"], soa["privacy"]["epsilon"], soa["forced"]) == ("soa", None, None)
    assert soa["suffered"]["values"] == [1, 1, 1]
    assert guarded["forced"] == pytest.approx(5 / 12)
    assert guarded["suffered"]["low"] <= guarded["suffered"]["mean"] <= guarded["suffered"]["high"]


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("block", "--epsilon", "2"), "epsilon is 2"),
        (("point", "--class", "thresholds:9"), "leave the class out"),
        (("tree", "--class", "points:9"), "dimension at least 2"),
        (("tree", "--class", "flowers"), "neither a file nor the name of a class"),
        (("point", "--against", "nobody"), "'nobody'"),
        (("point", "--against", "name-and-shame"), "delta above 0"),
        (("point", "--delta", "1"), "delta is 1"),
        (("block", "--delta", "0.2"), "delta is 0.2"),
    ],
)
def test_what_cannot_be_is_told_in_one_sentence(arguments, named):
    result = reticent("attack", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert named in only_sentence(result.stderr)


@pytest.mark.parametrize(
    "arguments", [("flood",), ("point", "--rounds", "0"), ("point", "--runs", "1"), ("point", "--epsilon", "nan")]
)
def test_usage(arguments):
    result = reticent("attack", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "Invalid value" in result.stderr
