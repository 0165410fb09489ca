"""Regret of prediction from N experts whose best has the loss L* in T rounds."""

from __future__ import annotations

import math

from reticent.bounds.bound import Condition, Setting, stated
from reticent.bounds.conditions import AT_MOST_ONE, DELTA, NO_LOSS, PURE, ln, log_sum
from reticent.experts import Dartboard

__all__ = [
    "ALL",
    "afkt23a",
    "afkt23a_adaptive",
    "afkt23a_adaptive_pure",
    "afkt23a_batched",
    "afkt23a_pure",
    "afkt23b",
    "afkt23b_pure",
    "aklt24",
    "cb97_lower",
    "dartboard",
    "dp_mw",
    "hedge",
    "li_ye_1_1",
    "li_ye_1_2",
    "li_ye_lower",
    "li_ye_lower_explicit",
]

_OBLIVIOUS = "streams fixed in advance"
_ADAPTIVE = "adaptive streams"
_REGRET = "expected regret"
_EVERY = "every adaptively (epsilon, delta)-DP algorithm"

_MANY: Condition = ("N >= 2 T", lambda s: s.log_experts >= math.log(2) + s.log_horizon)
_CUBE: Condition = ("delta <= 1 / T^3", lambda s: s.log_inverse_delta >= 3 * s.log_horizon)
_TWO: Condition = ("T >= 2", lambda s: s.log_horizon >= math.log(2))


@stated(
    "Hedge",
    "Littlestone, Warmuth 1994; Freund, Schapire 1997; Cesa-Bianchi, Lugosi 2006, Sections 2.2 and 2.4",
    "upper",
    "min(sqrt(2 L* ln N) + ln N, sqrt(T ln N / 2))",
    who="multiplicative weights tuned to L* or T, not private",
    where=_OBLIVIOUS,
    quantity=_REGRET,
    constants=None,
)
def hedge(s: Setting) -> float:
    """Multiplicative weights, tuned in hindsight."""
    n = math.log(s.log_experts)
    of_loss = log_sum((math.log(2) + ln(s.best_loss) + n) / 2, n)
    return min(of_loss, (s.log_horizon + n - math.log(2)) / 2)


@stated(
    "CFHHSW97 lower",
    "Cesa-Bianchi, Freund, Haussler, Helmbold, Schapire, Warmuth 1997",
    "lower",
    "sqrt(L* ln N) + ln N",
    who="every algorithm, private or not",
    where=_OBLIVIOUS,
    quantity=_REGRET,
)
def cb97_lower(s: Setting) -> float:
    """Nobody does better than Hedge, even without privacy."""
    n = math.log(s.log_experts)
    return log_sum((ln(s.best_loss) + n) / 2, n)


@stated(
    "DP-MW",
    "Dwork, Rothblum, Vadhan 2010; Jain, Thakurta 2014, Section 5.2",
    "upper",
    "ln N / eta + eta T / 8, eta = sqrt(2 rho / T), rho = (sqrt(ln(1 / delta) + epsilon) - sqrt(ln(1 / delta)))^2; "
    "eta = epsilon / (2 T) for delta = 0",
    who="PrivateHedge",
    where=_ADAPTIVE,
    quantity=_REGRET,
    constants=None,
)
def dp_mw(s: Setting) -> float:
    """Multiplicative weights that draw in each round, at a rate that the whole run can pay for."""
    if s.log_inverse_delta == math.inf:
        log_eta = math.log(s.epsilon / 2) - s.log_horizon
    else:
        # The difference of the roots, without cancellation.
        root = s.epsilon / (math.sqrt(s.log_inverse_delta + s.epsilon) + math.sqrt(s.log_inverse_delta))
        log_eta = (math.log(2) - s.log_horizon) / 2 + math.log(root)
    return log_sum(math.log(s.log_experts) - log_eta, log_eta + s.log_horizon - math.log(8))


@stated(
    "AFKT23a, pure",
    "Asi, Feldman, Koren, Talwar, COLT 2023, Corollary 4",
    "upper",
    "sqrt(T) ln N / epsilon",
    who="shrinking dartboard",
    where=_OBLIVIOUS,
    quantity=_REGRET,
)
def afkt23a_pure(s: Setting) -> float:
    """The shrinking dartboard with delta = 0."""
    return s.log_horizon / 2 + math.log(s.log_experts) - math.log(s.epsilon)


@stated(
    "AFKT23a",
    "Asi, Feldman, Koren, Talwar, COLT 2023, Corollary 3",
    "upper",
    "sqrt(T ln N) + T^(1/3) (ln(1 / delta))^(1/3) ln N / epsilon",
    who="shrinking dartboard",
    where=_OBLIVIOUS,
    quantity=_REGRET,
    requires=(DELTA,),
)
def afkt23a(s: Setting) -> float:
    """The shrinking dartboard with advanced composition."""
    n = math.log(s.log_experts)
    of_privacy = (s.log_horizon + math.log(s.log_inverse_delta)) / 3 + n - math.log(s.epsilon)
    return log_sum((s.log_horizon + n) / 2, of_privacy)


@stated(
    "AFKT23a, batched",
    "Asi, Feldman, Koren, Talwar, COLT 2023, Corollary 6",
    "upper",
    "sqrt(T ln N) + T^(2/5) / epsilon^(4/5)",
    who="shrinking dartboard on batches",
    where=_OBLIVIOUS,
    quantity=_REGRET,
    constants="the constant and the logarithmic factors of the second term are open, and taken as 1",
    requires=(DELTA,),
)
def afkt23a_batched(s: Setting) -> float:
    """The shrinking dartboard on batches of rounds."""
    n = math.log(s.log_experts)
    return log_sum((s.log_horizon + n) / 2, 2 / 5 * s.log_horizon - 4 / 5 * math.log(s.epsilon))


@stated(
    "AFKT23a lower",
    "Asi, Feldman, Koren, Talwar, COLT 2023, Theorem 9",
    "lower",
    "min(T, 1 / (epsilon ln T)^2)",
    who=_EVERY,
    where=f"{_ADAPTIVE}, L* = 0",
    quantity=_REGRET,
    requires=(_TWO, _MANY, _CUBE, NO_LOSS),
)
def afkt23a_adaptive(s: Setting) -> float:
    """What an adaptive adversary forces when epsilon is small."""
    return min(s.log_horizon, -2 * (math.log(s.epsilon) + ln(s.log_horizon)))


@stated(
    "AFKT23a lower, pure",
    "Asi, Feldman, Koren, Talwar, COLT 2023, Theorem 10",
    "lower",
    "T",
    who="every adaptively epsilon-DP algorithm",
    where=f"{_ADAPTIVE}, L* = 0",
    quantity=_REGRET,
    requires=(PURE, _MANY, NO_LOSS, ("epsilon <= 1/10", lambda s: s.epsilon <= 0.1)),
)
def afkt23a_adaptive_pure(s: Setting) -> float:
    """An adaptive adversary ruins every algorithm with delta = 0."""
    return s.log_horizon


@stated(
    "AFKT23b, pure",
    "Asi, Feldman, Koren, Talwar, ICML 2023",
    "upper",
    "L* ln N + ((ln N)^2 + ln N ln T) / epsilon",
    who="sparse vector",
    where=_OBLIVIOUS,
    quantity=_REGRET,
)
def afkt23b_pure(s: Setting) -> float:
    """Switch when the chosen expert has lost, with delta = 0; made for L* = 0."""
    n = s.log_experts
    return log_sum(ln(s.best_loss * n), ln(n * (n + s.log_horizon) / s.epsilon))


@stated(
    "AFKT23b",
    "Asi, Feldman, Koren, Talwar, ICML 2023",
    "upper",
    "L* ln N + ((ln N)^(3/2) sqrt(ln(1 / delta)) + ln N ln T) / epsilon",
    who="sparse vector",
    where=_OBLIVIOUS,
    quantity=_REGRET,
    requires=(DELTA,),
)
def afkt23b(s: Setting) -> float:
    """Switch when the chosen expert has lost; made for L* = 0."""
    n = s.log_experts
    private = n * (math.sqrt(n * s.log_inverse_delta) + s.log_horizon) / s.epsilon
    return log_sum(ln(s.best_loss * n), ln(private))


@stated(
    "AKLT24",
    "Asi, Koren, Liu, Talwar 2024",
    "upper",
    "sqrt(T ln N) + T^(1/3) ln N ln(T / delta) / epsilon^(2/3)",
    who="lazy to private",
    where=_OBLIVIOUS,
    quantity=_REGRET,
    constants="the constant factor is open, and taken as 1; the rate is theirs, and was not checked here",
    requires=(DELTA,),
)
def aklt24(s: Setting) -> float:
    """A lazy algorithm made private by coins that hide its switches."""
    n = math.log(s.log_experts)
    of_privacy = s.log_horizon / 3 + n + ln(s.log_horizon + s.log_inverse_delta) - 2 / 3 * math.log(s.epsilon)
    return log_sum((s.log_horizon + n) / 2, of_privacy)


@stated(
    "Li-Ye 1.1",
    "Li, Ye 2026, Theorem 1.1",
    "upper",
    "(sqrt(ln N ln T) + ln N) sqrt(L* / epsilon) + (1 + ln(1 + L*)) ((ln N)^2 + ln N ln T) / epsilon",
    who="Doubling(Dartboard), delta = 0",
    where=_OBLIVIOUS,
    quantity=_REGRET,
)
def li_ye_1_1(s: Setting) -> float:
    """Regret that grows with the root of L* and not of T, with delta = 0."""
    n = s.log_experts
    of_loss = (math.sqrt(n * s.log_horizon) + n) * math.sqrt(s.best_loss / s.epsilon)
    return ln(of_loss + (1 + math.log1p(s.best_loss)) * n * (n + s.log_horizon) / s.epsilon)


@stated(
    "Li-Ye 1.2",
    "Li, Ye 2026, Theorem 1.2",
    "upper",
    "sqrt(L* ln N ln T / epsilon) + ln N min((L* ln(1 / delta))^(1/3) / epsilon^(2/3), sqrt(L* / epsilon)) + "
    "(1 + ln(1 + L*)) ln N (ln T + min(sqrt(ln(N T) ln(1 / delta)), ln(N T))) / epsilon",
    who="Doubling(Dartboard)",
    where=_OBLIVIOUS,
    quantity=_REGRET,
    requires=(DELTA,),
)
def li_ye_1_2(s: Setting) -> float:
    """Regret that grows with the root of L* and not of T."""
    n, t, private = s.log_experts, s.log_horizon, s.log_inverse_delta
    of_loss = math.sqrt(s.best_loss * n * t / s.epsilon) + n * min(
        (s.best_loss * private) ** (1 / 3) / s.epsilon ** (2 / 3), math.sqrt(s.best_loss / s.epsilon)
    )
    of_phases = n * (t + min(math.sqrt((n + t) * private), n + t)) / s.epsilon
    return ln(of_loss + (1 + math.log1p(s.best_loss)) * of_phases)


@stated(
    "Dartboard",
    "Li, Ye 2026, Lemma 3.5, sharpened: docs/proofs/regret.md, Theorem 3",
    "upper",
    "(1 / eta + D) mu + D + 1 - L* + T P[Poisson(mu) > V], at the shipped eta, tau and V",
    who="Dartboard tuned to L*",
    where=_OBLIVIOUS,
    quantity=_REGRET,
    constants=None,
    requires=(_TWO, ("ln T <= 700", lambda s: s.log_horizon <= 700)),
)
def dartboard(s: Setting) -> float:
    """The explicit bound of the shipped Dartboard, tuned to L*."""
    rounds = round(math.exp(s.log_horizon))
    algorithm = Dartboard(s.experts, s.epsilon, s.delta, horizon=rounds, expected_best_loss=s.best_loss)
    bound = algorithm.regret_bound(rounds, s.best_loss)
    return math.inf if bound is None else ln(bound)


@stated(
    "Li-Ye lower",
    "Li, Ye 2026, Theorem 1.3",
    "lower",
    "min(T, sqrt(T) / (epsilon ln T))",
    who=_EVERY,
    where=f"{_ADAPTIVE}, L* = 0",
    quantity=_REGRET,
    requires=(_TWO, AT_MOST_ONE, _MANY, _CUBE, NO_LOSS),
)
def li_ye_lower(s: Setting) -> float:
    """Small losses do not help against an adaptive adversary."""
    return min(s.log_horizon, s.log_horizon / 2 - math.log(s.epsilon) - ln(s.log_horizon))


@stated(
    "Li-Ye lower, explicit",
    "Li, Ye 2026, Appendix C, with the constants of AFKT23a, Theorem 9",
    "lower",
    "q T / 1000, q = min(1, 1 / (344 epsilon sqrt(T) ln T))",
    who=_EVERY,
    where=f"{_ADAPTIVE}, L* = 0, T large enough",
    quantity=_REGRET,
    constants="how large T must be is open",
    requires=(_TWO, AT_MOST_ONE, _MANY, _CUBE, NO_LOSS),
)
def li_ye_lower_explicit(s: Setting) -> float:
    """The same with the constants of its proof."""
    # Subsampling at the rate q makes epsilon at most ln(1 + q (e^epsilon - 1)) <= 1.72 q epsilon.
    log_rate = min(0.0, -math.log(344 * s.epsilon) - s.log_horizon / 2 - ln(s.log_horizon))
    return log_rate + s.log_horizon - math.log(1000)


#: Upper bounds in the order of their years, then lower bounds.
ALL = (
    hedge,
    dp_mw,
    afkt23a_pure,
    afkt23a,
    afkt23a_batched,
    afkt23b_pure,
    afkt23b,
    aklt24,
    li_ye_1_1,
    li_ye_1_2,
    dartboard,
    cb97_lower,
    afkt23a_adaptive_pure,
    afkt23a_adaptive,
    li_ye_lower,
    li_ye_lower_explicit,
)
