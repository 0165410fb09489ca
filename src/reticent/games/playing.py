"""Play an opponent against an adversary, many times over."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from reticent.adversaries import Adversary
from reticent.adversaries.playing import check_opponent, draw_seed, mistakes_of, simulated
from reticent.adversaries.realisable import Opponent
from reticent.errors import ParameterError
from reticent.games.estimate import Estimate
from reticent.learning import OnlineLearningAlgorithm
from reticent.randomness import Source, secure_unless_given

__all__ = ["Game", "play"]


@dataclass(frozen=True, eq=False, repr=False)
class Game:
    """How an opponent fared against an adversary: simulations on synthetic streams, and no release.

    Mistakes are counted with the examples at hand. On real records such figures are for the curator only.

    Parameters
    ----------
    opponent : OnlineLearningAlgorithm or OnlinePredictionAlgorithm
    adversary : Adversary
    mistakes : Estimate
        In all rounds.
    informative_mistakes : Estimate
        In rounds with an informative example, which the theorems bound.
    informative : Estimate
        How many rounds had one.
    noise : str
        Where the coins of the adversary and the seeds of the runs came from.
    """

    opponent: Opponent
    adversary: Adversary
    mistakes: Estimate
    informative_mistakes: Estimate
    informative: Estimate
    noise: str

    @property
    def runs(self) -> int:
        """How many runs there were."""
        return len(self.mistakes.values)

    @property
    def forced(self) -> float | None:
        """How many informative mistakes the adversary's theorem forces on a learner with this promise, on average.

        None for predictors, for learners that promise nothing, and where the theorem forces nothing.
        """
        if not isinstance(self.opponent, OnlineLearningAlgorithm):
            return None
        promise = self.opponent.privacy
        return self.adversary.forced_mistakes(promise.epsilon, promise.delta)

    def to_dict(self) -> dict[str, Any]:
        """The game as one JSON object."""
        promise = self.opponent.privacy.to_dict()
        return {
            "opponent": self.opponent.name,
            "parameters": {**self.opponent.public_parameters, **self.opponent.settings},
            "epsilon": promise["epsilon"],
            "delta": promise["delta"],
            "adversary": self.adversary.name,
            "rounds": self.adversary.rounds,
            "runs": self.runs,
            "mistakes": _as_dict(self.mistakes),
            "informative_mistakes": _as_dict(self.informative_mistakes),
            "informative": _as_dict(self.informative),
            "forced": self.forced,
        }

    def __repr__(self) -> str:
        return (
            f"<{self.opponent.name} against {self.adversary.name}, {self.adversary.rounds:,} rounds, simulated: "
            f"{self.informative_mistakes} mistakes on {self.informative.mean:,.2f} informative examples>"
        )


def play(opponent: Opponent, adversary: Adversary, *, runs: int = 100, source: Source | None = None) -> Game:
    """Play a learner or a predictor against an adversary.

    The adversary fixes its law, looking at the opponent's law where it needs to; then each run draws a stream from
    it, and the opponent plays it with coins of its own. Runs are simulated as fast as the opponent's law allows.

    Parameters
    ----------
    opponent : OnlineLearningAlgorithm or OnlinePredictionAlgorithm
        Private or not.
    adversary : Adversary
    runs : int
        At least 2.
    source : Source, optional
        The adversary's coins, and seeds for the opponent's; a `SecureSource` unless given.

    Returns
    -------
    Game

    Raises
    ------
    ParameterError
        When a parameter is not what it should be.
    InputError
        When the adversary's instances are none of the opponent's.

    Examples
    --------
    >>> from reticent.adversaries import PointAdversary
    >>> from reticent.classes import Points
    >>> from reticent.learning import SOALearner
    >>> from reticent.randomness import SeededSource
    >>> game = play(SOALearner(Points(3)), PointAdversary(3**12), runs=50, source=SeededSource(1))
    >>> max(game.mistakes.values)
    1
    """
    check_opponent(opponent)
    if not isinstance(adversary, Adversary):
        raise ParameterError(f"{adversary!r} is no adversary; give one, such as adversaries.PointAdversary(3**9).")
    if isinstance(runs, bool) or not isinstance(runs, int) or runs < 2:
        raise ParameterError(f"runs is {runs!r}; give a whole number from 2 on.")
    source = secure_unless_given(source)
    law = adversary.against(opponent, source)
    made, informative = [], []
    for _ in range(runs):
        stream = law.stream(source)
        made.append(mistakes_of(simulated(opponent, draw_seed(source)), stream.parts, stream.dummy))
        informative.append(stream.informative)
    return Game(
        opponent,
        adversary,
        mistakes=Estimate(tuple(one.everywhere for one in made)),
        informative_mistakes=Estimate(tuple(one.informative for one in made)),
        informative=Estimate(tuple(informative)),
        noise=source.description,
    )


def _as_dict(estimate: Estimate) -> dict[str, Any]:
    low, high = estimate.interval()
    return {"mean": estimate.mean, "low": low, "high": high, "confidence": 0.95, "runs": list(estimate.values)}
