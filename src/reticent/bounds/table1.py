"""Table 1 of Sanyal 2026: lower bounds for private learners of three points at delta = 1 / ln T."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from reticent.bounds.bound import Bound, Setting, Value, as_json
from reticent.bounds.learning import cln24_lower, dss24_lower, lwy24_lower, theorem_1
from reticent.errors import ParameterError
from reticent.experts.base import is_real

__all__ = ["Table1", "Table1Row", "table1"]


@dataclass(frozen=True)
class Table1Row:
    """One line of the table.

    Attributes
    ----------
    bound : Bound
    result, domain, learner, at_delta : str
        The paper's four columns; the last is the bound at delta = 1 / ln T.
    value : float
        At the table's ln T and epsilon.
    """

    bound: Bound
    result: str
    domain: str
    learner: str
    at_delta: str
    value: Value | None


@dataclass(frozen=True)
class Table1:
    """The table at one length.

    Attributes
    ----------
    setting : Setting
        With delta = 1 / ln T.
    rows : tuple of Table1Row
        In the paper's order.
    """

    setting: Setting
    rows: tuple[Table1Row, ...]

    def to_dict(self) -> dict[str, Any]:
        """The table, ready for JSON."""
        return {
            "log_horizon": self.setting.log_horizon,
            "epsilon": self.setting.epsilon,
            "delta": self.setting.delta,
            "rows": [
                {
                    "result": row.result,
                    "domain": row.domain,
                    "learner": row.learner,
                    "lower_bound": row.at_delta,
                    "value": as_json(row.value),
                    "constants": row.bound.constants,
                    "source": row.bound.source,
                }
                for row in self.rows
            ],
        }


def table1(log_horizon: float = 1000.0, epsilon: float = 0.01) -> Table1:
    """The lower bounds side by side, in words and as numbers.

    Parameters
    ----------
    log_horizon : float
        ln T >= 4, so that delta = 1 / ln T is at most 1/4.
    epsilon : float
        Above 0; Theorem 1 is about at most 1/100.

    Raises
    ------
    ParameterError
        When ln T is smaller.

    Examples
    --------
    >>> for row in table1(log_horizon=1e6).rows:
    ...     print(f"{row.result:10} {row.domain:10} {row.learner:13} {row.at_delta:15} {row.value:.6g}")
    DSS24      {1, 2, 3}  concentrated  ln T            1e+06
    CLN+24     {0, .., T} all           ln T            1e+06
    LWY24      {1, 2, 3}  all           ln ln T         9.21034
    Theorem A  {1, 2, 3}  all           (ln T)^(2/3)    10000
    """
    if not is_real(log_horizon) or not log_horizon >= 4:
        raise ParameterError(f"log_horizon is {log_horizon!r}; give at least 4, so that 1 / ln T is at most 1/4.")
    setting = Setting(log_horizon, epsilon, math.log(log_horizon))
    rows = (
        (dss24_lower, "DSS24", "{1, 2, 3}", "concentrated", "ln T"),
        (cln24_lower, "CLN+24", "{0, .., T}", "all", "ln T"),
        (lwy24_lower, "LWY24", "{1, 2, 3}", "all", "ln ln T"),
        (theorem_1, "Theorem A", "{1, 2, 3}", "all", "(ln T)^(2/3)"),
    )
    return Table1(setting, tuple(Table1Row(*row, value=row[0](setting)) for row in rows))
