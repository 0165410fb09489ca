"""Online prediction under differential privacy: choose among experts, and say almost nothing about any one round.

>>> import reticent as rt
>>> algorithm = rt.experts.Dartboard(n_experts=3, epsilon=1.0, delta=1e-6)
>>> learner = algorithm.start()
>>> choice = learner.choice
>>> learner.update([0.0, 1.0, 0.5])

The promise hides one round's record. It assumes that the experts are fixed public functions of that round's record:
an expert that itself learned from earlier private rounds carries those rounds along, and then the promise is void.
"""

from reticent import (
    adversaries,
    audit,
    bounds,
    classes,
    experts,
    games,
    learning,
    mechanisms,
    prediction,
    privacy,
    randomness,
    streams,
)
from reticent.comparison import Comparison, compare
from reticent.errors import (
    CheckFailedError,
    InputError,
    LearnerStateError,
    MissingExtraError,
    ParameterError,
    ReticentError,
    WorkLimitError,
)
from reticent.labelled import LabelledRun, LearnedRun, PredictedRun, classify
from reticent.runner import Run, run

__version__ = "0.1.0"

__all__ = [
    "CheckFailedError",
    "Comparison",
    "InputError",
    "LabelledRun",
    "LearnedRun",
    "LearnerStateError",
    "MissingExtraError",
    "ParameterError",
    "PredictedRun",
    "ReticentError",
    "Run",
    "WorkLimitError",
    "adversaries",
    "audit",
    "bounds",
    "classes",
    "classify",
    "compare",
    "experts",
    "games",
    "learning",
    "mechanisms",
    "prediction",
    "privacy",
    "randomness",
    "run",
    "streams",
]
