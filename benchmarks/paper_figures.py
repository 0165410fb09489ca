"""Sanyal's Figures 3 and 4, drawn from runs: the pictures of docs/learning.md.

python benchmarks/paper_figures.py docs/images  # writes hard-path.png and candidate-groups.png
"""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path

from reticent.classes import FiniteClass, Instance, named, shattered_tree
from reticent.learning import HypothesisExperts, OnlineLearningAlgorithm
from reticent.prediction import CandidateSequence, Constants
from reticent.randomness import Generator, SeededSource, simulation_generator
from reticent.report.groups_display import GroupsDisplay
from reticent.report.path_display import PathBlock, PathDisplay

SEED = 3

#: A block is so often Algorithm 1 on 3^_STAGES rounds, always with an insertion (p = 1).
REPEATED, STAGES = 20, 5

#: So many seeded runs tell which label of a block is the harder one.
RUNS = 10

Examples = list[tuple[Instance, bool]]


def informative_rounds(generator: Generator) -> set[int]:
    """Algorithm 1: recurse into a third; before the middle one an informative example comes."""
    found, start = set(), 0
    for stage in range(STAGES, 0, -1):
        third = 3 ** (stage - 1)
        chosen = int(generator.integers(3))
        if chosen == 1:
            found.add(start + int(generator.integers(third)))
        start += chosen * third
    return found


def block_rounds() -> set[int]:
    """The rounds of a block with an informative example."""
    generator = simulation_generator(SEED)
    rounds = 3**STAGES
    return {k * rounds + t for k in range(REPEATED) for t in informative_rounds(generator)}


def mistakes(learner: OnlineLearningAlgorithm, stream: Examples, informative: set[int], seed: int) -> int:
    """Of one run, in these rounds."""
    running = learner.start(SeededSource(seed))
    found = 0
    for t, (x, y) in enumerate(stream):
        found += t in informative and running.hypothesis(x) != y
        running.update(x, y)
    return found


def path(name: str) -> PathDisplay:
    """Theorem 2's stream: in each block the label on which the learner errs more often, and then that subtree."""
    cls = named(name)
    tree = shattered_tree(cls)
    learner = HypothesisExperts(cls, epsilon=1.0, horizon=3 * REPEATED * 3**STAGES)
    dummy, node, rounds = (tree.instance, False), tree.zero, REPEATED * 3**STAGES
    stream: Examples = []
    blocks: list[tuple[bool, set[int]]] = []
    while node.depth:
        places = block_rounds()
        shifted = {t + len(stream) for t in places}
        trials = {}
        for label in (False, True):
            trial = stream + [(node.instance, label) if t in places else dummy for t in range(rounds)]
            trials[label] = sum(mistakes(learner, trial, shifted, seed) for seed in range(RUNS)), trial
        label = max(trials, key=lambda b: trials[b][0])
        stream = trials[label][1]
        blocks.append((label, shifted))
        node = node.child(label)
    fresh = range(RUNS, 3 * RUNS)
    drawn = [
        PathBlock(
            label,
            len(places),
            rounds - len(places),
            sum(mistakes(learner, stream, places, seed) for seed in fresh) / len(fresh),
        )
        for label, places in blocks
    ]
    return PathDisplay(tree, drawn, f"a private learner (mean of {len(fresh)} runs)", name)


def groups() -> GroupsDisplay:
    """The second candidate of Algorithm 2 for the nine thresholds on eight instances, the right one being at 3."""
    thresholds = named("thresholds:8")
    members = [[h(x) for x in thresholds.instances] for h in thresholds.members()]
    table = FiniteClass(members)
    # Large shares of epsilon, so that 24 groups are enough for a picture.
    constants = Constants(
        table.littlestone_dimension(),
        samples=3,
        length=9,
        candidates=2,
        groups=24,
        batch=72,
        selection=(Fraction(6), Fraction(1, 20)),
        acceptance=(Fraction(1), Fraction(1, 40)),
        mirror=(Fraction(1), Fraction(1, 20)),
    )
    xs = simulation_generator(SEED).integers(8, size=4000).tolist()
    stream = [(x, x >= 3) for x in xs]
    sequence = CandidateSequence(table, constants, SeededSource(SEED))
    last = table.soa_hypothesis()
    for _ in range(2):
        batch = [(x, y) for x, y in stream if last(x) != y][: constants.batch]
        chosen = sequence.following(batch)
        assert chosen is not None
        last = chosen
    return GroupsDisplay(2, batch, sequence.groups, last, "thresholds:8")


def main(folder: str) -> None:
    for name, display in (("hard-path", path("tree:4")), ("candidate-groups", groups())):
        display.plot().figure_.savefig(Path(folder) / f"{name}.png", dpi=150)


if __name__ == "__main__":
    main(sys.argv[1])
