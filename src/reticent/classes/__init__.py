"""Littlestone classes: the dimension, shattered trees, the standard optimal algorithm, essential hypotheses."""

from reticent.classes import families
from reticent.classes.base import Hypothesis, HypothesisClass, Instance
from reticent.classes.decomposition import decomposition_dimension
from reticent.classes.essential import essential_hypotheses
from reticent.classes.finite import FiniteClass
from reticent.classes.irreducibility import is_irreducible
from reticent.classes.table import TabulatedHypothesis
from reticent.classes.threshold_dimension import embedded_thresholds, threshold_dimension
from reticent.classes.trees import ShatteredTree, shattered_tree
from reticent.classes.vc import shattered_set, vc_dimension

__all__ = [
    "FiniteClass",
    "Hypothesis",
    "HypothesisClass",
    "Instance",
    "ShatteredTree",
    "TabulatedHypothesis",
    "decomposition_dimension",
    "embedded_thresholds",
    "essential_hypotheses",
    "families",
    "is_irreducible",
    "shattered_set",
    "shattered_tree",
    "threshold_dimension",
    "vc_dimension",
]
