"""Exact audits: the largest privacy loss over all neighbouring pairs, with the pair and the output that show it.

Of two laws P and Q with densities p and q, delta(epsilon) = sum over outputs of (p - e^epsilon q)_+ is the hockey-stick
divergence: (epsilon, delta)-DP is delta(epsilon) <= delta for all ordered neighbouring pairs. For delta = 0 that is
p <= e^epsilon q for each output.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeVar

import numpy as np
import numpy.typing as npt
from choice_laws import ChoiceLaws

from reticent.privacy import Neighbours
from reticent.randomness import Law, Source, enumerate_outcomes

__all__ = ["Audit", "Counterexample", "audit_choices", "audit_mechanism"]

Input = TypeVar("Input", bound=Hashable)
FloatArray = npt.NDArray[np.float64]

#: What sums of doubles may be off by.
_ROUNDING = 1e-12
_LOG_ROUNDING = 1e-9


@dataclass(frozen=True)
class Counterexample:
    """A neighbouring pair, an output, and its probability on either."""

    one: object
    other: object
    output: object
    probabilities: tuple[float, float]

    def __str__(self) -> str:
        p, q = self.probabilities
        ratio = f"exp({math.log(p / q):.4f})" if p > 0 and q > 0 else "infinite"
        return (
            f"  on    {self.one}\n  or    {self.other}\n  the output {self.output} has probability\n"
            f"  {p:.6g} or {q:.6g}; ratio {ratio}"
        )


@dataclass(frozen=True)
class Audit:
    """What an exact audit found.

    Attributes
    ----------
    epsilon, delta : float
        The promise.
    delta_found : float
        The largest delta(epsilon) over all ordered neighbouring pairs; where losses may depend on earlier choices,
        over all rules by which they do. Truncated probability is charged to it.
    log_ratio : float
        The largest log(p / q) of one output: the epsilon that pure differential privacy would need.
    worst : Counterexample
        Where p / q is largest, or for delta > 0 where p - e^epsilon q is.
    """

    epsilon: float
    delta: float
    delta_found: float
    log_ratio: float
    worst: Counterexample

    @property
    def passed(self) -> bool:
        """Whether the promise holds on this domain."""
        if self.delta == 0:
            return self.log_ratio <= self.epsilon + _LOG_ROUNDING
        return self.delta_found <= self.delta + _ROUNDING

    def __str__(self) -> str:
        verdict = "passed" if self.passed else "REJECTED"
        return (
            f"{verdict}: promised ({self.epsilon:.6g}, {self.delta:.6g}); delta at this epsilon {self.delta_found:.6g}, "
            f"largest log-ratio {self.log_ratio:.6g}\n{self.worst}"
        )
