"""Classes given by a table of labels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from functools import cached_property, partial
from os import PathLike
from typing import Any

import numpy as np

from reticent.classes.arguments import as_depth, as_label, as_points
from reticent.classes.base import HypothesisClass, Instance
from reticent.classes.bitsets import pack_columns, unpack
from reticent.classes.reading import read_array, read_csv, read_frame
from reticent.classes.table import Labels, Table, TabulatedHypothesis
from reticent.classes.work import DEFAULT_WORK_LIMIT, Work, limited
from reticent.errors import InputError, ParameterError

__all__ = ["FiniteClass"]


class FiniteClass(HypothesisClass):
    """Finitely many hypotheses on finitely many instances; everything about it is computed exactly.

    Version spaces of one class share what is found about any of them.

    Parameters
    ----------
    labels : array of shape (hypotheses, instances)
        Booleans, or numbers 0 and 1. A class is a set: of rows that are the same one is kept.
    instances : sequence, optional
        What the columns are called, all different; 0, 1, .. unless given.
    work_limit : int, optional
        How many steps one call may take, some minutes by default; a step looks at one instance in one version space
        (of a table of 1,000 rows; longer ones count by their length). A call that needs more raises
        `WorkLimitError` with what it knows. Dimensions that were found until then are kept for the next call.

    Raises
    ------
    InputError
        For anything but a table of labels.

    Examples
    --------
    >>> points = FiniteClass([[1, 0, 0], [0, 1, 0], [0, 0, 1]])
    >>> points.littlestone_dimension(), points.soa(2)
    (1, False)
    >>> [str(h) for h in points.restrict(2, False).members()]
    ['100', '010']
    """

    def __init__(
        self, labels: Any, instances: Sequence[Instance] | None = None, *, work_limit: int = DEFAULT_WORK_LIMIT
    ) -> None:
        table = Table(*read_array(labels, instances))
        self._become(table, table.dimensions.everything, work_limit)

    @classmethod
    def from_frame(cls, frame: Any, *, work_limit: int = DEFAULT_WORK_LIMIT) -> FiniteClass:
        """The class in a data frame: a row a hypothesis, a column an instance, called by the column's name.

        Parameters
        ----------
        frame : data frame
            Of any library that narwhals understands (pandas, polars, pyarrow, ...), eager.
        work_limit : int, optional
            As in `FiniteClass`.

        Returns
        -------
        FiniteClass
            Where all names are whole numbers, so are its instances.

        Raises
        ------
        InputError
        """
        return cls._of(Table(*read_frame(frame)), None, work_limit)

    @classmethod
    def from_csv(cls, path: str | PathLike[str], *, work_limit: int = DEFAULT_WORK_LIMIT) -> FiniteClass:
        """The class in a CSV file: a header line that names the instances, below it a line for each hypothesis.

        Parameters
        ----------
        path : str or path
            UTF-8. A first line of labels alone is refused: it might be a hypothesis.
        work_limit : int, optional
            As in `FiniteClass`.

        Returns
        -------
        FiniteClass
            Where all names are whole numbers, so are its instances.

        Raises
        ------
        InputError
        """
        return cls._of(Table(*read_csv(path)), None, work_limit)

    @classmethod
    def _of(cls, table: Table, space: int | None, work_limit: int) -> FiniteClass:
        self = cls.__new__(cls)
        self._become(table, table.dimensions.everything if space is None else space, work_limit)
        return self

    def _become(self, table: Table, space: int, work_limit: int) -> None:
        if isinstance(work_limit, bool) or not isinstance(work_limit, int) or work_limit < 0:
            raise ParameterError(f"work_limit is {work_limit!r}; give a whole number of steps, 0 or more.")
        self._table = table
        self._space = space
        self._work_limit = work_limit

    @property
    def table(self) -> Table:
        """What all version spaces of this class share; for the package."""
        return self._table

    @property
    def space(self) -> int:
        """The rows of the table that belong to this version space, as bits; for the package."""
        return self._space

    @property
    def work_limit(self) -> int:
        """How many steps one call may take."""
        return self._work_limit

    def with_work_limit(self, work_limit: int) -> FiniteClass:
        """The same class, with what was found about it, under another work limit."""
        return self._of(self.table, self.space, work_limit)

    @property
    def instances(self) -> tuple[Instance, ...]:
        """The domain, in the order of the columns."""
        return self.table.domain.instances

    @cached_property
    def labels(self) -> Labels:
        """The matrix of shape (hypotheses, instances), read-only; rows are in the order in which they were given."""
        labels = self.table.labels[unpack(self.space, len(self.table.labels))]
        labels.flags.writeable = False
        return labels

    def size(self) -> int:
        """How many hypotheses there are."""
        return len(self)

    def __len__(self) -> int:
        """The number of hypotheses."""
        return self.space.bit_count()

    def __repr__(self) -> str:
        return f"FiniteClass of {len(self)} hypotheses on {len(self.instances)} instances"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FiniteClass):
            return NotImplemented
        if self.table is other.table:
            return self.space == other.space
        return self._content == other._content

    def __hash__(self) -> int:
        return hash(self._content)

    @cached_property
    def _content(self) -> tuple[object, bytes]:
        return self.table.domain, np.unique(np.packbits(self.labels, axis=1), axis=0).tobytes()

    def restrict(self, x: Instance, y: bool) -> FiniteClass:
        """The hypotheses that give x the label y; perhaps none.

        Raises
        ------
        InputError
            When x lies outside the domain, or y is no label.
        """
        side = self.table.side(self.space, self.table.domain.index(x), as_label(y))
        return self._of(self.table, side, self.work_limit)

    def with_few_errors(self, samples: Iterable[tuple[Instance, bool]], most: int) -> FiniteClass:
        """The hypotheses that give at most so many of the labelled examples another label; perhaps none.

        Parameters
        ----------
        samples : iterable of (instance, label)
            An example that occurs twice counts twice.
        most : int

        Raises
        ------
        InputError
            When an instance lies outside the domain.
        """
        errors = np.zeros(len(self.table.labels), dtype=np.int64)
        for x, y in samples:
            errors += self.table.labels[:, self.table.domain.index(x)] != y
        few = pack_columns((errors <= most)[:, None])[0]
        return self._of(self.table, self.space & few, self.work_limit)

    def project(self, points: Sequence[Instance]) -> FiniteClass:
        """The class on fewer instances; hypotheses that agree on them become one.

        Raises
        ------
        InputError
            When a point lies outside the domain, or occurs twice.
        """
        points = as_points("points", points)
        columns = [self.table.domain.index(x) for x in points]
        if not columns or len(set(columns)) < len(columns):
            raise InputError(f"points: {len(points)} given; give at least one, and none of them twice.")
        return self._of(Table(self.labels[:, columns], points), None, self.work_limit)

    def littlestone_dimension(self) -> int:
        """The depth of the deepest tree that the class shatters; -1 for the empty class.

        Raises
        ------
        WorkLimitError
            When that takes more than `work_limit` steps.
        """
        with self._limited() as work:
            return self.table.dimensions.dimension(self.space, work)

    def at_least(self, depth: int) -> bool:
        """Whether the Littlestone dimension is at least `depth`; often cheaper than the dimension.

        Raises
        ------
        WorkLimitError
            When that takes more than `work_limit` steps.
        """
        depth = as_depth(depth)
        with self._limited() as work:
            return self.table.dimensions.at_least(self.space, depth, work)

    def root(self, depth: int) -> Instance | None:
        """An instance both of whose labels leave a dimension of at least depth - 1; None where there is none.

        Raises
        ------
        ParameterError
            When depth is no whole number, or less than 1.
        WorkLimitError
            When that takes more than `work_limit` steps.
        """
        depth = as_depth(depth)
        if depth < 1:
            raise ParameterError(f"depth is {depth!r}; give 1 or more: a leaf has no root.")
        with self._limited() as work:
            column = self.table.dimensions.root(self.space, depth, work)
        return None if column is None else self.instances[column]

    def _limited(self) -> AbstractContextManager[Work]:
        bracket = partial(self.table.dimensions.bracket, self.space)
        return limited(self.work_limit, "the Littlestone dimension", bracket)

    def soa_hypothesis(self) -> TabulatedHypothesis:
        """The standard optimal algorithm's label of every instance; it need not belong to the class."""
        bits = sum(1 << j for j, x in enumerate(self.instances) if self.soa(x))
        return TabulatedHypothesis(self.table.domain, bits)

    def members(self) -> Iterator[TabulatedHypothesis]:
        """Every hypothesis once."""
        return (self.table.rows[i] for i in np.flatnonzero(unpack(self.space, len(self.table.labels))))
