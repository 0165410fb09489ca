"""The stages of `PointAdversary` with 3^L rounds, and what the proof of Theorem 1 computes of a learner at each."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from reticent.classes import Instance
from reticent.games.label_laws import LabelLaw, LabelLaws, mixture
from reticent.learning import OnlineLearningAlgorithm

__all__ = ["Path", "Stage", "StagesGame"]


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
class Path:
    """J_1, .., J_t; the interval (a, b] that remains; and where examples were inserted, with the probabilities."""

    chosen: tuple[int, ...]
    a: int
    b: int
    insertions: tuple[tuple[float, frozenset[int]], ...]

    def third(self, j: int) -> range:
        """The rounds of the j-th third."""
        third = (self.b - self.a) // 3
        return range(self.a + (j - 1) * third + 1, self.a + j * third + 1)

    def thirds(self, p: float) -> Iterator[Path]:
        """The three that the next stage may choose."""
        for j in (1, 2, 3):
            rounds = self.third(j)
            yield Path((*self.chosen, j), rounds[0] - 1, rounds[-1], self._inserted(p) if j == 2 else self.insertions)

    def _inserted(self, p: float) -> tuple[tuple[float, frozenset[int]], ...]:
        first = self.third(1)
        kept = tuple((weight * (1 - p), places) for weight, places in self.insertions if p < 1)
        return (
            *kept,
            *((weight * p / len(first), places | {s}) for weight, places in self.insertions for s in first),
        )


class StagesGame:
    """A learner on the streams of `PointAdversary`, enumerated."""

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

    def stage(self, path: Path) -> Stage:
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

    def _law(self, path: Path, b: bool, *also: int) -> LabelLaw:
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

    def _ratios(self, path: Path, laws: list[LabelLaw]) -> tuple[float, float]:
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

    def _mistakes(self, path: Path, laws: list[LabelLaw]) -> float:
        """An example is inserted at s in the first third with probability p / 3, and h_s has not seen it."""
        first = path.third(1)
        wrong = 0.0
        for s in first:
            for b, law in enumerate(laws):
                labels = law.first(s, self._rounds)
                wrong += float(labels.probabilities[(labels.histories & 1) != b].sum()) / 2
        return self._p / 3 * wrong / len(first)
