"""Tables of labels from arrays, data frames and CSV files: a row a hypothesis, a column an instance."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import narwhals.stable.v1 as nw
import numpy as np
import numpy.typing as npt

from reticent.classes.arguments import as_points
from reticent.classes.base import Instance
from reticent.classes.table import Labels
from reticent.errors import InputError

__all__ = ["read_array", "read_csv", "read_frame"]

_AS_WRITTEN = {"0": False, "1": True, "false": False, "true": True}


def read_array(labels: Any, instances: Sequence[Instance] | None) -> tuple[Labels, list[Instance]]:
    """The labels as a matrix of booleans, and what its columns are called.

    Parameters
    ----------
    labels : array of shape (hypotheses, instances)
    instances : sequence, optional
        0, 1, .. unless given.

    Raises
    ------
    InputError
    """
    try:
        values = np.asanyarray(labels)
    except ValueError:
        raise InputError("labels: the rows differ in length; give every row a label for each instance.") from None
    if values.ndim != 2:
        raise InputError(
            f"labels: the array is {values.ndim}-dimensional; "
            "give two dimensions, a row for each hypothesis and a column for each instance."
        )
    if values.dtype.names is not None:
        raise InputError("labels: the array has named fields; give a plain one of zeros and ones.")
    rows, columns = values.shape
    names = list(range(columns)) if instances is None else as_points("instances", instances)
    _check_shape("labels", rows, columns)
    if len(names) != columns:
        raise InputError(f"instances: {len(names)} given for {columns} columns of labels; give one for each column.")
    _check_distinct("instances", names)
    wrong = _not_labels(values)
    if wrong.any():
        row, column = map(int, np.argwhere(wrong)[0])
        raise _no_label(f"labels, row {row + 1} (counted from 1), instance {names[column]!r}", values[row, column])
    return np.array(values, dtype=np.bool_), names


def read_frame(frame: Any) -> tuple[Labels, list[Instance]]:
    """The labels in a data frame of any library that narwhals understands.

    Raises
    ------
    InputError
    """
    try:
        table = nw.from_native(frame, eager_only=True)
    except TypeError:
        raise InputError(
            f"frame: an object of type {type(frame).__name__} is no eager data frame; give one of pandas, polars or "
            "pyarrow, collected, or hand an array to FiniteClass."
        ) from None
    except ValueError:
        _check_distinct("frame", list(frame.columns))
        raise
    _check_shape("frame", len(table), len(table.columns))
    names = _numbered(table.columns)
    _check_distinct("frame", names)
    labels = np.empty((len(table), len(names)), dtype=np.bool_)
    for j, name in enumerate(names):
        column = table[:, j]
        values = np.asarray(column.to_numpy() if column.null_count() == 0 else column.to_list(), dtype=None)
        if values.ndim != 1:
            raise InputError(f"frame, column {name!r}: each value holds several; give a column of zeros and ones.")
        wrong = _not_labels(values)
        if wrong.any():
            row = int(wrong.argmax())
            raise _no_label(f"frame, row {row + 1} (counted from 1), column {name!r}", values[row])
        labels[:, j] = values
    return labels, names


def read_csv(path: str | PathLike[str]) -> tuple[Labels, list[Instance]]:
    """The labels in a CSV file whose first line names the instances.

    Raises
    ------
    InputError
    """
    source = str(path)
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise InputError(f"{source}: there is no such file; check the name.") from None
    except IsADirectoryError:
        raise InputError(f"{source}: this is a directory; name a file in it.") from None
    except UnicodeDecodeError:
        raise InputError(f"{source}: this is not UTF-8 text; give CSV in UTF-8.") from None
    except OSError as error:
        raise InputError(f"{source}: the file cannot be opened ({error.strerror}); check its permissions.") from error
    lines = _lines(text.rstrip(), source)
    names = _header(next(lines, ("", []))[1], source)
    rows = [_row(cells, names, place) for place, cells in lines]
    if not rows:
        raise InputError(f"{source}: there are no lines below the header; give at least one hypothesis.")
    return np.array(rows, dtype=np.bool_), names


def _lines(text: str, source: str) -> Iterator[tuple[str, list[str]]]:
    """The cells of each line, and where it begins: a name in quotes may go over several."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    while True:
        place = f"{source}, line {reader.line_num + 1}"
        try:
            cells = next(reader, None)
        except csv.Error as error:
            if "field limit" in str(error):
                most = csv.field_size_limit()
                raise InputError(
                    f"{place}: a cell is longer than {most:,} characters; shorten it, or close its quotes."
                ) from None
            raise InputError(f"{place}: this is not a line of CSV; close its quotes.") from None
        if cells is None:
            return
        yield place, cells


def _header(cells: list[str], source: str) -> list[Instance]:
    names = [cell.strip() for cell in cells]
    if not any(names):
        raise InputError(f"{source}, line 1: the header is empty; write the instances' names there.")
    if not all(names):
        raise InputError(
            f"{source}, line 1: column {names.index('') + 1} has no name; name it, "
            "or leave it out if it is an index (in pandas: index=False)."
        )
    other = next((sign for sign in ";\t|" if len(names) == 1 and sign in names[0]), None)
    if other is not None:
        raise InputError(f"{source}, line 1: the columns seem to be separated by {other!r}; separate them by ','.")
    if all(name.lower() in _AS_WRITTEN for name in names):
        raise InputError(
            f"{source}, line 1: the header holds only labels and would be lost as a hypothesis; "
            "write a header line with the instances' names above it, others than 0 and 1."
        )
    _check_distinct(f"{source}, line 1", names)
    return _numbered(names)


def _row(cells: list[str], names: list[Instance], place: str) -> list[bool]:
    if not cells:
        raise InputError(f"{place}: the line is empty; fill it in or remove it.")
    if len(cells) != len(names):
        raise InputError(
            f"{place}: the number of labels is {len(cells)}, but the header has {len(names)} names; "
            "give one label for each name."
        )
    labels = [_AS_WRITTEN.get(cell.strip().lower()) for cell in cells]
    if None in labels:
        column = labels.index(None)
        raise _no_label(f"{place}, column {names[column]!r}", cells[column].strip() or None)
    return labels  # type: ignore[return-value]


def _numbered(names: Sequence[Any]) -> list[Instance]:
    """The names, as whole numbers if all of them are."""
    if all(isinstance(name, str) and name.removeprefix("-").isdecimal() for name in names):
        try:
            numbers = [int(name) for name in names]
        except ValueError:  # more digits than Python reads
            return list(names)
        if [str(number) for number in numbers] == list(names):
            return list(numbers)
    return list(names)


def _not_labels(values: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Where the array holds something else than a label."""
    plain = np.ma.getdata(values)
    if plain.dtype.kind == "b":
        wrong = np.zeros(plain.shape, dtype=np.bool_)
    elif plain.dtype.kind in "iuf":
        wrong = (plain != 0) & (plain != 1)
    else:
        wrong = np.array([not _is_label(value) for value in plain.flat], dtype=np.bool_).reshape(plain.shape)
    return wrong | np.ma.getmaskarray(values)


def _is_label(value: object) -> bool:
    return isinstance(value, bool | int | float | np.bool_ | np.number) and value in (0, 1)


def _no_label(place: str, value: object) -> InputError:
    if value is None or value is np.ma.masked or (isinstance(value, float) and value != value):
        return InputError(f"{place}: the label is missing; fill it in.")
    if isinstance(value, np.generic):
        value = value.item()
    return InputError(f"{place}: {value!r} is not a label; write 0 or 1.")


def _check_shape(source: str, rows: int, columns: int) -> None:
    if columns == 0:
        raise InputError(f"{source}: there are no columns; give one for each instance.")
    if rows == 0:
        raise InputError(f"{source}: there are no rows; give at least one hypothesis.")


def _check_distinct(source: str, names: Sequence[Any]) -> None:
    try:
        name, times = Counter(names).most_common(1)[0]
    except TypeError:
        name = next(name for name in names if not _hashable(name))
        raise InputError(f"{source}: {name!r} cannot be an instance; give numbers, strings or tuples.") from None
    if times > 1:
        raise InputError(f"{source}: the instance {name!r} occurs {times} times; give every column its own name.")


def _hashable(name: object) -> bool:
    try:
        hash(name)
    except TypeError:
        return False
    return True
