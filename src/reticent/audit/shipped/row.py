"""One exact audit of something that the library ships."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from reticent.audit.result import ExactAudit

__all__ = ["ShippedAudit"]


@dataclass(frozen=True)
class ShippedAudit:
    """One exact audit of something that the library ships.

    Attributes
    ----------
    name : str
        What is audited, as on the command line.
    title : str
        What is audited, as in the library.
    setting : str
        The public parameters that are tried, in words.
    relation : {"replace-one", "add-remove"}
    run : callable () -> ExactAudit
        Picklable.
    """

    name: str
    title: str
    setting: str
    relation: str
    run: Callable[[], ExactAudit]
