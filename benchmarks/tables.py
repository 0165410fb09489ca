"""The tables of docs/default.md: the default beside the best setting in hindsight of every private algorithm.

    python benchmarks/tables.py thirteen docs/tables     # the four families (T = 1e5, N = 100) and the flights
    python benchmarks/tables.py sweep docs/tables        # T, N, epsilon and delta varied
    python benchmarks/tables.py show docs/tables         # print what has been measured, as Markdown

Each stream is measured once and kept as a JSON file, so that a run can be interrupted. Noise is secure.
"""

from __future__ import annotations

import json
import math
import sys
from itertools import product
from multiprocessing import Pool
from pathlib import Path

from reticent.adversaries import FAMILIES
from reticent.hindsight import hindsight
from reticent.streams import flights

RATES = (0.0, 0.01, 0.1)
SEED = 20261129


def measure(job: tuple[Path, str, float, int, int, float, float, int, int]) -> str:
    """Measure one stream, unless that has been done."""
    folder, family, rate, rounds, n_experts, epsilon, delta, runs, search_runs = job
    name = family if family == "flights" else f"{family} {rate:g}"
    file = folder / f"{name} T{rounds} N{n_experts} eps{epsilon:g} delta{delta:g}.json".replace(" ", "_")
    if file.exists():
        return f"{file.name}: measured before"
    losses = flights()[0] if family == "flights" else FAMILIES[family](rounds, n_experts, rate, SEED)
    result = hindsight(
        losses,
        horizon=rounds,
        epsilon=epsilon,
        delta=delta,
        runs=runs,
        search_runs=search_runs,
        stream=name,
        progress=False,
    ).to_dict()
    result |= {"rounds": rounds, "experts": n_experts, "epsilon": epsilon, "delta": delta, "seed": SEED}
    for entry in (result["default"], result["private_hedge"], result["hedge"], *result["best_in_hindsight"].values()):
        entry["settings"] = str(entry["settings"])
    file.write_text(json.dumps(result, indent=1) + "\n")
    return f"{file.name}: {result['default']['mean_regret']:.0f}, ratio {result['ratio']:.2f}"


def thirteen(folder: Path) -> list[tuple]:
    streams = [(family, rate, 100_000, 100) for family in FAMILIES for rate in RATES]
    streams.append(("flights", 0.0, 327_346, 109))
    return [(folder, *stream, 1.0, 1e-6, 20, 4) for stream in streams]


def sweep(folder: Path) -> list[tuple]:
    # The short streams come first: they are quick, and a run may be interrupted.
    settings = product((1_000, 10_000, 100_000), (10, 100, 1000), (1.0, 0.3, 3.0), (1e-6, 0.0))
    return [
        (folder, family, rate, rounds, n_experts, epsilon, delta, 8, 2)
        for rounds, n_experts, epsilon, delta in settings
        for family in FAMILIES
        for rate in (RATES if rounds < 100_000 else (0.0, 0.1))
    ]


def geometric_mean(ratios: list[float]) -> float:
    return math.exp(math.fsum(map(math.log, ratios)) / len(ratios))


def show(folder: Path) -> None:
    rows = [json.loads(file.read_text()) for file in sorted((folder / "thirteen").glob("*.json"))]
    print(
        "| stream | default | best in hindsight | | own best | PrivateHedge | Hedge | ratio | own too | to DP Hedge |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|")
    for row in rows:
        others = {k: v for k, v in row["best_in_hindsight"].items() if k != "GuardedEpochs"}
        winner = min(others, key=lambda k: others[k]["mean_regret"])
        print(
            f"| {row['stream']} | {row['default']['mean_regret']:.0f} "
            f"| {others[winner]['mean_regret']:.0f} | {winner} "
            f"| {row['best_in_hindsight']['GuardedEpochs']['mean_regret']:.0f} "
            f"| {row['private_hedge']['mean_regret']:.0f} | {row['hedge']['mean_regret']:.0f} "
            f"| {row['ratio']:.2f} | {row['ratio_own_settings_included']:.2f} | {row['ratio_to_private_hedge']:.3f} |"
        )
    for key in ("ratio", "ratio_own_settings_included", "ratio_to_private_hedge"):
        ratios = [row[key] for row in rows]
        print(f"{key}: geometric mean {geometric_mean(ratios):.3g}, largest {max(ratios):.3g}")
    print()
    cells: dict[tuple, list[dict]] = {}
    for file in (folder / "sweep").glob("*.json"):
        row = json.loads(file.read_text())
        cells.setdefault((row["rounds"], row["experts"], row["epsilon"], row["delta"]), []).append(row)
    print("| T | N | epsilon | delta | ratio: mean | largest | on | own too: mean | largest | to PrivateHedge |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for key, found in sorted(cells.items()):
        if len(found) < (12 if key[0] < 100_000 else 8):
            continue  # not all streams have been measured yet
        ratios = [row["ratio"] for row in found]
        own = [row["ratio_own_settings_included"] for row in found]
        worst = max(found, key=lambda row: row["ratio"])
        rounds, n_experts, epsilon, delta = key
        print(
            f"| {rounds:,} | {n_experts} | {epsilon:g} | {delta:g} "
            f"| {geometric_mean(ratios):.2f} | {max(ratios):.2f} | {worst['stream']} "
            f"| {geometric_mean(own):.2f} | {max(own):.2f} "
            f"| {max(row['ratio_to_private_hedge'] for row in found):.2f} |"
        )


if __name__ == "__main__":
    what, folder = sys.argv[1], Path(sys.argv[2])
    if what == "show":
        show(folder)
    else:
        (folder / what).mkdir(parents=True, exist_ok=True)
        jobs = {"thirteen": thirteen, "sweep": sweep}[what](folder / what)
        with Pool(int(sys.argv[3]) if len(sys.argv) > 3 else 2) as pool:
            for line in pool.imap_unordered(measure, jobs):
                print(line, flush=True)
