"""Both things that an attacker may be thought to see, from one enumeration."""

from __future__ import annotations

from collections.abc import Sequence

from reticent.audit import ExactAudit, audited_promise, exact_streams
from reticent.audit.stream_laws import Losses, stream_laws
from reticent.audit.transcripts import transcript
from reticent.experts import PrivateExpertsAlgorithm

__all__ = ["audit_algorithm"]


def audit_algorithm(
    algorithm: PrivateExpertsAlgorithm, vectors: Sequence[Losses], rounds: int, *, mass: float = 1e-40
) -> tuple[ExactAudit, ExactAudit]:
    """Audits of the choices, which are released, and of the transcript, which the proofs allow to see."""
    laws = stream_laws(algorithm, vectors, rounds, transcript, mass=mass)
    promise = audited_promise(algorithm.privacy, None, None)
    choices, everything = (exact_streams(seen, algorithm.neighbours, *promise) for seen in (laws.choices(), laws))
    return choices, everything
