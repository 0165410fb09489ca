"""The shortest Mirror for a budget."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache

from reticent.mechanisms.arguments import check_delta, check_epsilon, check_whole
from reticent.mechanisms.mirror.logistic_coins import LogisticCoins
from reticent.mechanisms.mirror.mirror import MirrorSchedule
from reticent.mechanisms.mirror.shaped import shaped_coins
from reticent.mechanisms.mirror.single_switch import SingleSwitch

__all__ = ["calibrate_mirror"]

#: More coins, of all Mirrors together, are left to the closed form.
_MOST_SHAPED = 100_000
#: Above it a single switch is shorter than independent coins.
_SWITCH = Fraction(705, 1000)


def calibrate_mirror(epsilon: Fraction, delta: Fraction, mirrors: int = 1) -> MirrorSchedule:
    """The shortest random zone that costs no more than (epsilon, delta), for so many Mirrors together.

    Parameters
    ----------
    epsilon, delta : Fraction
    mirrors : int
        How many Mirrors share the budget, chained as in Sanyal's Lemma 12.

    Returns
    -------
    MirrorSchedule
        For one Mirror a `SingleSwitch`, where epsilon is above ln 2 by enough; otherwise `IndependentCoins`, shaped
        and certified by numbers; where these would be some 100,000 in all, `LogisticCoins`.

    >>> calibrate_mirror(Fraction(1), Fraction(1, 10**6)).rounds
    38
    """
    return _calibrate(check_epsilon(epsilon), check_delta(delta), check_whole("mirrors", mirrors))


@lru_cache(maxsize=256)
def _calibrate(epsilon: Fraction, delta: Fraction, mirrors: int) -> MirrorSchedule:
    schedules: list[MirrorSchedule] = [LogisticCoins(epsilon, delta, mirrors)]
    if epsilon > _SWITCH and mirrors == 1:
        schedules.append(SingleSwitch.calibrated(epsilon, delta))
    elif mirrors < _MOST_SHAPED and -math.log(delta) * (2 * math.pi**2 * mirrors**2) / epsilon**2 < _MOST_SHAPED:
        schedules.append(shaped_coins(epsilon, delta, mirrors))
    return min(schedules, key=lambda schedule: schedule.rounds)
