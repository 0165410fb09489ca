"""One learner of every kind, with settings under which much happens in few rounds."""

from __future__ import annotations

from reticent import learning as ln
from reticent.adversaries import amplify_by_dummies
from reticent.classes import Conjunctions, FiniteClass, Points, Thresholds

EVERY: dict[str, ln.OnlineLearningAlgorithm] = {
    "points": ln.PointLearner(Points(5), 4.0, delay=1, loyalty=0.0),
    "points, two rounds a person": ln.PointLearner(Points(5), 4.0, delay=1, rounds_per_person=2),
    "experts": ln.HypothesisExperts(Thresholds(5), 10.0, horizon=100),
    "experts of a table": ln.HypothesisExperts(
        FiniteClass([[0, 0, 1], [0, 1, 1]], instances=["a", "b", "c"]), 10.0, 1e-6, horizon=100
    ),
    "experts of conjunctions": ln.HypothesisExperts(Conjunctions(2), 10.0),
    "name and shame": ln.NameAndShameLearner(Thresholds(9), 0.3),
    "amplified by dummies": amplify_by_dummies(ln.PointLearner(Points(5), 4.0, delay=1), 0.5, (1, False)),
    "standard optimal": ln.SOALearner(Thresholds(9)),
}
