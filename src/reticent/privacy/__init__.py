"""What is promised and what it costs: neighbouring streams, composition, privacy statements."""

from reticent.privacy.composition import (
    adaptive_optimum,
    basic_composition,
    calibrate_range,
    calibrate_sequence,
    coins_delta,
    compose,
    compose_sequence,
    optimal_composition,
    renyi_coins_delta,
    renyi_composition,
    renyi_epsilon,
    zcdp_epsilon,
    zcdp_rho,
)
from reticent.privacy.composition.rounding import round_up
from reticent.privacy.relation import Neighbours
from reticent.privacy.running import Running
from reticent.privacy.statement import Component, PrivacyStatement
from reticent.privacy.subsampling import amplify

__all__ = [
    "Component",
    "Neighbours",
    "PrivacyStatement",
    "Running",
    "adaptive_optimum",
    "amplify",
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
    "round_up",
    "zcdp_epsilon",
    "zcdp_rho",
]
