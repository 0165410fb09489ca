"""Private mechanisms that the learners are built from; none of them knows what an expert is."""

from reticent.mechanisms.above_threshold import (
    AboveThreshold,
    DworkRothNoise,
    LaplaceNoise,
    OneSidedNoise,
    RunningSumAboveThreshold,
)
from reticent.mechanisms.batch_coin import BatchCoin
from reticent.mechanisms.combine import Combine
from reticent.mechanisms.delayed_coin import DelayedCoin
from reticent.mechanisms.exponential import DecayingRates, EqualRates, RedrawRates, exponential_mechanism
from reticent.mechanisms.majority_vote import MajorityVote, VoteRule
from reticent.mechanisms.mirror import (
    IndependentCoins,
    LogisticCoins,
    Mirror,
    MirrorSchedule,
    SingleSwitch,
    calibrate_mirror,
    shaped_coins,
)
from reticent.mechanisms.replacement import Replacement, ReplacementRule
from reticent.mechanisms.sparse_selection import SparseSelection, smallest_threshold
from reticent.mechanisms.tree_sums import GaussianNodes, LaplaceNodes, TreeSensitivity, TreeSums
from reticent.mechanisms.truncated_laplace import TruncatedLaplace

__all__ = [
    "AboveThreshold",
    "BatchCoin",
    "Combine",
    "DecayingRates",
    "DelayedCoin",
    "DworkRothNoise",
    "EqualRates",
    "GaussianNodes",
    "IndependentCoins",
    "LaplaceNodes",
    "LaplaceNoise",
    "LogisticCoins",
    "MajorityVote",
    "Mirror",
    "MirrorSchedule",
    "OneSidedNoise",
    "RedrawRates",
    "Replacement",
    "ReplacementRule",
    "RunningSumAboveThreshold",
    "SingleSwitch",
    "SparseSelection",
    "TreeSensitivity",
    "TreeSums",
    "TruncatedLaplace",
    "VoteRule",
    "calibrate_mirror",
    "exponential_mechanism",
    "shaped_coins",
    "smallest_threshold",
]
