"""Replacement: from one sequence of predictions to another that is often right, at a moment that nobody can tell."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar

from reticent.errors import LearnerStateError
from reticent.mechanisms.arguments import check_whole
from reticent.mechanisms.mirror import Mirror, MirrorSchedule
from reticent.mechanisms.truncated_laplace import TruncatedLaplace
from reticent.randomness import Source

__all__ = ["Replacement", "ReplacementRule"]

Label = TypeVar("Label", bound=Hashable)


@dataclass(frozen=True)
class ReplacementRule:
    """The public numbers of a `Replacement`.

    Parameters
    ----------
    delay : int
        D >= 1: on so many disagreements V is only watched.
    tolerance : int
        K >= 1: a V with fewer than K mistakes is accepted for sure.
    noise : TruncatedLaplace
        xi, abs(xi) <= x.
    schedule : MirrorSchedule
        With a random zone of m rounds.

    Notes
    -----
    **Utility**, for every stream and every value of the randomness; W is what is predicted (Sanyal, Lemma 11,
    sharpened; docs/proofs/prediction-mechanisms.md, section 4):

    - where V has made fewer than K mistakes, W has made at most `most_mistakes` = K - 1 + D + m;
    - as long as U has made at most `quiet_mistakes` = D - K - 2 x mistakes before a round, W = U on it.
    """

    delay: int
    tolerance: int
    noise: TruncatedLaplace
    schedule: MirrorSchedule

    def __post_init__(self) -> None:
        check_whole("delay", self.delay)
        check_whole("tolerance", self.tolerance)

    @classmethod
    def quiet_for(
        cls, mistakes: int, tolerance: int, noise: TruncatedLaplace, schedule: MirrorSchedule
    ) -> ReplacementRule:
        """With the smallest delay that leaves U alone while it has made at most so many mistakes.

        With batches of K and `mistakes` = K - 1 it is the D_1 of the arithmetic schedule, and with the
        `most_mistakes` of one rule it is the delay of the next one: D_{j+1} = D_j + m + 2 K - 1 + 2 x.
        """
        delay = check_whole("mistakes", mistakes, least=0) + tolerance + 2 * noise.bound
        return cls(delay, tolerance, noise, schedule)

    @property
    def threshold(self) -> int:
        """D - K + 1 - x: V is accepted when c + xi reaches it, c being how often it was right."""
        return self.delay - self.tolerance + 1 - self.noise.bound

    @property
    def most_mistakes(self) -> int:
        """K - 1 + D + m."""
        return self.tolerance - 1 + self.delay + self.schedule.rounds

    @property
    def quiet_mistakes(self) -> int:
        """D - K - 2 x; below 0 there is no promise."""
        return self.delay - self.tolerance - 2 * self.noise.bound

    @property
    def epsilon(self) -> Fraction:
        """That of the noise and of the schedule together; the schedule's may be the price of a whole chain."""
        return self.noise.epsilon + self.schedule.epsilon

    @property
    def delta(self) -> Fraction:
        """That of the noise and of the schedule together."""
        return self.noise.delta + self.schedule.delta


class Replacement(Generic[Label]):
    """Predicts as U, and after some delay as V, if V was right often enough where they disagreed.

    ::

        Mirror runs on the rounds with u != v, with delay D
        c = number of rounds with v = y among the first D with u != v;  draw xi
        accepted = (c + xi >= D - K + 1 - x)
        w = v  if Mirror says "now" and V is accepted,  else u

    Parameters
    ----------
    rule : ReplacementRule
    source : Source

    Notes
    -----
    **Guarantee.** Jointly (rule.epsilon, rule.delta)-DP with respect to the stream of triples (u, v, y): when the
    triple of one round is replaced, the predictions of all *other* rounds have laws this close. It holds for streams
    of triples that are fixed in advance, and in the composition of Sanyal, Lemma 12. Acceptance costs what its noise
    does, since c changes by at most 1, and Mirror the rest. Delay, tolerance and threshold are free for privacy, but
    a chain of replacements whose candidates depend on data needs the delays of `quiet_for`. Source: Sanyal,
    Definition 10; docs/proofs/prediction-mechanisms.md, section 4.

    Rounds on which u = v draw nothing and change nothing.
    """

    __slots__ = ("_accepted", "_correct", "_disagreements", "_mirror", "_pending", "_source", "rule")

    def __init__(self, rule: ReplacementRule, source: Source) -> None:
        self.rule = rule
        self._source = source
        self._mirror = Mirror(rule.schedule, rule.delay, source)
        self._disagreements = 0
        self._correct = 0
        self._accepted: bool | None = None
        self._pending: tuple[Label, Label] | None = None

    def predict(self, u: Label, v: Label) -> Label:
        """W's prediction on this round; its label must be told by `update` before the next."""
        if self._pending is not None:
            raise LearnerStateError("predict was called twice; call update with the label of the last round first.")
        now = self._mirror.respond(u != v)
        self._pending = u, v
        return v if now and self._accepted else u

    def update(self, y: Label) -> None:
        """The label of the round that was predicted last."""
        if self._pending is None:
            raise LearnerStateError("update was called before predict; predict the round first.")
        (u, v), self._pending = self._pending, None
        if u != v and self._disagreements < self.rule.delay:
            self._disagreements += 1
            self._correct += v == y
            if self._disagreements == self.rule.delay:
                self._accepted = self._correct + self.rule.noise.draw(self._source) >= self.rule.threshold
