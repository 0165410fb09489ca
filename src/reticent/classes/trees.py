"""Shattered trees: why a Littlestone dimension is at least what it is, and how an adversary uses it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from reticent.classes.arguments import as_depth
from reticent.classes.base import Hypothesis, HypothesisClass, Instance
from reticent.errors import ParameterError

__all__ = ["ShatteredTree", "shattered_tree"]

#: The characters of an instance or a hypothesis in a drawing.
_WIDEST = 32


def shattered_tree(cls: HypothesisClass, depth: int | None = None) -> ShatteredTree:
    """A tree that the class shatters: each path from the root to a leaf is realised by some hypothesis.

    Parameters
    ----------
    cls : HypothesisClass
        Not empty.
    depth : int, optional
        The Littlestone dimension unless given.

    Returns
    -------
    ShatteredTree
        It grows where it is looked at: the root costs little, the whole tree has 2^depth leaves.

    Raises
    ------
    ParameterError
        When the class shatters no tree of this depth.
    WorkLimitError
        From classes with a work limit.

    Examples
    --------
    >>> from reticent.classes import FiniteClass
    >>> print(shattered_tree(FiniteClass([[0, 0, 0], [1, 0, 0], [1, 1, 0], [1, 1, 1]])))
               ┌─0─ 000
       ┌─0─ 0 ─┤
       │       └─1─ 100
    1 ─┤
       │       ┌─0─ 110
       └─1─ 2 ─┤
               └─1─ 111
    """
    depth = cls.littlestone_dimension() if depth is None else as_depth(depth)
    if depth < 0 or not cls.at_least(depth):
        raise ParameterError(f"depth is {depth}; give one from 0 to the class's Littlestone dimension.")
    return ShatteredTree(cls, depth)


class ShatteredTree:
    """A complete binary tree of instances that a class shatters; made by `shattered_tree`.

    Attributes
    ----------
    version_space : HypothesisClass
        The hypotheses that agree with the path to this node; it shatters the tree below.
    depth : int
        The number of instances on every path to a leaf; 0 at a leaf.
    """

    def __init__(self, version_space: HypothesisClass, depth: int) -> None:
        self.version_space = version_space
        self.depth = depth

    @cached_property
    def instance(self) -> Instance:
        """The instance at the root.

        Raises
        ------
        ParameterError
            At a leaf.
        """
        if self.depth == 0:
            raise ParameterError("this node is a leaf and has no instance; look at its depth first.")
        return self.version_space.root(self.depth)

    @cached_property
    def zero(self) -> ShatteredTree:
        """The tree below label 0."""
        return ShatteredTree(self.version_space.restrict(self.instance, False), self.depth - 1)

    @cached_property
    def one(self) -> ShatteredTree:
        """The tree below label 1."""
        return ShatteredTree(self.version_space.restrict(self.instance, True), self.depth - 1)

    def child(self, label: bool) -> ShatteredTree:
        """The tree below a label of the root."""
        return self.one if label else self.zero

    @property
    def hypothesis(self) -> Hypothesis:
        """One that realises the path to this node."""
        return next(self.version_space.members())

    def leaves(self) -> Iterator[ShatteredTree]:
        """The leaves, label 0 before label 1."""
        stack = [self]  # a tree may be deeper than calls may be
        while stack:
            node = stack.pop()
            if node.depth == 0:
                yield node
            else:
                stack += [node.one, node.zero]

    def __repr__(self) -> str:
        return f"ShatteredTree of depth {self.depth}"

    def __str__(self) -> str:
        """A drawing: the root on the left, label 0 above label 1, and at each leaf a hypothesis that gets there."""
        return "\n".join(self._drawing()[0])

    def _drawing(self) -> tuple[list[str], int]:
        """The lines of the drawing, and which of them is the root's."""
        if self.depth == 0:
            return [_printable(self.hypothesis)], 0
        stem = f"{_printable(self.instance)} ─"
        indent = " " * len(stem)
        above, root_above = self.zero._drawing()
        below, root_below = self.one._drawing()
        lines = [f"{indent}{_joint('     ', '┌─0─ ', '│    ', k, root_above)}{line}" for k, line in enumerate(above)]
        lines.append(f"{stem}┤")
        lines += [f"{indent}{_joint('│    ', '└─1─ ', '     ', k, root_below)}{line}" for k, line in enumerate(below)]
        return lines, len(above)


def _joint(before: str, at: str, after: str, line: int, root: int) -> str:
    return before if line < root else at if line == root else after


def _printable(value: object) -> str:
    """As a terminal can show it: instances may be called by the header of a file, hypotheses may be long."""
    text = "".join(c if c.isprintable() else "?" for c in str(value))
    return text if len(text) <= _WIDEST else f"{text[: _WIDEST - 1]}…"
