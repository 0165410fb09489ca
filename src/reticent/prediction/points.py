"""A private predictor for points on any domain whose mistakes do not grow with the number of rounds."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from reticent.classes import Instance, Points
from reticent.mechanisms import Replacement, ReplacementRule, SparseSelection, TruncatedLaplace, calibrate_mirror
from reticent.mechanisms.arguments import check_whole
from reticent.prediction.base import (
    BoolArray,
    OnlinePredictionAlgorithm,
    OnlinePredictor,
    check_number,
    joint_statement,
)
from reticent.prediction.point_shares import PointShares, best_point_shares
from reticent.privacy import Component, PrivacyStatement
from reticent.randomness import Source

__all__ = ["PointPredictor", "RunningPoints"]

#: A Mirror makes no use of more.
_LARGEST_MIRROR = Fraction(16)


@dataclass(frozen=True)
class PointPredictor(OnlinePredictionAlgorithm):
    """Predicts 0, until it is safe to predict 1 at one instance that often had the label 1.

    ::

        h_0 = 0 everywhere
        when h_0 has made K_0 mistakes: select an instance of theirs, h_1 = 1 there only (no instance: h_1 = h_0)
        predict with Replacement (h_0, h_1), run over the rounds before as well

    This is Sanyal's Algorithm 3 for N = 1 with lists of one instance each. Instances are any hashable values, even
    strings; no horizon is needed.

    Parameters
    ----------
    epsilon : float
        Between 1e-3 and 100.
    delta : float
        Between 1e-100 and 1/2.
    tolerance : int
        K_1 >= 1: with fewer than K_1 mistakes h_1 is accepted for sure. 1 is for realisable streams.
    failure : float, optional
        In (0, 1): how often at most the bound on mistakes may fail; delta unless given.
    shares : PointShares, optional
        How the budget is divided; by a search for the smallest bound unless given.
    domain : Points, optional
        Only its instances are allowed then; they change nothing else.

    Notes
    -----
    **Guarantee.** Jointly (epsilon, delta)-DP on streams that are fixed in advance, when the example (x, y) of one
    round is replaced by any other: what is predicted in all *other* rounds has laws this close. With probability at
    least 1 - failure it makes at most `mistake_bound` mistakes on every stream of any length that is labelled by the
    zero function or by a point. Source: Sanyal, Lemma 12, Claim 1; docs/proofs/prediction.md, section 1.

    It remembers each instance that it saw before the selection, once; and one instance after it.

    >>> from reticent.randomness import SeededSource
    >>> algorithm = PointPredictor(1.0, 1e-6)
    >>> algorithm.mistake_bound
    751
    >>> predictor = algorithm.start(SeededSource(7))
    >>> predictor.update_block(["a", "b"] * 1000, [True, False] * 1000)[:500].any()
    np.False_
    """

    name: ClassVar[str] = "PointPredictor"

    epsilon: float
    delta: float
    _: KW_ONLY
    tolerance: int = 1
    failure: float | None = None
    shares: PointShares | None = None
    domain: Points | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", check_number("epsilon", self.epsilon, 0.001, 100))
        object.__setattr__(self, "delta", check_number("delta", self.delta, 1e-100, 0.5))
        check_whole("tolerance", self.tolerance)
        failure = self.delta if self.failure is None else self.failure
        object.__setattr__(self, "failure", check_number("failure", failure, 0, 1))
        if self.shares is None:
            object.__setattr__(self, "shares", best_point_shares(self.epsilon, self.delta, failure))

    def check(self, x: Instance) -> None:
        """See `OnlinePredictionAlgorithm`."""
        if self.domain is None:
            super().check(x)
        else:
            self.domain.restrict(x, False)

    @cached_property
    def selection(self) -> SparseSelection:
        """Of an instance: one replaced example replaces one entry of the batch."""
        return SparseSelection.calibrated(*self._budgets[0], length=1)

    @cached_property
    def batch(self) -> int:
        """K_0: so many equal instances are missed by the selection with probability at most `failure`."""
        assert self.failure is not None
        size = math.ceil(float(self.selection.threshold) - math.log(self.failure) / float(self.selection.rate))
        return size if self.selection.missed(size) <= self.failure else size + 1

    @cached_property
    def rule(self) -> ReplacementRule:
        """How h_1 replaces h_0: with D_1 = K_0 - 1 + K_1 + 2 x nothing shows before the batch is full."""
        noise = TruncatedLaplace.calibrated(*self._budgets[1])
        epsilon, delta = self._budgets[2]
        schedule = calibrate_mirror(min(epsilon, _LARGEST_MIRROR), delta)
        return ReplacementRule.quiet_for(self.batch - 1, self.tolerance, noise, schedule)

    @property
    def mistake_bound(self) -> int:
        """K_1 - 1 + D_1 + m, on every realisable stream of any length, with probability at least 1 - `failure`."""
        return self.rule.most_mistakes

    @property
    def bound_holds(self) -> str:
        """See `OnlinePredictionAlgorithm`."""
        return f"at any length, but for a probability of {self.failure:g}"

    @cached_property
    def _budgets(self) -> list[tuple[Fraction, Fraction]]:
        assert self.shares is not None
        return list(
            zip(_divided(self.epsilon, self.shares.epsilon), _divided(self.delta, self.shares.delta), strict=True)
        )

    @cached_property
    def privacy(self) -> PrivacyStatement:
        """See `OnlinePredictionAlgorithm`: what was asked for; the components may cost a little less."""
        noise, schedule = self.rule.noise, self.rule.schedule
        return joint_statement(
            self.epsilon,
            self.delta,
            (
                _component("selection", self.selection, "one instance out of the first with label 1"),
                _component("acceptance", noise, "truncated Laplace noise on the count of right labels"),
                _component("mirror", schedule, "when the instance begins to be predicted"),
            ),
        )

    @property
    def settings(self) -> dict[str, Any]:
        """See `OnlinePredictionAlgorithm`."""
        return {
            "batch": self.batch,
            "selection_threshold": float(self.selection.threshold),
            "delay": self.rule.delay,
            "noise_bound": self.rule.noise.bound,
            "mirror_rounds": self.rule.schedule.rounds,
            "mistake_bound": self.mistake_bound,
        }

    def _start(self, source: Source) -> RunningPoints:
        return RunningPoints(self, source)


class RunningPoints(OnlinePredictor):
    """A running `PointPredictor`: before the batch is full, counts of all instances; then h_1 and its Replacement."""

    def __init__(self, algorithm: PointPredictor, source: Source) -> None:
        super().__init__(algorithm, source)
        self._anything = algorithm.domain is None
        self._rule = algorithm.rule
        self._selection = algorithm.selection
        self._batch = algorithm.batch
        self._occurred: Counter[Instance] = Counter()
        #: For each mistake of h_0 its instance, and how often that had occurred, this time included.
        self._mistakes: list[tuple[Instance, int]] = []
        self._candidate: Instance | None = None
        self._replacement: Replacement[bool] | None = None

    def _selected(self) -> bool:
        return len(self._mistakes) == self._batch

    def _predict(self, x: Instance) -> bool:
        if self._replacement is None or x != self._candidate:
            return False
        return self._replacement.predict(False, True)

    def _observe(self, x: Instance, y: bool) -> None:
        if not self._selected():
            self._occurred[x] += 1
            if y:
                self._mistakes.append((x, self._occurred[x]))
                if self._selected():
                    self._select()
        elif self._replacement is not None and x == self._candidate:
            self._replacement.update(y)

    def _instances(self, xs: Iterable[Any]) -> npt.NDArray[Any] | list[Instance]:
        fast = isinstance(xs, np.ndarray) and xs.ndim == 1 and xs.dtype.kind in "iuU"
        if fast and self._anything:
            return xs  # type: ignore[return-value]
        instances = super()._instances(xs)
        return np.asarray(xs) if fast else instances

    def _select(self) -> None:
        chosen = self._selection.select([((x,),) for x, _ in self._mistakes], self._source)
        if chosen is not None:
            # The rounds before: by Claim 1 they were predicted as this Replacement predicts them.
            (self._candidate,) = chosen
            self._replacement = Replacement(self._rule, self._source)
            right = {count for x, count in self._mistakes if x == self._candidate}
            zone = self._rule.delay + self._rule.schedule.rounds
            for count in range(1, min(self._occurred[self._candidate], zone) + 1):
                self._replacement.predict(False, True)
                self._replacement.update(count in right)
        self._occurred.clear()

    def _observe_block(self, xs: npt.NDArray[Any] | list[Instance], ys: BoolArray) -> BoolArray:
        """Only mistakes of h_0 matter before the selection, and after it only the rounds of the candidate."""
        if not isinstance(xs, np.ndarray):
            return super()._observe_block(xs, ys)
        predictions = np.zeros(len(ys), dtype=np.bool_)
        start = 0
        if not self._selected():
            wrong = np.flatnonzero(ys)[: self._batch - len(self._mistakes)]
            full = len(self._mistakes) + len(wrong) == self._batch
            start = int(wrong[-1]) + 1 if full else len(ys)
            self._count(xs[:start], wrong)
            if full:
                self._select()
        if self._replacement is not None and start < len(ys):
            self._replace(xs[start:], ys[start:], predictions[start:])
        return predictions

    def _count(self, xs: npt.NDArray[Any], wrong: npt.NDArray[np.intp]) -> None:
        """Rounds before the selection; h_0 errs in those of `wrong`."""
        if len(wrong):
            # The numbering of occurrences is slow, and needed only for instances on which h_0 errs.
            rows = np.flatnonzero(np.isin(xs, xs[wrong]))
            _, instance, counts = np.unique(xs[rows], return_inverse=True, return_counts=True)
            order = np.argsort(instance, kind="stable")  # those of one instance lie together, in order
            nth = np.empty(len(rows), dtype=np.int64)
            nth[order] = np.arange(1, len(rows) + 1) - np.repeat(np.cumsum(counts) - counts, counts)
            for x, count in zip(xs[wrong].tolist(), nth[np.searchsorted(rows, wrong)].tolist(), strict=True):
                self._mistakes.append((x, self._occurred[x] + count))
        values, counts = np.unique(xs, return_counts=True)
        self._occurred.update(dict(zip(values.tolist(), counts.tolist(), strict=True)))

    def _replace(self, xs: npt.NDArray[Any], ys: BoolArray, predictions: BoolArray) -> None:
        """Rounds after the selection; the predictions are written in place."""
        assert self._replacement is not None
        rows = np.flatnonzero(_equal(xs, self._candidate))
        for position, row in enumerate(rows.tolist()):
            settled = self._replacement.settled
            if settled is not None:
                predictions[rows[position:]] = settled
                return
            predictions[row] = self._replacement.predict(False, True)
            self._replacement.update(bool(ys[row]))


def _equal(xs: npt.NDArray[Any], candidate: Instance) -> BoolArray:
    """As Python compares; numpy's way only where it is the same."""
    if isinstance(candidate, int) and xs.dtype.kind in "iu":
        equal: BoolArray = xs == candidate
        return equal
    return np.fromiter((x == candidate for x in xs.tolist()), np.bool_, len(xs))


def _divided(total: float, parts: tuple[float, float, float]) -> tuple[Fraction, ...]:
    """Shares that add up to the total, exactly."""
    first, second = (Fraction(total) * Fraction(part).limit_denominator(2**20) for part in parts[:2])
    return first, second, Fraction(total) - first - second


def _component(name: str, cost: Any, explanation: str) -> Component:
    return Component(name, float(cost.epsilon), float(cost.delta), explanation)
