"""Exact audits: the largest privacy loss over all neighbouring pairs, with the pair and the output that show it.

For two laws with densities p and q, delta(epsilon) = sum over outputs of (p - e^epsilon q)_+ is the hockey-stick
divergence: (epsilon, delta)-DP says delta(epsilon) <= delta for all ordered neighbouring pairs. For delta = 0 it says
p <= e^epsilon q for each output.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
from stream_laws import Losses, StreamLaws, stream_laws, transcript

from reticent.experts import PrivateExpertsAlgorithm
from reticent.privacy import Neighbours
from reticent.randomness import Law, Source, enumerate_outcomes

__all__ = ["Audit", "Counterexample", "audit_algorithm", "audit_mechanism", "audit_streams"]

Input = TypeVar("Input", bound=Hashable)
Output = TypeVar("Output", bound=Hashable)
FloatArray = npt.NDArray[np.float64]
#: The rounds in which two streams differ.
Rounds = tuple[int, ...]

#: What sums of doubles may be off by.
_ROUNDING = 1e-12
_LOG_ROUNDING = 1e-9


@dataclass(frozen=True)
class Counterexample:
    """A neighbouring pair, an output, and its probability on either."""

    one: Any
    other: Any
    output: Any
    p: float
    q: float

    def __str__(self) -> str:
        ratio = f"exp({math.log(self.p / self.q):.6g})" if self.p > 0 and self.q > 0 else "infinite"
        return (
            f"  on {self.one} the output {self.output} has probability {self.p:.6g},\n"
            f"  on {self.other} it has {self.q:.6g}: the ratio is {ratio}"
        )


@dataclass(frozen=True)
class Audit:
    """What an exact audit found.

    Attributes
    ----------
    epsilon, delta : float
        The promise.
    delta_found : float
        The largest delta(epsilon) of the domain.
    log_ratio : float
        The largest log(p / q) of one output: the epsilon that pure differential privacy would need.
    truncated : float
        The largest probability that enumeration left out; it may belong to any output. What it could explain is
        not held against the promise.
    worst : Counterexample
        Where p / q is largest; for delta > 0, where p - e^epsilon q is.
    """

    epsilon: float
    delta: float
    delta_found: float
    log_ratio: float
    truncated: float
    worst: Counterexample

    @property
    def passed(self) -> bool:
        """Whether the promise holds on this domain."""
        if self.delta == 0 and self.log_ratio > self.epsilon + _LOG_ROUNDING:
            return False
        return self.delta_found <= self.delta + (1 + math.exp(self.epsilon)) * self.truncated + _ROUNDING

    def __str__(self) -> str:
        return (
            f"{'passed' if self.passed else 'REJECTED'}: promised ({self.epsilon:.6g}, {self.delta:.6g})-DP; found "
            f"delta {self.delta_found:.6g} at this epsilon, largest log-ratio {self.log_ratio:.6g}\n{self.worst}"
        )


def audit_mechanism(
    run: Callable[[Input, Source], Output],
    pairs: Iterable[tuple[Input, Input]],
    epsilon: float,
    delta: float = 0.0,
    *,
    mass: float = 1e-40,
) -> Audit:
    """Audit a run on all neighbouring pairs, each taken in both orders.

    Parameters
    ----------
    run : callable (input, source) -> hashable output
    pairs : iterable of pairs of hashable inputs
    epsilon, delta : float
        The promise.
    mass : float
        The most that one draw's support may leave out.
    """
    laws: dict[Input, Law[Output]] = {}
    audits = []
    for pair in pairs:
        for each in pair:
            if each not in laws:
                laws[each] = enumerate_outcomes(partial(run, each), mass=mass)
        for one, other in (pair, pair[::-1]):
            audits.append(_compare(one, other, laws[one], laws[other], epsilon, delta))
    return max(audits, key=lambda audit: audit.delta_found if delta else audit.log_ratio)


def _compare(one: Input, other: Input, p: Law[Output], q: Law[Output], epsilon: float, delta: float) -> Audit:
    outputs = list(p.probabilities)
    ps = np.array([p.probabilities[y] for y in outputs])
    qs = np.array([q.probabilities.get(y, 0.0) for y in outputs])
    excess = np.maximum(ps - math.exp(epsilon) * qs, 0.0)
    ratios = _log_ratios(ps, qs, q.truncated)
    at = int(np.argmax(excess if delta else ratios))
    worst = Counterexample(one, other, outputs[at], float(ps[at]), float(qs[at]))
    return Audit(epsilon, delta, float(excess.sum()), float(ratios.max()), p.truncated, worst)


def audit_algorithm(
    algorithm: PrivateExpertsAlgorithm, vectors: Sequence[Losses], rounds: int, *, mass: float = 1e-40
) -> tuple[Audit, Audit]:
    """Audit an experts algorithm against the sum of its components, which is at most what it promises.

    Returns
    -------
    tuple of Audit
        Of the choices, which are what is released, and of the whole transcript, which the proofs allow to see.
    """
    statement = algorithm.privacy
    epsilon = math.fsum(component.epsilon for component in statement.components)
    delta = math.fsum(component.delta for component in statement.components)
    assert epsilon <= statement.epsilon * (1 + 1e-12)
    assert delta <= statement.delta
    laws = stream_laws(algorithm, vectors, rounds, transcript, mass=mass)
    choices, everything = (
        audit_streams(seen, algorithm.neighbours, epsilon, delta) for seen in (laws.choices(), laws)
    )
    return choices, everything


def audit_streams(laws: StreamLaws, neighbours: Neighbours, epsilon: float, delta: float = 0.0) -> Audit:
    """Audit the sequence of all choices on all neighbouring streams over the alphabet of `laws`.

    The streams may be adaptive: each loss vector, and the round where the two worlds differ, may depend on the
    choices made before. For one sequence of choices such a rule is a fixed stream, so all rules are covered: the
    log-ratios are the same, and the largest delta is found by choosing the worst vectors backwards, last round
    first, in the light of the choices so far.

    Parameters
    ----------
    laws : StreamLaws
    neighbours : Neighbours
        For "add-remove" the alphabet must hold the zero vector.
    epsilon, delta : float
        The promise.
    """
    vectors = laws.vectors
    replaceable = np.ones((len(vectors),) * 2, dtype=bool)
    if neighbours.relation == "add-remove":
        zero = np.array([not any(vector) for vector in vectors])
        assert zero.any(), "the alphabet lacks the zero vector"
        replaceable = zero[:, None] | zero[None, :] | np.eye(len(vectors), dtype=bool)

    truncated = float(laws.truncated.max())
    excesses: dict[Rounds, FloatArray] = {}
    log_ratio, candidates = -math.inf, []
    for rounds in combinations(range(laws.rounds), min(neighbours.rounds_per_person, laws.rounds)):
        p, q, allowed = _pairs(laws, rounds, replaceable)
        excess = np.where(allowed, np.maximum(p - math.exp(epsilon) * q, 0.0), 0.0)
        ratios = np.where(allowed, _log_ratios(p, q, truncated), -math.inf)
        log_ratio = max(log_ratio, float(ratios.max()))
        criterion = excess if delta else ratios
        at = tuple(map(int, np.unravel_index(int(np.argmax(criterion)), criterion.shape)))
        candidates.append((float(criterion[at]), rounds, at))
        excesses[rounds] = excess
    _, where, at = max(candidates)
    found = _worst_rule(excesses, laws.rounds)
    return Audit(epsilon, delta, found, log_ratio, truncated, _counterexample(laws, where, at))


def _pairs(
    laws: StreamLaws, rounds: Rounds, replaceable: npt.NDArray[np.bool_]
) -> tuple[FloatArray, FloatArray, npt.NDArray[np.bool_]]:
    """p, q and whether they are neighbours: each round that differs has two axes, p's vector and then q's."""
    p = q = laws.probabilities
    allowed = np.ones((1,) * p.ndim, dtype=bool)
    for round_ in reversed(rounds):
        p, q = np.expand_dims(p, round_ + 1), np.expand_dims(q, round_)
        pair = np.expand_dims(allowed, round_)
        shape = [1] * pair.ndim
        shape[round_ : round_ + 2] = replaceable.shape
        allowed = pair & replaceable.reshape(shape)
    return p, q, allowed


def _worst_rule(excesses: dict[Rounds, FloatArray], total: int) -> float:
    """The largest sum of the excess over the choices, when each loss vector may depend on the choices before it."""
    for round_ in reversed(range(total)):
        earlier: dict[Rounds, FloatArray] = {}
        for rounds, excess in excesses.items():
            before = tuple(r for r in rounds if r < round_)
            first = round_ + len(before)
            axes = (first, first + 1) if round_ in rounds else (first,)
            value = excess.sum(axis=-1).max(axis=axes)
            earlier[before] = np.maximum(earlier[before], value) if before in earlier else value
        excesses = earlier
    return float(excesses[()].sum())


def _counterexample(laws: StreamLaws, rounds: Rounds, at: tuple[int, ...]) -> Counterexample:
    one, other, position = [], [], 0
    for round_ in range(laws.rounds):
        one.append(at[position])
        position += round_ in rounds
        other.append(at[position])
        position += 1
    outputs = at[position:]
    return Counterexample(
        laws.stream(one),
        laws.stream(other),
        laws.output(outputs),
        float(laws.probabilities[(*one, *outputs)]),
        float(laws.probabilities[(*other, *outputs)]),
    )


def _log_ratios(p: FloatArray, q: FloatArray, truncated: float) -> FloatArray:
    """Lower bounds on log(p / q): the truncated probability may belong to any output."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios: FloatArray = np.where(p > 0, np.log(p) - np.log(q + truncated), -math.inf)
    return ratios
