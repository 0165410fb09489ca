"""Keep the decisions of a run, and replay them: for recovery and debugging, never for release."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from copy import deepcopy
from fractions import Fraction
from typing import Any

import numpy as np

from reticent.errors import InputError
from reticent.randomness.arguments import check_queries, check_scores, check_size
from reticent.randomness.source import IntArray, Source

__all__ = ["RecordedSource", "RecordingSource"]

_FORMAT = "reticent decisions 1"

#: Public parameters by name, in the order of the verb's signature, such as (("scale", Fraction(7, 2)),).
_Public = tuple[tuple[str, Fraction | int], ...]


class RecordingSource:
    """Another source, whose decisions are kept.

    The record is as private as the data and must never be released: whoever has it can take the noise away. It
    holds verbs, their public parameters (scales, rates, numbers of choices) and the decisions. Arguments that
    depend on losses (gaps, queries, scores, probabilities) are left out.

    Blocks are recorded as the single decisions that they consist of, so that a run block by block can be replayed
    step by step, and the reverse.

    Parameters
    ----------
    inner : Source

    Examples
    --------
    >>> from reticent.randomness import SeededSource
    >>> source = RecordingSource(SeededSource(7))
    >>> drawn = [source.uniform_index(10) for _ in range(3)]
    >>> replay = RecordedSource(source.record)
    >>> [replay.uniform_index(10) for _ in range(3)] == drawn
    True
    """

    def __init__(self, inner: Source) -> None:
        self._inner = inner
        self._entries: list[dict[str, Any]] = []
        self._last: tuple[str, _Public] | None = None

    @property
    def private(self) -> bool:
        """As the inner source."""
        return self._inner.private

    @property
    def description(self) -> str:
        """As the inner source."""
        return self._inner.description

    @property
    def record(self) -> dict[str, Any]:
        """The decisions so far, as an object that `json` can write and `RecordedSource` can replay."""
        return {"format": _FORMAT, "source": self.description, "decisions": deepcopy(self._entries)}

    def uniform_index(self, n: int) -> int:
        """See `Source`."""
        index = self._inner.uniform_index(n)
        self._entry("uniform_index", (("n", int(n)),))["answers"].append(index)
        return index

    def bernoulli(self, p: Fraction) -> bool:
        """See `Source`."""
        answer = self._inner.bernoulli(p)
        self._entry("bernoulli", ())["answers"].append(answer)
        return answer

    def bernoulli_exp(self, x: Fraction) -> bool:
        """See `Source`."""
        answer = self._inner.bernoulli_exp(x)
        self._entry("bernoulli_exp", ())["answers"].append(answer)
        return answer

    def geometric(self, scale: Fraction) -> int:
        """See `Source`."""
        draw = self._inner.geometric(scale)
        self._entry("geometric", (("scale", scale),))["answers"].append(draw)
        return draw

    def discrete_laplace(self, scale: Fraction) -> int:
        """See `Source`."""
        draw = self._inner.discrete_laplace(scale)
        self._entry("discrete_laplace", (("scale", scale),))["answers"].append(draw)
        return draw

    def discrete_gaussian(self, variance: Fraction) -> int:
        """See `Source`."""
        draw = self._inner.discrete_gaussian(variance)
        self._entry("discrete_gaussian", (("variance", variance),))["answers"].append(draw)
        return draw

    def geometrics(self, scale: Fraction, size: int) -> IntArray:
        """See `Source`."""
        draws = self._inner.geometrics(scale, size)
        if len(draws):
            self._entry("geometric", (("scale", scale),))["answers"].extend(draws.tolist())
        return draws

    def discrete_laplaces(self, scale: Fraction, size: int) -> IntArray:
        """See `Source`."""
        draws = self._inner.discrete_laplaces(scale, size)
        if len(draws):
            self._entry("discrete_laplace", (("scale", scale),))["answers"].extend(draws.tolist())
        return draws

    def discrete_gaussians(self, variance: Fraction, size: int) -> IntArray:
        """See `Source`."""
        draws = self._inner.discrete_gaussians(variance, size)
        if len(draws):
            self._entry("discrete_gaussian", (("variance", variance),))["answers"].extend(draws.tolist())
        return draws

    def geometric_exceeds(self, gap: int, scale: Fraction) -> bool:
        """See `Source`."""
        reached = self._inner.geometric_exceeds(gap, scale)
        self._keep_asked("geometric_exceeds", scale, 1, reached)
        return reached

    def discrete_laplace_exceeds(self, gap: int, scale: Fraction) -> bool:
        """See `Source`."""
        reached = self._inner.discrete_laplace_exceeds(gap, scale)
        self._keep_asked("discrete_laplace_exceeds", scale, 1, reached)
        return reached

    def first_geometric_excess(self, threshold: int, queries: IntArray, scale: Fraction) -> int:
        """See `Source`."""
        first = self._inner.first_geometric_excess(threshold, queries, scale)
        self._keep_asked("geometric_exceeds", scale, min(first + 1, len(queries)), first < len(queries))
        return first

    def first_discrete_laplace_excess(self, threshold: int, queries: IntArray, scale: Fraction) -> int:
        """See `Source`."""
        first = self._inner.first_discrete_laplace_excess(threshold, queries, scale)
        self._keep_asked("discrete_laplace_exceeds", scale, min(first + 1, len(queries)), first < len(queries))
        return first

    def softmin_index(self, scores: IntArray, rate: Fraction) -> int:
        """See `Source`."""
        index = self._inner.softmin_index(scores, rate)
        self._entry("softmin_index", (("rate", rate), ("n", len(scores))))["answers"].append(index)
        return index

    def softmin_indices(self, scores: IntArray, rate: Fraction) -> IntArray:
        """See `Source`."""
        indices = self._inner.softmin_indices(scores, rate)
        if len(indices):
            key = (("rate", rate), ("n", scores.shape[1]))
            self._entry("softmin_index", key)["answers"].extend(indices.tolist())
        return indices

    def _entry(self, verb: str, public: _Public) -> dict[str, Any]:
        """The entry for the next decision; the last one when that has the same verb and parameters."""
        if self._last != (verb, public):
            self._last = verb, public
            parameters = {name: str(value) for name, value in public}
            self._entries.append({"verb": verb, "parameters": parameters, "answers": []})
        return self._entries[-1]

    def _keep_asked(self, verb: str, scale: Fraction, count: int, reached: bool) -> None:
        """`count` decisions, of which only the last may be true: kept as their number and the places of the true."""
        if count == 0:
            return
        entry = self._entry(verb, (("scale", scale),))
        entry["asked"] = entry.get("asked", 0) + count
        if reached:
            entry["answers"].append(entry["asked"] - 1)


class RecordedSource:
    """The decisions of an earlier run, replayed in order.

    A run that asks for other decisions than were recorded gets an `InputError`, and the replay stays where it was.

    Parameters
    ----------
    record : mapping
        `RecordingSource.record`, or what `json` made of it.

    Raises
    ------
    InputError
        When this is no such record.
    """

    def __init__(self, record: Mapping[str, Any]) -> None:
        try:
            known = record["format"] == _FORMAT
            self._source = str(record["source"])
            self._entries = [_Entry(entry) for entry in record["decisions"]]
        except (AttributeError, KeyError, TypeError, ValueError):
            known = False
        if not known:
            raise InputError("this is no record of decisions; give RecordingSource.record, or that read from JSON.")
        self._place = 0, 0

    @property
    def private(self) -> bool:
        """False."""
        return False

    @property
    def description(self) -> str:
        """Such as ``"replayed from a record (seeded with 7)"``."""
        return f"replayed from a record ({self._source})"

    def uniform_index(self, n: int) -> int:
        """See `Source`."""
        return int(self._answers("uniform_index", (("n", n),), 1)[0])

    def bernoulli(self, p: Fraction) -> bool:
        """See `Source`."""
        return bool(self._answers("bernoulli", (), 1)[0])

    def bernoulli_exp(self, x: Fraction) -> bool:
        """See `Source`."""
        return bool(self._answers("bernoulli_exp", (), 1)[0])

    def geometric(self, scale: Fraction) -> int:
        """See `Source`."""
        return int(self._answers("geometric", (("scale", scale),), 1)[0])

    def discrete_laplace(self, scale: Fraction) -> int:
        """See `Source`."""
        return int(self._answers("discrete_laplace", (("scale", scale),), 1)[0])

    def discrete_gaussian(self, variance: Fraction) -> int:
        """See `Source`."""
        return int(self._answers("discrete_gaussian", (("variance", variance),), 1)[0])

    def geometrics(self, scale: Fraction, size: int) -> IntArray:
        """See `Source`."""
        return np.array(self._answers("geometric", (("scale", scale),), check_size(size)), np.int64)

    def discrete_laplaces(self, scale: Fraction, size: int) -> IntArray:
        """See `Source`."""
        return np.array(self._answers("discrete_laplace", (("scale", scale),), check_size(size)), np.int64)

    def discrete_gaussians(self, variance: Fraction, size: int) -> IntArray:
        """See `Source`."""
        answers = self._answers("discrete_gaussian", (("variance", variance),), check_size(size))
        return np.array(answers, np.int64)

    def geometric_exceeds(self, gap: int, scale: Fraction) -> bool:
        """See `Source`."""
        return self._first("geometric_exceeds", scale, 1) == 0

    def discrete_laplace_exceeds(self, gap: int, scale: Fraction) -> bool:
        """See `Source`."""
        return self._first("discrete_laplace_exceeds", scale, 1) == 0

    def first_geometric_excess(self, threshold: int, queries: IntArray, scale: Fraction) -> int:
        """See `Source`."""
        return self._first("geometric_exceeds", scale, len(check_queries(queries)))

    def first_discrete_laplace_excess(self, threshold: int, queries: IntArray, scale: Fraction) -> int:
        """See `Source`."""
        return self._first("discrete_laplace_exceeds", scale, len(check_queries(queries)))

    def softmin_index(self, scores: IntArray, rate: Fraction) -> int:
        """See `Source`."""
        key = (("rate", rate), ("n", len(check_scores(scores, 1))))
        return int(self._answers("softmin_index", key, 1)[0])

    def softmin_indices(self, scores: IntArray, rate: Fraction) -> IntArray:
        """See `Source`."""
        count, n = check_scores(scores, 2).shape
        return np.array(self._answers("softmin_index", (("rate", rate), ("n", n)), count), np.int64)

    def _answers(self, verb: str, public: _Public, count: int) -> list[int]:
        """The next `count` answers, which must all be of this verb with these parameters."""
        answers: list[int] = []
        place = self._place
        while len(answers) < count:
            place = number, at = self._next(place, verb, public)
            found = self._entries[number].answers[at : at + count - len(answers)]
            answers += found
            place = number, at + len(found)
        self._place = place
        return answers

    def _first(self, verb: str, scale: Fraction, count: int) -> int:
        """The first true of the next `count` decisions, or `count`; those after it stay."""
        passed = 0
        place = self._place
        while passed < count:
            place = number, at = self._next(place, verb, (("scale", scale),))
            entry = self._entries[number]
            following = bisect_left(entry.answers, at)
            end = min(entry.asked, at + count - passed)
            if following < len(entry.answers) and entry.answers[following] < end:
                hit = entry.answers[following]
                self._place = number, hit + 1
                return passed + hit - at
            passed += end - at
            place = number, end
        self._place = place
        return count

    def _next(self, place: tuple[int, int], verb: str, public: _Public) -> tuple[int, int]:
        """Where the next decision stands, which must be of this verb with these parameters."""
        number, at = place
        while number < len(self._entries) and at == self._entries[number].asked:
            number, at = number + 1, 0
        if number == len(self._entries):
            made = sum(entry.asked for entry in self._entries)
            raise InputError(
                f"the record ends after {made} decisions and the run asks for another, {_phrase(verb, public)}; "
                "replay it with the stream and the parameters of the recorded run."
            )
        entry = self._entries[number]
        if (entry.verb, entry.public) != (verb, public):
            made = at + sum(entry.asked for entry in self._entries[:number])
            raise InputError(
                f"decision {made + 1} of the record is {_phrase(entry.verb, entry.public)} and the run asks for "
                f"{_phrase(verb, public)}; replay it with the stream and the parameters of the recorded run."
            )
        return number, at


class _Entry:
    """Consecutive decisions of one verb with the same parameters."""

    __slots__ = ("answers", "asked", "public", "verb")

    def __init__(self, entry: Mapping[str, Any]) -> None:
        self.verb = str(entry["verb"])
        self.public: _Public = tuple((name, Fraction(value)) for name, value in entry["parameters"].items())
        self.answers = [int(answer) for answer in entry["answers"]]
        self.asked = int(entry.get("asked", len(self.answers)))


def _phrase(verb: str, public: _Public) -> str:
    return " ".join([verb, *(f"with {name} = {value}" for name, value in public)])
