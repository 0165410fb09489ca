"""Learners against adversaries, many times over: how many mistakes they make, and what the theorems force."""

from reticent.games.estimate import Estimate
from reticent.games.playing import Game, play

__all__ = ["Estimate", "Game", "play"]
