"""Online learning of Littlestone classes: release a hypothesis each round, learn from that round's example."""

from reticent.learning import long_streams
from reticent.learning.base import OnlineLearner, OnlineLearningAlgorithm
from reticent.learning.hypothesis_experts import HypothesisExperts
from reticent.learning.name_and_shame import NameAndShameLearner
from reticent.learning.optimal import OptimalHypothesis, SOALearner
from reticent.learning.points import ALL_ZERO, PointLearner
from reticent.learning.recommended import auto

__all__ = [
    "ALL_ZERO",
    "HypothesisExperts",
    "NameAndShameLearner",
    "OnlineLearner",
    "OnlineLearningAlgorithm",
    "OptimalHypothesis",
    "PointLearner",
    "SOALearner",
    "auto",
    "long_streams",
]
