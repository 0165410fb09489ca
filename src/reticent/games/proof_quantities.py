"""The quantities in the proof of Theorem 1, computed for a given learner: V, I, W, D, and the lemmas about them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from reticent.classes import Instance
from reticent.errors import ParameterError
from reticent.games.stages import Path, Stage, StagesGame
from reticent.learning import OnlineLearningAlgorithm

__all__ = ["Inequality", "ProofQuantities", "proof_quantities"]

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
    game = StagesGame(algorithm, 3**stages, float(p), epsilon, dummy, x, mass)
    levels = [[Path((), 0, 3**stages, ((1.0, frozenset()),))]]
    for _ in range(stages):
        levels.append([after for path in levels[-1] for after in path.thirds(float(p))])
    found = tuple(tuple(game.stage(path) for path in level) for level in levels)
    return ProofQuantities(algorithm, float(p), epsilon, delta, found)
