"""Every outcome of a run of the unchanged code, with its probability."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import index
from typing import Generic, TypeVar, cast

import numpy as np

from reticent.errors import ParameterError
from reticent.randomness.arguments import (
    check_count,
    check_exponent,
    check_probability,
    check_queries,
    check_rate,
    check_scale,
    check_scores,
    check_size,
    check_variance,
)
from reticent.randomness.laws import DiscreteGaussianLaw, DiscreteLaplaceLaw, FloatArray, GeometricLaw, NoiseLaw
from reticent.randomness.lazy import LazyInteger, PendingDraw
from reticent.randomness.source import IntArray, Source

__all__ = ["EnumeratedSource", "Law", "enumerate_outcomes"]

Output = TypeVar("Output", bound=Hashable)


@dataclass(frozen=True)
class Law(Generic[Output]):
    """The law of a run's output.

    Attributes
    ----------
    probabilities : dict
        The probability of each output, to a relative error of about 1e-14, together with no draw being truncated.
    truncated : float
        The probability that some draw was outside its enumerated support; it may belong to any output. The
        probabilities and it add up to 1.
    """

    probabilities: dict[Output, float]
    truncated: float


def enumerate_outcomes(run: Callable[[Source], Output], *, mass: float = 1e-15) -> Law[Output]:
    """The exact law of the output of a run.

    Depth-first re-execution: the run is called once for each path of decisions. A run must be a function of its
    source's answers: it starts from the same state at each call.

    Parameters
    ----------
    run : callable
        Takes a source, makes the run with it and returns a hashable output.
    mass : float
        In (0, 1): the most that a draw's support may leave out.

    Returns
    -------
    Law

    Raises
    ------
    ParameterError
        When the run asks different questions after the same answers, or a support is too large to enumerate.

    Examples
    --------
    >>> law = enumerate_outcomes(lambda source: source.bernoulli(Fraction(1, 4)) + source.uniform_index(2))
    >>> sorted(law.probabilities.items())
    [(0, 0.375), (1, 0.5), (2, 0.125)]
    """
    if not 0 < mass < 1:
        raise ParameterError(f"mass = {mass} is out of range; give a number in (0, 1), such as 1e-15.")
    kept: dict[Output, list[float]] = {}
    lost: list[float] = []
    script: list[int] = []
    sizes: list[int] = []
    while True:
        source = EnumeratedSource(script, mass)
        output = run(source)
        if source.sizes[: len(sizes)] != sizes:
            raise ParameterError(
                "the run asked different questions after the same answers; build its state inside it."
            )
        whole = math.exp(source.log_whole)
        kept.setdefault(output, []).append(source.probability * whole)
        lost.append(-source.probability * math.expm1(source.log_whole))
        script, sizes = source.script, source.sizes
        while script and script[-1] + 1 == sizes[-1]:
            script.pop()
            sizes.pop()
        if not script:
            return Law({output: math.fsum(parts) for output, parts in kept.items()}, math.fsum(lost))
        script[-1] += 1


class EnumeratedSource:
    """One path of an enumeration: follows a script of choices, then takes the first outcome of each decision.

    `geometric`, `discrete_laplace` and `discrete_gaussian` return lazy integers: a comparison by one of the `exceeds`
    verbs branches on its answer only, and conditions the law of the draw on it.

    Attributes
    ----------
    script : list of int
        The choice made at each branch.
    sizes : list of int
        The number of choices at each branch; outcomes of probability 0 are not offered.
    probability : float
        Of this path, given that all draws are inside their supports.
    log_whole : float
        The logarithm of the probability that they are.
    """

    def __init__(self, script: Sequence[int] = (), mass: float = 1e-15) -> None:
        self.script = list(script)
        self.sizes: list[int] = []
        self.probability = 1.0
        self.log_whole = 0.0
        self._mass = mass

    @property
    def private(self) -> bool:
        """False."""
        return False

    @property
    def description(self) -> str:
        """``"enumerated"``."""
        return "enumerated"

    def uniform_index(self, n: int) -> int:
        """See `Source`; branches on all n."""
        n = check_count(n)
        return self._choose([1 / n] * n)

    def bernoulli(self, p: Fraction) -> bool:
        """See `Source`."""
        p = check_probability(p)
        return bool(self._choose([float(1 - p), float(p)]))

    def bernoulli_exp(self, x: Fraction) -> bool:
        """See `Source`."""
        x = check_exponent(x)
        return bool(self._choose([-math.expm1(-x), math.exp(-x)]))

    def softmin_index(self, scores: IntArray, rate: Fraction) -> int:
        """See `Source`; branches on all indices."""
        values: list[int] = check_scores(scores, 1).tolist()
        rate = check_rate(rate)
        least = min(values)
        weights = [math.exp(-rate * (value - least)) for value in values]
        total = math.fsum(weights)
        return self._choose([weight / total for weight in weights])

    def softmin_indices(self, scores: IntArray, rate: Fraction) -> IntArray:
        """See `Source`."""
        return np.array([self.softmin_index(row, rate) for row in check_scores(scores, 2)], np.int64)

    def geometric(self, scale: Fraction) -> int:
        """See `Source`; a lazy integer."""
        return self._draw(GeometricLaw.support(check_scale(scale), self._mass))

    def discrete_laplace(self, scale: Fraction) -> int:
        """See `Source`; a lazy integer."""
        return self._draw(DiscreteLaplaceLaw.support(check_scale(scale), self._mass))

    def discrete_gaussian(self, variance: Fraction) -> int:
        """See `Source`; a lazy integer."""
        return self._draw(DiscreteGaussianLaw.support(check_variance(variance), self._mass))

    def geometrics(self, scale: Fraction, size: int) -> IntArray:
        """See `Source`; branches on all values of all draws."""
        return np.array([int(self.geometric(scale)) for _ in range(check_size(size))], np.int64)

    def discrete_laplaces(self, scale: Fraction, size: int) -> IntArray:
        """See `Source`; branches on all values of all draws."""
        return np.array([int(self.discrete_laplace(scale)) for _ in range(check_size(size))], np.int64)

    def discrete_gaussians(self, variance: Fraction, size: int) -> IntArray:
        """See `Source`; branches on all values of all draws."""
        return np.array([int(self.discrete_gaussian(variance)) for _ in range(check_size(size))], np.int64)

    def geometric_exceeds(self, gap: int, scale: Fraction) -> bool:
        """See `Source`; the gap may be lazy."""
        return self._decide(gap, GeometricLaw.reaches, scale)

    def discrete_laplace_exceeds(self, gap: int, scale: Fraction) -> bool:
        """See `Source`; the gap may be lazy."""
        return self._decide(gap, DiscreteLaplaceLaw.reaches, scale)

    def first_geometric_excess(self, threshold: int, queries: IntArray, scale: Fraction) -> int:
        """See `Source`; the threshold may be lazy."""
        return self._first(threshold, queries, GeometricLaw.reaches, scale)

    def first_discrete_laplace_excess(self, threshold: int, queries: IntArray, scale: Fraction) -> int:
        """See `Source`; the threshold may be lazy."""
        return self._first(threshold, queries, DiscreteLaplaceLaw.reaches, scale)

    def _draw(self, law: NoiseLaw) -> int:
        self.log_whole += math.log1p(-law.missing)
        return cast(int, LazyInteger(PendingDraw(law, self._choose)))

    def _first(
        self,
        threshold: int,
        queries: IntArray,
        reaches: Callable[[Fraction, int, int], tuple[FloatArray, FloatArray]],
        scale: Fraction,
    ) -> int:
        values: list[int] = check_queries(queries).tolist()
        for k, value in enumerate(values):
            if self._decide(threshold - value, reaches, scale):
                return k
        return len(values)

    def _decide(
        self,
        gap: int | LazyInteger,
        reaches: Callable[[Fraction, int, int], tuple[FloatArray, FloatArray]],
        scale: Fraction,
    ) -> bool:
        scale = check_scale(scale)
        if isinstance(gap, LazyInteger):
            return gap.draw.decide(*reaches(scale, *gap.ends()))
        yes, no = reaches(scale, index(gap), index(gap))
        return bool(self._choose([float(no[0]), float(yes[0])]))

    def _choose(self, probabilities: Sequence[float] | FloatArray) -> int:
        offered = [outcome for outcome, probability in enumerate(probabilities) if probability > 0]
        if len(offered) == 1:
            return offered[0]
        depth = len(self.sizes)
        self.sizes.append(len(offered))
        if depth == len(self.script):
            self.script.append(0)
        outcome = offered[self.script[depth]]
        self.probability *= float(probabilities[outcome])
        return outcome
