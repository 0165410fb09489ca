"""Private mechanisms that the learners are built from; none of them knows what an expert is."""

from reticent.mechanisms.above_threshold import (
    AboveThreshold,
    DworkRothNoise,
    LaplaceNoise,
    OneSidedNoise,
    RunningSumAboveThreshold,
)
from reticent.mechanisms.delayed_coin import DelayedCoin
from reticent.mechanisms.exponential import DecayingRates, EqualRates, RedrawRates, exponential_mechanism

__all__ = [
    "AboveThreshold",
    "DecayingRates",
    "DelayedCoin",
    "DworkRothNoise",
    "EqualRates",
    "LaplaceNoise",
    "OneSidedNoise",
    "RedrawRates",
    "RunningSumAboveThreshold",
    "exponential_mechanism",
]
