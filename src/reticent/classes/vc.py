"""The Vapnik-Chervonenkis dimension, exactly."""

from __future__ import annotations

from reticent.classes.base import Instance
from reticent.classes.finite import FiniteClass
from reticent.classes.projection import as_table
from reticent.classes.work import Work, limited

__all__ = ["shattered_set", "vc_dimension"]


def vc_dimension(cls: FiniteClass) -> int:
    """The size of the largest set on which the class realises all labellings; -1 for the empty class.

    Parameters
    ----------
    cls : FiniteClass

    Returns
    -------
    int

    Raises
    ------
    WorkLimitError
        When that takes more than `cls.work_limit` steps.

    Examples
    --------
    >>> vc_dimension(FiniteClass([[0, 0, 0], [1, 0, 0], [1, 1, 0], [1, 1, 1]]))
    1
    """
    return len(shattered_set(cls)) if len(as_table(cls)) else -1


def shattered_set(cls: FiniteClass) -> tuple[Instance, ...]:
    """A largest set of instances on which the class realises all labellings; parameters and errors as above."""
    search = _Search(as_table(cls))
    with limited(cls.work_limit, "the VC dimension", lambda: (len(search.best), search.upper)) as work:
        search.extend((), [cls.space], list(range(len(cls.instances))), work)
    return tuple(cls.instances[j] for j in search.best)


class _Search:
    """Shattered sets in the order of their instances, each grown from the one without its last instance."""

    def __init__(self, cls: FiniteClass) -> None:
        self._columns = cls.table.columns
        self._steps = 1 + len(cls.table.labels) // 1000
        self.best: tuple[int, ...] = ()
        self.upper = len(cls).bit_length() - 1

    def extend(self, shattered: tuple[int, ...], cells: list[int], candidates: list[int], work: Work) -> None:
        """Look at all shattered sets that add some of the candidates; `cells` are the rows with each labelling."""
        if len(shattered) > len(self.best):
            self.best = shattered
        # Each cell must still hold all labellings of what is added.
        room = min(map(int.bit_count, cells)).bit_length() - 1
        if len(shattered) + min(room, len(candidates)) <= len(self.best):
            return
        work.spend(len(candidates) * len(cells) * self._steps)
        # What does not shatter with this set does not with a larger one.
        useful = [j for j in candidates if all(0 != cell & self._columns[j] != cell for cell in cells)]
        for place, j in enumerate(useful):
            if len(shattered) + min(room, len(useful) - place) <= len(self.best):
                return
            column = self._columns[j]
            halves = [half for cell in cells for half in (cell & column, cell & ~column)]
            self.extend((*shattered, j), halves, useful[place + 1 :], work)
