"""Would catch: a path that no hypothesis realises, a phase that is not the hardest, and a stream that saw the run."""

from __future__ import annotations

import math
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticent.adversaries import BlockAdversary, EnumeratedChoice, SimulatedChoice, TreeAdversary
from reticent.classes import AllFunctions, Parities, Points, Thresholds
from reticent.errors import ParameterError
from reticent.games import play
from reticent.learning import HypothesisExperts, NameAndShameLearner, SOALearner
from reticent.prediction import NameAndShame
from reticent.randomness import SeededSource

QUICK = SimulatedChoice(candidates=3, runs=2)
CLASSES = [Thresholds(7), Thresholds(30), AllFunctions(4), Parities(3)]


@given(
    cls=st.sampled_from(CLASSES),
    rounds=st.integers(1, 400),
    epsilon=st.sampled_from([0.003, 0.01, 1.0]),
    seed=st.integers(0, 999),
)
def test_streams_are_realisable_and_as_long_as_asked_for(cls, rounds, epsilon, seed):
    adversary = TreeAdversary(rounds, epsilon, hypothesis_class=cls, choice=QUICK)
    stream = adversary.against(SOALearner(cls), SeededSource(seed)).stream()
    assert stream.rounds == rounds
    assert all(stream.concept(x) == y for x, y in stream)
    assert {(x, y) for x, y, _ in stream.parts if x == adversary.dummy} <= {(adversary.dummy, False)}


def test_the_informative_instances_lie_on_one_path_of_the_tree():
    adversary = TreeAdversary(4 * 81, 0.01, hypothesis_class=Thresholds(31), choice=QUICK)
    assert (adversary.phases, adversary.phase_rounds) == (4, 81)
    stream = adversary.against(SOALearner(Thresholds(31)), SeededSource(3)).stream()
    node, path = adversary.tree.zero, []
    for _ in range(adversary.phases):
        path.append((node.instance, stream.concept(node.instance)))
        node = node.child(path[-1][1])
    informative = [(x, y) for x, y, _ in stream.parts if x != adversary.dummy]
    assert list(dict.fromkeys(informative)) == path


def test_the_standard_optimal_algorithm_makes_as_many_mistakes_as_the_tree_is_deep():
    """The hardest label of a phase is the one that the learner does not predict: one mistake each."""
    for depth in range(2, 7):
        cls = Thresholds(2**depth - 1)
        game = play(
            SOALearner(cls), TreeAdversary(3**8, 0.01, hypothesis_class=cls), runs=2, source=SeededSource(depth)
        )
        assert set(game.informative_mistakes.values) == {depth - 1}
        assert max(game.mistakes.values) <= depth


class Counted(NameAndShameLearner):
    """It counts the runs that were started, and keeps their sources."""

    def start(self, source=None):
        started.append(source)
        return super().start(source)


started: list[object] = []


def test_the_stream_does_not_depend_on_the_coins_of_the_learners_run():
    """The same adversary's coins give the same stream; the learner's come from sources of their own."""
    learner = Counted(Thresholds(7), 0.2)
    adversary = TreeAdversary(200, 0.01, hypothesis_class=Thresholds(7), choice=QUICK)
    started.clear()
    stream = adversary.against(learner, SeededSource(5)).stream()
    tried = {id(source) for source in started}
    assert len(tried) == len(started) == 2 * 3 * 2  # phases, candidates, runs: each with its own source
    for run in range(5):
        law = adversary.against(learner, SeededSource(5))
        learner.start(SeededSource(run))
        assert law.stream(SeededSource(100 + run)) == stream


def test_the_exact_choice_is_the_hardest_stream():
    """Against all streams of the phase's law, with mistakes counted by an independent enumeration of the coins."""
    cls, gamma = Thresholds(3), 0.25
    learner = NameAndShameLearner(cls, gamma)
    adversary = TreeAdversary(3, 0.01, hypothesis_class=cls, choice=EnumeratedChoice())
    assert (adversary.phases, adversary.phase_rounds) == (1, 3)
    stream = adversary.against(learner, SeededSource(0)).stream()

    def expected(stream):
        total = 0.0
        for kept in product((False, True), repeat=3):
            space, made = cls, 0
            for (x, y), keep in zip(stream, kept, strict=True):
                made += x != adversary.dummy and space.soa(x) != y
                space = space.restrict(x, y) if keep else space
            total += made * math.prod(gamma if keep else 1 - gamma for keep in kept)
        return total

    phase = BlockAdversary(
        3,
        0.01,
        hypothesis_class=adversary.tree.zero.version_space,
        dummy=adversary.dummy,
        x=adversary.tree.zero.instance,
    )
    others = {phase.stream(SeededSource(seed)) for seed in range(50)}
    assert len(others) == 4
    assert expected(stream) == pytest.approx(max(map(expected, others)))
    choice = EnumeratedChoice()
    assert choice.expected_mistakes(learner, (), stream) == pytest.approx(expected(stream))


def test_each_phase_is_chosen_after_the_phases_before():
    """A learner that has seen one phase is another one in the next."""
    seen = []

    def first(opponent, before, law, source):
        seen.append((before, law.stream(source)))
        return seen[-1][1]

    learner = SOALearner(Thresholds(15))
    adversary = TreeAdversary(91, 0.01, hypothesis_class=Thresholds(15), choice=first)
    stream = adversary.against(learner, SeededSource(0)).stream()
    parts = ()
    for before, chosen in seen:
        assert before == parts
        parts += chosen.parts
    assert len(seen) == 3
    assert stream.parts == (*parts, (adversary.dummy, False, 1))


def test_mistakes_grow_linearly_with_the_depth():
    """Theorem 2: thresholds of dimension d = 2..6 at a fixed number of rounds, a private learner."""
    means = []
    for depth in range(2, 7):
        cls = Thresholds(2**depth - 1)
        adversary = TreeAdversary(5 * 3**7, 0.01, hypothesis_class=cls, choice=SimulatedChoice(12, 8))
        learner = HypothesisExperts(cls, 0.01, horizon=adversary.rounds)
        game = play(learner, adversary, runs=24, source=SeededSource(depth))
        assert game.informative_mistakes.at_least(0.99) > game.forced > 0
        means.append(game.informative_mistakes.mean)
    assert all(mean > 1.25 * (depth - 1) for depth, mean in zip(range(2, 7), means, strict=True))
    assert means[4] > 3 * means[0]
    slope = sum((depth - 4) * mean for depth, mean in zip(range(2, 7), means, strict=True)) / 10
    assert slope > 1.25


def test_predictors_can_be_attacked_too():
    game = play(
        NameAndShame(AllFunctions(3), 0.3),
        TreeAdversary(60, 0.01, hypothesis_class=AllFunctions(3), choice=QUICK),
        runs=3,
        source=SeededSource(1),
    )
    assert game.forced is None
    assert game.mistakes.mean >= game.informative_mistakes.mean


def test_more_phases_than_rounds():
    adversary = TreeAdversary(2, 0.01, hypothesis_class=AllFunctions(6), choice=QUICK)
    assert (adversary.phases, adversary.phase_rounds) == (2, 1)
    assert adversary.forced_mistakes(0.01) == 1.0


@pytest.mark.parametrize(
    ("rounds", "options", "named"),
    [
        (9, {"hypothesis_class": Points(5)}, "dimension at least 2"),
        (9, {"hypothesis_class": Thresholds(7), "depth": 1}, "dimension at least 2"),
        (9, {"hypothesis_class": Thresholds(7), "depth": 4}, "depth is 4"),
        (0, {"hypothesis_class": Thresholds(7)}, "rounds"),
        (9, {"hypothesis_class": Thresholds(7), "epsilon": 2.0}, "epsilon"),
        (9, {"hypothesis_class": 7}, "hypothesis_class"),
    ],
)
def test_bad_arguments_give_one_sentence(rounds, options, named):
    with pytest.raises(ParameterError, match=named):
        TreeAdversary(rounds, **{"epsilon": 0.01, **options})


def test_a_learner_is_needed_and_not_its_name():
    adversary = TreeAdversary(9, 0.01, hypothesis_class=Thresholds(7))
    with pytest.raises(ParameterError, match="'soa' is no learner"):
        adversary.against("soa")


@pytest.mark.parametrize("wrong", [0, 1.5, True])
def test_candidates_and_runs_are_whole_numbers(wrong):
    with pytest.raises(ParameterError, match="candidates"):
        SimulatedChoice(candidates=wrong)
    with pytest.raises(ParameterError, match="runs"):
        SimulatedChoice(runs=wrong)
