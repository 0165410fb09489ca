"""What every hypothesis class offers: restrict, the Littlestone dimension, and the standard optimal algorithm."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator, Sequence
from typing import Protocol

from reticent.classes.arguments import as_depth

__all__ = ["Hypothesis", "HypothesisClass", "Instance"]

#: A point of the domain: a whole number, or a tuple of them.
Instance = Hashable


class Hypothesis(Protocol):
    """A function from instances to labels; hashable, and equal to those that are the same by construction."""

    def __call__(self, x: Instance) -> bool:
        """The label of x."""


class HypothesisClass(ABC):
    """A class of hypotheses on a domain; after `restrict` the version space of those that agree with what was seen.

    Objects are immutable and hashable: `restrict` returns another one, and work that they share is remembered.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def instances(self) -> Sequence[Instance]:
        """The domain; a `range` or another lazy sequence where it is large."""

    @abstractmethod
    def restrict(self, x: Instance, y: bool) -> HypothesisClass:
        """The hypotheses that give x the label y; perhaps none.

        Raises
        ------
        InputError
            When x lies outside the domain.
        """

    @abstractmethod
    def littlestone_dimension(self) -> int:
        """The depth of the deepest tree that the class shatters; -1 for the empty class."""

    def at_least(self, depth: int) -> bool:
        """Whether the Littlestone dimension is at least `depth`; often cheaper than the dimension."""
        return self.littlestone_dimension() >= as_depth(depth)

    def is_empty(self) -> bool:
        """Whether no hypothesis agrees with all that was seen."""
        return not self.at_least(0)

    def soa(self, x: Instance) -> bool:
        """The standard optimal algorithm's label: 0 iff the hypotheses that say 0 keep the dimension.

        This is the paper's rule (Sanyal, Section 7.1): it says 1 when both labels lose dimension. Whoever predicts
        it, and restricts the class after each mistake, makes at most `littlestone_dimension` mistakes. It is 0
        everywhere for the empty class.
        """
        return not self.restrict(x, False).at_least(self.littlestone_dimension())

    def root(self, depth: int) -> Instance | None:
        """The root of a shattered tree: an instance both of whose labels leave a dimension of at least depth - 1.

        Parameters
        ----------
        depth : int
            Of the tree, at least 1.

        Returns
        -------
        Instance or None
            None where the class shatters no such tree.
        """
        depth = as_depth(depth)
        for x in self.instances:
            if all(self.restrict(x, y).at_least(depth - 1) for y in (False, True)):
                return x
        return None

    @abstractmethod
    def members(self) -> Iterator[Hypothesis]:
        """Every hypothesis of a finite class, each function once."""

    def size(self) -> int:
        """How many hypotheses a finite class has; classes that know it do not list them."""
        return sum(1 for _ in self.members())
