"""Play a learner or a predictor on labelled rounds: one pass over the data."""

from reticent.labelled.playing import classify
from reticent.labelled.runs import (
    LabelledCurator,
    LabelledPersonal,
    LabelledReleased,
    LabelledRun,
    LearnedRun,
    PredictedRun,
)

__all__ = [
    "LabelledCurator",
    "LabelledPersonal",
    "LabelledReleased",
    "LabelledRun",
    "LearnedRun",
    "PredictedRun",
    "classify",
]
