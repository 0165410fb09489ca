"""The exact audit of an experts algorithm: every stream over a tiny alphabet, every neighbouring pair.

For two laws with densities p and q, delta(epsilon) = sum over outputs of (p - e^epsilon q)_+ is the hockey-stick
divergence: (epsilon, delta)-DP says delta(epsilon) <= delta for all ordered neighbouring pairs. For delta = 0 it says
p <= e^epsilon q for each output.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations, product

import numpy as np
import numpy.typing as npt

from reticent.audit.divergence import excesses, log_ratios
from reticent.audit.promise import audited_promise, check_mass
from reticent.audit.result import ExactAudit, StreamCounterexample
from reticent.audit.stream_laws import Losses, StreamLaws, stream_laws
from reticent.audit.transcripts import Observe, choice, transcript
from reticent.errors import ParameterError
from reticent.experts import ExpertsAlgorithm
from reticent.privacy import Neighbours
from reticent.randomness.laws import FloatArray

__all__ = ["LARGEST_EPSILON", "exact", "exact_streams"]

#: The rounds in which two streams differ.
Rounds = tuple[int, ...]

#: What a learner shows, by name.
_SEEN: dict[str, Observe] = {"choices": choice, "transcript": transcript}

#: Probabilities that differ by more than e to this may underflow, and would look impossible.
LARGEST_EPSILON = 500.0

#: Probabilities of pairs that are compared at once, at most: 1 GB of doubles.
_MOST_CELLS = 1 << 27


def exact(
    algorithm: ExpertsAlgorithm,
    domain: Sequence[Sequence[float]] | None = None,
    relation: Neighbours | str | None = None,
    *,
    rounds: int = 3,
    seen: str | Observe = "choices",
    epsilon: float | None = None,
    delta: float | None = None,
    mass: float = 1e-40,
) -> ExactAudit:
    """Enumerate every outcome of an algorithm on every tiny stream, and compare neighbours with the promise.

    The code that ships runs unchanged; nothing is sampled. Streams may be adaptive: each loss vector, and the round
    in which the two worlds differ, may depend on the choices made before.

    Parameters
    ----------
    algorithm : ExpertsAlgorithm
        Of few experts (two or three) on a coarse grid (``grid_bits`` 0 or 1): the time grows with the number of
        states that a learner can be in. The class of its learner must be importable, so that it can be saved.
    domain : sequence of loss vectors, optional
        What the losses of a round can be; all vectors of 0 and 1 by default. The work grows like
        ``len(domain) ** rounds``.
    relation : Neighbours or {"replace-one", "add-remove"}, optional
        Which streams are neighbours; as the algorithm's statement says by default. For "add-remove" the domain must
        hold the zero vector.
    rounds : int
        The length of the streams.
    seen : {"choices", "transcript"} or callable (learner, source) -> tuple
        What an attacker sees before the first round and after each. "choices": what is released. "transcript": every
        answer of a guard, a coin and a draw besides, which the proofs release too, so that it must be private too.
        A tuple of one's own must end with the choice.
    epsilon, delta : float, optional
        The promise; by default what the components of the algorithm's statement add up to, which is at most what
        the statement promises.
    mass : float
        The most that one draw's support may leave out.

    Returns
    -------
    ExactAudit
        ``print`` it: it shows the worst pair of streams, and the output that tells them apart.

    Raises
    ------
    ParameterError
        When the algorithm promises nothing, or is too large to enumerate.

    Examples
    --------
    >>> import reticent as rt
    >>> print(rt.audit.exact(rt.experts.PrivateHedge(2, epsilon=1.0, horizon=3, grid_bits=0), rounds=2))
    passed: promised (1, 0)-DP; found delta 0 at this epsilon, largest log-ratio 0.53093
      round  losses  neighbour's  then seen
      start                       choice 0
      0      0 1     1 0          choice 0
      1      1 0     same         choice 0
      probability 0.140544, on the neighbour 0.0826481: the ratio is exp(0.53093)

    Without privacy the leader shows:

    >>> rt.audit.exact(rt.experts.Hedge(2, horizon=2, grid_bits=0), rounds=2, epsilon=1.0).passed
    False
    """
    if isinstance(seen, str) and seen not in _SEEN:
        raise ParameterError(f"seen is {seen!r}; give 'choices', 'transcript' or a function of learner and source.")
    if isinstance(rounds, bool) or not isinstance(rounds, int) or rounds < 1:
        raise ParameterError(f"rounds is {rounds!r}; give a whole number from 1 on.")
    epsilon, delta = audited_promise(algorithm.privacy, epsilon, delta)
    check_mass(mass)
    if epsilon > LARGEST_EPSILON:
        raise ParameterError(
            f"the promise to audit has epsilon {epsilon:g}, and probabilities so far apart are no doubles; audit a "
            f"version with epsilon at most {LARGEST_EPSILON:g}."
        )
    if domain is None:
        domain = tuple(product((0.0, 1.0), repeat=algorithm.n_experts))
    vectors = [tuple(map(float, vector)) for vector in domain]
    if not vectors:
        raise ParameterError("domain is empty; give the loss vectors that a round can have.")
    neighbours = algorithm.privacy.neighbours
    if isinstance(relation, Neighbours):
        neighbours = relation
    elif relation is not None:
        neighbours = Neighbours(relation, neighbours.rounds_per_person)
    streams, outputs = len(vectors) ** rounds, algorithm.n_experts ** (rounds + 1)
    _check_size(rounds, vectors, streams * outputs * len(vectors) ** min(neighbours.rounds_per_person, rounds))
    observe = _SEEN[seen] if isinstance(seen, str) else seen
    laws = stream_laws(algorithm, vectors, rounds, observe, mass=mass)
    return exact_streams(laws, neighbours, epsilon, delta)


def exact_streams(laws: StreamLaws, neighbours: Neighbours, epsilon: float, delta: float = 0.0) -> ExactAudit:
    """Compare laws that were enumerated before on all neighbouring streams, adaptive ones too.

    For one sequence of outputs an adaptive rule is a fixed stream, so all rules are covered: the log-ratios are the
    same, and the largest delta is found by choosing the worst vectors backwards, last round first, in the light of
    the outputs so far.

    Parameters
    ----------
    laws : StreamLaws
    neighbours : Neighbours
        For "add-remove" the vectors of `laws` must hold the zero vector.
    epsilon, delta : float
        The promise.
    """
    differing = min(neighbours.rounds_per_person, laws.rounds)
    _check_size(laws.rounds, laws.vectors, laws.probabilities.size * len(laws.vectors) ** differing)
    replaceable = _replaceable(laws.vectors, neighbours)
    truncated = float(laws.truncated.max())
    found: dict[Rounds, FloatArray] = {}
    log_ratio, candidates = -math.inf, []
    for rounds in combinations(range(laws.rounds), differing):
        p, q, allowed = _pairs(laws, rounds, replaceable)
        excess = np.where(allowed, excesses(p, q, epsilon), 0.0)
        ratios = np.where(allowed, log_ratios(p, q, truncated), -math.inf)
        log_ratio = max(log_ratio, float(ratios.max()))
        criterion = excess if delta else ratios
        at = tuple(map(int, np.unravel_index(int(np.argmax(criterion)), criterion.shape)))
        candidates.append((float(criterion[at]), rounds, at))
        found[rounds] = excess
    _, where, at = max(candidates)
    worst = _counterexample(laws, where, at)
    return ExactAudit(epsilon, delta, _worst_rule(found, laws.rounds), log_ratio, truncated, worst)


def _check_size(rounds: int, vectors: Sequence[Losses], cells: int) -> None:
    if cells > _MOST_CELLS:
        raise ParameterError(
            f"{rounds} rounds with {len(vectors)} loss vectors are too many pairs to compare; give fewer."
        )


def _replaceable(vectors: Sequence[Losses], neighbours: Neighbours) -> npt.NDArray[np.bool_]:
    """Which loss vector may be replaced by which in a round."""
    if neighbours.relation == "replace-one":
        return np.ones((len(vectors),) * 2, dtype=bool)
    zero = np.array([not any(vector) for vector in vectors])
    if not zero.any():
        raise ParameterError("the domain lacks the zero vector, which add-remove compares with; add it.")
    replaceable: npt.NDArray[np.bool_] = zero[:, None] | zero[None, :] | np.eye(len(vectors), dtype=bool)
    return replaceable


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


def _worst_rule(found: dict[Rounds, FloatArray], total: int) -> float:
    """The largest sum of the excess over the outputs, when each loss vector may depend on the outputs before it."""
    for round_ in reversed(range(total)):
        earlier: dict[Rounds, FloatArray] = {}
        for rounds, excess in found.items():
            before = tuple(r for r in rounds if r < round_)
            first = round_ + len(before)
            axes = (first, first + 1) if round_ in rounds else (first,)
            value = excess.sum(axis=-1).max(axis=axes)
            earlier[before] = np.maximum(earlier[before], value) if before in earlier else value
        found = earlier
    return float(found[()].sum())


def _counterexample(laws: StreamLaws, rounds: Rounds, at: tuple[int, ...]) -> StreamCounterexample:
    one, other, position = [], [], 0
    for round_ in range(laws.rounds):
        one.append(at[position])
        position += round_ in rounds
        other.append(at[position])
        position += 1
    outputs = at[position:]
    return StreamCounterexample(
        laws.stream(one),
        laws.stream(other),
        laws.output(outputs),
        float(laws.probabilities[(*one, *outputs)]),
        float(laws.probabilities[(*other, *outputs)]),
    )
