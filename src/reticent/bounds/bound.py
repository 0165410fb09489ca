"""What a bound is: a formula, when it holds, whose it is, and which of its constants are known."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from reticent.errors import ParameterError
from reticent.experts.base import is_real, set_real
from reticent.prediction import PowerOfTen

__all__ = ["Bound", "Condition", "Setting", "Value", "as_json", "stated"]

#: A bound's value: a logarithm where the number itself would not fit a double.
Value = float | PowerOfTen

#: What must hold, in words and as a test.
Condition = tuple[str, "Callable[[Setting], bool]"]

#: exp() of more overflows.
_LARGEST_EXPONENT = 700.0


@dataclass(frozen=True)
class Setting:
    """What a bound is asked for; every field is public.

    Parameters
    ----------
    log_horizon : float
        ln T, from 0 to 1e12, T the number of rounds: the logarithm, because T may be e^1000000.
    epsilon : float
        From 1e-9 to 1e6.
    log_inverse_delta : float
        ln(1 / delta) from 1e-9 on; infinite for delta = 0.
    dimension : int
        d >= 0, the Littlestone dimension of the class.
    experts : int
        N >= 2.
    best_loss : float
        L*, from 0 to 1e18, the loss of the best expert.

    Raises
    ------
    ParameterError
        When a number is out of its range.

    Examples
    --------
    >>> Setting.of(horizon=3**12, epsilon=0.01, delta=0.25).log_horizon
    13.183347464017316
    """

    log_horizon: float
    epsilon: float = 1.0
    log_inverse_delta: float = math.inf
    dimension: int = 1
    experts: int = 2
    best_loss: float = 0.0

    def __post_init__(self) -> None:
        set_real(self, "log_horizon", 0, 1e12)
        set_real(self, "epsilon", 1e-9, 1e6)
        set_real(self, "log_inverse_delta", 1e-9, math.inf)
        set_real(self, "best_loss", 0, 1e18)
        for name, least in (("dimension", 0), ("experts", 2)):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < least:
                raise ParameterError(f"{name} is {value!r}; give a whole number from {least} on.")

    @classmethod
    def of(cls, horizon: int, epsilon: float = 1.0, delta: float = 0.0, **others: Any) -> Setting:
        """The setting of so many rounds and this delta, where they are of a size to be written down.

        Parameters
        ----------
        horizon : int
            T >= 1, of any size.
        epsilon : float
        delta : float
            In [0, 1).
        **others
            See `Setting`.
        """
        if isinstance(horizon, bool) or not isinstance(horizon, int) or horizon < 1:
            raise ParameterError(f"horizon is {horizon!r}; give a whole number from 1 on.")
        if not is_real(delta) or not 0 <= delta < 1:
            raise ParameterError(f"delta is {delta!r}; give a number in [0, 1).")
        return cls(math.log(horizon), epsilon, -math.log(delta) if delta else math.inf, **others)

    @property
    def delta(self) -> float:
        """0 where it is too small for a double, as e^-1000 is."""
        return math.exp(-self.log_inverse_delta)

    @property
    def log_experts(self) -> float:
        """The natural logarithm of N."""
        return math.log(self.experts)


@dataclass(frozen=True, repr=False)
class Bound:
    """A bound on the expected mistakes or on the expected regret, called with a `Setting`.

    Attributes
    ----------
    name : str
        As the papers cite it.
    source : str
        Paper and theorem.
    direction : {"lower", "upper"}
        Nobody does better; somebody does as well.
    quantity : str
        What is counted.
    who : str
        The algorithms it is about.
    where : str
        The class of hypotheses, or the experts.
    formula : str
        With natural logarithms.
    constants : str, optional
        Which constants the source leaves open, and what they are taken as; None where all are explicit.
    requires : tuple of (str, test)
        The conditions of the theorem.
    log_value : callable
        The natural logarithm of the formula.

    Examples
    --------
    >>> from reticent.bounds import learning
    >>> learning.theorem_2
    Theorem 2 (lower): min(T, (d / epsilon) (ln(2 + epsilon T / d))^(2/3), d / delta)
    >>> learning.theorem_2.unmet(Setting(100.0, dimension=1))
    'd >= 2'
    """

    name: str
    source: str
    direction: Literal["lower", "upper"]
    quantity: str
    who: str
    where: str
    formula: str
    constants: str | None
    requires: tuple[Condition, ...]
    log_value: Callable[[Setting], float]

    def __repr__(self) -> str:
        return f"{self.name} ({self.direction}): {self.formula}"

    @property
    def statement(self) -> str:
        """What it says, in one sentence."""
        return self.log_value.__doc__ or ""

    @property
    def explicit(self) -> bool:
        """Whether every constant is known, so that the value can be held against a measurement."""
        return self.constants is None

    def unmet(self, setting: Setting) -> str | None:
        """The first condition that the setting fails, in words."""
        if not isinstance(setting, Setting):
            raise ParameterError(f"setting is {setting!r}; give a bounds.Setting.")
        return next((words for words, holds in self.requires if not holds(setting)), None)

    def __call__(self, setting: Setting) -> Value | None:
        """The number, to 12 digits; None where a condition of the theorem fails."""
        if self.unmet(setting) is not None:
            return None
        exponent = self.log_value(setting)
        if exponent > _LARGEST_EXPONENT:
            return PowerOfTen(exponent / math.log(10))
        return float(f"{math.exp(exponent):.12g}")


def as_json(value: Value | None) -> float | dict[str, float] | None:
    """A value, ready for JSON; a number that no double holds by its logarithm to the base 10.

    >>> as_json(PowerOfTen(991.5))
    {'log10': 991.5}
    """
    return {"log10": value.log10} if isinstance(value, PowerOfTen) else value


def stated(
    name: str,
    source: str,
    direction: Literal["lower", "upper"],
    formula: str,
    *,
    who: str,
    where: str,
    quantity: str = "expected mistakes",
    constants: str | None = "the constant factor is open, and taken as 1",
    requires: tuple[Condition, ...] = (),
) -> Callable[[Callable[[Setting], float]], Bound]:
    """Make a `Bound` of the function that computes the natural logarithm of its formula."""

    def bound(log_value: Callable[[Setting], float]) -> Bound:
        return Bound(name, source, direction, quantity, who, where, formula, constants, requires, log_value)

    return bound
