"""Littlestone classes: the dimension, shattered trees, the standard optimal algorithm, essential hypotheses."""

from reticent.classes import families
from reticent.classes.base import Hypothesis, HypothesisClass, Instance
from reticent.classes.conjunctions import Conjunctions, MonotoneConjunctions
from reticent.classes.decomposition import decomposition_dimension
from reticent.classes.essential import essential_hypotheses
from reticent.classes.finite import FiniteClass
from reticent.classes.intervals import Intervals
from reticent.classes.irreducibility import is_irreducible
from reticent.classes.labellings import labellings
from reticent.classes.names import class_names, named
from reticent.classes.oracle import OracleClass
from reticent.classes.parities import Parities
from reticent.classes.points import Points
from reticent.classes.product import ProductClass
from reticent.classes.projection import project
from reticent.classes.sparse import AllFunctions, ExactlySparse, Sparse
from reticent.classes.table import TabulatedHypothesis
from reticent.classes.threshold_dimension import embedded_thresholds, threshold_dimension
from reticent.classes.thresholds import Thresholds
from reticent.classes.trees import ShatteredTree, shattered_tree
from reticent.classes.vc import shattered_set, vc_dimension

__all__ = [
    "AllFunctions",
    "Conjunctions",
    "ExactlySparse",
    "FiniteClass",
    "Hypothesis",
    "HypothesisClass",
    "Instance",
    "Intervals",
    "MonotoneConjunctions",
    "OracleClass",
    "Parities",
    "Points",
    "ProductClass",
    "ShatteredTree",
    "Sparse",
    "TabulatedHypothesis",
    "Thresholds",
    "class_names",
    "decomposition_dimension",
    "embedded_thresholds",
    "essential_hypotheses",
    "families",
    "is_irreducible",
    "labellings",
    "named",
    "project",
    "shattered_set",
    "shattered_tree",
    "threshold_dimension",
    "vc_dimension",
]
