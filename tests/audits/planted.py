"""A fault must be rejected where the sound algorithm passes: at the same promise, on the same streams."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import Any, TypeVar

from both_views import audit_algorithm

from reticent.audit import ExactAudit, exact_streams
from reticent.audit.stream_laws import Losses, stream_laws
from reticent.audit.transcripts import Observe, transcript
from reticent.experts import ExpertsLearner, PrivateExpertsAlgorithm
from reticent.randomness import Source

__all__ = ["assert_rejected", "like", "played_by"]

Algorithm = TypeVar("Algorithm", bound=PrivateExpertsAlgorithm)


def like(kind: type[Algorithm], sound: PrivateExpertsAlgorithm) -> Algorithm:
    """An algorithm of this kind with the parameters of a sound one."""
    return kind(**{field.name: getattr(sound, field.name) for field in fields(sound)})


def played_by(learner: Callable[[Any, Source], ExpertsLearner], sound: Algorithm) -> Algorithm:
    """The same algorithm, which promises the same, with a learner that has a fault."""
    kind = type(sound)
    return like(
        type(f"Faulty{kind.__name__}", (kind,), {"_start": lambda self, source: learner(self, source)}), sound
    )


def assert_rejected(
    faulty: PrivateExpertsAlgorithm,
    sound: PrivateExpertsAlgorithm,
    vectors: Sequence[Losses],
    rounds: int,
    *,
    observe: Observe = transcript,
    mass: float = 1e-40,
) -> ExactAudit:
    """Audit both against what the sound one promises; the audit of the faulty one, which is printed."""
    for audit in audit_algorithm(sound, vectors, rounds, mass=mass):
        assert audit.passed, str(audit)
    components = sound.privacy.components
    epsilon, delta = (math.fsum(getattr(c, share) for c in components) for share in ("epsilon", "delta"))
    laws = stream_laws(faulty, vectors, rounds, observe, mass=mass)
    seen = exact_streams(laws, sound.neighbours, epsilon, delta)
    released = exact_streams(laws.choices(), sound.neighbours, epsilon, delta)
    audit = seen if released.passed else released
    sys.stdout.write(f"{'the transcript is' if released.passed else 'the choices are'} {audit}\n")
    assert not audit.passed, str(audit)
    return audit
