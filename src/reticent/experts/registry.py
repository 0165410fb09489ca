"""The algorithms by the names that the command line and the tables use."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any

from reticent.errors import ParameterError
from reticent.experts.base import ExpertsAlgorithm, PrivateExpertsAlgorithm
from reticent.experts.dartboard import Dartboard
from reticent.experts.doubling import Doubling
from reticent.experts.guarded_epochs import GuardedEpochs
from reticent.experts.hedge import Hedge
from reticent.experts.lazy_to_private import LazyToPrivate
from reticent.experts.private_hedge import PrivateHedge
from reticent.experts.recommended import auto
from reticent.experts.scheduled_hedge import ScheduledHedge
from reticent.experts.shrinking_dartboard import ShrinkingDartboard
from reticent.experts.sparse_vector import SparseVectorExperts
from reticent.experts.tree_ftpl import TreeFTPL

__all__ = ["algorithm_names", "make"]


@dataclass(frozen=True)
class _Public:
    """The public parameters that every algorithm can be built from."""

    n_experts: int
    epsilon: float
    delta: float
    horizon: int | None
    relation: str
    rounds_per_person: int


_Maker = Callable[[_Public], ExpertsAlgorithm]


def _private(kind: type[PrivateExpertsAlgorithm], **settings: Any) -> _Maker:
    return partial(_make_private, kind, settings)


def _make_private(
    kind: type[PrivateExpertsAlgorithm], settings: dict[str, Any], public: _Public
) -> PrivateExpertsAlgorithm:
    return kind(
        public.n_experts,
        public.epsilon,
        public.delta,
        horizon=public.horizon,
        relation=public.relation,
        rounds_per_person=public.rounds_per_person,
        **settings,
    )


def _recommended(public: _Public) -> ExpertsAlgorithm:
    return auto(
        public.n_experts,
        public.epsilon,
        public.delta,
        public.horizon,
        relation=public.relation,
        rounds_per_person=public.rounds_per_person,
    )


def _hedge(public: _Public) -> Hedge:
    return Hedge(public.n_experts, horizon=public.horizon)


#: The recommended one first. A new algorithm gets one line here, and nothing else in the command line.
_MAKERS: MappingProxyType[str, _Maker] = MappingProxyType(
    {
        "auto": _recommended,
        "guarded-epochs": _private(GuardedEpochs),
        "dartboard": _private(Dartboard),
        "dartboard-paper": _private(Dartboard, parameters="paper"),
        "dartboard-decaying": _private(Dartboard, parameters="decaying"),
        "doubling": _private(Doubling),
        "scheduled-hedge": _private(ScheduledHedge),
        "sparse-vector": _private(SparseVectorExperts),
        "shrinking-dartboard": _private(ShrinkingDartboard),
        "lazy-to-private": _private(LazyToPrivate),
        "tree-ftpl": _private(TreeFTPL),
        "private-hedge": _private(PrivateHedge),
        "hedge": _hedge,
    }
)


def algorithm_names() -> tuple[str, ...]:
    """All names, the recommended algorithm first.

    Examples
    --------
    >>> algorithm_names()[0]
    'auto'
    """
    return tuple(_MAKERS)


def make(
    name: str,
    n_experts: int,
    epsilon: float,
    delta: float = 0.0,
    *,
    horizon: int | None = None,
    relation: str = "replace-one",
    rounds_per_person: int = 1,
) -> ExpertsAlgorithm:
    """The algorithm of this name.

    Parameters
    ----------
    name : str
        One of `algorithm_names`.
    n_experts, epsilon, delta, horizon, relation, rounds_per_person
        See `PrivateExpertsAlgorithm`; "hedge" is not private and uses only n_experts and horizon.

    Raises
    ------
    ParameterError
        When there is no such name, or the algorithm cannot be built from these parameters.

    Examples
    --------
    >>> make("dartboard-paper", 10, 1.0, 1e-6).name
    'Dartboard'
    """
    if name not in _MAKERS:
        raise ParameterError(f"there is no algorithm {name!r}; give one of {', '.join(_MAKERS)}.")
    return _MAKERS[name](_Public(n_experts, epsilon, delta, horizon, relation, rounds_per_person))
