"""Essential hypotheses: what no optimal decomposition tree can do without (Definition 9), exactly."""

from __future__ import annotations

from reticent.classes.decomposition import DecompositionTrees, optimal_trees
from reticent.classes.finite import FiniteClass
from reticent.classes.projection import as_table
from reticent.classes.table import TabulatedHypothesis
from reticent.classes.work import limited

__all__ = ["essential_hypotheses"]


def essential_hypotheses(cls: FiniteClass, p: int, ambient: int | None = None) -> frozenset[TabulatedHypothesis]:
    """C_p: the SOAs that every optimal decomposition tree has at a leaf of dimension rho_p.

    One optimal tree gives the candidates. A candidate is essential iff no valid tree of the same rho_p avoids it;
    one that does takes all candidates with it that it avoids too.

    Parameters
    ----------
    cls : FiniteClass
    p : int
        At least 1, of any size.
    ambient : int, optional
        The paper's d: the dimension of the class that `cls` was restricted from; its own unless given.

    Returns
    -------
    frozenset of TabulatedHypothesis
        They need not belong to the class. There may be none; there is none for the empty class.

    Raises
    ------
    WorkLimitError
        When the decomposition dimension takes more than `cls.work_limit` steps, or after it the candidates do.

    Notes
    -----
    Source: Sanyal, Definition 9 and Fact 2: with rho_p = 0 all members are essential, and no others.

    Examples
    --------
    >>> points = FiniteClass([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])
    >>> [sorted(map(str, essential_hypotheses(points, p))) for p in (1, 2, 3)]
    [['0000'], ['0000'], ['0001', '0010', '0100', '1000']]
    """
    if as_table(cls).is_empty():
        return frozenset()
    trees = optimal_trees(cls, p, ambient)
    if trees.most == 0:
        return frozenset(cls.members())
    essential: set[int] = set()
    candidates: set[int] = set()
    with limited(
        cls.work_limit,
        "the number of essential hypotheses",
        lambda: (len(essential), len(essential) + len(candidates)),
    ) as work:
        candidates |= trees.worst_leaves(cls.space, work)
        while candidates:
            candidate = min(candidates)
            others = DecompositionTrees(trees.irreducibility, p, trees.d, trees.most, forbidden=candidate)
            if others.may_sit(cls.space, 0, work):
                candidates &= others.worst_leaves(cls.space, work)
            else:
                candidates.remove(candidate)
                essential.add(candidate)
    return frozenset(TabulatedHypothesis(cls.table.domain, bits) for bits in essential)
