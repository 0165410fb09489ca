"""The exact audit of joint differential privacy: the output of the changed round is left out."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from functools import partial
from typing import TypeVar

from reticent.audit.mechanisms import compare_laws, worst_of
from reticent.audit.promise import check_mass, check_promise
from reticent.audit.result import ExactAudit
from reticent.errors import ParameterError
from reticent.randomness import Law, Source, enumerate_outcomes

__all__ = ["exact_joint"]

Record = TypeVar("Record", bound=Hashable)
Stream = tuple[Record, ...]
Outputs = tuple[Hashable, ...]


def exact_joint(
    run: Callable[[Stream[Record], Source], Outputs],
    pairs: Iterable[tuple[Stream[Record], Stream[Record]]],
    epsilon: float,
    delta: float = 0.0,
    *,
    mass: float = 1e-40,
) -> ExactAudit:
    """Enumerate every outcome of a predictor, and compare what it answers in all rounds but the changed one.

    Parameters
    ----------
    run : callable (stream, source) -> tuple of hashable outputs, one for each round
        The code that ships; all its randomness comes from the source.
    pairs : iterable of pairs of streams
        Each a tuple of hashable records; the two differ in one round. Each pair is taken in both orders.
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
        When there is no pair, or two streams do not differ in exactly one round.

    Examples
    --------
    A predictor that answers each round with its own record is jointly private, for nothing else depends on it:

    >>> exact_joint(lambda stream, source: stream, [((0, 0), (0, 1))], epsilon=0.1).passed
    True
    """
    check_promise(epsilon, delta)
    check_mass(mass)
    laws: dict[Stream[Record], Law[Outputs]] = {}
    audits = []
    for pair in pairs:
        place = _changed_round(*pair)
        for stream in pair:
            if stream not in laws:
                laws[stream] = enumerate_outcomes(partial(run, stream), mass=mass)
        one, other = (_without(laws[stream], place) for stream in pair)
        audits.append(compare_laws(*pair, one, other, epsilon, delta))
        audits.append(compare_laws(*pair[::-1], other, one, epsilon, delta))
    return worst_of(audits)


def _changed_round(one: Stream[Record], other: Stream[Record]) -> int:
    places = [t for t, (a, b) in enumerate(zip(one, other, strict=False)) if a != b]
    if len(one) != len(other) or len(places) != 1:
        raise ParameterError(f"the streams {one} and {other} differ in other than one round; give neighbours.")
    return places[0]


def _without(law: Law[Outputs], place: int) -> Law[Outputs]:
    kept: dict[Outputs, float] = {}
    for outputs, probability in law.probabilities.items():
        rest = (*outputs[:place], *outputs[place + 1 :])
        kept[rest] = kept.get(rest, 0.0) + probability
    return Law(kept, law.truncated)
