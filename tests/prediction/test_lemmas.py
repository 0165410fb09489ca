"""Would catch: candidates that Sanyal's Lemmas 3, 8 and 9 exclude, on runs with numbers far below the paper's."""

from fractions import Fraction

import numpy as np
import pytest

from reticent.classes import FiniteClass, decomposition_dimension, families
from reticent.prediction import CandidateSequence, Constants
from reticent.randomness import SeededSource

CLASSES = {
    "points": FiniteClass(np.eye(4)),
    "thresholds": FiniteClass(np.tri(8, 7, -1)),
    "cube": FiniteClass([[i >> k & 1 for k in range(3)] for i in range(8)]),
    "tree": families.tree(2),
}


def constants_for(hypotheses, candidates, samples, groups=30):
    """Selections that nearly always do what Lemma 7 says; nobody's privacy is at stake."""
    dimension = hypotheses.littlestone_dimension()
    return Constants(
        dimension,
        samples,
        hypotheses.size(),
        candidates,
        groups,
        2 * groups * samples,
        selection=(Fraction(400), Fraction(1, 20)),
        acceptance=(Fraction(4), Fraction(1, 40)),
        mirror=(Fraction(4), Fraction(1, 20)),
    )


class Watched(CandidateSequence):
    """Keeps, of each list construction, the groups' decomposition dimensions and lists."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.seen = []

    def _lists(self):
        lists = super()._lists()
        constants = self._constants
        order = constants.essential_order(self._level)
        dimensions = [decomposition_dimension(group, order, constants.dimension) for group in self._groups]
        self.seen.append((dimensions, [set(found) for found in lists]))
        return lists


def run(hypotheses, seed, *, samples, mixed, candidates=4):
    """Algorithm 2 on a realisable stream; unless mixed, instances come in blocks and a batch knows one or two."""
    generator = np.random.default_rng(seed)
    truth = list(hypotheses.members())[generator.integers(hypotheses.size())]
    instances = list(hypotheses.instances)
    constants = constants_for(hypotheses, candidates, samples)
    order = generator.permutation(len(instances))
    stream = [(instances[i], truth(instances[i])) for i in order for _ in range(constants.batch)]
    if mixed:
        generator.shuffle(stream)
    sequence = Watched(hypotheses, constants, SeededSource(seed))
    found = [hypotheses.soa_hypothesis()]
    full = []
    for _ in range(candidates):
        wrong = [(x, y) for x, y in stream if found[-1](x) != y]
        full.append(len(wrong) >= constants.batch)
        following = sequence.following(wrong[: constants.batch])
        if following is None:
            break
        found.append(following)
    mistakes = [sum(h(x) != y for x, y in stream) for h in found]
    return constants, sequence, found, full, mistakes


each = pytest.mark.parametrize("name", CLASSES)


@each
@pytest.mark.parametrize("mixed", [False, True])
def test_lemma_8_lists_shrink_until_the_dimension_falls(name, mixed):
    """Catches a group that forgets a sample, and an order p that does not grow with the level."""
    shrunk = 0
    for seed in range(8):
        constants, sequence, *_ = run(CLASSES[name], seed, samples=1, mixed=mixed)
        for (before, lists), (after, later) in zip(sequence.seen, sequence.seen[1:], strict=False):
            for k in range(constants.groups):
                assert after[k] <= before[k]
                assert later[k] <= lists[k] or after[k] < before[k]
                assert len(later[k]) <= constants.length
                shrunk += later[k] != lists[k]
    assert shrunk or name == "points"  # one candidate is enough for them


@each
def test_lemma_9_full_batches_give_all_candidates(name):
    """Catches a sequence that ends although every batch was full, and the samples tell the errors on it."""
    followed = 0
    for seed in range(6):
        _, _, found, full, _ = run(CLASSES[name], seed, samples=16, mixed=False)
        assert len(found) == 1 + len(full)
        followed += sum(full)
    assert followed >= 3


@each
def test_lemma_3_some_candidate_errs_seldom(name):
    """Catches candidates that do not learn from the batches before them: h_0 alone errs more often than K times."""
    bad_first = 0
    for seed in range(6):
        constants, _, _, _, mistakes = run(CLASSES[name], seed, samples=16, mixed=True, candidates=8)
        assert min(mistakes) < constants.batch
        bad_first += mistakes[0] >= constants.batch
    assert bad_first
