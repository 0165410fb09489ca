"""The exact audit of a mechanism that is run as a function of its input and a source."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeVar

import numpy as np

from reticent.audit.divergence import excesses, log_ratios
from reticent.audit.promise import check_mass, check_promise
from reticent.audit.result import Counterexample, ExactAudit
from reticent.errors import ParameterError
from reticent.randomness import Law, Source, enumerate_outcomes

__all__ = ["compare_laws", "exact_mechanism", "worst_of"]

Input = TypeVar("Input", bound=Hashable)
Output = TypeVar("Output", bound=Hashable)


def exact_mechanism(
    run: Callable[[Input, Source], Output],
    pairs: Iterable[tuple[Input, Input]],
    epsilon: float,
    delta: float = 0.0,
    *,
    mass: float = 1e-40,
) -> ExactAudit:
    """Enumerate every outcome of a mechanism, and compare its laws on neighbouring inputs with its promise.

    Parameters
    ----------
    run : callable (input, source) -> hashable output
        The code that ships; all its randomness comes from the source.
    pairs : iterable of pairs of hashable inputs
        The neighbouring inputs; each pair is taken in both orders.
    epsilon, delta : float
        The promise.
    mass : float
        The most that one draw's support may leave out.

    Returns
    -------
    ExactAudit

    Raises
    ------
    ParameterError
        When there is no pair, or a noise has too many values to enumerate.

    Examples
    --------
    Randomised response that tells the truth three times in four is ln(3)-DP, and not less:

    >>> import math
    >>> from fractions import Fraction
    >>> def respond(truth, source):
    ...     return source.bernoulli(Fraction(3, 4) if truth else Fraction(1, 4))
    >>> exact_mechanism(respond, [(False, True)], epsilon=math.log(3)).passed
    True
    >>> print(exact_mechanism(respond, [(False, True)], epsilon=1.0))
    REJECTED: promised (1, 0)-DP; found delta 0.0704295 at this epsilon, largest log-ratio 1.09861
      on False the output False has probability 0.75,
      on True it has 0.25: the ratio is exp(1.09861)
    """
    check_promise(epsilon, delta)
    check_mass(mass)
    laws: dict[Input, Law[Output]] = {}
    audits = []
    for pair in pairs:
        for each in pair:
            if each not in laws:
                laws[each] = enumerate_outcomes(partial(run, each), mass=mass)
        for one, other in (pair, pair[::-1]):
            audits.append(compare_laws(one, other, laws[one], laws[other], epsilon, delta))
    return worst_of(audits)


def worst_of(audits: Sequence[ExactAudit]) -> ExactAudit:
    """One audit for all, of the same promise, with the worst of each figure."""
    if not audits:
        raise ParameterError("pairs is empty; give at least one pair of neighbouring inputs.")
    delta = audits[0].delta
    worst = max(audits, key=lambda audit: audit.delta_found if delta else audit.log_ratio)
    return replace(
        worst,
        delta_found=max(audit.delta_found for audit in audits),
        log_ratio=max(audit.log_ratio for audit in audits),
        truncated=max(audit.truncated for audit in audits),
    )


def compare_laws(
    one: Input, other: Input, p: Law[Output], q: Law[Output], epsilon: float, delta: float
) -> ExactAudit:
    """How far the law on one input is above the law on the other."""
    outputs = list(p.probabilities)
    ps = np.array([p.probabilities[y] for y in outputs])
    qs = np.array([q.probabilities.get(y, 0.0) for y in outputs])
    excess = excesses(ps, qs, epsilon)
    ratios = log_ratios(ps, qs, q.truncated)
    at = int(np.argmax(excess if delta else ratios))
    worst = Counterexample(one, other, outputs[at], float(ps[at]), float(qs[at]))
    return ExactAudit(epsilon, delta, float(excess.sum()), float(ratios.max()), p.truncated, worst)
