"""Streams of losses made to be hard, each in its own way."""

from reticent.adversaries.families import FAMILIES, elimination, iid, leaders, near_ties

__all__ = ["FAMILIES", "elimination", "iid", "leaders", "near_ties"]
