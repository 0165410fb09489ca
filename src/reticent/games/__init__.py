"""Learners against adversaries, many times over: how many mistakes they make, and what the theorems force."""

from reticent.games.adaptive import AdaptiveGame, play_adaptively
from reticent.games.estimate import Estimate
from reticent.games.oblivious_bounds import ObliviousBound, oblivious_bound
from reticent.games.playing import Game, play
from reticent.games.proof_quantities import Inequality, ProofQuantities, proof_quantities
from reticent.games.stages import Stage

__all__ = [
    "AdaptiveGame",
    "Estimate",
    "Game",
    "Inequality",
    "ObliviousBound",
    "ProofQuantities",
    "Stage",
    "oblivious_bound",
    "play",
    "play_adaptively",
    "proof_quantities",
]
