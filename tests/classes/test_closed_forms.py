"""Would catch: a wrong dimension, prediction, size or list of hypotheses in any version space of a small class."""

from __future__ import annotations

import pytest
from closed_forms import SMALL, all_version_spaces, soa_of_rows
from naive import ldim, rows_of


@pytest.mark.parametrize("name", SMALL)
def test_every_version_space_agrees_with_the_definition(name: str) -> None:
    start, rows = SMALL[name]
    n_instances = len(start.instances)
    for version_space, left in all_version_spaces(start, rows):
        dimension = ldim(left)
        assert version_space.littlestone_dimension() == dimension
        assert [k for k in range(-2, dimension + 3) if version_space.at_least(k)] == list(range(-2, dimension + 1))
        assert version_space.is_empty() == (not left)
        assert [version_space.soa(x) for x in start.instances] == soa_of_rows(left, n_instances)
        members = list(version_space.members())
        assert len(members) == len(set(members)) == version_space.size() == len(left)
        assert rows_of(version_space) == left
