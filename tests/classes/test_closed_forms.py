"""Would catch: a wrong dimension, prediction, size or list of hypotheses in any version space of a small class."""

from __future__ import annotations

import pytest
from brute_force import BruteForce, all_version_spaces, rows_of
from closed_forms import SMALL


@pytest.mark.parametrize("name", SMALL)
def test_every_version_space_agrees_with_the_definition(name: str) -> None:
    start, rows = SMALL[name]
    brute, instances = BruteForce(), list(start.instances)
    for version_space, left in all_version_spaces(start, rows):
        dimension = brute.dimension(left)
        assert version_space.littlestone_dimension() == dimension
        assert [k for k in range(-2, dimension + 3) if version_space.at_least(k)] == list(range(-2, dimension + 1))
        assert version_space.is_empty() == (not left)
        assert [version_space.soa(x) for x in instances] == [brute.soa(left, k) for k in range(len(instances))]
        members = list(version_space.members())
        assert len(members) == len(set(members)) == version_space.size() == len(left)
        assert rows_of(members, instances) == left
