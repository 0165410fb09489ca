"""Which promise an audit holds an algorithm to."""

from __future__ import annotations

import math

from reticent.errors import ParameterError
from reticent.privacy import PrivacyStatement

__all__ = ["audited_promise"]


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
    if not 0 <= delta < 1:
        raise ParameterError(f"the promise to audit has delta {delta}; give a number in [0, 1).")
    return epsilon, delta
