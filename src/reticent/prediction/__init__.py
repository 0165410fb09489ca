"""Private predictors: they release the label of every round, jointly private, and never a hypothesis."""

from reticent.prediction.base import OnlinePredictionAlgorithm, OnlinePredictor
from reticent.prediction.point_shares import PointShares, best_point_shares
from reticent.prediction.points import PointPredictor

__all__ = ["OnlinePredictionAlgorithm", "OnlinePredictor", "PointPredictor", "PointShares", "best_point_shares"]
