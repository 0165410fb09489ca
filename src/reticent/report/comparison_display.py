"""Pictures of a comparison: all of it is for the curator only."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from reticent.report import drawing, labels

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from reticent.comparison import Comparison

__all__ = ["ComparisonDisplay"]

#: Values that span less than this factor are drawn on a linear axis.
_LINEAR_WITHIN = 10


class ComparisonDisplay(drawing.Display):
    """Two views of a comparison: mean cumulative regret against rounds, and the final regret with its spread.

    Parameters
    ----------
    comparison : Comparison

    Attributes
    ----------
    figure_ : matplotlib.figure.Figure
    axes_ : array of matplotlib.axes.Axes
    ax_ : matplotlib.axes.Axes
        The first of them.
    """

    def __init__(self, comparison: Comparison) -> None:
        self._comparison = comparison
        names = labels.algorithm_labels([entry.algorithm for entry in comparison.entries])
        cycle = iter(drawing.CYCLE * len(names))
        styled = [
            (entry, labels.shorten(name, 44), next(cycle) if entry.private else drawing.YARDSTICK)
            for entry, name in zip(comparison.entries, names, strict=True)
        ]
        self._entries = sorted(styled, key=lambda one: one[0].mean_regret)

    def plot(self, ax: Any = None) -> ComparisonDisplay:
        """Draw both views. FOR THE CURATOR ONLY.

        Parameters
        ----------
        ax : Axes or array of two Axes, optional
            A new figure unless given; a single Axes gives up its place to the two.

        Returns
        -------
        ComparisonDisplay
            Itself, with `figure_` and `axes_`.

        Raises
        ------
        MissingExtraError
            When matplotlib is not installed.
        """
        if self._prepare(ax, (1, 2), (14.0, 5.0 + 0.14 * len(self._entries))):
            self._headline()
        self._draw_curves(self.axes_[0, 0])
        self._draw_spread(self.axes_[0, 1])
        return self

    def plot_curves(self, ax: Axes | None = None) -> ComparisonDisplay:
        """Draw mean cumulative regret against rounds. FOR THE CURATOR ONLY; `ax` is one Axes."""
        self._prepare(ax, (1, 1), (7.5, 5.0 + 0.14 * len(self._entries)))
        self._draw_curves(self.ax_)
        return self

    def plot_spread(self, ax: Axes | None = None) -> ComparisonDisplay:
        """Draw the final regret of each algorithm with its spread. FOR THE CURATOR ONLY; `ax` is one Axes."""
        self._prepare(ax, (1, 1), (7.5, 4.5))
        self._draw_spread(self.ax_)
        return self

    def _headline(self) -> None:
        c = self._comparison
        text = f"{labels.shorten(c.stream, 60)}: {c.rounds:,} rounds, {c.n_experts:,} experts"
        self.figure_.suptitle(text, fontsize=13, parse_math=False)

    def _title(self, ax: Axes, text: str) -> None:
        mark = labels.CURATOR_ONLY
        if self._comparison.seeded:
            mark = f"{mark}\nNOT PRIVATE (seeded)"
        drawing.title(ax, text, mark, drawing.VERMILION)

    def _draw_curves(self, ax: Axes) -> None:
        self._title(ax, "Mean cumulative regret")
        for entry, label, (colour, dashes, marker) in self._entries:
            ax.plot(
                entry.curve.rounds,
                entry.curve.regret,
                color=colour,
                linestyle=dashes,
                marker=marker,
                markersize=3.5,
                label=label,
            )
        rounds = self._comparison.entries[0].curve.rounds
        if len(rounds) > 1:
            _spread_out(ax, "x", rounds)
        else:
            drawing.count_rounds(ax, int(rounds[-1]))
        _spread_out(ax, "y", np.concatenate([entry.curve.regret for entry, *_ in self._entries]))
        ax.set(xlabel="round", ylabel="loss minus the best expert's loss so far")
        drawing.legend_below(ax, columns=2)

    def _draw_spread(self, ax: Axes) -> None:
        self._title(ax, "Regret at the end")
        values = []
        for place, (entry, _label, (colour, _dashes, marker)) in enumerate(self._entries):
            mean, spread = entry.mean_regret, entry.spread
            ax.errorbar(mean, place, xerr=spread, color=colour, marker=marker, markersize=6, capsize=4)
            ax.annotate(
                drawing.number(mean),
                (mean, place),
                xytext=(0, 7),
                textcoords="offset points",
                ha="center",
                fontsize=8,
            )
            values += [mean - spread, mean, mean + spread]
        _spread_out(ax, "x", np.array(values))
        names = [label if entry.private else f"{label}\n(not private)" for entry, label, _ in self._entries]
        ax.set_yticks(range(len(names)), names, fontsize=9)
        ax.set_ylim(len(names) - 0.4, -0.7)
        ax.grid(axis="x", color=drawing.LIGHT, linewidth=0.6)
        ax.set_axisbelow(True)
        runs = len(self._comparison.entries[0].regrets)
        ax.set_xlabel(f"mean and standard deviation of {runs} runs" if runs > 1 else "one run")


def _spread_out(ax: Axes, which: str, values: npt.NDArray[Any]) -> None:
    """A logarithmic axis where the values span factors, linear around zero where some are not positive."""
    from matplotlib.ticker import LogLocator, NullFormatter

    axis = ax.xaxis if which == "x" else ax.yaxis
    set_scale = ax.set_xscale if which == "x" else ax.set_yscale
    least, largest = float(values.min()), float(np.abs(values).max())
    if least > 0 and largest > _LINEAR_WITHIN * least:
        set_scale("log")
        axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0) if largest < 500 * least else (1.0,)))
        axis.set_minor_formatter(NullFormatter())
    elif least <= 0 and largest > _LINEAR_WITHIN**2:
        set_scale("symlog", linthresh=10.0 ** math.floor(math.log10(largest / 100)))
    drawing.thousands(axis)
