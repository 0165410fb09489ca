"""Private predictors: they release the label of every round, jointly private, and never a hypothesis."""

from reticent.prediction import long_streams
from reticent.prediction.base import OnlinePredictionAlgorithm, OnlinePredictor
from reticent.prediction.candidate_sequence import CandidateSequence
from reticent.prediction.candidates import CandidatePredictor
from reticent.prediction.composed_constants import ComposedConstants
from reticent.prediction.constants import Constants, PowerOfTen
from reticent.prediction.hypotheses import HypothesisPredictor
from reticent.prediction.littlestone import LittlestonePredictor
from reticent.prediction.majority import MajorityPredictor
from reticent.prediction.name_and_shame import NameAndShame
from reticent.prediction.point_shares import PointShares, best_point_shares
from reticent.prediction.points import PointPredictor
from reticent.prediction.recommended import auto

__all__ = [
    "CandidatePredictor",
    "CandidateSequence",
    "ComposedConstants",
    "Constants",
    "HypothesisPredictor",
    "LittlestonePredictor",
    "MajorityPredictor",
    "NameAndShame",
    "OnlinePredictionAlgorithm",
    "OnlinePredictor",
    "PointPredictor",
    "PointShares",
    "PowerOfTen",
    "auto",
    "best_point_shares",
    "long_streams",
]
