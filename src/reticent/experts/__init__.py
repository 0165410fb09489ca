"""Prediction from experts: release one of N experts a round, learn from that round's losses."""

from reticent.experts.base import ExpertsAlgorithm, ExpertsLearner, PrivateExpertsAlgorithm
from reticent.experts.dartboard import Dartboard
from reticent.experts.doubling import Doubling
from reticent.experts.grid import Grid, LossBlock
from reticent.experts.guarded_epochs import GuardedEpochs
from reticent.experts.hedge import Hedge
from reticent.experts.lazy_to_private import LazyParameters, LazyToPrivate
from reticent.experts.private_hedge import PrivateHedge
from reticent.experts.recommended import auto
from reticent.experts.scheduled_hedge import EveryRounds, GeometricTimes, ScheduledHedge
from reticent.experts.shrinking_dartboard import ShrinkingDartboard, ShrinkingParameters
from reticent.experts.sparse_vector import SparseVectorExperts
from reticent.experts.subsampled import Subsampled
from reticent.experts.tree_ftpl import TreeFTPL
from reticent.experts.tuning import DartboardParameters

__all__ = [
    "Dartboard",
    "DartboardParameters",
    "Doubling",
    "EveryRounds",
    "ExpertsAlgorithm",
    "ExpertsLearner",
    "GeometricTimes",
    "Grid",
    "GuardedEpochs",
    "Hedge",
    "LazyParameters",
    "LazyToPrivate",
    "LossBlock",
    "PrivateExpertsAlgorithm",
    "PrivateHedge",
    "ScheduledHedge",
    "ShrinkingDartboard",
    "ShrinkingParameters",
    "SparseVectorExperts",
    "Subsampled",
    "TreeFTPL",
    "auto",
]
