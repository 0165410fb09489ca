"""Play an experts algorithm against an adversary that adapts, and a fresh one on the streams that come of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reticent.adversaries import AdaptiveAdversary
from reticent.adversaries.playing import draw_seed
from reticent.errors import ParameterError
from reticent.experts import ExpertsAlgorithm
from reticent.games.estimate import Estimate
from reticent.randomness import SeededSource, Source, secure_unless_given

__all__ = ["AdaptiveGame", "play_adaptively"]


@dataclass(frozen=True, eq=False, repr=False)
class AdaptiveGame:
    """How an experts algorithm fared against an adaptive adversary: simulations on synthetic streams, no release.

    Parameters
    ----------
    algorithm : ExpertsAlgorithm
    adversary : AdaptiveAdversary
    rounds : int
    regret : Estimate
        The loss minus the best expert's, in each run.
    replayed : Estimate
        The same of a second learner with coins of its own, on the streams of these runs: for it they are as good as
        fixed in advance.
    best_loss : float
        The largest loss of a best expert in any of the runs.
    noise : str
        Where the coins of the adversary and the seeds of the runs came from.
    """

    algorithm: ExpertsAlgorithm
    adversary: AdaptiveAdversary
    rounds: int
    regret: Estimate
    replayed: Estimate
    best_loss: float
    noise: str

    @property
    def runs(self) -> int:
        """How many runs there were."""
        return len(self.regret.values)

    def __repr__(self) -> str:
        return (
            f"<{self.algorithm.name} against {self.adversary.name}, {self.rounds:,} rounds, simulated: regret "
            f"{self.regret}, replayed {self.replayed.mean:,.2f}>"
        )


def play_adaptively(
    algorithm: ExpertsAlgorithm,
    adversary: AdaptiveAdversary,
    rounds: int,
    *,
    runs: int = 10,
    source: Source | None = None,
) -> AdaptiveGame:
    """Play an experts algorithm against an adaptive adversary, round by round.

    Parameters
    ----------
    algorithm : ExpertsAlgorithm
        Of as many experts as the adversary has; private or not.
    adversary : AdaptiveAdversary
    rounds : int
        T >= 1.
    runs : int
        At least 2.
    source : Source, optional
        The adversary's coins, and seeds for the algorithm's; a `SecureSource` unless given.

    Returns
    -------
    AdaptiveGame

    Raises
    ------
    ParameterError
        When a parameter is not what it should be.

    Examples
    --------
    >>> from reticent.adversaries import SignGuessing
    >>> from reticent.experts import auto
    >>> adversary = SignGuessing(columns=50)
    >>> game = play_adaptively(auto(100, 1.0), adversary, 2000, runs=5, source=SeededSource(1))
    >>> game.best_loss, game.regret.at_least(0.95) > 1900, game.replayed.mean < 100
    (0.0, True, True)
    """
    if not isinstance(algorithm, ExpertsAlgorithm):
        raise ParameterError(f"{algorithm!r} is no experts algorithm; give one, such as experts.auto(8, 1.0).")
    if not isinstance(adversary, AdaptiveAdversary):
        raise ParameterError(
            f"{adversary!r} is no adaptive adversary; give one, such as adversaries.SignGuessing(3)."
        )
    if algorithm.n_experts != adversary.n_experts:
        raise ParameterError(
            f"the adversary has {adversary.n_experts} experts and the algorithm {algorithm.n_experts}; make the "
            "algorithm with adversary.n_experts."
        )
    for name, value, least in (("rounds", rounds, 1), ("runs", runs, 2)):
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise ParameterError(f"{name} is {value!r}; give a whole number from {least} on.")
    source = secure_unless_given(source)
    played = [_play(algorithm, adversary, rounds, source) for _ in range(runs)]
    return AdaptiveGame(
        algorithm,
        adversary,
        rounds,
        regret=Estimate(tuple(loss - best for loss, _, best in played)),
        replayed=Estimate(tuple(loss - best for _, loss, best in played)),
        best_loss=max(best for *_, best in played),
        noise=source.description,
    )


def _play(
    algorithm: ExpertsAlgorithm, adversary: AdaptiveAdversary, rounds: int, source: Source
) -> tuple[float, float, float]:
    """The loss of the learner that the adversary watches, of the one that it does not know of, and of the best."""
    stream = adversary.start(source)
    watched, unknown = (algorithm.start(SeededSource(draw_seed(source))) for _ in range(2))
    loss = unknown_loss = 0
    totals = np.zeros(adversary.n_experts, dtype=np.int64)
    for _ in range(rounds):
        losses, choice = stream.losses, watched.choice
        loss += int(losses[choice])
        unknown_loss += int(losses[unknown.choice])
        totals += losses
        watched.update(losses)
        unknown.update(losses)
        stream.observe(choice)
    return float(loss), float(unknown_loss), float(totals.min())
