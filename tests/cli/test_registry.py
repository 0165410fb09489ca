"""Would catch: a name that builds something else, parameters that are dropped on the way."""

import pytest

from reticent.errors import ParameterError
from reticent.experts import PrivateExpertsAlgorithm, registry


@pytest.mark.parametrize("name", registry.algorithm_names())
def test_public_parameters_reach_every_private_algorithm(name):
    algorithm = registry.make(name, 7, 0.5, 1e-5, horizon=1000, relation="add-remove", rounds_per_person=2)
    assert algorithm.n_experts == 7
    if name == "hedge":
        return
    assert isinstance(algorithm, PrivateExpertsAlgorithm)
    assert (algorithm.epsilon, algorithm.delta, algorithm.horizon) == (0.5, 1e-5, 1000)
    assert (algorithm.relation, algorithm.rounds_per_person) == ("add-remove", 2)
    assert algorithm.privacy.epsilon == 0.5


def test_only_auto_stands_for_another():
    algorithms = {n: registry.make(n, 7, 1.0, 1e-6, horizon=1000) for n in registry.algorithm_names()}
    algorithms.pop("auto")
    assert len(set(algorithms.values())) == len(algorithms)


def test_an_unknown_name_is_refused_with_the_known_ones():
    with pytest.raises(ParameterError, match="dartboard-paper"):
        registry.make("newton", 7, 1.0)
