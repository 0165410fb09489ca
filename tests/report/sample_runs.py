"""Seeded runs of many shapes, and what they would be with secure noise."""

from dataclasses import replace

import numpy as np

import reticent as rt
from reticent.adversaries import iid, leaders
from reticent.experts import registry

LONG_NAMES = [
    f"the logistic regression number {i} of a $very$ long-named family, fitted in $20{i:02d}" for i in range(40)
]


def play(name, losses, names=None, seed=1):
    """One seeded run of the algorithm with this name."""
    losses = np.asarray(losses)
    algorithm = registry.make(name, losses.shape[1], 1.0, 1e-6, horizon=len(losses))
    return rt.run(algorithm, losses, source=rt.randomness.SeededSource(seed), names=names, progress=False)


def as_if_secure(run):
    """The same run, reported as a secure one is: deterministic for tests."""
    statement = run.privacy.with_noise("secure (operating system)", private=True)
    return replace(
        run, released=replace(run.released, privacy=statement), private=statement.private, noise=statement.noise
    )


class Forbidden:
    """Stands where the curator's figures are; no release may look at it."""

    def __getattr__(self, name):
        raise AssertionError(f"a release looks at the curator's {name}")


#: name -> (algorithm, losses, names): from five rounds to many experts.
SHAPES = {
    "five rounds, two experts": lambda: ("dartboard", [[0.25, 0.5]] * 5, ["a", "b"]),
    "one round, one expert": lambda: ("dartboard", [[0.25]], None),
    "three experts": lambda: ("dartboard-decaying", leaders(10_000, 3, 0.01, 1), ["linear", "tree", "forest"]),
    "a bound in the picture": lambda: ("hedge", leaders(10_000, 3, 0.01, 1), None),
    "many switches, a thousand experts": lambda: ("private-hedge", iid(3000, 1000, 0.01, 1), None),
    "long names": lambda: ("private-hedge", iid(20_000, 40, 0.1, 2), LONG_NAMES),
    "restarts": lambda: ("doubling", leaders(50_000, 30, 0.1, 2), LONG_NAMES[:30]),
    "every loss is zero": lambda: ("sparse-vector", np.zeros((100, 4)), None),
}
