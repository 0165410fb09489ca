"""The checks that every algorithm must pass, for those who write one."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple, cast

from reticent.audit.algorithms import LARGEST_EPSILON, exact
from reticent.audit.invariants import choices, noise, state
from reticent.errors import CheckFailedError, ParameterError
from reticent.experts import ExpertsAlgorithm

__all__ = ["Check", "check_algorithm", "checks"]


class Check(NamedTuple):
    """One check of one algorithm.

    Attributes
    ----------
    name : str
        What must hold.
    run : callable ()
        Raises `reticent.CheckFailedError`, an `AssertionError`, when it does not.
    catches : str
        Which mistakes the check finds.
    """

    name: str
    run: Callable[[], None]
    catches: str


def checks(
    algorithm: ExpertsAlgorithm, *, rounds: int = 200, tiny: ExpertsAlgorithm | None = None
) -> Iterator[Check]:
    """What must hold for every algorithm, one check after the other.

    Parameters
    ----------
    algorithm : ExpertsAlgorithm
        With public parameters that let something happen within `rounds`: a learner that never acts passes much.
    rounds : int
        The length of most runs.
    tiny : ExpertsAlgorithm, optional
        What is audited exactly, over three rounds: of two or three experts on a coarse grid. By default the algorithm
        itself with two experts, on grids of 1 and of 1/4. Where that cannot be built, or promises an epsilon above
        500, the check fails and asks for one; an algorithm that promises nothing is not audited. What leaks only
        after three rounds is not seen.

    Yields
    ------
    Check
        A named tuple: name, callable, and what it catches.

    Examples
    --------
    >>> import reticent as rt
    >>> algorithm = rt.experts.PrivateHedge(3, epsilon=1.0, horizon=200)
    >>> for check in rt.audit.checks(algorithm):
    ...     check.run()

    In a test of one's own, without a plug-in::

        @pytest.mark.parametrize("check", rt.audit.checks(algorithm), ids=lambda check: check.name)
        def test_my_algorithm(check):
            check.run()
    """
    for invariant in (*choices.CHECKS, *state.CHECKS, *noise.CHECKS):
        yield _check(invariant, partial(invariant, algorithm, rounds))
    if tiny is not None or math.isfinite(algorithm.privacy.epsilon):
        audited = _tiny(algorithm) if tiny is None else [tiny]
        yield _check(a_tiny_version_passes_the_exact_audit, partial(a_tiny_version_passes_the_exact_audit, audited))


def check_algorithm(algorithm: ExpertsAlgorithm, *, rounds: int = 200, tiny: ExpertsAlgorithm | None = None) -> None:
    """Run all `checks`.

    Raises
    ------
    CheckFailedError
        At the first check that fails, with its name and what happened.

    Examples
    --------
    >>> import reticent as rt
    >>> rt.audit.check_algorithm(rt.experts.ScheduledHedge(3, epsilon=1.0))
    """
    for check in checks(algorithm, rounds=rounds, tiny=tiny):
        try:
            check.run()
        except CheckFailedError as failure:
            raise CheckFailedError(f"{check.name}: {failure}") from None


def a_tiny_version_passes_the_exact_audit(tiny: Sequence[ExpertsAlgorithm]) -> None:
    """Catches a promise that the code does not keep, on every stream of three rounds of losses 0 and 1."""
    if not tiny:
        raise CheckFailedError("no tiny version could be built for the exact audit; give one as tiny=...")
    for one in tiny:
        audit = exact(one)
        if not audit.passed:
            raise CheckFailedError(str(audit))


def _check(invariant: Callable[..., None], run: Callable[[], None]) -> Check:
    name = invariant.__name__.replace("_", " ")
    return Check(name, run, (invariant.__doc__ or "").partition("\n")[0])


def _tiny(algorithm: ExpertsAlgorithm) -> list[ExpertsAlgorithm]:
    """Two experts; on one grid a loss of 1 is one unit, on the other four: a rate for the wrong unit shows there."""
    inner = getattr(algorithm, "algorithm", None)
    if isinstance(inner, ExpertsAlgorithm):
        return [replace(cast(Any, algorithm), algorithm=one) for one in _tiny(inner)]
    if not {"n_experts", "grid_bits"} <= set(getattr(algorithm, "__dataclass_fields__", ())):
        return []
    if algorithm.privacy.epsilon > LARGEST_EPSILON:
        return []
    try:
        return [replace(cast(Any, algorithm), n_experts=2, grid_bits=bits) for bits in (0, 2)]
    except ParameterError:
        return []
