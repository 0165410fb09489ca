"""What is hard to learn: the streams of the lower bounds for private learners, and synthetic losses for experts."""

from reticent.adversaries.adaptive import AdaptiveAdversary, AdaptiveStream
from reticent.adversaries.blocks import BlockAdversary
from reticent.adversaries.dummies import AmplifiedByDummies, amplify_by_dummies
from reticent.adversaries.families import FAMILIES, elimination, iid, leaders, near_ties
from reticent.adversaries.hardest import Choice, EnumeratedChoice, SimulatedChoice
from reticent.adversaries.information import information_bound, largest_insertion
from reticent.adversaries.points import PointAdversary
from reticent.adversaries.realisable import Adversary, FixedStream, ObliviousAdversary, RealisableStream
from reticent.adversaries.sign_guessing import SignGuessing
from reticent.adversaries.trees import TreeAdversary
from reticent.adversaries.watching_points import POINT_STRATEGIES, play_points

__all__ = [
    "FAMILIES",
    "POINT_STRATEGIES",
    "AdaptiveAdversary",
    "AdaptiveStream",
    "Adversary",
    "AmplifiedByDummies",
    "BlockAdversary",
    "Choice",
    "EnumeratedChoice",
    "FixedStream",
    "ObliviousAdversary",
    "PointAdversary",
    "RealisableStream",
    "SignGuessing",
    "SimulatedChoice",
    "TreeAdversary",
    "amplify_by_dummies",
    "elimination",
    "iid",
    "information_bound",
    "largest_insertion",
    "leaders",
    "near_ties",
    "play_points",
]
