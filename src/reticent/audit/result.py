"""What an exact audit found, in words and numbers that a reviewer can follow."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

__all__ = ["Counterexample", "ExactAudit", "StreamCounterexample"]

#: What sums of doubles may be off by.
_ROUNDING = 1e-12
_LOG_ROUNDING = 1e-9


@dataclass(frozen=True)
class Counterexample:
    """A neighbouring pair, an output, and its probability on either.

    Attributes
    ----------
    one, other : object
        The neighbouring inputs; the output is likelier on `one`.
    output : object
    p, q : float
        The probability of the output on `one` and on `other`.
    """

    one: Any
    other: Any
    output: Any
    p: float
    q: float

    @property
    def ratio(self) -> str:
        """P / q in words."""
        return f"exp({math.log(self.p / self.q):.6g})" if self.p > 0 and self.q > 0 else "infinite"

    def __str__(self) -> str:
        return (
            f"  on {self.one} the output {self.output} has probability {self.p:.6g},\n"
            f"  on {self.other} it has {self.q:.6g}: the ratio is {self.ratio}"
        )

    def to_dict(self) -> dict[str, Any]:
        """The counterexample for JSON: inputs and output as lists where they are tuples."""
        return {"one": self.one, "other": self.other, "output": self.output, "p": self.p, "q": self.q}


@dataclass(frozen=True)
class StreamCounterexample(Counterexample):
    """Two neighbouring streams of loss vectors, and what was seen before the first round and after each.

    What is seen is a tuple that ends with the choice; before it stand the answers that steer the algorithm, where
    the audit saw them. On an adaptive stream the losses are those that this output leads to.
    """

    def __str__(self) -> str:
        rows = [("round", "losses", "neighbour's", "then seen"), ("start", "", "", _seen(self.output[0]))]
        for round_, (a, b, seen) in enumerate(zip(self.one, self.other, self.output[1:], strict=True)):
            neighbour = _losses(b) if a != b else "same"
            rows.append((str(round_), _losses(a), neighbour, _seen(seen)))
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
        table = "\n".join(f"  {line}".rstrip() for line in lines)
        return f"{table}\n  probability {self.p:.6g}, on the neighbour {self.q:.6g}: the ratio is {self.ratio}"


@dataclass(frozen=True)
class ExactAudit:
    """What an exact audit found.

    Attributes
    ----------
    epsilon, delta : float
        The promise that was audited.
    delta_found : float
        The largest delta(epsilon) of the domain: what the promise at this epsilon would need.
    log_ratio : float
        The largest log(p / q) of one output: the epsilon that pure differential privacy would need.
    truncated : float
        The largest probability that enumeration left out; it may belong to any output. What it could explain is
        not held against the promise.
    worst : Counterexample
        Where p / q is largest; for delta > 0, where p - e^epsilon q is.
    """

    epsilon: float
    delta: float
    delta_found: float
    log_ratio: float
    truncated: float
    worst: Counterexample

    @property
    def passed(self) -> bool:
        """Whether the promise holds on this domain."""
        if self.delta == 0 and self.log_ratio > self.epsilon + _LOG_ROUNDING:
            return False
        explained = (1 + math.exp(min(self.epsilon, 700.0))) * self.truncated
        return self.delta_found <= self.delta + explained + _ROUNDING

    @property
    def slack(self) -> float:
        """The part of the promise that no pair and output of this domain spends; negative where it is broken.

        For delta = 0 a part of epsilon, otherwise a part of delta.
        """
        return 1 - (self.delta_found / self.delta if self.delta else self.log_ratio / self.epsilon)

    def __str__(self) -> str:
        truncated = f", {self.truncated:.2g} left out" if self.truncated > _ROUNDING else ""
        return (
            f"{'passed' if self.passed else 'REJECTED'}: promised ({self.epsilon:.6g}, {self.delta:.6g})-DP; found "
            f"delta {self.delta_found:.6g} at this epsilon, largest log-ratio {self.log_ratio:.6g}{truncated}\n"
            f"{self.worst}"
        )

    def to_dict(self) -> dict[str, Any]:
        """The audit for JSON; an infinite log-ratio is None."""
        return {
            "passed": self.passed,
            "epsilon": self.epsilon,
            "delta": self.delta,
            "delta_found": self.delta_found,
            "log_ratio": self.log_ratio if math.isfinite(self.log_ratio) else None,
            "truncated": self.truncated,
            "worst": self.worst.to_dict(),
        }


def _losses(vector: tuple[float, ...]) -> str:
    return " ".join(f"{loss:g}" for loss in vector)


def _seen(output: tuple[Any, ...]) -> str:
    *answers, choice = output
    return f"choice {choice}" + (f" after answers {' '.join(map(str, answers))}" if answers else "")
