"""The bound on mistakes of LittlestonePredictor at (1, 1e-6): the paper's constants, and what is proved."""

from __future__ import annotations

import math
from fractions import Fraction

from reticent.prediction import ComposedConstants, Constants, PowerOfTen

BUDGET = 1.0, 1e-6


def power(x: int | PowerOfTen) -> str:
    digits = x.log10 if isinstance(x, PowerOfTen) else math.log10(x)
    return f"10^{digits:.3g}" if digits < 1e6 else f"10^({digits:.2g})"


def proved_paper(d: int) -> Constants:
    """The paper's numbers with C_0 and C_1 so large that all lemmas hold."""
    c0 = 1.0
    while "Lemma 6 needs n" in str(Constants.paper(d, *BUDGET, c0=c0, c1=1e9).unmet):
        c0 *= 1.01
    c1 = 1.0
    while Constants.paper(d, *BUDGET, c0=c0, c1=c1).unmet:
        c1 *= 1.01
    return Constants.paper(d, *BUDGET, c0=c0, c1=c1)


def together(d: int) -> tuple[str, ...]:
    """N, K, and the random zone and the noise, for N Mirrors and acceptances composed and for each by itself."""
    default = ComposedConstants.least(d, *BUDGET)
    share = default.candidates
    alone = Constants(
        *(getattr(default, name) for name in ("dimension", "samples", "length", "candidates", "groups", "batch")),
        selection=default.selection,
        acceptance=(Fraction(1, 8) / share, default.acceptance[1]),
        mirror=(default.mirror[0] / share, default.mirror[1] / share),
    )
    numbers = (
        share,
        default.batch,
        default.mirror_rounds,
        alone.mirror_rounds,
        default.noise_bound,
        alone.noise_bound,
    )
    return tuple(map(power, numbers))


def table(columns: str, rows: list[tuple[str, ...]]) -> None:
    print(f"| {columns} |\n|{'---|' * (columns.count('|') + 1)}")
    for row in rows:
        print(f"| {' | '.join(row)} |")


if __name__ == "__main__":
    rows = []
    for d in (1, 2, 3):
        paper, default = Constants.paper(d, *BUDGET), ComposedConstants.least(d, *BUDGET)
        names = ("dimension", "samples", "length", "candidates", "groups", "batch")
        same = ComposedConstants.within(*BUDGET, **{name: getattr(paper, name) for name in names})
        rows.append((str(d), *(power(c.bound) for c in (paper, same, proved_paper(d), default))))
    table("d | paper, C = 1 | the same, arithmetic | paper, proved | default, proved", rows)
    table(
        "d | N | K | m, together | m, one by one | x, together | x, one by one",
        [(str(d), *together(d)) for d in (1, 2, 3)],
    )
