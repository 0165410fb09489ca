"""Private sparse selection: an element that occurs in many of k lists, from a universe of any size."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import TypeVar

import numpy as np

from reticent.errors import ParameterError
from reticent.mechanisms.arguments import check_delta, check_epsilon, check_whole
from reticent.mechanisms.bounds import exponential_above
from reticent.randomness import Source

__all__ = ["SparseSelection", "smallest_threshold"]

Element = TypeVar("Element", bound=Hashable)

#: Thresholds are multiples of 1 / _UNITS lists.
_UNITS = 1024
#: e^-x for larger x is not computed: this is small enough for every delta.
_FAR = Fraction(4096)


def smallest_threshold(epsilon: Fraction, delta: Fraction, length: int, changed_lists: int = 1) -> Fraction:
    """The smallest tau with which `SparseSelection` is (epsilon, delta)-DP, rounded up to a multiple of 1/1024 list.

    tau = g + ln(g s / min(delta, e^{a' g} - 1)) / a', with a' = epsilon / (2 g), s = length and g = changed_lists.

    >>> float(smallest_threshold(Fraction(1), Fraction(1, 10**6), length=1))  # 1 + 2 ln(10^6)
    28.6318359375
    """
    epsilon, delta = _checked(epsilon, delta, length, changed_lists)
    rate, g = float(epsilon) / (2 * changed_lists), changed_lists
    guess = g + (math.log(g * length) - math.log(min(float(delta), math.expm1(rate * g)))) / rate
    low = math.floor(guess * _UNITS * (1 - 2.0**-40)) - 1
    step = 1
    while not _is_enough(Fraction(low + step, _UNITS), epsilon, delta, length, g):
        step *= 2
    high = low + step
    while high - low > 1:
        middle = (low + high) // 2
        enough = _is_enough(Fraction(middle, _UNITS), epsilon, delta, length, g)
        low, high = (low, middle) if enough else (middle, high)
    return Fraction(high, _UNITS)


@dataclass(frozen=True)
class SparseSelection:
    """One element out of k lists, with probability proportional to e^{a' c}, c the number of lists with it; or None.

    ::

        c(h) = number of lists with h among their first s distinct elements
        return h      with probability proportional to e^{a' c(h)}, for every h with c(h) >= 1
        return None   with probability proportional to e^{a' tau}

    Parameters
    ----------
    epsilon : Fraction
        2 g a' > 0, the price.
    delta : Fraction
        In (0, 1).
    length : int
        s >= 1: of a longer list only the first s distinct elements count.
    threshold : Fraction
        tau, in lists; rounded up to a multiple of 1/1024. `calibrated` takes the smallest.
    changed_lists : int
        g >= 1: how many of the lists one record may change.

    Raises
    ------
    ParameterError
        When a parameter is out of its range, or tau is below `smallest_threshold`.

    Notes
    -----
    **Guarantee.** (epsilon, delta)-DP when up to g of the k lists are replaced by any other lists, for
    g s e^{a' (g - tau)} <= min(delta, e^{a' g} - 1), which the constructor enforces. Except for outcomes of total
    probability delta on either side, the draw has bounded range epsilon; so it is delta-approximately
    epsilon^2 / 8-zCDP. How the elements of a list are ordered must not depend on other lists. Source: Sanyal, Fact 3;
    docs/proofs/prediction-mechanisms.md, section 2.

    >>> from reticent.randomness import SeededSource
    >>> selection = SparseSelection.calibrated(Fraction(1), Fraction(1, 10**6), length=2)
    >>> selection.select([("x", "y")] * 40 + [("z",)] * 40 + [("z", "x")] * 40, SeededSource(7))
    'z'
    """

    epsilon: Fraction
    delta: Fraction
    length: int
    threshold: Fraction
    changed_lists: int = 1

    def __post_init__(self) -> None:
        epsilon, delta = _checked(self.epsilon, self.delta, self.length, self.changed_lists)
        object.__setattr__(self, "epsilon", epsilon)
        object.__setattr__(self, "delta", delta)
        object.__setattr__(self, "threshold", Fraction(math.ceil(self.threshold * _UNITS), _UNITS))
        if not _is_enough(self.threshold, self.epsilon, self.delta, self.length, self.changed_lists):
            least = smallest_threshold(self.epsilon, self.delta, self.length, self.changed_lists)
            raise ParameterError(
                f"threshold is {float(self.threshold):g} lists, too low to be ({float(self.epsilon):g}, "
                f"{float(self.delta):g})-DP; give at least {float(least):.10g}."
            )

    @classmethod
    def calibrated(cls, epsilon: Fraction, delta: Fraction, length: int, changed_lists: int = 1) -> SparseSelection:
        """With the smallest threshold."""
        threshold = smallest_threshold(epsilon, delta, length, changed_lists)
        return cls(epsilon, delta, length, threshold, changed_lists)

    @classmethod
    def for_lists(
        cls, lists: int, epsilon: Fraction, delta: Fraction, length: int, changed_lists: int = 1
    ) -> SparseSelection:
        """With tau = 3/4 of the lists, as in Fact 3; `lists_needed` says how many that takes."""
        return cls(epsilon, delta, length, Fraction(3 * check_whole("lists", lists), 4), changed_lists)

    @property
    def rate(self) -> Fraction:
        """a', per list."""
        return self.epsilon / (2 * self.changed_lists)

    def select(self, lists: Iterable[Sequence[Element]], source: Source) -> Element | None:
        """Draw an element of the lists, or None."""
        counts = Counter(element for each in lists for element in islice(dict.fromkeys(each), self.length))
        scores = [-_UNITS * count for count in counts.values()]
        scores.append(-int(self.threshold * _UNITS))
        index = source.softmin_index(np.array(scores, dtype=np.int64), self.rate / _UNITS)
        return None if index == len(counts) else list(counts)[index]

    def missed(self, count: int) -> float:
        """Upper bound on the probability of None when some element is in `count` lists: e^{a' (tau - count)}."""
        return min(1.0, math.exp(min(0.0, float(self.rate * (self.threshold - count)))))

    def spurious(self, lists: int, count: int) -> float:
        """Upper bound on the probability of an element that is in fewer than `count` of k = `lists` lists.

        The counts add up to at most k s, and e^{a' c} / c is largest at an end of 1 <= c <= count.
        """
        rate, tau = float(self.rate), float(self.threshold)
        ends = max(rate * (1 - tau), rate * (count - tau) - math.log(count))
        return min(1.0, math.exp(min(0.0, math.log(lists * self.length) + ends)))

    @classmethod
    def lists_needed(
        cls, failure: float, epsilon: Fraction, delta: Fraction, length: int, changed_lists: int = 1
    ) -> int:
        """The k from which on both clauses of Fact 3 hold at tau = 3 k / 4.

        Each with probability at least 1 - failure: if some element is in 9/10 of the lists, an element is
        returned; and what is returned is None or in at least 3/5 of the lists.
        """
        if not 0 < failure < 1:
            raise ParameterError(f"failure is {failure!r}; give a number in (0, 1).")

        def suffices(lists: int) -> bool:
            if Fraction(3 * lists, 4) < least:
                return False
            selection = cls.for_lists(lists, epsilon, delta, length, changed_lists)
            often, seldom = math.ceil(Fraction(9 * lists, 10)), math.ceil(Fraction(3 * lists, 5))
            return selection.missed(often) <= failure and selection.spurious(lists, seldom) <= failure

        least = smallest_threshold(epsilon, delta, length, changed_lists)
        high = 1
        while not all(suffices(high + k) for k in range(20)):  # ceilings repeat after 20 lists
            high *= 2
        low = high // 2
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if all(suffices(middle + k) for k in range(20)) else (middle, high)
        return high


def _checked(epsilon: Fraction, delta: Fraction, length: int, changed_lists: int) -> tuple[Fraction, Fraction]:
    check_whole("length", length)
    check_whole("changed_lists", changed_lists)
    return check_epsilon(epsilon), check_delta(delta)


def _is_enough(threshold: Fraction, epsilon: Fraction, delta: Fraction, length: int, g: int) -> bool:
    """Whether g s e^{a' (g - tau)} <= min(delta, e^{a' g} - 1), certified."""
    rate = epsilon / (2 * g)
    if threshold < g:
        return False
    lost = g * length * exponential_above(min(rate * (threshold - g), _FAR))
    # e^y - 1 is at least y, which takes over where y is below the precision of the other bound.
    return lost <= delta and lost <= max(1 / exponential_above(rate * g) - 1, rate * g)
