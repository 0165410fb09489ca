"""The lower bound for every Littlestone class: a hard phase at each node of a path down a shattered tree."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, field
from functools import cached_property
from typing import ClassVar

from reticent.adversaries.blocks import BlockAdversary
from reticent.adversaries.hardest import Choice, SimulatedChoice
from reticent.adversaries.playing import check_opponent
from reticent.adversaries.realisable import Adversary, FixedStream, Opponent, RealisableStream, Repeated
from reticent.classes import Instance
from reticent.classes.trees import ShatteredTree, shattered_tree
from reticent.errors import ParameterError
from reticent.randomness import Source, secure_unless_given

__all__ = ["TreeAdversary"]


@dataclass(frozen=True)
class TreeAdversary(Adversary):
    """Walk down a shattered tree, and at each node play the phase that is hardest for this very opponent.

    ::

        x0 = the root of a shattered tree of depth d; go down its edge 0, so that (x0, 0) is the dummy from now on
        in each of k = min(d - 1, T) phases of floor(T / k) rounds:
            x = the instance of the node
            among the streams of BlockAdversary with the dummy (x0, 0) and the informative instance x, choose the one
                with the most expected mistakes, given the phases before; b is its label
            go down the edge b
        the remaining rounds hold the dummy

    Parameters
    ----------
    rounds : int
        T, of any size.
    epsilon, delta : float
        See `BlockAdversary`: the privacy of the learners that it is made against.
    hypothesis_class : HypothesisClass
        Of Littlestone dimension at least 2.
    depth : int, optional
        d, from 2 to the class's Littlestone dimension, which it is unless given.
    choice : Choice
        How the expected mistakes are found: `SimulatedChoice` unless given, or `EnumeratedChoice`.

    Notes
    -----
    **Guarantee.** The stream is fixed before the learner runs: it depends on the learner's law and on the adversary's
    own coins. It is realisable. With phases that are chosen exactly, every (epsilon, delta)-private learner makes at
    least `forced_mistakes` mistakes on the informative examples on average (Sanyal 2026, Theorem 2: its phases add
    up, and a phase is at least as hard as the average one of Lemma 5). A choice by simulation is nearly as good.

    Examples
    --------
    >>> from reticent.classes import Thresholds
    >>> from reticent.learning import SOALearner
    >>> from reticent.randomness import SeededSource
    >>> adversary = TreeAdversary(300, epsilon=0.01, hypothesis_class=Thresholds(7))
    >>> adversary.phases, adversary.phase_rounds
    (2, 150)
    >>> stream = adversary.against(SOALearner(Thresholds(7)), SeededSource(1)).stream()
    >>> all(stream.concept(x) == y for x, y in stream)
    True
    """

    name: ClassVar[str] = "TreeAdversary"

    epsilon: float
    delta: float = 0.0
    _: KW_ONLY
    depth: int | None = None
    choice: Choice = field(default_factory=SimulatedChoice)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.tree.depth < 2:
            raise ParameterError(
                f"the tree has depth {self.tree.depth}; give a class of Littlestone dimension at least 2, and "
                "a depth from 2 on."
            )
        self._phase(self.tree.zero)  # so that bad parameters are found now

    @cached_property
    def tree(self) -> ShatteredTree:
        """The shattered tree; its root is the dummy's instance."""
        return shattered_tree(self.hypothesis_class, self.depth)

    @property
    def phases(self) -> int:
        """k, one less than the depth unless there are fewer rounds."""
        return min(self.tree.depth - 1, self.rounds)

    @property
    def phase_rounds(self) -> int:
        """How many rounds a phase has."""
        return self.rounds // self.phases

    def against(self, opponent: Opponent, source: Source | None = None) -> FixedStream:
        """See `Adversary`: always the same stream, chosen for this opponent."""
        check_opponent(opponent)
        source = secure_unless_given(source)
        node, parts = self.tree.zero, tuple[Repeated, ...]()
        for _ in range(self.phases):
            chosen = self.choice(opponent, parts, self._phase(node), source)
            parts += chosen.parts
            node = node.child(chosen.concept(node.instance))
        rest = self.rounds - self.phases * self.phase_rounds
        parts += ((self.dummy, False, rest),) if rest else ()
        stream = RealisableStream((self.dummy, False), parts, node.hypothesis)
        return FixedStream(self.rounds, hypothesis_class=self.hypothesis_class, fixed=stream)

    @property
    def dummy(self) -> Instance:
        """x0."""
        return self.tree.instance

    def _phase(self, node: ShatteredTree) -> BlockAdversary:
        return BlockAdversary(
            self.phase_rounds,
            self.epsilon,
            self.delta,
            hypothesis_class=node.version_space,
            dummy=self.dummy,
            x=node.instance,
        )

    def forced_mistakes(self, epsilon: float, delta: float = 0.0) -> float | None:
        """See `Adversary`: those of a phase, times the number of phases."""
        of_a_phase = self._phase(self.tree.zero).forced_mistakes(epsilon, delta)
        return None if of_a_phase is None else self.phases * of_a_phase
