"""What a learner promises, in the words and numbers that a privacy reviewer signs."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from reticent.errors import InputError, ParameterError
from reticent.privacy.composition.rounding import round_up
from reticent.privacy.relation import Neighbours

__all__ = ["Component", "PrivacyStatement", "at_least"]

_CHOICES = "the choice of every round, and nothing else"
_FIXED_EXPERTS = (
    "the losses of a round are a function of that round's record and of public things only, earlier released "
    "choices included; experts, loss scale and clipping are fixed without looking at the records."
)
#: Shares are doubles next to the exact numbers: their sum may exceed the claim by this part of it.
_ROUNDING = Fraction(1, 2**50)


@dataclass(frozen=True, slots=True)
class Component:
    """One share of a privacy budget.

    Parameters
    ----------
    name : str
        What spends it.
    epsilon : float
        Its share, >= 0.
    delta : float
        Its share, in [0, 1).
    explanation : str
        One phrase: by which rule it costs that much.

    Raises
    ------
    ParameterError
        When a share is out of its range.
    """

    name: str
    epsilon: float
    delta: float = 0.0
    explanation: str = ""

    def __post_init__(self) -> None:
        _check(f"epsilon of {self.name}", self.epsilon, lambda x: 0 <= x < math.inf, "a finite number from 0 on")
        _check(f"delta of {self.name}", self.delta, lambda x: 0 <= x < 1, "a number in [0, 1)")

    @classmethod
    def rounded_up(cls, name: str, epsilon: Fraction, delta: Fraction, explanation: str) -> Component:
        """For exact shares."""
        return cls(name, round_up(epsilon), round_up(delta), explanation)


@dataclass(frozen=True, slots=True)
class PrivacyStatement:
    """(epsilon, delta)-differential privacy of everything released, computed before any data is seen.

    Where it is `joint`, each round's output goes to the person of that round, and the promise is about the outputs of
    all other rounds together.

    Parameters
    ----------
    epsilon : float
        > 0, or 0 where delta is not; infinite only in `none`.
    delta : float
        In [0, 1).
    neighbours : Neighbours
        Which streams the promise compares.
    components : tuple of Component
        Where each share goes; the shares may not sum to more than epsilon and delta.
    adaptive : bool
        Whether it also holds when records depend on what was released before.
    released : str
        What may be released.
    assumption : str
        What must hold of the data for the promise to hold.
    noise : str, optional
        The source of randomness; None before a learner is started.
    noise_is_private : bool
        False when the noise can be reproduced, as from a seed.
    joint : bool
        Whether the output of the round that differs is left out of the comparison.

    Raises
    ------
    ParameterError
        When a number is out of its range, or the shares exceed the claim.

    >>> statement = PrivacyStatement(1.0, 1e-6, Neighbours(), (Component("redraws", 1.0, 1e-6, "100 draws"),))
    >>> print(statement)  # doctest: +ELLIPSIS
    (1, 1e-06)-differential privacy at any length, for streams of equal length that differ in the record of one
    round (replace-one: replaced by any other record).
    ...
    """

    epsilon: float
    delta: float
    neighbours: Neighbours
    components: tuple[Component, ...] = ()
    adaptive: bool = True
    released: str = _CHOICES
    assumption: str = _FIXED_EXPERTS
    noise: str | None = None
    noise_is_private: bool = True
    joint: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "components", tuple(self.components))
        _check("delta", self.delta, lambda x: 0 <= x < 1, "a number in [0, 1)")
        _check("epsilon", self.epsilon, lambda x: x > 0 or x == 0 < self.delta, "a number above 0")
        if math.isinf(self.epsilon):
            return
        for name in ("epsilon", "delta"):
            claim = Fraction(getattr(self, name))
            total = sum((Fraction(getattr(c, name)) for c in self.components), Fraction(0))
            if total > claim * (1 + _ROUNDING):
                raise ParameterError(
                    f"the components spend {name} = {float(total):.10g} and the claim is {float(claim):.10g}; "
                    "make the shares smaller or claim what they sum to."
                )

    @classmethod
    def none(cls) -> PrivacyStatement:
        """The statement of an algorithm that is not private at all."""
        return cls(math.inf, 0.0, Neighbours(), released="nothing", assumption="")

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> PrivacyStatement:
        """The statement that `to_dict` wrote. What it says is as true as the file it came from."""
        try:
            if not all(isinstance(data[name], bool) for name in ("adaptive", "noise_is_private", "joint")):
                raise TypeError
            return cls(
                epsilon=math.inf if data["epsilon"] is None else data["epsilon"],
                delta=data["delta"],
                neighbours=Neighbours(data["relation"], data["rounds_per_person"]),
                components=tuple(Component(**component) for component in data["components"]),
                adaptive=data["adaptive"],
                released=data["released"],
                assumption=data["assumption"],
                noise=data["noise"],
                noise_is_private=data["noise_is_private"],
                joint=data["joint"],
            )
        except (KeyError, TypeError):
            raise InputError("this is no privacy statement; give what PrivacyStatement.to_dict wrote.") from None

    @property
    def promise(self) -> str:
        """In a few words, such as ``"(1, 1e-06)-joint differential privacy"``."""
        numbers = f"({at_least(self.epsilon)}, {at_least(self.delta)})"
        return f"{numbers}-{'joint ' if self.joint else ''}differential privacy"

    @property
    def private(self) -> bool:
        """Whether there is a promise, and noise that keeps it."""
        return math.isfinite(self.epsilon) and self.noise_is_private

    def with_noise(self, description: str, *, private: bool) -> PrivacyStatement:
        """The statement of a learner that runs on this source of randomness.

        Parameters
        ----------
        description : str
            One phrase, such as `Source.description`.
        private : bool
            Whether a release made with it may be called private, as `Source.private` says.
        """
        statement = copy(self)  # what was checked stays as it was
        object.__setattr__(statement, "noise", description)
        object.__setattr__(statement, "noise_is_private", private)
        return statement

    def to_dict(self) -> dict[str, Any]:
        """The statement for JSON; an infinite epsilon is None."""
        return {
            "private": self.private,
            "epsilon": float(self.epsilon) if math.isfinite(self.epsilon) else None,
            "delta": float(self.delta),
            "relation": self.neighbours.relation,
            "rounds_per_person": self.neighbours.rounds_per_person,
            "components": [
                {"name": c.name, "epsilon": float(c.epsilon), "delta": float(c.delta), "explanation": c.explanation}
                for c in self.components
            ],
            "adaptive": self.adaptive,
            "released": self.released,
            "assumption": self.assumption,
            "noise": self.noise,
            "noise_is_private": self.noise_is_private,
            "joint": self.joint,
        }

    def __str__(self) -> str:
        if math.isinf(self.epsilon):
            return (
                "NOT PRIVATE: this algorithm makes no promise; release nothing that it computes from private records."
            )
        paragraphs = []
        if not self.noise_is_private:
            paragraphs.append(
                f"NOT PRIVATE: the noise of this run is {self.noise}, which can be reproduced. What follows is "
                "what the algorithm promises with secure noise; this run does not."
            )
        paragraphs.append(f"{self.promise} at any length, for {self.neighbours.description}.")
        paragraphs.append(f"Released: {self.released}.")
        streams = "also" if self.adaptive else "NOT"
        paragraphs.append(f"It holds {streams} when a round's record depends on what was released before.")
        paragraphs.append(f"It assumes that {self.assumption}")
        if self.noise is not None and self.noise_is_private:
            paragraphs.append(f"Noise: {self.noise}.")
        lines = [line for paragraph in paragraphs for line in textwrap.wrap(paragraph, width=110)]
        if self.components:
            lines += ["Shares of the budget:", *_table(self.components)]
        return "\n".join(lines)


def at_least(value: float) -> str:
    """A short text for a number of a promise, never below the number."""
    text = f"{value:.6g}"
    return text if float(text) >= value else repr(float(value))


def _table(components: tuple[Component, ...]) -> list[str]:
    rows = [(c.name, c.epsilon, c.delta, c.explanation) for c in components]
    if len(rows) > 1:
        rows.append(("total", math.fsum(c.epsilon for c in components), math.fsum(c.delta for c in components), ""))
    width = max(len(name) for name, *_ in rows)
    return [
        f"  {name:{width}}  epsilon {epsilon:<10.6g} delta {delta:<8.6g} {explanation}".rstrip()
        for name, epsilon, delta, explanation in rows
    ]


def _check(name: str, value: object, in_range: Callable[[Any], bool], wanted: str) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float | Fraction) or not in_range(value):
        raise ParameterError(f"{name} is {value!r}; give {wanted}.")
