"""The public numbers of the predictor for Littlestone classes: the paper's, and those of your own."""

from __future__ import annotations

import math
from dataclasses import KW_ONLY, dataclass
from fractions import Fraction
from functools import cached_property

from reticent.errors import ParameterError
from reticent.mechanisms import MirrorSchedule, ReplacementRule, SparseSelection, TruncatedLaplace, calibrate_mirror
from reticent.mechanisms.arguments import LEAST_DELTA, check_delta, check_epsilon, check_whole
from reticent.privacy import Component

__all__ = ["Budget", "Constants", "PowerOfTen", "check_shares", "logarithm"]

#: An (epsilon, delta).
Budget = tuple[Fraction, Fraction]

#: A noise with a larger bound cannot be drawn; what is never drawn may have one.
_LARGEST_NOISE = 2**23
#: Nor does a Mirror with a smaller epsilon fit into doubles.
_LEAST_MIRROR = Fraction(1, 10**9)
#: Batches of more mistakes do not come to pass.
_LARGEST_BATCH = 2**40
#: Bounds on mistakes with more digits than this are given by their logarithm.
_MOST_DIGITS = 4000


@dataclass(frozen=True)
class PowerOfTen:
    """A number too large to be written down."""

    log10: float

    def __str__(self) -> str:
        return f"10^{self.log10:.6g}"


@dataclass(frozen=True)
class Constants:
    """What Algorithms 2 and 3 are run with; any numbers are private, and `epsilon`, `delta` say how much.

    Parameters
    ----------
    dimension : int
        d >= 0, of the class.
    samples : int
        n: so many examples of a batch does a group keep.
    length : int
        s: so many essential hypotheses of a group count.
    candidates : int
        N.
    groups : int
        k.
    batch : int
        K: so many mistakes of a candidate make the next one.
    selection : (Fraction, Fraction)
        What each of the N + d + 1 selections may cost when all lists change that one record can change.
    acceptance, mirror : (Fraction, Fraction)
        What the two parts of each of the N replacements may cost.
    schedule : {"arithmetic", "paper"}
        The delays: D_1 = 2 K - 1 + 2 x and D_{j+1} = D_j + m + 2 K - 1 + 2 x, or D_j = 9^j D_0.
    first_delay : int, optional
        D_0, for the paper's schedule.
    failure : Fraction
        beta: how often at most the bound on mistakes may fail.

    Raises
    ------
    ParameterError
        When a number is out of its range, or the delays are shorter than Claim 1 needs: that would leak.

    Notes
    -----
    For privacy only these matter: the caps on candidates and selections, the lengths of the lists, the same K
    everywhere, the delays of Claim 1, and the budgets (docs/proofs/prediction.md, section 2). The rest is utility:
    `unmet` names the lemma whose condition the numbers fail, if any.

    >>> constants = Constants.paper(1, 1.0, 1e-6)
    >>> constants.candidates, f"{constants.batch:.2g}", f"{constants.delay(1):.2g}", str(constants.bound)[:5]
    (1026, '3.4e+10', '1.2e+12', '15288')
    >>> str(Constants.paper(2, 1.0, 1e-6).bound)
    '10^7.78942e+08'
    """

    dimension: int
    samples: int
    length: int
    candidates: int
    groups: int
    batch: int
    _: KW_ONLY
    selection: Budget
    acceptance: Budget
    mirror: Budget
    schedule: str = "arithmetic"
    first_delay: int | None = None
    failure: Fraction = Fraction(1, 10**6)

    def __post_init__(self) -> None:
        check_whole("dimension", self.dimension, least=0)
        for name in ("samples", "length", "candidates", "groups", "batch"):
            check_whole(name, getattr(self, name))
        for name in ("selection", "acceptance", "mirror"):
            epsilon, delta = getattr(self, name)
            object.__setattr__(self, name, (check_epsilon(epsilon), check_delta(delta)))
        object.__setattr__(self, "failure", check_delta(self.failure))
        if self.schedule not in ("arithmetic", "paper"):
            raise ParameterError(f"schedule is {self.schedule!r}; give 'arithmetic' or 'paper'.")
        if (self.schedule == "paper") != (self.first_delay is not None):
            raise ParameterError("first_delay belongs to the paper's schedule, and only to it.")
        if self.batch <= _LARGEST_BATCH and (self.noise_bound > _LARGEST_NOISE or self.mirror[0] < _LEAST_MIRROR):
            raise ParameterError("the budgets of acceptance and mirror are too small to be drawn; give larger ones.")
        # For 9^j D_0 the first step is the worst: later ones have more room.
        if self.delay(1) < self._apart or self.delay(2) - self.delay(1) < self._apart + self.mirror_rounds:
            raise ParameterError(
                f"first_delay is {self.first_delay}, shorter than Claim 1 allows, which privacy needs; "
                f"give at least {max(self._apart, -(-(self._apart + self.mirror_rounds) // 8)) // 9 + 1}."
            )

    @staticmethod
    def paper(
        dimension: int, epsilon: float, delta: float, *, c0: float = 1, c1: float = 1, c: float = 1
    ) -> Constants:
        """The numbers of Sanyal, before Algorithm 2 and in (11), for a `LittlestonePredictor` of (epsilon, delta).

        Parameters
        ----------
        dimension : int
            d >= 0.
        epsilon, delta : float
        c0, c1, c : float
            The paper's C_0, C_1 and C, which it leaves open.
        """
        d, e, b = check_whole("dimension", dimension, least=0), Fraction(epsilon), Fraction(delta)
        n = math.ceil(Fraction(c0) * (d + 1) ** 6)
        s = (2**d * n) ** d * 2 ** (d * d)
        most = 2 * (d + 1) * s + 2
        # Algorithm 2 is called with (epsilon / 4, delta / 8) and beta = delta.
        e2, b2 = e / 4, b / 8
        share = Fraction(logarithm(100 * most * n / (e2 * b2 * b)))
        k = math.ceil(Fraction(c1) * most**2 * (n + share / e2))
        batch = 2 * k * n
        squared = Fraction(logarithm(32 * most / b)) ** 2
        # Claim 1 takes D_0 >= 4 K, which (11) gives for C >= 4 only.
        first = max(math.ceil(Fraction(c) * (batch + most**2 * squared / e**2)), 4 * batch)
        calls = most + d + 1
        check_shares(d, b2 / (4 * calls))
        return Constants(
            d,
            n,
            s,
            most,
            k,
            batch,
            # 2 N eps_0 and 2 N e delta_0: what group privacy makes of eps_0 and delta_0 for one list.
            selection=(e2 / (4 * calls), b2 / (4 * calls)),
            acceptance=(e / (8 * most), b / (16 * most)),
            mirror=(e / (8 * most), b / (16 * most)),
            schedule="paper",
            first_delay=first,
            failure=b,
        )

    @property
    def calls(self) -> int:
        """N + d + 1: no more selections than this."""
        return self.candidates + self.dimension + 1

    @property
    def changed_groups(self) -> int:
        """In how many groups one record may change samples: two in each of the N batches."""
        return min(2 * self.candidates, self.groups)

    @property
    def epsilon(self) -> Fraction:
        """What a `CandidatePredictor` with these constants costs."""
        return self.calls * self.selection[0] + self.candidates * (self.acceptance[0] + self.mirror[0])

    @property
    def delta(self) -> Fraction:
        """What a `CandidatePredictor` with these constants costs besides."""
        return self.calls * self.selection[1] + self.candidates * (self.acceptance[1] + self.mirror[1])

    @property
    def components(self) -> tuple[Component, ...]:
        """The parts of a privacy statement."""
        times = f"{float(self.calls):.6g} times", f"{float(self.candidates):.6g} times"
        return (
            _added_up("selections", self.calls, self.selection, times[0]),
            _added_up("acceptances", self.candidates, self.acceptance, times[1]),
            _added_up("mirrors", self.candidates, self.mirror, times[1]),
        )

    @cached_property
    def selection_rule(self) -> SparseSelection:
        """With tau = 3/4 of the groups, or what privacy needs where that is more."""
        least = SparseSelection.calibrated(*self.selection, self.length, self.changed_groups).threshold
        return SparseSelection(
            *self.selection, self.length, max(least, Fraction(3 * self.groups, 4)), self.changed_groups
        )

    @cached_property
    def noise_bound(self) -> int:
        """X."""
        epsilon, delta = self.acceptance
        # A noise on -x, .., x costs at most e^(-epsilon x).
        enough = math.ceil(Fraction(-logarithm(delta)) * (1 + Fraction(1, 2**40)) / epsilon)
        return enough if enough > _LARGEST_NOISE else TruncatedLaplace.calibrated(epsilon, delta).bound

    @cached_property
    def mirror_schedule(self) -> MirrorSchedule:
        """The shortest for its budget."""
        return calibrate_mirror(*self.mirror)

    @cached_property
    def mirror_rounds(self) -> int:
        """M."""
        epsilon, delta = self.mirror
        if epsilon >= _LEAST_MIRROR:
            return self.mirror_schedule.rounds
        # The closed form of logistic coins: 1 + 2 ln(2 (1 + e^a) / b) / eta, eta = 2 (sqrt(1 + 2 rho) - 1).
        end = Fraction(-logarithm(delta / 5))
        rho = epsilon**2 / (4 * Fraction(-logarithm(delta / 2)) + 3 * epsilon)
        return 1 + math.ceil(end / rho * (1 + rho) * (1 + Fraction(1, 2**40)))

    @property
    def _apart(self) -> int:
        return 2 * self.batch - 1 + 2 * self.noise_bound

    def delay(self, j: int) -> int:
        """D_j, j = 1, .., N."""
        if self.first_delay is not None:
            return int(9**j * self.first_delay)
        return j * self._apart + (j - 1) * self.mirror_rounds

    def rule(self, j: int) -> ReplacementRule:
        """How candidate j replaces what was predicted until then."""
        noise = TruncatedLaplace(self.acceptance[0], self.noise_bound)
        return ReplacementRule(self.delay(j), self.batch, noise, self.mirror_schedule)

    def most_errors(self, level: int) -> int:
        """floor(a_l n), a_l = 1/8 - l / (32 (d + 1)): a hypothesis stays with no more errors on any kept sample."""
        share = Fraction(1, 8) - Fraction(level, 32 * (self.dimension + 1))
        return math.floor(share * self.samples)

    def essential_order(self, level: int) -> int:
        """p_l = 2^l n."""
        return int(2**level * self.samples)

    @property
    def bound(self) -> int | PowerOfTen:
        """K - 1 + D_N + m, whether or not the conditions of its proof hold."""
        if self.first_delay is not None:
            digits = self.candidates * math.log10(9) + math.log10(self.first_delay)
            if digits > _MOST_DIGITS:
                return PowerOfTen(digits)
        return self.batch - 1 + self.delay(self.candidates) + self.mirror_rounds

    @property
    def mistake_bound(self) -> int | PowerOfTen | None:
        """`bound`, with probability at least 1 - failure on every realisable stream; None where a lemma is unmet."""
        return None if self.unmet else self.bound

    @staticmethod
    def samples_needed(dimension: int, samples: int, candidates: int) -> float:
        """The n of Lemma 6's uniform convergence for these d and N; it grows with the logarithm of n."""
        spread = dimension * math.log(2 * math.e * samples / dimension) if dimension else 0.0
        return 8 * (64 * (dimension + 1)) ** 2 * (spread + math.log(4000 * candidates))

    @cached_property
    def unmet(self) -> str | None:
        """The first lemma of the mistake bound whose condition these constants fail, in a few words."""
        d, n, k, most = self.dimension, self.samples, self.groups, self.candidates
        if self.length < (2**d * n) ** d * 2 ** (d * d):
            return "Fact 2 needs s >= (2^d n)^d 2^(d^2)"
        if n < self.samples_needed(d, n, most):
            return "Lemma 6 needs n >= 8 (64 (d + 1))^2 (d ln(2 e n / d) + ln(4000 N))"
        if self.batch < 2 * k * n:
            return "Lemma 6 needs K >= 2 k n"
        # Bounded differences: 2 (0.009 k / N)^2 / (4 K) >= ln(2 N / beta).
        if k**2 < 24692 * most**2 * self.batch * Fraction(logarithm(2 * most / self.failure)):
            return "Lemma 6 needs k^2 >= 24692 N^2 K ln(2 N / beta)"
        # Fact 3 at tau = 3 k / 4: each clause fails with probability at most (5 s / 3) e^{-0.15 a' k}.
        often = Fraction(logarithm(Fraction(10 * self.length * self.calls, 3) / self.failure))
        if (
            self.selection_rule.threshold > Fraction(3 * k, 4)
            or Fraction(3, 20) * self.selection_rule.rate * k < often
        ):
            return "Lemma 7 needs a larger k for its selections"
        if most < 2 * (d + 1) * self.length + 2:
            return "the counting of Section 3 needs N >= 2 (d + 1) s + 2"
        return None


def _added_up(name: str, times: int, budget: Budget, number: str) -> Component:
    each = f"{number} ({float(budget[0]):.3g}, {float(budget[1]):.3g})"
    return Component.rounded_up(name, times * budget[0], times * budget[1], each)


def check_shares(dimension: int, delta: Fraction) -> None:
    """Refuse a share of delta that no mechanism can have."""
    if delta < LEAST_DELTA:
        raise ParameterError(
            f"dimension is {dimension}; for so large a one the shares of delta are below 1e-150: give constants "
            "of your own, or take another predictor."
        )


def logarithm(x: Fraction) -> float:
    """Natural logarithm of a fraction of any size."""
    return math.log(x.numerator) - math.log(x.denominator)
