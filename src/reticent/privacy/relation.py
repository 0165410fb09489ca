"""Which streams are neighbours: what the promise of privacy compares."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral

from reticent.errors import ParameterError

__all__ = ["Neighbours"]

_RELATIONS = {
    "replace-one": "replaced by any other record",
    "add-remove": "replaced by the record whose losses are all zero, or the reverse",
}


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Streams of equal length that differ in the records of a few rounds, wherever these lie.

    Parameters
    ----------
    relation : {"replace-one", "add-remove"}
        ``"replace-one"``: a round's record is replaced by any other record. ``"add-remove"``: it is replaced by
        the record whose losses are all zero, or the reverse.
    rounds_per_person : int
        m >= 1: in how many rounds neighbouring streams may differ.

    Raises
    ------
    ParameterError
        When a parameter is out of its range.

    >>> Neighbours("add-remove", rounds_per_person=2).score_range
    2
    """

    relation: str = "replace-one"
    rounds_per_person: int = 1

    def __post_init__(self) -> None:
        if self.relation not in _RELATIONS:
            raise ParameterError(f"relation is {self.relation!r}; give 'replace-one' or 'add-remove'.")
        m: object = self.rounds_per_person
        if isinstance(m, bool) or not isinstance(m, Integral) or int(m) < 1:
            raise ParameterError(f"rounds_per_person is {m!r}; give a whole number from 1 on.")
        object.__setattr__(self, "rounds_per_person", int(m))

    @property
    def sensitivity(self) -> int:
        """m: by how much a cumulative loss may change, as each of m losses changes by at most 1."""
        return self.rounds_per_person

    @property
    def score_range(self) -> int:
        """The largest minus the smallest change of the cumulative losses over experts: 2 m, or m for add-remove.

        A softmin draw at learning rate eta has bounded range eta * score_range. Replacing a record moves each loss
        by -1 to 1; adding or removing one moves all losses the same way, by 0 to 1.
        """
        return self.rounds_per_person * (2 if self.relation == "replace-one" else 1)

    @property
    def description(self) -> str:
        """One phrase for reports."""
        m = self.rounds_per_person
        where = "the record of one round" if m == 1 else f"the records of up to {m} rounds, wherever they lie"
        return f"streams of equal length that differ in {where} ({self.relation}: {_RELATIONS[self.relation]})"
