"""The attacks by the names that the command line uses: an adversary, and whom it is against."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType

from reticent import experts
from reticent.adversaries import Adversary, BlockAdversary, PointAdversary, SignGuessing, TreeAdversary
from reticent.adversaries.points import THREE_POINTS
from reticent.classes import HypothesisClass, named
from reticent.errors import ParameterError
from reticent.experts import registry as experts_registry
from reticent.games.adaptive import play_adaptively
from reticent.games.estimate import Estimate
from reticent.games.oblivious_bounds import oblivious_bound
from reticent.games.playing import Game, play
from reticent.learning import HypothesisExperts, OnlineLearningAlgorithm
from reticent.learning import registry as learning_registry
from reticent.privacy import PrivacyStatement
from reticent.randomness import Source

__all__ = [
    "Attack",
    "LearnerAttack",
    "Outcome",
    "Setting",
    "SignAttack",
    "attack",
    "attack_names",
    "learner_names",
    "make_learner",
]

#: Columns of `SignGuessing`: more than a private algorithm plays, and few enough for thousands of rounds a second.
_COLUMNS = 256

#: What `tree` is about unless a class is named.
_TREE_CLASS = "thresholds:15"


@dataclass(frozen=True)
class Setting:
    """What an attack is played with.

    Parameters
    ----------
    rounds : int
        T.
    epsilon, delta : float
        Of the opponents.
    runs : int
        At least 2.
    class_name : str, optional
        The class that is learned, for attacks that have a choice; see `reticent.classes.named`.
    """

    rounds: int
    epsilon: float
    delta: float = 0.0
    runs: int = 100
    class_name: str | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.delta < 1:
            raise ParameterError(f"delta is {self.delta!r}; give a number in [0, 1).")


@dataclass(frozen=True)
class Outcome:
    """A row of an attack's table.

    Parameters
    ----------
    opponent : str
        Its name.
    privacy : PrivacyStatement
    suffered : Estimate
        What the theorem bounds.
    in_all : Estimate
        The mistakes, or the regret, of all rounds.
    forced : float, optional
        What the theorem forces on this opponent.
    """

    opponent: str
    privacy: PrivacyStatement
    suffered: Estimate
    in_all: Estimate
    forced: float | None


class Attack(ABC):
    """A named adversary, and all whom it can be played against.

    Attributes
    ----------
    title : str
        The adversary, and the theorem behind it.
    opponent : str
        What its opponents are called, such as ``"learner"``.
    suffered : str
        What `Outcome.suffered` counts.
    columns : tuple of two str
        What `Outcome.forced` and `Outcome.in_all` are called.
    legend : str
        What they are.
    """

    title: str
    opponent: str
    suffered: str
    columns: tuple[str, str]
    legend: str

    def heading(self, setting: Setting) -> str:
        """The title, with what the setting chooses."""
        return self.title

    @abstractmethod
    def opponents(self) -> Sequence[str]:
        """The names of all whom it can be played against."""

    @abstractmethod
    def prepare(self, opponent: str, setting: Setting) -> Callable[[Source], Outcome]:
        """The game against one of them, ready to be played.

        Raises
        ------
        ParameterError
            When there is no such opponent, or it or the adversary cannot be built from the setting.
        """


class LearnerAttack(Attack):
    """An adversary against learners.

    Parameters
    ----------
    title : str
    make : callable (Setting, HypothesisClass) -> Adversary
    hypotheses : callable (Setting) -> HypothesisClass
        What is learned.
    """

    opponent = "learner"
    suffered = "mistakes on informative examples"
    columns = ("forced", "in all")
    legend = (
        "forced: what the theorem forces on average, with the constants of its proof; in all: the mean over all "
        "rounds"
    )

    def __init__(
        self,
        title: str,
        make: Callable[[Setting, HypothesisClass], Adversary],
        hypotheses: Callable[[Setting], HypothesisClass],
    ) -> None:
        self.title = title
        self._make = make
        self._hypotheses = hypotheses

    def opponents(self) -> Sequence[str]:
        """See `Attack`."""
        return learner_names()

    def prepare(self, opponent: str, setting: Setting) -> Callable[[Source], Outcome]:
        """See `Attack`."""
        hypotheses = self._hypotheses(setting)
        adversary = self._make(setting, hypotheses)
        learner = make_learner(opponent, hypotheses, setting)

        def game(source: Source) -> Outcome:
            return _outcome(opponent, play(learner, adversary, runs=setting.runs, source=source))

        return game


class SignAttack(Attack):
    """`SignGuessing` against experts algorithms."""

    opponent = "algorithm"
    title = f"SignGuessing with {2 * _COLUMNS} experts, one of which never loses (Li and Ye, section 4)"
    suffered = "regret"
    columns = ("allowed", "replayed")
    legend = (
        "allowed: what bounds the regret on streams that are fixed in advance, where that is proved, and what the "
        "bound takes for granted aside (games.oblivious_bound); replayed: the mean regret of the same algorithm when "
        "these very streams come fixed in advance"
    )

    def opponents(self) -> Sequence[str]:
        """See `Attack`."""
        return [name for name in experts_registry.algorithm_names() if name != "auto"]

    def prepare(self, opponent: str, setting: Setting) -> Callable[[Source], Outcome]:
        """See `Attack`."""
        if setting.class_name is not None:
            raise ParameterError("this adversary is against experts and learns no class; leave the class out.")
        adversary = SignGuessing(_COLUMNS)
        algorithm = experts_registry.make(
            opponent, adversary.n_experts, setting.epsilon, setting.delta, horizon=setting.rounds
        )
        bound = oblivious_bound(algorithm, setting.rounds)

        def game(source: Source) -> Outcome:
            played = play_adaptively(algorithm, adversary, setting.rounds, runs=setting.runs, source=source)
            allowed = None if bound is None else bound.value
            return Outcome(opponent, algorithm.privacy, played.regret, played.replayed, allowed)

        return game


def learner_names() -> tuple[str, ...]:
    """The learners, and then the experts algorithms, for the hypotheses as experts.

    Examples
    --------
    >>> learner_names()[:5]
    ('points', 'name-and-shame', 'soa', 'guarded-epochs', 'dartboard')
    """
    of_their_own = [name for name in learning_registry.learner_names() if name not in ("auto", "hypothesis-experts")]
    return (*of_their_own, *(name for name in experts_registry.algorithm_names() if name != "auto"))


def make_learner(name: str, hypotheses: HypothesisClass, setting: Setting) -> OnlineLearningAlgorithm:
    """The learner of this name.

    Parameters
    ----------
    name : str
        One of `learner_names`, or "auto".
    hypotheses : HypothesisClass
    setting : Setting

    Raises
    ------
    ParameterError
        When there is none, or it cannot be built from these parameters.

    Examples
    --------
    >>> make_learner("private-hedge", THREE_POINTS, Setting(81, 0.01)).experts.name
    'PrivateHedge'
    """
    if name in learning_registry.learner_names():
        return learning_registry.make(name, hypotheses, setting.epsilon, setting.delta, horizon=setting.rounds)
    if name not in learner_names():
        raise ParameterError(f"there is no learner {name!r}; give one of {', '.join(learner_names())}.")
    algorithm: Callable[..., experts.ExpertsAlgorithm] = partial(experts_registry.make, name)
    return HypothesisExperts(hypotheses, setting.epsilon, setting.delta, horizon=setting.rounds, algorithm=algorithm)


def _outcome(name: str, game: Game) -> Outcome:
    return Outcome(name, game.opponent.privacy, game.informative_mistakes, game.mistakes, game.forced)


def _three_points(setting: Setting) -> HypothesisClass:
    if setting.class_name is not None:
        raise ParameterError("this adversary learns three points; leave the class out, or take the adversary 'tree'.")
    return THREE_POINTS


def _tree_class(setting: Setting) -> HypothesisClass:
    return named(setting.class_name or _TREE_CLASS)


class TreeAttack(LearnerAttack):
    """An adversary against learners of a class that has a name."""

    def heading(self, setting: Setting) -> str:
        """See `Attack`."""
        return f"{self.title} on {setting.class_name or _TREE_CLASS}"


def _tree(setting: Setting, hypotheses: HypothesisClass) -> Adversary:
    return TreeAdversary(setting.rounds, setting.epsilon, setting.delta, hypothesis_class=hypotheses)


#: A new adversary gets one entry here, and nothing else in the command line.
_ATTACKS: MappingProxyType[str, Attack] = MappingProxyType(
    {
        "point": LearnerAttack(
            "PointAdversary with p = 1 on three points (Theorem 1)",
            lambda setting, hypotheses: PointAdversary(setting.rounds),
            _three_points,
        ),
        "block": LearnerAttack(
            "BlockAdversary on three points (Lemma 5)",
            lambda setting, hypotheses: BlockAdversary(setting.rounds, setting.epsilon, setting.delta),
            _three_points,
        ),
        "tree": TreeAttack("TreeAdversary (Theorem 2)", _tree, _tree_class),
        "sign": SignAttack(),
    }
)


def attack_names() -> tuple[str, ...]:
    """All names.

    Examples
    --------
    >>> attack_names()
    ('point', 'block', 'tree', 'sign')
    """
    return tuple(_ATTACKS)


def attack(name: str) -> Attack:
    """The attack of this name.

    Raises
    ------
    ParameterError
        When there is none.
    """
    if name not in _ATTACKS:
        raise ParameterError(f"there is no adversary {name!r}; give one of {', '.join(_ATTACKS)}.")
    return _ATTACKS[name]
