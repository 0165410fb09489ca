"""Would catch: a value that is not that of the formula beside it, an overflow, a condition that is passed over."""

import math
import re
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticent.adversaries import PointAdversary
from reticent.bounds import Setting, experts, learning, prediction
from reticent.classes import Points
from reticent.errors import ParameterError
from reticent.experts import Dartboard, Hedge, PrivateHedge
from reticent.learning import NameAndShameLearner
from reticent.prediction import Constants, PointPredictor, PowerOfTen

EVERY = [*learning.ALL, *prediction.ALL, *experts.ALL]

#: Their formulas stand for algorithms or for several lines.
IN_WORDS = {
    learning.theorem_1_explicit,
    prediction.theorem_3_constants,
    prediction.theorem_3_arithmetic_constants,
    prediction.point_predictor,
    experts.dp_mw,
    experts.dartboard,
    experts.li_ye_lower_explicit,
}


def each(bounds):
    return pytest.mark.parametrize("bound", bounds, ids=lambda bound: bound.name)


def evaluated(formula, setting):
    """The printed formula, computed as it stands, with every open constant 1."""
    text = formula.replace("L*", "L").replace("^", "**")
    while (inner := re.sub(r"\bln ((?:ln )*)(\w+)", lambda m: f"{m[1]}ln({m[2]})", text)) != text:
        text = inner
    text = re.sub(r"(?<=[\w)]) (?=[\w(])", " * ", text)
    names = {
        "T": math.exp(setting.log_horizon),
        "epsilon": setting.epsilon,
        "delta": setting.delta,
        "d": setting.dimension,
        "N": setting.experts,
        "L": setting.best_loss,
        "c": 1,
        "ln": math.log,
        "sqrt": math.sqrt,
        "min": min,
    }
    return eval(text, {"__builtins__": {}}, names)


#: Each bound holds in one of these at least.
SETTINGS = (
    Setting(20.0, 0.01, 9.0, 1, 100, 50.0),
    Setting(30.0, 0.5, 12.0, 3, 1000, 0.0),
    Setting(5.0, 0.5, 20.0, 2, 1000, 0.0),
    Setting(5.0, 0.05, math.inf, 2, 1000, 0.0),
)


@each([bound for bound in EVERY if bound not in IN_WORDS])
def test_the_value_is_that_of_the_printed_formula(bound):
    """Catches a typing error in either."""
    met = [setting for setting in SETTINGS if bound.unmet(setting) is None]
    assert met
    for setting in met:
        value = bound(setting)
        if isinstance(value, PowerOfTen) or (setting.delta == 0 and "delta" in bound.formula):
            continue
        assert value == pytest.approx(evaluated(bound.formula, setting), rel=1e-9)


@each(EVERY)
def test_every_bound_says_what_it_is(bound):
    """Catches an empty cell in a table."""
    assert bound.direction in ("lower", "upper")
    assert all((bound.name, bound.source, bound.who, bound.where, bound.formula, bound.statement, bound.quantity))
    assert bound.explicit == (bound.constants is None)
    assert bound.statement.endswith(".")
    assert all(words for words, _ in bound.requires)


def test_names_and_modules_are_complete():
    """Catches two bounds of one name, and one that no table lists."""
    assert len({bound.name for bound in EVERY}) == len(EVERY)
    for module in (learning, prediction, experts):
        assert {getattr(module, name) for name in module.__all__ if name != "ALL"} == set(module.ALL)


HUGE = (
    Setting(1e3, 0.01, math.log(1e3), 4, 10**400, 1e9),
    Setting(1e6, 0.01, 1e6, 40, 10**9, 1e18),
    Setting(1e6, 0.01, math.inf, 2, 10**500_000, 0.0),
    Setting(0.0, 1e-9, 1e-9, 0, 2, 0.0),
    Setting(1e12, 1e6, 1e300, 1000, 2, 1e18),
)


@each(EVERY)
def test_nothing_overflows(bound):
    """Catches a bound that cannot be asked at e^1000 rounds, which is where the theorems begin to tell apart."""
    for setting in HUGE:
        value = bound(setting)
        if value is None:
            assert bound.unmet(setting)
        elif isinstance(value, PowerOfTen):
            assert value.log10 > 300
        else:
            assert 0 <= value < math.inf


@pytest.mark.parametrize(
    ("bound", "fails", "words"),
    [
        (learning.theorem_1, {"epsilon": 0.02}, "epsilon <= 1/100"),
        (learning.theorem_1, {"log_inverse_delta": 1.0}, "delta <= 1/4"),
        (learning.theorem_2, {"dimension": 1}, "d >= 2"),
        (learning.theorem_2, {"log_inverse_delta": 2.0}, "delta <= epsilon^2"),
        (learning.theorem_b, {"log_horizon": 2.0}, "T >= (d / epsilon)^2"),
        (learning.dss24_lower, {"log_inverse_delta": 2.0}, "delta <= 1 / ln T"),
        (prediction.theorem_3, {"log_inverse_delta": 2.0}, "delta < 1/10"),
        (prediction.theorem_3, {"epsilon": 1.5}, "epsilon <= 1"),
        (prediction.name_and_shame, {"log_inverse_delta": math.inf}, "delta > 0"),
        (experts.li_ye_lower, {"experts": 100}, "N >= 2 T"),
        (experts.li_ye_lower, {"best_loss": 1.0}, "L* = 0"),
    ],
)
def test_no_number_where_the_theorem_says_nothing(bound, fails, words):
    """Catches a lower bound that is quoted for learners it is not about."""
    of_points = {"d >= 2", "T >= (d / epsilon)^2", "delta <= epsilon^2"}.isdisjoint({words})
    fine = Setting(20.0, 0.01, 100.0, 1 if of_points else 2, 10**10, 0.0)
    assert isinstance(bound(fine), float)
    assert bound(replace(fine, **fails)) is None
    assert bound.unmet(replace(fine, **fails)) == words


def test_bounds_of_the_code_are_those_of_the_code():
    """Catches a bound that drifted from the algorithm it is about."""
    s = Setting.of(10**5, 0.5, 1e-6, dimension=2, experts=50, best_loss=200.0)
    assert prediction.point_predictor(replace(s, dimension=1)) == PointPredictor(0.5, s.delta).mistake_bound
    constants = Constants.paper(2, 0.5, s.delta)
    assert prediction.theorem_3_constants(s).log10 == pytest.approx(constants.bound.log10)
    shared = replace(constants, schedule="arithmetic", first_delay=None)
    assert prediction.theorem_3_arithmetic_constants(s) == pytest.approx(shared.bound)
    learner = NameAndShameLearner(Points(3), 1e-3)
    assert learning.dss24_upper(Setting.of(10**9, 1.0, 1e-3)) == pytest.approx(learner.mistake_bound(10**9))
    algorithm = Dartboard(50, 0.5, s.delta, horizon=10**5, expected_best_loss=200.0)
    assert experts.dartboard(s) == pytest.approx(algorithm.regret_bound(10**5, 200.0))


def test_hedge_tuned_in_hindsight_keeps_its_bound():
    """Catches a constant of the textbook bound: no rate gives less than the best rate's explicit bound by much."""
    s = Setting.of(10**5, experts=50, best_loss=200.0)
    rate = math.log1p(math.sqrt(2 * s.log_experts / 200.0))
    explicit = (rate * 200.0 + s.log_experts) / -math.expm1(-rate) - 200.0
    assert explicit <= experts.hedge(s) <= 1.1 * explicit
    assert Hedge(50, horizon=10**5).regret_bound(10**5, 200.0) >= 0.9 * experts.cb97_lower(s) - 1


@pytest.mark.parametrize("delta", [0.0, 1e-6])
def test_dp_mw_can_be_paid_for(delta):
    """Catches a learning rate that costs more than epsilon in T rounds: the shipped algorithm dares no less."""
    s = Setting.of(10**4, 0.5, delta, experts=50)
    shipped = PrivateHedge(50, 0.5, delta, horizon=10**4)
    eta = float(shipped.rates.learning_rate)
    regret = math.log(50) / eta + eta * 10**4 / 8
    assert regret * (1 - 1e-3) <= experts.dp_mw(s) <= 1.25 * regret


class TestTheConstantsOfTheorem1:
    """The proof's own numbers: (2) and (3) with the sharper variance bound, added over the stages."""

    def test_every_stage_may_be_used_up_to_59(self):
        """Catches a lost constant: at (1/100, 0) the proof allows p = 1 as long as 120 w (1 + L / 3) <= 1/4."""
        for stages in (1, 12, 59):
            assert learning.theorem_1_explicit(Setting.of(3**stages, 0.01)) == pytest.approx(stages / 12)
        assert learning.theorem_1_explicit(Setting.of(3**61, 0.01)) < 61 / 12
        assert learning.theorem_1_explicit(Setting.of(2, 0.01)) == 0.5

    @pytest.mark.parametrize("stages", [61, 500, 5000])
    @pytest.mark.parametrize("delta", [0.0, 1e-5])
    def test_the_recursion_ends_below_a_quarter(self, stages, delta):
        """Catches a p that the two inequalities of Lemma 2 do not allow, and one that they allow to be larger."""
        p = learning.theorem_1_explicit(Setting.of(3**stages, 0.01, delta)) * 12 / stages
        w = math.sinh(0.01) ** 2
        information, variance = 0.0, w
        for _ in range(stages):
            # D as large as (3) lets it be raises I the most, whenever that is.
            information += 120 * p**2 * variance + 20 * p * delta
            variance = (p * w + delta) / 3
        information += 120 * p**2 * variance
        assert information == pytest.approx(0.25, rel=1e-5)

    @pytest.mark.parametrize("rounds", [2, 3**5, 3**12])
    def test_it_is_what_the_adversary_forces(self, rounds):
        """Catches two lower bounds for one game."""
        adversary = PointAdversary(rounds)
        assert learning.theorem_1_explicit(Setting.of(rounds, 0.01)) == pytest.approx(adversary.forced_mistakes(0.01))

    @given(st.floats(2, 1e4), st.floats(1e-4, 0.1), st.floats(math.log(4), 100))
    def test_no_upper_bound_lies_below(self, log_horizon, epsilon, log_inverse_delta):
        """Catches a lower bound that name and shame, which can be run, would break."""
        s = Setting(log_horizon, epsilon, log_inverse_delta)
        forced = learning.theorem_1_explicit(s)
        assert forced <= learning.dss24_upper(s)
        assert forced <= 1 + math.exp(s.log_horizon) if s.log_horizon < 700 else True


@given(
    st.sampled_from([b for b in EVERY if b.direction == "lower"]),
    st.floats(1, 1e5),
    st.floats(1.5, 1e4),
    st.integers(1, 3),
)
def test_more_privacy_costs_no_less(bound, log_horizon, log_inverse_delta, dimension):
    """Catches a lower bound that falls with delta: a learner with the smaller one has the larger one too."""
    s = Setting(log_horizon, 0.009, log_inverse_delta, dimension, 10**6, 0.0)
    more = replace(s, log_inverse_delta=2 * log_inverse_delta)
    if bound.unmet(s) is None and bound.unmet(more) is None:
        assert bound.log_value(more) >= bound.log_value(s) - 1e-9


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"log_horizon": -1.0}, "log_horizon is -1.0; give a number from 0"),
        ({"log_horizon": math.nan}, "log_horizon is nan"),
        ({"epsilon": 0.0}, "epsilon is 0.0; give a number from 1e-09"),
        ({"log_inverse_delta": 0.0}, "log_inverse_delta is 0.0"),
        ({"dimension": -1}, "dimension is -1; give a whole number from 0 on"),
        ({"dimension": 1.5}, "dimension is 1.5"),
        ({"experts": 1}, "experts is 1; give a whole number from 2 on"),
        ({"best_loss": -0.5}, "best_loss is -0.5"),
    ],
)
def test_a_setting_that_cannot_be(fields, words):
    with pytest.raises(ParameterError, match=re.escape(words)):
        Setting(**{"log_horizon": 10.0, **fields})


@pytest.mark.parametrize(("horizon", "delta"), [(0, 0.0), (2.5, 0.0), (10, 1.0), (10, -0.1), (True, 0.0)])
def test_a_horizon_or_delta_that_cannot_be(horizon, delta):
    with pytest.raises(ParameterError):
        Setting.of(horizon, 1.0, delta)


def test_horizons_of_any_size():
    assert Setting.of(10**434).log_horizon == pytest.approx(434 * math.log(10))
    assert Setting.of(10, 1.0, Fraction(1, 4)).log_inverse_delta == pytest.approx(math.log(4))


@given(st.integers(2, 50), st.floats(1e-3, 1), st.floats(1, 1e5), st.floats(1.4, 1e3))
def test_theorem_b_is_theorem_2_on_long_streams(dimension, epsilon, log_horizon, log_inverse_delta):
    """Catches a corollary that says more than its theorem: 2^(2/3) is all that the paper loses between them."""
    s = Setting(log_horizon, epsilon, log_inverse_delta, dimension)
    if learning.theorem_b.unmet(s) is None:
        assert learning.theorem_2.unmet(s) is None
        difference = learning.theorem_b.log_value(s) - learning.theorem_2.log_value(s)
        assert -math.log(2) < difference <= 2 / 3 * math.log(2) + 1e-9


@each(EVERY)
@pytest.mark.parametrize("dimension", [31, 1100, 10**23])
def test_no_value_where_not_even_its_logarithm_is_a_number(bound, dimension):
    """Would catch infinite bounds, which no JSON holds, and hours of arithmetic on the paper's constants."""
    value = bound(Setting(1000.0, 0.01, 7.0, dimension))
    assert value is None or math.isfinite(getattr(value, "log10", value))


def test_a_bound_is_asked_for_with_a_setting():
    with pytest.raises(ParameterError, match=r"setting is 1000; give a bounds\.Setting"):
        learning.lit88(1000)
