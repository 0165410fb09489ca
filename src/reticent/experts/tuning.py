"""Public parameters for Li and Ye's Algorithm 1: functions of N, T, epsilon, delta and a guess of L* alone."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from reticent.errors import ParameterError
from reticent.mechanisms import (
    DecayingRates,
    DworkRothNoise,
    EqualRates,
    LaplaceNoise,
    OneSidedNoise,
    RedrawRates,
)
from reticent.privacy import Component, Neighbours, zcdp_rho
from reticent.privacy.composition.rounding import round_up

__all__ = [
    "HORIZON_GUESS",
    "DartboardParameters",
    "affordable",
    "decaying",
    "least_floor",
    "paper",
    "tuned",
    "typical_regret",
]

#: What tuning assumes when no horizon is given. Privacy never needs a horizon.
HORIZON_GUESS = 1 << 17


@dataclass(frozen=True)
class DartboardParameters:
    """The public numbers of Algorithm 1.

    Parameters
    ----------
    threshold_epsilon : Fraction
        eps1, the price of AboveThreshold.
    coin_epsilon : Fraction
        eps2, which sets the floor r_min of the update coin.
    delay : float
        tau in losses; any real number.
    redraws : RedrawRates
        eta and V, or rates that decay.
    noise : type
        `OneSidedNoise` (default), `LaplaceNoise`, or the paper's `DworkRothNoise`.
    """

    threshold_epsilon: Fraction
    coin_epsilon: Fraction
    delay: float
    redraws: RedrawRates
    noise: type[OneSidedNoise] | type[LaplaceNoise] = OneSidedNoise

    def __post_init__(self) -> None:
        if self.threshold_epsilon <= 0 or self.coin_epsilon <= 0 or not math.isfinite(self.delay):
            raise ParameterError(
                f"eps1 = {float(self.threshold_epsilon):g} and eps2 = {float(self.coin_epsilon):g} must be above 0, "
                f"and the delay, {self.delay}, finite."
            )

    def guard_noise(self, neighbours: Neighbours, units: int) -> OneSidedNoise | LaplaceNoise:
        """The noise of the AboveThreshold instances."""
        return self.noise(self.threshold_epsilon, neighbours.sensitivity, units)

    def coin_rate(self, rate: Fraction, neighbours: Neighbours) -> Fraction:
        """The rate eta' of the coin that guards a redraw at this rate: at most eps2 where rates decay.

        With equal rates the coin keeps eta itself, as in the paper, and is charged max(m eta, eps2).
        """
        if isinstance(self.redraws, EqualRates):
            return rate
        return min(rate, self.coin_epsilon / neighbours.sensitivity)

    def floor(self, coin_rate: Fraction, neighbours: Neighbours, units: int) -> int:
        """r_min in grid units, rounded up: (1 / eta') ln(1 + (1 - exp(-eta')) / (exp(eps2 / m) - 1)).

        With it the chance of leaving changes by at most the factor exp(eps2 / m) for each differing record.
        """
        eta = float(coin_rate)
        least = least_floor(eta, float(self.coin_epsilon) / neighbours.sensitivity)
        return math.ceil(least * units * (1 + 1e-12))

    def coin_price(self, neighbours: Neighbours) -> float:
        """max(m eta', eps2): one coin's interval holds the differing record, and it is kept or left."""
        first = self.redraws.rate(1)
        if first is None:
            return 0.0
        eta = self.coin_rate(first, neighbours) * neighbours.sensitivity
        return round_up(max(eta, self.coin_epsilon))

    def components(self, delta: float, neighbours: Neighbours) -> tuple[Component, ...]:
        """Where each share of epsilon goes."""
        return (
            Component("AboveThreshold", round_up(self.threshold_epsilon), 0.0, f"{self.noise.name} noise"),
            Component("update coin", self.coin_price(neighbours), 0.0, "max(eta, eps2)"),
            Component("redraws", self.redraws.epsilon(delta, neighbours), delta, str(self.redraws)),
        )

    def epsilon(self, delta: float, neighbours: Neighbours) -> float:
        """eps1 + max(eta, eps2) + Comp_delta(redraws) (docs/proofs/dartboard.md)."""
        return round_up(sum(Fraction(c.epsilon) for c in self.components(delta, neighbours)))

    def to_dict(self) -> dict[str, Any]:
        """The numbers, ready for JSON."""
        first = self.redraws.rate(1)
        return {
            "eps1": float(self.threshold_epsilon),
            "eps2": float(self.coin_epsilon),
            "tau": self.delay,
            "eta": None if first is None else float(first),
            "redraws": str(self.redraws),
            "noise": self.noise.name,
        }


def typical_regret(parameters: DartboardParameters, n_experts: int, best_loss: float) -> float:
    """What tuning minimises: exp(2 eta D) (eta L* + ln N) / (1 - exp(-eta)) - L* (Li and Ye, Lemma 3.5).

    D = tau + 1 + 2 / eps1 is what an interval typically loses at most. The bound that holds is
    `departures.regret_bound`.
    """
    rate = parameters.redraws.rate(1)
    if rate is None:
        return 0.0
    longest = max(parameters.delay, 0.0) + 1 + 2 / float(parameters.threshold_epsilon)
    return _bound(float(rate), longest, n_experts, best_loss)


def _bound(eta: float, longest: float, n_experts: int, best_loss: float) -> float:
    exponent = 2 * eta * longest
    if exponent > 700:
        return math.inf
    return math.exp(exponent) * (eta * best_loss + math.log(n_experts)) / -math.expm1(-eta) - best_loss


def tuned(
    n_experts: int, horizon: int, epsilon: float, delta: float, best_loss: float, neighbours: Neighbours
) -> DartboardParameters:
    """The smallest `typical_regret` over a public grid of (eps1, eps2, eta, V).

    tau = r_min + ln(T) / eps1, and V = ceil(1.3 mu + 3 sqrt(mu) + 4), mu = ln N + eta L*: a rule of thumb for the
    number of redraws while the best loss is about as guessed. When it is far larger the cap runs out early, and the
    choice then stays as it is for good; only utility suffers. Nothing here looks at data.
    """
    best: tuple[float, float, float, int] | None = None
    least = math.inf
    m = neighbours.sensitivity
    for share1 in (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8):
        for share2 in (0.02, 0.05, 0.1, 0.15, 0.2, 0.3):
            if share1 + share2 > 0.95:
                continue
            eps1, eps2 = share1 * epsilon, share2 * epsilon
            left = epsilon - eps1 - eps2
            for eta in eps2 / m * np.geomspace(1, 1e-3, 40):
                mu = math.log(n_experts) + eta * best_loss
                cap = math.ceil(1.3 * mu + 3 * math.sqrt(mu) + 4)
                if not affordable(cap, eta * neighbours.score_range, left, delta):
                    continue
                longest = _delay(eta, eps1 / m, eps2 / m, horizon) + 1 + 2 * m / eps1
                bound = _bound(eta, longest, n_experts, best_loss)
                if bound < least:
                    least, best = bound, (eps1, eps2, eta, cap)
    if best is None:
        raise ParameterError(f"no setting of Dartboard fits epsilon = {epsilon:g} with {n_experts} experts.")
    eps1, eps2, _, cap = best
    return _with_equal_rates(eps1, eps2, cap, horizon, epsilon, delta, neighbours)


def _with_equal_rates(
    eps1: float, eps2: float, cap: int, horizon: int, epsilon: float, delta: float, neighbours: Neighbours
) -> DartboardParameters:
    # The exact accounting allows a somewhat larger rate than the search did.
    redraws = EqualRates.calibrated(cap, _rest(epsilon, eps1, eps2), delta, neighbours)
    eta = min(redraws.learning_rate, Fraction(eps2) / neighbours.sensitivity)
    m = neighbours.sensitivity
    delay = _delay(float(eta), eps1 / m, eps2 / m, horizon)
    return DartboardParameters(Fraction(eps1), Fraction(eps2), delay, EqualRates(eta, cap))


def decaying(
    n_experts: int, horizon: int, epsilon: float, delta: float, best_loss: float, neighbours: Neighbours
) -> DartboardParameters:
    """Redraw rates that fall with the number of the redraw: neither T nor L* is needed.

    The zCDP price of the j-th redraw falls like j**-1.5 (for delta = 0, its range does).
    """
    eps1, eps2 = 0.2 * epsilon, 0.05 * epsilon
    power = Fraction(3, 2) if delta == 0 else Fraction(3, 4)
    redraws = DecayingRates.calibrated(power, 0, _rest(epsilon, eps1, eps2), delta, neighbours)
    m = neighbours.sensitivity
    delay = _delay(eps2 / m, eps1 / m, eps2 / m, horizon)
    return DartboardParameters(Fraction(eps1), Fraction(eps2), delay, redraws)


def paper(
    n_experts: int, horizon: int, epsilon: float, delta: float, best_loss: float, neighbours: Neighbours
) -> DartboardParameters:
    """The paper's own choice, behind its Theorems 1.1 (delta = 0) and 1.2.

    beta1 = beta2 = 1 / T, eps1 = eps2 = epsilon / 4, tau = 1 / eps2 + alpha, alpha = 8 (ln T + ln(2 T / beta1)) /
    eps1, and V = ceil(c1 + 71 eta L), c1 = 71 ln N + 72 + 280 ln T. Several records a person scale epsilon by m.
    """
    eps = epsilon / neighbours.sensitivity
    T, L, log_n = max(horizon, 2), best_loss, math.log(max(n_experts, 2))
    share = eps / 4
    alpha = 8 * (math.log(T) + math.log(2 * T * T)) / share
    delay = 1 / share + alpha
    longest = delay + alpha + 1
    c1 = 71 * log_n + 72 + 280 * math.log(T)
    eta_v = min(eps / (8 * c1), math.sqrt(eps / (568 * L)) if L else math.inf)
    if delta > 0:
        slack = math.log(1 / delta) + eps / 2
        cube = (eps**2 / (1136 * L * slack)) ** (1 / 3) if L else math.inf
        eta_v = max(eta_v, min(eps / math.sqrt(16 * c1 * slack), cube))
    eta = min(1 / longest, share, math.sqrt(log_n / (longest * L)) if L else math.inf, eta_v)
    cap = math.ceil(c1 + 71 * eta * L)
    quarter = Fraction(epsilon) / 4
    rate = Fraction(math.floor(eta * 2**40), 2**40)
    return DartboardParameters(quarter, quarter, delay, EqualRates(rate, cap), DworkRothNoise)


def _delay(eta: float, eps1: float, eps2: float, horizon: int) -> float:
    """Tau = r_min + ln(T) / eps1: late enough for the floor to stay idle, early enough to react."""
    return least_floor(eta, eps2) + math.log(max(horizon, 2)) / eps1


def least_floor(eta: float, eps2: float) -> float:
    """r_min in losses. A larger eps2 than 700 is taken as 700: the floor may be higher than need be."""
    return math.log1p(-math.expm1(-eta) / math.expm1(min(eps2, 700.0))) / eta


def _rest(epsilon: float, eps1: float, eps2: float) -> float:
    """What the redraws may cost, rounded down."""
    return float(Fraction(epsilon) - Fraction(eps1) - Fraction(eps2)) * (1 - 1e-12)


def affordable(cap: int, range_: float, epsilon: float, delta: float) -> bool:
    """Whether `cap` draws of this range cost no more, by the simplest accounting."""
    if cap * range_ <= epsilon:
        return True
    return delta > 0 and cap * range_**2 / 8 <= float(zcdp_rho(epsilon, delta))
