"""A table and the picture of docs/lower-bounds.md: I_t along the stages of the adversary, V_t(r) along the rounds.

python benchmarks/proof_quantities.py docs/images/proof-quantities.png
"""

from __future__ import annotations

import sys
from functools import partial

from matplotlib.figure import Figure

from reticent.classes import Points
from reticent.experts import PrivateHedge
from reticent.games import ProofQuantities, proof_quantities
from reticent.learning import (
    HypothesisExperts,
    NameAndShameLearner,
    OnlineLearningAlgorithm,
    PointLearner,
    SOALearner,
)
from reticent.report.drawing import CYCLE, GREY, YARDSTICK

POINTS = Points(3)
HEDGE = partial(PrivateHedge, grid_bits=0)

#: The learner, epsilon and delta that it is held to, and the stages.
LEARNERS: dict[str, tuple[OnlineLearningAlgorithm, float, float, int]] = {
    "SOA, not private": (SOALearner(POINTS), 0.01, 0.0, 3),
    "name and shame, delta = 0.25": (NameAndShameLearner(POINTS, 0.25), 0.01, 0.25, 3),
    "name and shame, delta = 0.05": (NameAndShameLearner(POINTS, 0.05), 0.01, 0.05, 3),
    "PointLearner, epsilon = 0.1": (PointLearner(POINTS, 0.1, delay=0), 0.1, 0.0, 2),
    "PrivateHedge on points, epsilon = 0.1": (
        HypothesisExperts(POINTS, 0.1, horizon=9, algorithm=HEDGE),
        0.1,
        0.0,
        2,
    ),
    "PrivateHedge on points, epsilon = 0.01": (
        HypothesisExperts(POINTS, 0.01, horizon=9, algorithm=HEDGE),
        0.01,
        0.0,
        2,
    ),
}


def row(name: str, found: ProofQuantities) -> str:
    information = ", ".join(f"{value:.2g}" for value in found.mean_information[1:])
    mistakes = ", ".join(f"{value:.3f}" for value in found.mistakes)
    closest = max(found.lemma_2_information(), key=lambda one: one.smaller - one.larger)
    verdicts = [
        "yes" if all(one.holds for one in lemma) else "NO"
        for lemma in (found.lemma_1(), found.lemma_2_information(), found.lemma_2_variance())
    ]
    sides = f"{closest.smaller:.2g} <= {closest.larger:.2g}"
    return f"| {name} | {len(found.stages) - 1} | {information} | {mistakes} | {' | '.join(verdicts)} | {sides} |"


def main(file: str) -> None:
    found = {
        name: proof_quantities(algorithm, stages, epsilon=epsilon, delta=delta, mass=1e-12)
        for name, (algorithm, epsilon, delta, stages) in LEARNERS.items()
    }
    for name, quantities in found.items():
        print(row(name, quantities))
    figure = Figure(figsize=(10.5, 5.2), layout="constrained")
    along_stages, along_rounds = figure.subplots(1, 2)
    for k, (name, quantities) in enumerate(found.items()):
        colour, dashes, marker = YARDSTICK if k == 0 else CYCLE[k - 1]
        style = {"color": colour, "linestyle": dashes, "marker": marker, "markersize": 5}
        stages = range(1, len(quantities.stages))
        along_stages.plot(stages, quantities.mean_information[1:], label=name, **style)
        if len(quantities.stages) == 4:
            (middle,) = (s for s in quantities.stages[3] if s.thirds == (2, 2, 2))
            along_rounds.plot(range(1, 28), middle.revealed[1:], **{**style, "markersize": 3})
    label = "1/4: under it a quarter of the examples are mistakes"
    along_stages.axhline(0.25, color=GREY, linewidth=1, linestyle=":", label=label)
    along_stages.set(yscale="log", ylim=(1e-8, 3), xlabel="stage t", ylabel="E[I_t]", xticks=(1, 2, 3))
    along_stages.set_title("What the outputs reveal of B, along the stages", fontsize=11)
    along_rounds.set(
        xlabel="round r (examples are inserted in rounds 1 to 9, 10 to 12, and 13)",
        ylabel="V_3(r)",
        ylim=(-0.03, 1.05),
        xticks=(1, 5, 9, 13, 18, 22, 27),
    )
    along_rounds.set_title("Along the rounds, after the middle thirds (p = 1)", fontsize=11)
    for axes in (along_stages, along_rounds):
        axes.spines[["top", "right"]].set_visible(False)
    for place in (9.5, 12.5):
        along_rounds.axvline(place, color=GREY, linewidth=0.6, linestyle=":")
    figure.legend(loc="outside lower center", frameon=False, ncols=2, fontsize=9)
    figure.savefig(file, dpi=150)


if __name__ == "__main__":
    main(sys.argv[1])
