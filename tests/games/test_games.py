"""Would catch: mistakes that are miscounted, intervals that are not Student's, and runs that share their coins."""

from __future__ import annotations

import math

import numpy as np
import pytest

from reticent.adversaries import FixedStream, PointAdversary, RealisableStream
from reticent.adversaries.playing import mistakes_of, simulated
from reticent.classes import Points
from reticent.errors import InputError, ParameterError
from reticent.games import Estimate, Game, play
from reticent.games.estimate import student_quantile
from reticent.learning import HypothesisExperts, NameAndShameLearner, PointLearner, SOALearner
from reticent.prediction import NameAndShame, PointPredictor
from reticent.randomness import SeededSource

THREE = Points(3)
STREAM = RealisableStream(
    (2, False), ((0, True, 2), (2, False, 1), (0, True, 1), (2, False, 3)), next(THREE.members())
)

#: From printed tables of Student's t distribution.
PRINTED = [
    (0.95, 1, 6.3138),
    (0.975, 2, 4.3027),
    (0.95, 3, 2.3534),
    (0.995, 7, 3.4995),
    (0.975, 30, 2.0423),
    (0.95, 99, 1.6604),
    (0.975, 1000, 1.9623),
]


@pytest.mark.parametrize(("probability", "degrees", "quantile"), PRINTED)
def test_students_quantiles(probability, degrees, quantile):
    assert student_quantile(probability, degrees) == pytest.approx(quantile, abs=5e-5)
    assert student_quantile(1 - probability, degrees) == pytest.approx(-quantile, abs=5e-5)


def test_the_interval_of_four_numbers():
    estimate = Estimate((2, 4, 4, 6))
    error = math.sqrt(8 / 3) / 2
    assert estimate.mean == 4
    assert estimate.interval(0.9) == pytest.approx((4 - 2.35336 * error, 4 + 2.35336 * error), rel=1e-5)
    assert estimate.at_least(0.95) == pytest.approx(4 - 2.35336 * error, rel=1e-5)
    assert repr(estimate) == "4.00 (95 % t interval 1.4 to 6.6, 4 runs)"


def test_one_run_says_nothing_of_the_error():
    with pytest.raises(ParameterError, match="at least 2"):
        Estimate((3,))


@pytest.mark.parametrize("confidence", [0, 1, 95, math.nan])
def test_a_confidence_is_below_1(confidence):
    with pytest.raises(ParameterError, match="confidence"):
        Estimate((1, 2)).interval(confidence)


def test_mistakes_everywhere_and_on_informative_examples():
    """The standard optimal algorithm errs once on x; a learner that starts elsewhere may err on dummies too."""
    game = play(SOALearner(THREE), FixedStream(7, hypothesis_class=THREE, fixed=STREAM), runs=3)
    assert game.mistakes.values == game.informative_mistakes.values == (1, 1, 1)
    assert game.informative.values == (3, 3, 3)
    assert game.forced is None
    always = HypothesisExperts(Points(3).restrict(0, False).restrict(1, False), 1.0)  # only the point at the dummy
    game = play(always, FixedStream(7, hypothesis_class=THREE, fixed=STREAM), runs=2)
    assert (game.mistakes.values, game.informative_mistakes.values) == ((7, 7), (3, 3))


def test_a_game_is_as_its_rounds_one_by_one():
    """The event-driven path has the law of the plain run; with name and shame both can be written down."""
    delta = 0.25
    game = play(
        NameAndShameLearner(THREE, delta),
        FixedStream(7, hypothesis_class=THREE, fixed=STREAM),
        runs=4000,
        source=SeededSource(3),
    )
    # The first (0, 1) is missed. Once it or its successor is published, or the dummy before the third, no more are.
    kept = 1 - delta
    exact = [0, delta, delta * kept + delta * kept**2, kept**3]
    shares = np.bincount(game.mistakes.values, minlength=4) / 4000
    assert len(shares) == 4
    assert all(abs(s - e) <= 6.5 * math.sqrt(e * (1 - e) / 4000) for s, e in zip(shares, exact, strict=True))


def test_the_point_learner_of_a_game_errs_as_the_plain_one():
    """Law against law at T = 81: twice 1000 seeded runs, on one stream with many informative examples."""
    algorithm = PointLearner(THREE, 2.0, horizon=81, delay=2)
    parts = ((2, False, 20), (0, True, 6), (2, False, 10), (0, True, 9), (2, False, 36))
    stream = RealisableStream((2, False), parts, next(THREE.members()))
    runs = 1000

    def plain(seed):
        learner = algorithm.start(SeededSource(seed))
        made = 0
        for x, y in stream:
            made += x == 0 and learner.hypothesis(x) != y
            learner.update(x, y)
        return made

    one = np.bincount([plain(seed) for seed in range(runs)], minlength=16) / runs
    fast = [mistakes_of(simulated(algorithm, runs + k), parts, (2, False)).informative for k in range(runs)]
    other = np.bincount(fast, minlength=16) / runs
    # The largest distance of two empirical distribution functions, exceeded with probability below 1e-9
    # (Wei and Dudley 2012).
    assert np.abs(np.cumsum(one - other)).max() < math.sqrt(math.log(4e9) / runs)


def test_runs_have_their_own_coins_and_the_source_makes_them_reproducible():
    games = [
        play(PointLearner(THREE, 0.01, horizon=243), PointAdversary(243), runs=30, source=SeededSource(seed))
        for seed in (1, 1, 2)
    ]
    assert games[0].mistakes == games[1].mistakes
    assert games[0].mistakes != games[2].mistakes
    assert len(set(games[0].informative.values)) > 2


def test_secure_coins_are_the_default():
    assert play(SOALearner(THREE), PointAdversary(9), runs=2).noise == "secure (operating system)"


@pytest.mark.parametrize("predictor", [PointPredictor(1.0, 1e-6), NameAndShame(THREE, 0.3)])
def test_predictors_play(predictor):
    game = play(predictor, PointAdversary(243), runs=5, source=SeededSource(1))
    assert game.forced is None
    assert all(m <= n for m, n in zip(game.informative_mistakes.values, game.informative.values, strict=True))


def test_what_is_forced_depends_on_the_promise():
    adversary = PointAdversary(3**6)
    assert play(PointLearner(THREE, 0.01), adversary, runs=2).forced == 0.5
    assert play(PointLearner(THREE, 0.5), adversary, runs=2).forced is None
    assert play(NameAndShameLearner(THREE, 1e-9), adversary, runs=2).forced == 0.5


def test_a_game_can_be_read():
    game = play(PointLearner(THREE, 0.01, horizon=243), PointAdversary(243), runs=30, source=SeededSource(1))
    assert "PointLearner against PointAdversary, 243 rounds, simulated: " in repr(game)
    assert isinstance(game, Game)
    report = game.to_dict()
    assert report["mistakes"]["runs"] == list(game.mistakes.values)
    assert (report["runs"], report["epsilon"], report["forced"]) == (30, 0.01, game.forced)


@pytest.mark.parametrize(
    ("learner", "adversary", "runs", "named"),
    [
        ("soa", PointAdversary(9), 2, "'soa' is no learner"),
        (SOALearner(THREE).start(), PointAdversary(9), 2, "is no learner"),
        (SOALearner(THREE), "point", 2, "'point' is no adversary"),
        (SOALearner(THREE), PointAdversary(9), 1, "runs is 1"),
        (SOALearner(THREE), PointAdversary(9), 2.0, "runs is 2.0"),
        (SOALearner(THREE), PointAdversary(9), True, "runs is True"),
    ],
)
def test_bad_arguments_give_one_sentence(learner, adversary, runs, named):
    with pytest.raises(ParameterError, match=named):
        play(learner, adversary, runs=runs)


def test_a_learner_of_another_domain_is_told_so():
    with pytest.raises(InputError):
        play(SOALearner(Points(2)), PointAdversary(9), runs=2)
