"""What many adaptive draws cost together: Comp_delta(V, r), and the largest rates that a budget allows."""

from reticent.privacy.composition.adaptive import adaptive_optimum
from reticent.privacy.composition.basic import basic_composition
from reticent.privacy.composition.calibration import calibrate_range, calibrate_sequence, zcdp_rho
from reticent.privacy.composition.coins import coins_delta
from reticent.privacy.composition.optimal import optimal_composition
from reticent.privacy.composition.renyi import renyi_coins_delta, renyi_composition, renyi_epsilon, zcdp_epsilon
from reticent.privacy.composition.total import compose, compose_sequence

__all__ = [
    "adaptive_optimum",
    "basic_composition",
    "calibrate_range",
    "calibrate_sequence",
    "coins_delta",
    "compose",
    "compose_sequence",
    "optimal_composition",
    "renyi_coins_delta",
    "renyi_composition",
    "renyi_epsilon",
    "zcdp_epsilon",
    "zcdp_rho",
]
