"""Privacy claims, checked by running the code that ships."""

from reticent.audit.algorithm_checks import Check, check_algorithm, checks
from reticent.audit.algorithms import exact, exact_streams
from reticent.audit.features import AroundTheChange
from reticent.audit.joint import exact_joint
from reticent.audit.mechanisms import exact_mechanism
from reticent.audit.pairs import ties
from reticent.audit.promise import audited_promise
from reticent.audit.result import Counterexample, ExactAudit, StreamCounterexample
from reticent.audit.shipped import ShippedAudit, shipped_audits
from reticent.audit.statistical_audit import StatisticalAudit, statistical

__all__ = [
    "AroundTheChange",
    "Check",
    "Counterexample",
    "ExactAudit",
    "ShippedAudit",
    "StatisticalAudit",
    "StreamCounterexample",
    "audited_promise",
    "check_algorithm",
    "checks",
    "exact",
    "exact_joint",
    "exact_mechanism",
    "exact_streams",
    "shipped_audits",
    "statistical",
    "ties",
]
