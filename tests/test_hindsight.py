"""Would catch: ratios of the wrong regrets, floors left out, noise used twice, settings that are too dear."""

import json
import math

import numpy as np
import pytest

from reticent import hindsight as module
from reticent.adversaries import elimination, iid
from reticent.comparison import Entry
from reticent.errors import InputError, ParameterError
from reticent.experts import (
    Dartboard,
    GuardedEpochs,
    Hedge,
    PrivateExpertsAlgorithm,
    PrivateHedge,
    ScheduledHedge,
    SparseVectorExperts,
    registry,
)
from reticent.hindsight import Hindsight, hindsight, settings_in_hindsight, summary
from reticent.randomness import SeededSource
from reticent.runner import Curve
from reticent.streams import HeldStream, open_losses

CURVE = Curve(*(np.zeros(1) for _ in range(4)))

OURS, OTHER, CAPPED = GuardedEpochs(5, 1.0), ScheduledHedge(5, 1.0, horizon=100), Dartboard(5, 1.0, 1e-6)


def entry(algorithm, *regrets):
    return Entry(algorithm, regrets, tuple(0.0 for _ in regrets), tuple(0 for _ in regrets), CURVE)


def made_up(default=(60.0,), private_hedge=(600.0,), best=None, least=2.0):
    best = {"ScheduledHedge": (OTHER, 40.0), "Dartboard, capped": (CAPPED, 50.0)} if best is None else best
    return Hindsight(
        stream="made up",
        rounds=100,
        n_experts=5,
        default=entry(OURS, *default),
        private_hedge=entry(PrivateHedge(5, 1.0, horizon=100), *private_hedge),
        hedge=entry(Hedge(5, horizon=100), 30.0),
        best={name: entry(algorithm, *regrets) for name, (algorithm, *regrets) in best.items()},
        n_settings=7,
        least=least,
        seeded=False,
    )


def few_settings(n_experts, horizon, epsilon, delta):
    """Three settings of two algorithms, one of them the default's."""
    return {
        "ScheduledHedge": [ScheduledHedge(n_experts, epsilon, delta, horizon=horizon)],
        "GuardedEpochs": [GuardedEpochs(n_experts, epsilon, delta, guard_share=share) for share in (0.1, 0.3)],
    }


@pytest.fixture
def few(monkeypatch):
    monkeypatch.setattr(module, "settings_in_hindsight", few_settings)


def test_ratios_compare_mean_regrets():
    result = made_up(default=(50.0, 70.0), private_hedge=(500.0, 700.0))
    assert result.ratios == {"ratio": 1.5, "ratio_own_settings_included": 1.5, "ratio_to_private_hedge": 0.1}


def test_the_defaults_own_settings_win_only_where_they_are_included():
    best = {"ScheduledHedge": (OTHER, 40.0), "GuardedEpochs": (OURS, 20.0)}
    result = made_up(best=best)
    assert (result.name_of(result.winner), result.ratio(result.winner)) == ("ScheduledHedge", 1.5)
    assert (result.name_of(result.winner_of_all), result.ratio(result.winner_of_all)) == ("GuardedEpochs", 3.0)


def test_the_default_itself_takes_part_where_its_settings_are_included():
    result = made_up(default=(10.0,))
    assert result.winner_of_all is result.default
    assert result.name_of(result.winner_of_all) == "GuardedEpochs, untuned"
    assert result.ratios["ratio"] == 0.25
    assert result.ratios["ratio_own_settings_included"] == 1.0


def test_regrets_below_the_least_count_as_the_least():
    best = {"ScheduledHedge": (OTHER, -3.0)}
    assert made_up(default=(-1.0,), best=best, least=2.0).ratios["ratio"] == 1.0
    assert made_up(default=(6.0,), best=best, least=2.0).ratios["ratio"] == 3.0
    assert made_up(default=(0.5,), private_hedge=(8.0,), least=2.0).ratios["ratio_to_private_hedge"] == 0.25


def test_the_summary_is_the_geometric_mean_and_the_largest():
    results = [made_up(default=(20.0,)), made_up(default=(80.0,)), made_up(default=(40.0,))]
    totals = summary(results)["ratio"]
    assert totals["geometric_mean"] == pytest.approx(1.0)
    assert totals["largest"] == 2.0
    assert summary(results)["ratio_to_private_hedge"]["largest"] == pytest.approx(80 / 600)


def test_the_figures_are_one_json_object_marked_for_the_curator():
    report = json.loads(json.dumps(made_up().to_dict(), allow_nan=False))
    assert "curator only" in report["warning"]
    assert report["winner"] == "ScheduledHedge"
    assert report["best_in_hindsight"]["Dartboard, capped"]["mean_regret"] == 50.0
    assert (report["ratio"], report["settings_tried"], report["regrets_below_count_as"]) == (1.5, 7, 2.0)


@pytest.mark.parametrize("delta", [0.0, 1e-6])
@pytest.mark.parametrize(("n_experts", "horizon", "epsilon"), [(2, 3, 0.1), (100, 10**5, 1.0), (7, 1000, 5.0)])
def test_no_setting_costs_more_than_it_may(n_experts, horizon, epsilon, delta):
    for algorithms in settings_in_hindsight(n_experts, horizon, epsilon, delta).values():
        for algorithm in algorithms:
            assert algorithm.privacy.epsilon <= epsilon
            assert algorithm.privacy.delta <= delta


def test_hindsight_searches_every_private_algorithm():
    searched = {type(a) for algorithms in settings_in_hindsight(5, 100, 1.0, 0.0).values() for a in algorithms}
    made = (registry.make(name, 5, 1.0, 0.0, horizon=100) for name in registry.algorithm_names())
    private = {type(algorithm) for algorithm in made if isinstance(algorithm, PrivateExpertsAlgorithm)}
    assert searched == private - {PrivateHedge}  # it has no settings, and a place of its own


def test_the_best_settings_are_found_and_judged_with_the_default():
    losses = iid(400, 5, 0.0, seed=1)
    result = hindsight(losses, epsilon=1.0, delta=0.0, runs=3, search_runs=1, seed=1, progress=False)
    assert set(result.best) == set(settings_in_hindsight(5, 400, 1.0, 0.0))
    assert result.n_settings == sum(map(len, settings_in_hindsight(5, 400, 1.0, 0.0).values()))
    assert result.least == pytest.approx(math.log(5))
    assert (result.rounds, result.n_experts, result.seeded) == (400, 5, True)
    assert {len(e.regrets) for e in (result.default, result.hedge, *result.best.values())} == {3}
    assert result.private_hedge.algorithm == PrivateHedge(5, 1.0, 0.0, horizon=400)
    assert result.hedge.algorithm == Hedge(5, horizon=400)
    assert result.winner.mean_regret < result.private_hedge.mean_regret


def test_the_search_prefers_the_setting_with_the_least_mean_regret(monkeypatch):
    good, bad = (SparseVectorExperts(5, 1.0, 1e-6, redraws=k, delay=20.0) for k in (3, 40))
    played = []

    def compare(algorithms, losses, **_options):
        played.append(list(algorithms))
        regrets = {good: 1.0, bad: 9.0}
        return type("Fake", (), {"entries": [entry(a, regrets.get(a, 5.0)) for a in algorithms]})

    monkeypatch.setattr(module, "compare", compare)
    monkeypatch.setattr(module, "settings_in_hindsight", lambda *_: {"SparseVectorExperts": [bad, good, bad]})
    monkeypatch.setattr(module, "_FINALISTS", 2)
    result = hindsight(np.zeros((20, 5)), epsilon=1.0, delta=1e-6, progress=False)
    assert played[:2] == [[bad, good, bad], [good, bad]]
    assert result.best["SparseVectorExperts"].algorithm == good


def test_no_two_runs_share_their_noise(few, monkeypatch):
    seeds = []
    monkeypatch.setattr("reticent.comparison.SeededSource", lambda seed: seeds.append(seed) or SeededSource(seed))
    hindsight(iid(50, 3, 0.1, seed=1), epsilon=1.0, delta=0.0, runs=2, search_runs=2, seed=5, progress=False)
    assert len(seeds) == 2 * 3 + 8 * 3 + 2 * 5
    assert len(set(seeds)) == len(seeds)


def test_how_many_are_played_at_once_does_not_matter(few, monkeypatch):
    losses = elimination(300, 4, 0.0, seed=1)
    arguments = {"epsilon": 1.0, "delta": 0.0, "runs": 2, "search_runs": 2, "seed": 5, "progress": False}
    together = hindsight(losses, **arguments).to_dict()
    monkeypatch.setattr(module, "_HELD_BYTES", 1)
    assert hindsight(losses, **arguments).to_dict() == together


def test_losses_that_can_be_read_only_once_are_kept(few):
    losses = elimination(300, 4, 0.0, seed=1)
    arguments = {"epsilon": 1.0, "delta": 0.0, "runs": 2, "search_runs": 1, "seed": 5, "progress": False}
    blocks = iter([losses[:100], losses[100:]])
    assert hindsight(blocks, **arguments).to_dict() == hindsight(losses, **arguments).to_dict()


def test_a_bad_loss_is_named_by_its_place_in_the_file(few, tmp_path):
    path = tmp_path / "losses.csv"
    path.write_text("a,b\n0,1\n1,0\n0.5,7\n")
    with pytest.raises(InputError, match=r"losses\.csv, line 4, column 'b'.*7\.0"):
        hindsight(str(path), epsilon=1.0, delta=0.0, progress=False)


@pytest.mark.parametrize(
    ("losses", "options", "named"),
    [
        (np.zeros((5, 1)), {}, "two experts"),
        (np.zeros((5, 2)), {"runs": 0}, "runs"),
        (np.zeros((5, 2)), {"search_runs": 0}, "search_runs"),
        (np.zeros((5, 2)), {"epsilon": 0.0}, "epsilon"),
        (np.zeros((5, 2)), {"horizon": 0}, "horizon"),
    ],
)
def test_a_bad_call_is_refused_before_anything_is_played(monkeypatch, losses, options, named):
    monkeypatch.setattr(module, "compare", lambda *_, **__: pytest.fail("a run was started"))
    with pytest.raises(ParameterError, match=named):
        hindsight(losses, **{"epsilon": 1.0, "delta": 0.0, "progress": False, **options})


def test_a_held_stream_keeps_names_rounds_and_values():
    held = HeldStream(open_losses(iter([np.zeros((2, 2)), np.ones((1, 2))]), names=["a", "b"]))
    for _ in range(2):
        stream = held.again()
        assert (stream.rounds, stream.names, stream.n_experts) == (3, ("a", "b"), 2)
        assert np.concatenate(list(stream.blocks())).tolist() == [[0, 0], [0, 0], [1, 1]]
