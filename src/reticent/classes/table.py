"""What all version spaces of one finite class share, and the hypotheses that a table of labels holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from reticent.classes.base import Instance
from reticent.classes.bitsets import pack_columns
from reticent.classes.dimension import Dimensions
from reticent.errors import InputError

__all__ = ["Domain", "Labels", "Table", "TabulatedHypothesis"]

#: A boolean array of shape (hypotheses, instances).
Labels = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Domain:
    """Finitely many instances, numbered.

    Parameters
    ----------
    instances : tuple
    """

    instances: tuple[Instance, ...]

    @cached_property
    def _index(self) -> dict[Instance, int]:
        return {x: j for j, x in enumerate(self.instances)}

    @cached_property
    def _hash(self) -> int:
        return hash(self.instances)

    def __hash__(self) -> int:
        return self._hash

    def index(self, x: Instance) -> int:
        """The number of an instance.

        Raises
        ------
        InputError
            When it is none.
        """
        try:
            return self._index[x]
        except (KeyError, TypeError):
            raise InputError(
                f"instance {x!r}: it is not in the domain, which has {len(self.instances)} instances such as "
                f"{self.instances[0]!r}; give one of those."
            ) from None


@dataclass(frozen=True, repr=False)
class TabulatedHypothesis:
    """A hypothesis on a finite domain, given by its label of every instance.

    Parameters
    ----------
    domain : Domain
    bits : int
        Bit j is the label of instance j.
    """

    domain: Domain
    bits: int

    def __call__(self, x: Instance) -> bool:
        """The label of x."""
        return bool(self.bits >> self.domain.index(x) & 1)

    def __str__(self) -> str:
        return "".join(str(self.bits >> j & 1) for j in range(len(self.domain.instances)))

    def __repr__(self) -> str:
        return f"TabulatedHypothesis({self})"


class Table:
    """A matrix of labels, in the forms that are needed: by row, by column, and with the dimensions found so far.

    Parameters
    ----------
    labels : bool array of shape (hypotheses, instances)
        Of rows that are the same the first is kept.
    instances : sequence
        All different.
    """

    def __init__(self, labels: Labels, instances: Sequence[Instance]) -> None:
        self.domain = Domain(tuple(instances))
        packed = np.packbits(labels, axis=1)
        first = np.unique(packed, axis=0, return_index=True)[1]
        self.labels: Labels = labels[np.sort(first)]
        self.labels.flags.writeable = False
        self.columns = pack_columns(self.labels)
        self.dimensions = Dimensions(len(self.labels), self.columns)

    def side(self, space: int, column: int, label: bool) -> int:
        """Those rows of the set that give the instance with this number the label."""
        return space & self.columns[column] if label else space & ~self.columns[column]

    @cached_property
    def rows(self) -> list[TabulatedHypothesis]:
        """The hypothesis in each row."""
        return [TabulatedHypothesis(self.domain, bits) for bits in pack_columns(self.labels.T)]
