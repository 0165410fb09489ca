"""Would catch: an attack on learners where experts were meant, and a bound called what a theorem forces."""

import json

import pytest

from cli.commands import only_sentence, reticent
from reticent.experts import registry
from reticent.games import oblivious_bound

SMALL = ("attack", "sign", "--epsilon", "1", "--delta", "1e-6", "--rounds", "400", "--runs", "2", "--seed", "1")


def test_it_is_played_against_every_experts_algorithm_and_says_what_is_beside(monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    result = reticent(*SMALL)
    assert result.exit_code == 0
    for name in registry.algorithm_names():
        assert (f"\n{name} " in result.stdout) == (name != "auto")
    assert "allowed   replayed" in result.stdout
    assert "forced" not in result.stdout
    assert "simulated runs on synthetic streams" in " ".join(result.stdout.split())
    assert max(map(len, result.stdout.splitlines())) <= 100


def test_json_has_the_same_names():
    shown = json.loads(reticent(*SMALL, "--against", "sparse-vector,guarded-epochs", "--json", "-").stdout)
    vector, guarded = shown["opponents"]
    algorithm = registry.make("sparse-vector", 512, 1.0, 1e-6, horizon=400)
    assert vector["allowed"] == oblivious_bound(algorithm, 400).value
    assert guarded["allowed"] == 400  # all that can be lost in so few rounds
    assert guarded["suffered"]["at_least"] > 350 > 100 > guarded["replayed"]["mean"]


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("--against", "points"), "'points'"),
        (("--class", "points:3"), "leave the class out"),
        (("--delta", "1"), "delta is 1"),
    ],
)
def test_what_cannot_be_is_told_in_one_sentence(arguments, named):
    result = reticent("attack", "sign", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert named in only_sentence(result.stderr)
