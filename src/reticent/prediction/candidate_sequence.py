"""Algorithm 2: a private sequence of candidates, each learned from the mistakes of those before."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from reticent.classes import FiniteClass, Instance, TabulatedHypothesis, essential_hypotheses
from reticent.prediction.constants import Constants
from reticent.randomness import Source

__all__ = ["CandidateGroup", "CandidateSequence", "Example", "Sample"]

Example = tuple[Instance, bool]


@dataclass(frozen=True)
class Sample:
    """What a group keeps of a batch.

    Parameters
    ----------
    batch : int
        The number of the batch, counted from 1.
    examples : tuple of (instance, label)
    """

    batch: int
    examples: tuple[Example, ...]


@dataclass(frozen=True)
class CandidateGroup:
    """FOR THE CURATOR ONLY: what a group knows.

    Parameters
    ----------
    samples : tuple of Sample
        S_i.
    essential : tuple of TabulatedHypothesis
        C_p(G_i), the essential hypotheses of those that make few errors on each sample.
    """

    samples: tuple[Sample, ...]
    essential: tuple[TabulatedHypothesis, ...]


class CandidateSequence:
    """Hypotheses that are essential to many groups of examples, one after the other.

    ::

        l = 0; no group has a sample
        for each batch of mistakes of the last candidate:
            assign each example to a group, uniformly; each group keeps a uniform subset of up to n of them
            select from the lists C_{p_l}(G_i); G_i: at most a_l n errors on each sample of group i
            while nothing is selected: if l = d, end; l += 1, and select again

    Parameters
    ----------
    hypothesis_class : FiniteClass
    constants : Constants
    source : Source

    Notes
    -----
    **Guarantee.** All candidates together are (calls epsilon, calls delta)-DP for the (epsilon, delta) of
    `constants.selection`, when the j-th batch is that of the first K mistakes of the candidate before it on one fixed
    stream, of which one example is replaced; at most N batches. Source: Sanyal, Algorithm 2 and Lemma 10;
    docs/proofs/prediction.md, section 2.
    """

    def __init__(self, hypothesis_class: FiniteClass, constants: Constants, source: Source) -> None:
        self._class = hypothesis_class
        self._constants = constants
        self._source = source
        self._level = 0
        self._exhausted = False
        self._batches = 0
        self._groups = [hypothesis_class] * constants.groups
        self._samples: list[list[Sample]] = [[] for _ in range(constants.groups)]

    @property
    def groups(self) -> tuple[CandidateGroup, ...]:
        """FOR THE CURATOR ONLY: what the groups know now."""
        lists = self._lists()
        return tuple(CandidateGroup(tuple(s), tuple(c)) for s, c in zip(self._samples, lists, strict=True))

    def following(self, batch: Iterable[Example]) -> TabulatedHypothesis | None:
        """The next candidate; None when there is no other, from then on.

        Parameters
        ----------
        batch : iterable of (instance, label)
            The first K mistakes of the last candidate.
        """
        if self._exhausted or self._batches == self._constants.candidates:
            return None
        self._batches += 1
        self._distribute(batch)
        while True:
            chosen = self._constants.selection_rule.select(self._lists(), self._source)
            if chosen is not None:
                return chosen
            if self._level == self._constants.dimension:
                self._exhausted = True
                return None
            self._level += 1
            self._groups = [self._consistent(samples) for samples in self._samples]

    def _distribute(self, batch: Iterable[Example]) -> None:
        received: dict[int, list[Example]] = {}
        for example in batch:
            received.setdefault(self._source.uniform_index(len(self._groups)), []).append(example)
        for group, examples in sorted(received.items()):
            while len(examples) > self._constants.samples:
                examples.pop(self._source.uniform_index(len(examples)))
            self._samples[group].append(Sample(self._batches, tuple(examples)))
            self._groups[group] = self._consistent(self._samples[group])

    def _consistent(self, samples: list[Sample]) -> FiniteClass:
        found = self._class
        for sample in samples:
            found = found.with_few_errors(sample.examples, self._constants.most_errors(self._level))
        return found

    def _lists(self) -> list[list[TabulatedHypothesis]]:
        """In an order that depends on the hypotheses alone."""
        order = self._constants.essential_order(self._level)
        lists = {
            group: sorted(essential_hypotheses(group, order, self._constants.dimension), key=str)
            for group in set(self._groups)
        }
        return [lists[group] for group in self._groups]
