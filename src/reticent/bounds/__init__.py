"""What can be done and what cannot: the bounds of the literature as functions, with Table 1 and Figure 1 of Sanyal.

>>> from reticent import bounds
>>> bounds.learning.theorem_1(bounds.Setting(log_horizon=1000.0, epsilon=0.01))
100.046204475
>>> bounds.prediction.theorem_3(bounds.Setting(log_horizon=1000.0, log_inverse_delta=14.0, dimension=4)).log10
10100892.8...
"""

from reticent.bounds import experts, learning, prediction
from reticent.bounds.bound import Bound, Setting
from reticent.bounds.figure1 import Figure1, Regime, figure1
from reticent.bounds.measured import Measured
from reticent.bounds.table1 import Table1, Table1Row, table1

__all__ = [
    "Bound",
    "Figure1",
    "Measured",
    "Regime",
    "Setting",
    "Table1",
    "Table1Row",
    "experts",
    "figure1",
    "learning",
    "prediction",
    "table1",
]
