"""Streams of losses made to be hard, each in its own way, and adversaries of predictors."""

from reticent.adversaries.families import FAMILIES, elimination, iid, leaders, near_ties
from reticent.adversaries.points import POINT_STRATEGIES, play_points

__all__ = ["FAMILIES", "POINT_STRATEGIES", "elimination", "iid", "leaders", "near_ties", "play_points"]
