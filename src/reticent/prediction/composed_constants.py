"""Public numbers of the predictor for Littlestone classes that make the most of what is proved about their price."""

from __future__ import annotations

import math
from dataclasses import KW_ONLY, dataclass
from fractions import Fraction
from functools import cached_property

from reticent.mechanisms import MirrorSchedule, calibrate_mirror, smallest_threshold
from reticent.mechanisms.arguments import check_delta, check_whole
from reticent.prediction.constants import Constants, check_shares, logarithm
from reticent.privacy import Component, zcdp_epsilon, zcdp_rho

__all__ = ["ComposedConstants"]

#: A square root or a delta in doubles, rounded down.
_DOWN = 1 - 2.0**-40
#: A Mirror makes no use of more.
_LARGEST_MIRROR = Fraction(16)
#: A batch that does not come to pass.
_NEVER = 2**60


@dataclass(frozen=True)
class ComposedConstants(Constants):
    """`Constants` whose selections and acceptances add up as zCDP, and whose Mirrors are accounted together.

    Parameters
    ----------
    dimension, samples, length, candidates, groups, batch, selection, acceptance, schedule, first_delay, failure
        See `Constants`.
    mirror : (Fraction, Fraction)
        What all N Mirrors may cost *together*.
    conversion : Fraction
        The delta at which the zCDP cost is converted.

    Notes
    -----
    **Guarantee.** With `epsilon` and `delta` as in `Constants`: a selection is zCDP with epsilon^2 / 8, an acceptance
    with epsilon^2 / 2, each but for its delta; they add up, and so do the Mirrors' losses; the two sums are converted
    each by itself (docs/proofs/prediction.md, section 2, Composition). It costs the square root of what `Constants`
    counts, when N is large.

    >>> default, paper = ComposedConstants.least(1, 1.0, 1e-6), Constants.paper(1, 1.0, 1e-6)
    >>> f"{default.mistake_bound:.2g}", paper.mistake_bound is None, len(str(paper.bound))
    ('1.7e+44', True, 991)
    """

    _: KW_ONLY
    conversion: Fraction = Fraction(1, 10**7)

    def __post_init__(self) -> None:
        object.__setattr__(self, "conversion", check_delta(self.conversion))
        super().__post_init__()

    @classmethod
    def within(
        cls,
        epsilon: float,
        delta: float,
        *,
        dimension: int,
        samples: int,
        length: int,
        candidates: int,
        groups: int,
        batch: int,
    ) -> ComposedConstants:
        """These numbers, with shares for a `LittlestonePredictor` of (epsilon, delta): half for the Mirrors."""
        # (epsilon / 2, delta / 4) in all; the other half is for selections and acceptances.
        e, b = Fraction(epsilon) / 4, Fraction(delta) / 16
        calls = candidates + dimension + 1
        check_shares(dimension, b / calls)
        rho = zcdp_rho(e, float(b) * _DOWN) / 2
        return cls(
            dimension,
            samples,
            length,
            candidates,
            groups,
            batch,
            selection=(_root(8 * rho / calls), b / calls),
            acceptance=(_root(2 * rho / candidates), b / candidates),
            mirror=(min(e, _LARGEST_MIRROR), b),
            conversion=b,
            failure=Fraction(delta),
        )

    @classmethod
    def least(cls, dimension: int, epsilon: float, delta: float) -> ComposedConstants:
        """The least numbers for which the bound on mistakes is proved, for a `LittlestonePredictor` of this budget.

        Parameters
        ----------
        dimension : int
            d >= 0.
        epsilon, delta : float
        """
        n, s, most = _samples(check_whole("dimension", dimension, least=0))
        numbers = {"dimension": dimension, "samples": n, "length": s, "candidates": most}
        selection = cls.within(epsilon, delta, groups=1, batch=_NEVER, **numbers).selection
        calls, failure = most + dimension + 1, Fraction(delta)
        groups = max(_for_lemma_6(n, most, failure), _for_lemma_7(selection, s, most, calls, failure))
        return cls.within(epsilon, delta, groups=groups, batch=2 * groups * n, **numbers)

    @property
    def rho(self) -> Fraction:
        """The zCDP cost of all selections and acceptances."""
        return self.calls * self.selection[0] ** 2 / 8 + self.candidates * self.acceptance[0] ** 2 / 2

    @cached_property
    def _converted(self) -> Fraction:
        return Fraction(zcdp_epsilon(self.rho, float(self.conversion) * _DOWN))

    @property
    def epsilon(self) -> Fraction:
        """See `Constants`."""
        return self._converted + self.mirror[0]

    @property
    def delta(self) -> Fraction:
        """See `Constants`."""
        approximate = self.calls * self.selection[1] + self.candidates * self.acceptance[1]
        return self.conversion + approximate + self.mirror[1]

    @property
    def components(self) -> tuple[Component, ...]:
        """See `Constants`."""
        number = f"{float(self.calls):.6g} selections and {float(self.candidates):.6g} acceptances"
        return (
            Component.rounded_up("candidates", self._converted, self.delta - self.mirror[1], number),
            Component.rounded_up("mirrors", *self.mirror, f"{float(self.candidates):.6g} together"),
        )

    @cached_property
    def mirror_schedule(self) -> MirrorSchedule:
        """The shortest for so many."""
        return calibrate_mirror(*self.mirror, self.candidates)

    @property
    def mirror_rounds(self) -> int:
        """M."""
        return self.mirror_schedule.rounds


def _samples(d: int) -> tuple[int, int, int]:
    """The least n that meets Lemma 6, with its s and N."""
    n = 1
    while True:
        s = (2**d * n) ** d * 2 ** (d * d)
        most = 2 * (d + 1) * s + 2
        needed = math.ceil(Constants.samples_needed(d, n, most))
        if n >= needed:
            return n, s, most
        n = needed


def _for_lemma_6(n: int, most: int, failure: Fraction) -> int:
    """The least k with k^2 >= 24692 N^2 K ln(2 N / beta), K = 2 k n."""
    return math.ceil(2 * 24692 * most**2 * n * Fraction(logarithm(2 * most / failure)))


def _for_lemma_7(selection: tuple[Fraction, Fraction], s: int, most: int, calls: int, failure: Fraction) -> int:
    """The least k for which tau = 3 k / 4 is private, and the selections do what they should."""
    epsilon, delta = selection
    changed = 2 * most
    private = smallest_threshold(epsilon, delta, s, changed) * 4 / 3
    useful = Fraction(logarithm(Fraction(10 * s * calls, 3) / failure)) * 20 / 3 / (epsilon / (2 * changed))
    return max(changed, math.ceil(private), math.ceil(useful))


def _root(x: Fraction) -> Fraction:
    """A square root, rounded down."""
    return Fraction(math.sqrt(float(x)) * _DOWN)
