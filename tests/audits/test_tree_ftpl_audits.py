"""TreeFTPL, audited exactly; and faults planted in it, each rejected where the sound one passes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pytest
from both_views import audit_algorithm
from dartboards import BITS, HALVES
from planted import assert_rejected, like, played_by

import reticent as rt
from reticent.audit import exact_streams
from reticent.audit.stream_laws import stream_laws
from reticent.experts import TreeFTPL
from reticent.experts.tree_ftpl import _Learner
from reticent.mechanisms import GaussianNodes, LaplaceNodes, TreeSensitivity, TreeSums
from reticent.randomness import IntArray, SeededSource, Source

FEW = ((0.0, 0.0), (0.0, 1.0), (1.0, 0.0))
TRIPLES = ((0.0, 0.0, 0.0), (1.0, 0.0, 1.0), (0.0, 1.0, 0.0), (1.0, 1.0, 0.0))
relations = pytest.mark.parametrize("relation", ["replace-one", "add-remove"])


def laplace(
    horizon: int, epsilon: float, relation: str = "replace-one", m: int = 1, *, n: int = 2, grid_bits: int = 0
) -> TreeFTPL:
    """The noise is so small that few of its values count; how many units a choice costs shows all the better."""
    options: dict[str, Any] = {"relation": relation, "rounds_per_person": m, "grid_bits": grid_bits}
    return TreeFTPL(n, epsilon, horizon=horizon, noise=LaplaceNodes, **options)


def gaussian(horizon: int, epsilon: float, delta: float, relation: str = "replace-one", **options: Any) -> TreeFTPL:
    return TreeFTPL(
        2, epsilon, delta, horizon=horizon, noise=GaussianNodes, relation=relation, grid_bits=0, **options
    )


@relations
@pytest.mark.parametrize(
    ("horizon", "epsilon", "m", "n", "grid_bits", "vectors", "rounds"),
    [
        (2, 20.0, 1, 2, 0, BITS, 2),
        (3, 250.0, 1, 2, 0, FEW, 3),
        (4, 250.0, 1, 2, 0, FEW, 3),
        (3, 400.0, 2, 2, 0, BITS, 2),
        (2, 80.0, 1, 2, 1, HALVES, 2),
        (2, 100.0, 1, 3, 0, TRIPLES, 2),
    ],
    ids=["one sum", "two levels", "three sums", "two rounds a person", "a finer grid", "three experts"],
)
def test_laplace_noise_keeps_the_promise(
    horizon: int, epsilon: float, m: int, n: int, grid_bits: int, vectors: Any, rounds: int, relation: str
) -> None:
    """Catches a level, an expert or a round of a person that is not paid for."""
    algorithm = laplace(horizon, epsilon, relation, m, n=n, grid_bits=grid_bits)
    for audit in audit_algorithm(algorithm, vectors, rounds):
        assert audit.passed, str(audit)


@relations
@pytest.mark.parametrize(
    ("horizon", "epsilon", "delta", "vectors", "rounds"),
    [(2, 1.0, 0.3, BITS, 1), (2, 12.0, 0.01, BITS, 2), (3, 80.0, 0.2, FEW, 3)],
)
def test_gaussian_noise_keeps_the_promise(
    horizon: int, epsilon: float, delta: float, vectors: Any, rounds: int, relation: str
) -> None:
    """Catches a variance for another rho."""
    for audit in audit_algorithm(gaussian(horizon, epsilon, delta, relation), vectors, rounds, mass=1e-20):
        assert audit.passed, str(audit)


@pytest.mark.parametrize(("relation", "grid_bits"), [("replace-one", 0), ("add-remove", 1)])
def test_most_of_the_promise_is_spent(relation: str, grid_bits: int) -> None:
    """Catches an audit that is blind, and noise that is larger than need be."""
    audit = audit_algorithm(laplace(2, 80.0, relation, grid_bits=grid_bits), HALVES if grid_bits else BITS, 2)[0]
    assert audit.log_ratio > 0.98 * audit.epsilon


@dataclass(frozen=True)
class HalfTheNoise(TreeFTPL):
    @cached_property
    def node_noise(self) -> LaplaceNodes | GaussianNodes:
        noise = super().node_noise
        return LaplaceNodes(noise.scale / 2) if isinstance(noise, LaplaceNodes) else GaussianNodes(noise.variance / 4)


@dataclass(frozen=True)
class OneExpert(TreeFTPL):
    """As if a round changed one sum, and not N."""

    @cached_property
    def sensitivity(self) -> TreeSensitivity:
        return replace(super().sensitivity, size=1)


@dataclass(frozen=True)
class OneLevel(TreeFTPL):
    @cached_property
    def sensitivity(self) -> TreeSensitivity:
        return replace(super().sensitivity, levels=1)


@dataclass(frozen=True)
class OneRound(TreeFTPL):
    """As if nobody took part in two rounds."""

    @cached_property
    def sensitivity(self) -> TreeSensitivity:
        return replace(super().sensitivity, rounds=1)


@dataclass(frozen=True)
class HalfTheChange(TreeFTPL):
    """The change of an added record, where records are replaced."""

    @cached_property
    def sensitivity(self) -> TreeSensitivity:
        sound = super().sensitivity
        return replace(sound, change=sound.change // 2)


class SharingTree(TreeSums):
    """Two nodes that end after one another share their noise."""

    def advance(self, rounds: int) -> IntArray:
        assert rounds == 1
        if self._rounds % 2 == 0:
            return super().advance(1)
        shared = self._latest[0] - self._latest[1]
        self._rounds += 1
        above = (self._rounds & -self._rounds).bit_length()
        self._latest[:above] = self._latest[above] + shared
        return self._latest[:1].copy()


class ForgetfulTree(TreeSums):
    """Every sum has a node of its own: noise is drawn anew for what was noisy before."""

    def advance(self, rounds: int) -> IntArray:
        assert rounds == 1
        self._rounds += 1
        return self._noise.draws(self._source, self._latest.shape[1])[None]


class SharingLearner(_Learner):
    tree = SharingTree

    def __init__(self, algorithm: TreeFTPL, source: Source) -> None:
        super().__init__(algorithm, source)
        self._tree = self.tree(algorithm.n_experts, algorithm.levels, algorithm.node_noise, source)


class ForgetfulLearner(SharingLearner):
    tree = ForgetfulTree


#: It passes above.
FOUR = laplace(4, 250.0)


@pytest.mark.parametrize("kind", [HalfTheNoise, OneExpert, HalfTheChange])
def test_less_noise_is_rejected(kind: type[TreeFTPL]) -> None:
    """Theorem 4: the scale is h N m w / epsilon; a round changes all N sums, by 1 up or down."""
    sound = laplace(2, 40.0, grid_bits=1)
    assert_rejected(like(kind, sound), sound, HALVES[::2], 2)


def test_a_persons_second_round_must_be_paid_for() -> None:
    """Theorem 4: both may lie in the same node, whose sum then moves by two."""
    sound = laplace(3, 250.0, m=2)
    assert_rejected(like(OneRound, sound), sound, FEW[1:], 2, mass=1e-90)


def test_half_the_deviation_is_rejected() -> None:
    """Theorem 4: the variance is h N (m w)**2 / (2 rho)."""
    sound = gaussian(2, 3.0, 0.05)
    assert_rejected(like(HalfTheNoise, sound), sound, BITS, 2, mass=1e-20)


def test_all_rounds_of_a_person_may_lie_in_the_same_nodes() -> None:
    """Theorem 4: catches squares of changes that are added where the changes must be."""
    sensitivity = TreeFTPL(5, 1.0, horizon=8, rounds_per_person=3, grid_bits=2).sensitivity
    assert sensitivity == TreeSensitivity(levels=3, size=5, rounds=3, change=4)
    assert (sensitivity.l1, sensitivity.l2_squared) == (3 * 5 * 3 * 4, 3 * 5 * 12**2)
    halved = TreeFTPL(5, 1.0, horizon=9, relation="add-remove", rounds_per_person=3, grid_bits=2).sensitivity
    assert halved == TreeSensitivity(levels=4, size=5, rounds=3, change=2)
    assert TreeFTPL(5, 1.0, horizon=9, relation="add-remove", grid_bits=0).sensitivity.change == 1


@pytest.mark.parametrize(
    ("faulty", "rounds"),
    [(like(OneLevel, FOUR), 2), (played_by(ForgetfulLearner, FOUR), 3), (played_by(SharingLearner, FOUR), 2)],
    ids=["one level", "forgetful", "sharing"],
)
def test_nodes_are_independent_and_a_round_enters_one_of_each_level(faulty: TreeFTPL, rounds: int) -> None:
    """Theorem 4: h nodes are paid for, no fewer; a node keeps its noise, or its round enters more nodes; and two that
    share noise show what came between them."""
    laws = stream_laws(faulty, FEW, rounds, mass=1e-120)
    audit = exact_streams(laws, FOUR.neighbours, FOUR.epsilon)
    assert not audit.passed, str(audit)


@pytest.mark.parametrize("cuts", [[1] * 30, [30], [7, 1, 16, 6], [3, 27]])
def test_prefix_noise_is_the_sum_of_its_nodes(cuts: list[int]) -> None:
    """Catches a node that is missing, counted twice, or forgotten between blocks."""
    noise = LaplaceNodes(rt.experts.TreeFTPL(3, 1.0, horizon=31, grid_bits=0).node_noise.scale)  # type: ignore[union-attr]
    tree = TreeSums(3, 5, noise, SeededSource(1))
    found = np.concatenate([tree.advance(rounds) for rounds in cuts])
    nodes = noise.draws(SeededSource(1), 90).reshape(30, 3)
    for t in range(1, 31):
        expected, node = np.zeros(3, np.int64), t
        while node:
            expected += nodes[node - 1]
            node &= node - 1
        assert found[t - 1].tolist() == expected.tolist()
    assert tree.rounds_left == 1
    with pytest.raises(rt.ParameterError, match="the 1 that the tree has left"):
        tree.advance(2)


def test_nothing_is_drawn_past_the_horizon_and_the_choice_stays() -> None:
    """Catches a level that nobody paid for."""
    algorithm = TreeFTPL(3, 1.0, horizon=9)
    for edges in ((), (4,), (8, 9, 20)):
        source = rt.randomness.RecordingSource(SeededSource(2))
        learner = algorithm.start(source)
        losses = np.random.default_rng(0).random((40, 3))
        choices = np.concatenate([learner.update_block(part) for part in np.split(losses, edges) if len(part)])
        assert len(set(choices[8:])) == 1
        assert sum(len(entry["answers"]) for entry in source.record["decisions"]) == 1 + 8 * 3


def test_noise_of_too_many_values_is_refused_and_not_walked_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    """Catches an audit that never ends."""
    monkeypatch.setattr("reticent.audit.stream_laws._MOST_WAYS", 100)
    with pytest.raises(rt.ParameterError, match="more than 100 outcomes"):
        rt.audit.exact(TreeFTPL(2, 1.0, horizon=3, grid_bits=0))


def test_the_smaller_noise_is_taken() -> None:
    """Catches Laplace noise for many experts, and Gaussian noise without a delta."""
    assert isinstance(TreeFTPL(100, 1.0, 1e-6, horizon=1000).node_noise, GaussianNodes)
    assert isinstance(TreeFTPL(2, 1.0, 1e-12, horizon=3).node_noise, LaplaceNodes)
    assert isinstance(TreeFTPL(100, 1.0, horizon=1000).node_noise, LaplaceNodes)
    with pytest.raises(rt.ParameterError, match="delta > 0"):
        TreeFTPL(100, 1.0, horizon=1000, noise=GaussianNodes)
    with pytest.raises(rt.ParameterError, match="horizon"):
        TreeFTPL(100, 1.0)
    with pytest.raises(rt.ParameterError, match="fewer experts"):
        TreeFTPL(100_000, 1e-3, horizon=10**6, grid_bits=28)
