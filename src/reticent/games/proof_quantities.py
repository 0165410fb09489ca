"""The quantities in the proof of Theorem 1, computed for a given learner: V, I, W, D, and the lemmas about them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from reticent.classes import Instance
from reticent.errors import ParameterError
from reticent.games.label_laws import LabelLaw, LabelLaws, mixture
from reticent.learning import OnlineLearningAlgorithm

__all__ = ["Inequality", "ProofQuantities", "Stage", "proof_quantities"]

#: 3^L rounds of labels are the digits of an int64.
_MOST_STAGES = 3

#: Inequalities between numbers near 1 are checked to this.
_ROUNDING = 1e-12


@dataclass(frozen=True)
class Inequality:
    """What a lemma says, in numbers.

    Attributes
    ----------
    lemma : str
    thirds : tuple of int
        J_1, .., J_t, where it is about one choice of thirds.
    smaller, larger : float
        The side that should be smaller, and the one that should be larger.
    """

    lemma: str
    thirds: tuple[int, ...]
    smaller: float
    larger: float

    @property
    def holds(self) -> bool:
        """Whether it does, up to rounding."""
        return self.smaller <= self.larger + _ROUNDING


@dataclass(frozen=True)
class Stage:
    """After the adversary has chosen so many thirds.

    Attributes
    ----------
    thirds : tuple of int
        J_1, .., J_t, each 1, 2 or 3.
    revealed : tuple of float
        V_t(0), .., V_t(T): the variance of E[2B - 1 | Y_1, .., Y_r], on the stream so far with no later insertion.
    information : float
        I_t = V_t(a_t) + 2 (V_t(b_t) - V_t(a_t)), A_t = (a_t, b_t] the interval that remains.
    variance : float
        W_t: the mean over (B, Y) of the variance over s in A_t of the clipped likelihood ratio of an insertion at s.
    difference : float or None
        D_t: the mean square of the difference between the ratios' averages over the first and the last third of A_t;
        None after the last stage.
    mistakes : float or None
        The expected mistakes on the example that stage t + 1 inserts; None after the last stage.
    """

    thirds: tuple[int, ...]
    revealed: tuple[float, ...]
    information: float
    variance: float
    difference: float | None
    mistakes: float | None


@dataclass(frozen=True)
class ProofQuantities:
    """V, I, W and D of one learner, for all choices of thirds.

    Attributes
    ----------
    algorithm : OnlineLearningAlgorithm
    p : float
        The probability of an insertion.
    epsilon, delta : float
        What the learner is held to.
    stages : tuple of tuples of Stage
        ``stages[t]`` has one for each of the 3^t choices of J_1, .., J_t.
    """

    algorithm: OnlineLearningAlgorithm
    p: float
    epsilon: float
    delta: float
    stages: tuple[tuple[Stage, ...], ...]

    @property
    def mean_information(self) -> tuple[float, ...]:
        """E[I_0], .., E[I_L]."""
        return tuple(math.fsum(stage.information for stage in level) / len(level) for level in self.stages)

    @property
    def mistakes(self) -> tuple[float, ...]:
        """The expected mistakes on the examples that stages 1, .., L insert."""
        return tuple(math.fsum(s.mistakes or 0.0 for s in level) / len(level) for level in self.stages[:-1])

    def lemma_1(self) -> tuple[Inequality, ...]:
        """Stage t + 1 adds at least p (1 - sqrt(E[I_t])) / 6 mistakes; true of every learner, private or not."""
        return tuple(
            Inequality("Lemma 1", (), self.p * (1 - math.sqrt(information)) / 6, mistakes)
            for information, mistakes in zip(self.mean_information[:-1], self.mistakes, strict=True)
        )

    def lemma_2_information(self) -> tuple[Inequality, ...]:
        """Inequality (2), E[I_t+1 | J] <= I_t + 20 p^2 D_t + 20 p delta, one for each J."""
        p = self.p
        return tuple(
            Inequality(
                "Lemma 2 (2)",
                stage.thirds,
                math.fsum(after.information for after in next_) / 3,
                stage.information + 20 * p**2 * difference + 20 * p * self.delta,
            )
            for stage, difference, next_ in self._steps()
        )

    def lemma_2_variance(self) -> tuple[Inequality, ...]:
        """Inequality (3), E[W_t+1 | J] <= W_t - D_t / 6 + (p + delta) / 3, one for each J."""
        return tuple(
            Inequality(
                "Lemma 2 (3)",
                stage.thirds,
                math.fsum(after.variance for after in next_) / 3,
                stage.variance - difference / 6 + (self.p + self.delta) / 3,
            )
            for stage, difference, next_ in self._steps()
        )

    def _steps(self) -> Iterator[tuple[Stage, float, tuple[Stage, ...]]]:
        for level, following in zip(self.stages[:-1], self.stages[1:], strict=True):
            for k, stage in enumerate(level):
                assert stage.difference is not None
                yield stage, stage.difference, following[3 * k : 3 * k + 3]


def proof_quantities(
    algorithm: OnlineLearningAlgorithm,
    stages: int,
    p: float | Fraction = 1,
    *,
    epsilon: float = 0.01,
    delta: float = 0.0,
    dummy: tuple[Instance, bool] = (2, False),
    x: Instance = 0,
    mass: float = 1e-15,
) -> ProofQuantities:
    """Compute V_t(r), I_t, W_t and D_t exactly, against `PointAdversary` with 3^L rounds.

    Every stream that the adversary can make is enumerated with every outcome of the unchanged learner.

    Parameters
    ----------
    algorithm : OnlineLearningAlgorithm
        Private or not; small enough to be enumerated for 3^L rounds: nearly any for L = 1, toys for L = 2, and for
        L = 3 those whose labels at x take few courses.
    stages : int
        L, from 1 to 3.
    p : float or Fraction
        In (0, 1].
    epsilon, delta : float
        What the learner is held to: epsilon clips the likelihood ratios, delta enters the bounds. The lemma is about
        learners that keep this promise, and epsilon at most ln(9/8).
    dummy : pair (instance, label)
    x : instance
        The informative one: its label is the hidden fair bit B.
    mass : float
        The most that one draw's support may leave out.

    Returns
    -------
    ProofQuantities

    Raises
    ------
    ParameterError
        When a parameter is not what it should be.

    Notes
    -----
    Source: Sanyal 2026, section 2.1 and the proof of Theorem 1. Lemma 1 and the decomposition behind (3) are true of
    every learner; (3) itself, too, for small epsilon, because clipped ratios have hardly any variance. What needs
    privacy is (2): there the likelihood ratio of a learner without it is far from the clipped one.

    Examples
    --------
    >>> from reticent.classes import Points
    >>> from reticent.learning import NameAndShameLearner, SOALearner
    >>> soa = proof_quantities(SOALearner(Points(3)), stages=1)
    >>> all(one.holds for one in soa.lemma_1()), all(one.holds for one in soa.lemma_2_information())
    (True, False)
    >>> shame = proof_quantities(NameAndShameLearner(Points(3), 0.05), stages=2, delta=0.05)
    >>> all(one.holds for one in (*shame.lemma_1(), *shame.lemma_2_information(), *shame.lemma_2_variance()))
    True
    """
    if isinstance(stages, bool) or not isinstance(stages, int) or not 1 <= stages <= _MOST_STAGES:
        raise ParameterError(f"stages is {stages!r}; give a whole number from 1 to {_MOST_STAGES}: 3^L rounds.")
    if not 0 < p <= 1:
        raise ParameterError(f"p is {p!r}; give a number in (0, 1].")
    game = _Game(algorithm, 3**stages, float(p), epsilon, dummy, x, mass)
    levels = [[_Path((), 0, 3**stages, ((1.0, frozenset()),))]]
    for _ in range(stages):
        levels.append([after for path in levels[-1] for after in path.thirds(float(p))])
    found = tuple(tuple(game.stage(path) for path in level) for level in levels)
    return ProofQuantities(algorithm, float(p), epsilon, delta, found)


@dataclass(frozen=True)
class _Path:
    """J_1, .., J_t; the interval (a, b] that remains; and where examples were inserted, with the probabilities."""

    chosen: tuple[int, ...]
    a: int
    b: int
    insertions: tuple[tuple[float, frozenset[int]], ...]

    def third(self, j: int) -> range:
        """The rounds of the j-th third."""
        third = (self.b - self.a) // 3
        return range(self.a + (j - 1) * third + 1, self.a + j * third + 1)

    def thirds(self, p: float) -> Iterator[_Path]:
        """The three that the next stage may choose."""
        for j in (1, 2, 3):
            rounds = self.third(j)
            yield _Path(
                (*self.chosen, j), rounds[0] - 1, rounds[-1], self._inserted(p) if j == 2 else self.insertions
            )

    def _inserted(self, p: float) -> tuple[tuple[float, frozenset[int]], ...]:
        first = self.third(1)
        kept = tuple((weight * (1 - p), places) for weight, places in self.insertions if p < 1)
        return (
            *kept,
            *((weight * p / len(first), places | {s}) for weight, places in self.insertions for s in first),
        )


class _Game:
    def __init__(
        self,
        algorithm: OnlineLearningAlgorithm,
        rounds: int,
        p: float,
        epsilon: float,
        dummy: tuple[Instance, bool],
        x: Instance,
        mass: float,
    ) -> None:
        self._laws = LabelLaws(algorithm, x, mass)
        self._rounds = rounds
        self._p = p
        self._clip = math.exp(-epsilon), math.exp(epsilon)
        self._dummy = dummy
        self._x = x

    def stage(self, path: _Path) -> Stage:
        """The quantities after a choice of thirds."""
        laws = [self._law(path, bool(b)) for b in (0, 1)]
        revealed = tuple(self._revealed(laws, r) for r in range(self._rounds + 1))
        at_a, at_b = revealed[path.a], revealed[path.b]
        last = path.b - path.a == 1
        variance, difference = self._ratios(path, laws)
        return Stage(
            thirds=path.chosen,
            revealed=revealed,
            information=at_a + 2 * (at_b - at_a),
            variance=variance,
            difference=None if last else difference,
            mistakes=None if last else self._mistakes(path, laws),
        )

    def _law(self, path: _Path, b: bool, *also: int) -> LabelLaw:
        """P of the labels given B, on the stream so far and with insertions `also`."""
        return mixture(
            [(weight, self._laws.law(self._stream(places.union(also), b))) for weight, places in path.insertions]
        )

    def _stream(self, places: frozenset[int], b: bool) -> tuple[tuple[Instance, bool], ...]:
        return tuple((self._x, b) if s in places else self._dummy for s in range(1, self._rounds + 1))

    def _revealed(self, laws: list[LabelLaw], r: int) -> float:
        """V(r): the sum over histories of (q_1 - q_0)^2 / (q_1 + q_0), q_b = P(B = b, Y_<=r)."""
        zero, one = (law.first(r, self._rounds) for law in laws)
        histories = np.union1d(zero.histories, one.histories)
        q_0, q_1 = zero.at(histories) / 2, one.at(histories) / 2
        total = q_0 + q_1
        return float((np.square(q_1 - q_0) / np.where(total > 0, total, 1.0)).sum())

    def _ratios(self, path: _Path, laws: list[LabelLaw]) -> tuple[float, float]:
        """W and D."""
        variance = difference = 0.0
        for b, law in enumerate(laws):
            inserted = np.stack(
                [self._law(path, bool(b), s).at(law.histories) for s in range(path.a + 1, path.b + 1)]
            )
            ratios = np.clip(inserted / law.probabilities, *self._clip)
            third = max(len(ratios) // 3, 1)
            apart = ratios[:third].mean(axis=0) - ratios[-third:].mean(axis=0)
            variance += float(law.probabilities @ ratios.var(axis=0)) / 2
            difference += float(law.probabilities @ np.square(apart)) / 2
        return variance, difference

    def _mistakes(self, path: _Path, laws: list[LabelLaw]) -> float:
        """An example is inserted at s in the first third with probability p / 3, and h_s has not seen it."""
        first = path.third(1)
        wrong = 0.0
        for s in first:
            for b, law in enumerate(laws):
                labels = law.first(s, self._rounds)
                wrong += float(labels.probabilities[(labels.histories & 1) != b].sum()) / 2
        return self._p / 3 * wrong / len(first)
