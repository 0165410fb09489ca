"""Mirror, the private delay: the mechanism, and three kinds of chances for it."""

from reticent.mechanisms.mirror.calibration import calibrate_mirror
from reticent.mechanisms.mirror.independent_coins import IndependentCoins
from reticent.mechanisms.mirror.logistic_coins import LogisticCoins
from reticent.mechanisms.mirror.mirror import Mirror, MirrorSchedule
from reticent.mechanisms.mirror.shaped import shaped_coins
from reticent.mechanisms.mirror.single_switch import SingleSwitch

__all__ = [
    "IndependentCoins",
    "LogisticCoins",
    "Mirror",
    "MirrorSchedule",
    "SingleSwitch",
    "calibrate_mirror",
    "shaped_coins",
]
