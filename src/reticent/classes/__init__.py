"""Littlestone classes."""

from reticent.classes.base import Hypothesis, HypothesisClass, Instance
from reticent.classes.conjunctions import Conjunctions, MonotoneConjunctions
from reticent.classes.intervals import Intervals
from reticent.classes.labellings import labellings
from reticent.classes.oracle import OracleClass
from reticent.classes.parities import Parities
from reticent.classes.points import Points
from reticent.classes.product import ProductClass
from reticent.classes.sparse import AllFunctions, ExactlySparse, Sparse
from reticent.classes.thresholds import Thresholds

__all__ = [
    "AllFunctions",
    "Conjunctions",
    "ExactlySparse",
    "Hypothesis",
    "HypothesisClass",
    "Instance",
    "Intervals",
    "MonotoneConjunctions",
    "OracleClass",
    "Parities",
    "Points",
    "ProductClass",
    "Sparse",
    "Thresholds",
    "labellings",
]
