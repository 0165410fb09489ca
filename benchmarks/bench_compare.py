"""Many runs of every algorithm on one stream that is read once, against one numpy Hedge pass a run."""

from __future__ import annotations

import numpy as np
from bench_run import numpy_hedge
from measure import print_ratio

import reticent as rt

RUNS = 10


def test_compare_against_a_hedge_pass_for_each_run() -> None:
    losses = rt.adversaries.iid(100_000, 100, 0.01, 1)
    floats = losses.astype(np.float64)
    uniforms = np.random.default_rng(2).random(len(losses))
    options = {"n_experts": 100, "epsilon": 1.0, "delta": 1e-6, "horizon": len(losses)}
    lazy = [
        rt.experts.auto(**options),
        rt.experts.Dartboard(**options),
        rt.experts.Doubling(**options),
        rt.experts.SparseVectorExperts(**options),
        rt.experts.ScheduledHedge(**options),
    ]
    drawn_every_round = [rt.experts.PrivateHedge(**options), rt.experts.Hedge(100, horizon=len(losses))]
    for title, algorithms in (("lazy", lazy), ("every-round", drawn_every_round)):
        print_ratio(
            f"{RUNS} runs of {len(algorithms)} {title} algorithms, T = 100000, N = 100, over a numpy Hedge pass each",
            lambda a=algorithms: rt.compare(a, losses, runs=RUNS, progress=False),
            lambda a=algorithms: [numpy_hedge(floats, 0.01, uniforms) for _ in range(len(a))],
            pairs=1,
        )
    print(f"(divide by {RUNS}: the reference is one pass an algorithm, not one a run)")
