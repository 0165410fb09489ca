"""Privacy claims, checked by running the code that ships."""

from reticent.audit.algorithms import exact, exact_streams
from reticent.audit.features import AroundTheChange
from reticent.audit.mechanisms import exact_mechanism
from reticent.audit.promise import audited_promise
from reticent.audit.result import Counterexample, ExactAudit, StreamCounterexample
from reticent.audit.statistical_audit import StatisticalAudit, statistical

__all__ = [
    "AroundTheChange",
    "Counterexample",
    "ExactAudit",
    "StatisticalAudit",
    "StreamCounterexample",
    "audited_promise",
    "exact",
    "exact_mechanism",
    "exact_streams",
    "statistical",
]
