"""The exact audits of what the library ships: tiny versions of every mechanism and every private algorithm.

The public parameters are such that within three or four rounds everything happens: guards fire, coins are
tossed, caps are reached, epochs end. Each is audited on every stream of its domain, in both relations; learners
in the one that there is for labelled examples.
"""

from reticent.audit.shipped.algorithms import algorithm_audits
from reticent.audit.shipped.learners import learner_audits
from reticent.audit.shipped.mechanisms import mechanism_audits
from reticent.audit.shipped.prediction import prediction_audits
from reticent.audit.shipped.predictors import predictor_audits
from reticent.audit.shipped.row import ShippedAudit

__all__ = ["ShippedAudit", "shipped_audits"]


def shipped_audits() -> list[ShippedAudit]:
    """All of them; of mechanisms and experts algorithms, what is audited in one relation is audited in the other.

    Examples
    --------
    >>> audit = shipped_audits()[0]
    >>> audit.title, audit.relation, audit.run().passed
    ('AboveThreshold', 'replace-one', True)
    """
    both = [
        audit
        for relation in ("replace-one", "add-remove")
        for audit in (
            *mechanism_audits(relation),
            *prediction_audits(relation),
            *predictor_audits(relation),
            *algorithm_audits(relation),
        )
    ]
    return [*both, *learner_audits()]
