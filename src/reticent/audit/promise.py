"""Which promise an audit holds an algorithm to."""

from __future__ import annotations

import math

from reticent.errors import ParameterError
from reticent.experts.base import is_real
from reticent.privacy import PrivacyStatement

__all__ = ["audited_promise", "check_mass", "check_promise"]

#: More than this may not be left out of an enumeration.
_MOST_MASS = 1e-6


def audited_promise(statement: PrivacyStatement, epsilon: float | None, delta: float | None) -> tuple[float, float]:
    """The (epsilon, delta) asked for; by default what the components add up to.

    The components may cost a little less than the statement promises, and slack that hides a component which costs
    more than it says would make an audit blind.
    """
    if epsilon is None:
        epsilon = math.fsum(c.epsilon for c in statement.components) if statement.components else statement.epsilon
    if delta is None:
        delta = math.fsum(c.delta for c in statement.components) if statement.components else statement.delta
    if not 0 < epsilon < math.inf:
        raise ParameterError(
            f"the promise to audit has epsilon {epsilon}; give epsilon, for an algorithm that promises nothing."
        )
    check_promise(epsilon, delta)
    return epsilon, delta


def check_promise(epsilon: float, delta: float) -> None:
    """Refuse a promise that says nothing, and what is none."""
    if not is_real(epsilon) or not 0 <= epsilon < math.inf:
        raise ParameterError(f"the promise to audit has epsilon {epsilon!r}; give a finite number from 0 on.")
    if not is_real(delta) or not 0 <= delta <= 1:
        raise ParameterError(f"the promise to audit has delta {delta!r}; give a number in [0, 1].")
    if epsilon == 0 == delta:
        raise ParameterError("the promise to audit has epsilon 0 and delta 0; one of them must be above 0.")


def check_mass(mass: float) -> None:
    """Refuse to leave out so much that the rest says nothing."""
    if not is_real(mass) or not 0 < mass <= _MOST_MASS:
        raise ParameterError(f"mass is {mass!r}; give a number above 0, at most {_MOST_MASS:g}.")
