"""Learners against adversaries, many times over: how many mistakes they make, and what the theorems force."""

from reticent.games.adaptive import AdaptiveGame, play_adaptively
from reticent.games.estimate import Estimate
from reticent.games.oblivious_bounds import ObliviousBound, oblivious_bound
from reticent.games.playing import Game, play

__all__ = ["AdaptiveGame", "Estimate", "Game", "ObliviousBound", "oblivious_bound", "play", "play_adaptively"]
