"""Claim 1 round by round: A_m, .., A_N agree as long as the batch of h_m is not full, for the same random choices.

The laws are compared by enumeration in test_candidates.py, on short streams; here long streams are compared choice by
choice. Each part of the algorithm gets a source of its own, so that it draws the same online and offline.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from toy_candidates import CLASS, EXAMPLES, Hasty, Stream, toy

from reticent.mechanisms import Replacement, ReplacementRule
from reticent.prediction import CandidatePredictor, CandidateSequence, Constants, candidates
from reticent.prediction.candidates import RunningCandidates
from reticent.randomness import SeededSource, Source


class Numbered:
    """Stands where `Replacement` is: the j-th one draws from the j-th source."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._number = count(1)

    def __getitem__(self, label: type) -> Numbered:
        return self

    def __call__(self, rule: ReplacementRule, source: Source) -> Replacement[bool]:
        return Replacement(rule, SeededSource((self._seed, next(self._number))))


def online(constants: Constants, stream: Stream, seed: int) -> Iterator[tuple[int, bool]]:
    """M and the prediction, in each round, of the code that ships."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(candidates, "Replacement", Numbered(seed))
        predictor = CandidatePredictor(CLASS, constants).start(SeededSource((seed, 0)))
        assert isinstance(predictor, RunningCandidates)
        for x, y in stream:
            yield len(predictor._replacements), predictor.predict(x)
            predictor.update(y)


def offline(constants: Constants, stream: Stream, seed: int) -> list[list[bool]]:
    """What A_0, .., A_N predict, all candidates being known beforehand."""
    sequence, first = CandidateSequence(CLASS, constants, SeededSource((seed, 0))), CLASS.soa_hypothesis()
    make, last = Numbered(seed), first
    levels = [[first(x) for x, _ in stream]]
    for j in range(1, constants.candidates + 1):
        mistakes = [(x, y) for x, y in stream if last(x) != y]
        last = sequence.following(mistakes[: constants.batch]) or first
        replacement = make(constants.rule(j), SeededSource(0))
        levels.append([])
        for before, (x, y) in zip(levels[-2], stream, strict=True):
            levels[-1].append(replacement.predict(before, last(x)))
            replacement.update(y)
    return levels


def disagreements(constants: Constants, stream: Stream, seed: int) -> int:
    """In how many rounds the online prediction is not that of each of A_m, .., A_N."""
    levels = offline(constants, stream, seed)
    found = 0
    for t, (m, predicted) in enumerate(online(constants, stream, seed)):
        found += any(level[t] != predicted for level in levels[m:])
    return found


def constants_of(schedule: str, candidates: int, groups: int, batch: int, samples: int) -> Constants:
    shape: dict[str, Any] = {"groups": groups, "batch": batch, "samples": samples}
    if schedule == "arithmetic":
        return toy(candidates, **shape)
    plain = toy(candidates, **shape)
    least = -(-max(plain._apart, -(-(plain._apart + plain.mirror_rounds) // 8)) // 9)
    return toy(candidates, **shape, schedule="paper", first_delay=max(1, least))


#: Candidates, groups, mistakes in a batch, examples in a sample; selections succeed in the last ones.
SHAPES = st.tuples(st.integers(1, 3), st.integers(1, 4), st.integers(1, 5), st.integers(1, 2)) | st.sampled_from(
    [(1, 4, 3, 1), (1, 5, 6, 2), (2, 9, 12, 1), (3, 14, 20, 1)]
)
RUNS = st.lists(st.tuples(st.sampled_from(EXAMPLES), st.integers(1, 40)), min_size=1, max_size=10)


@pytest.mark.parametrize("schedule", ["arithmetic", "paper"])
@given(
    runs=RUNS,
    shape=SHAPES,
    seed=st.integers(0, 2**16),
)
@settings(max_examples=150, deadline=None)
def test_later_candidates_do_not_show(
    schedule: str, runs: list[tuple[Any, int]], shape: tuple[int, int, int, int], seed: int
) -> None:
    """Catches a delay that is short, a batch that begins late, and a replacement that forgets earlier rounds."""
    stream: Stream = tuple(example for example, times in runs for _ in range(times))
    assert disagreements(constants_of(schedule, *shape), stream, seed) == 0


def test_the_comparison_sees_several_candidates_at_work() -> None:
    """The test's own check: a candidate comes and shows, and when it errs all later ones come and do not."""
    right, moved = ("a", True), ("b", True)
    constants = constants_of("arithmetic", 3, 14, 20, 1)
    reached, changed = set(), 0
    for seed in range(12):
        stream: Stream = (right,) * 90 + (("a", False),) * 60 + (moved,) * 250
        steps = list(online(constants, stream, seed))
        reached |= {m for m, _ in steps}
        changed += any(predicted for _, predicted in steps)
        assert disagreements(constants, stream, seed) == 0
    assert reached == {0, 1, 3}
    assert changed > 5


def test_without_a_schedule_later_candidates_show() -> None:
    """A planted fault: D = 1 is found by the same comparison."""
    shares = {name: getattr(toy(), name) for name in ("selection", "acceptance", "mirror")}
    hasty = Hasty(1, 1, 3, 1, 4, 3, **shares)
    stream: Stream = (("a", True),) * 40
    assert sum(disagreements(hasty, stream, seed) for seed in range(40)) > 0
