"""The one door to randomness."""

from reticent.randomness.departures import DelayRules, Departure, ScoreTable, Stay
from reticent.randomness.digits import LARGEST_SCALE
from reticent.randomness.enumerated import EnumeratedSource, Law, enumerate_outcomes
from reticent.randomness.exact import ExactSource
from reticent.randomness.recorded import RecordedSource, RecordingSource
from reticent.randomness.secure import SecureSource, secure_unless_given
from reticent.randomness.seeded import Generator, SeededSource, simulation_generator
from reticent.randomness.source import IntArray, Source

__all__ = [
    "LARGEST_SCALE",
    "DelayRules",
    "Departure",
    "EnumeratedSource",
    "ExactSource",
    "Generator",
    "IntArray",
    "Law",
    "RecordedSource",
    "RecordingSource",
    "ScoreTable",
    "SecureSource",
    "SeededSource",
    "Source",
    "Stay",
    "enumerate_outcomes",
    "secure_unless_given",
    "simulation_generator",
]
