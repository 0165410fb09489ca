"""The picture of Figure 1: what is possible at each delta, what is not, and what was measured."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from reticent.report import drawing

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from reticent.bounds import Figure1

__all__ = ["Figure1Display"]

_COLOURS = {
    "LWY24 upper": drawing.BLUE,
    "DSS24 upper": drawing.GREEN,
    "LWY24 lower": drawing.BLUE,
    "Theorem 1": drawing.VERMILION,
}

_MARKS = {
    "PointLearner": ("o", drawing.BLACK),
    "NameAndShameLearner": ("s", drawing.GREEN),
    "PointPredictor": ("^", drawing.PURPLE),
}

#: Where a label would run into its neighbour's, on which side of its tick it stands.
_SIDES: dict[int, Literal["left", "right"]] = {2: "right", 3: "left", 4: "right", 5: "left"}


class Figure1Display(drawing.Display):
    """Mistakes against delta: upper bounds solid, lower bounds dashed, the gap between them grey.

    As in the paper each bound is drawn where no other one is better. The horizontal axis is ln(1 / delta), large
    values on the left, where delta = 0 has a place of its own.

    Parameters
    ----------
    figure : Figure1

    Attributes
    ----------
    figure_ : matplotlib.figure.Figure
    axes_ : array of matplotlib.axes.Axes
    ax_ : matplotlib.axes.Axes

    Examples
    --------
    >>> from reticent.bounds import figure1
    >>> Figure1Display(figure1()).plot().ax_.get_ylabel()
    'expected mistakes'
    """

    def __init__(self, figure: Figure1) -> None:
        self._data = figure

    def plot(self, ax: Axes | None = None) -> Figure1Display:
        """Draw the bounds, the regimes and the measurements.

        Parameters
        ----------
        ax : Axes, optional
            A new figure unless given.

        Returns
        -------
        Figure1Display
            Itself, with `figure_` and `ax_`.

        Raises
        ------
        MissingExtraError
            When matplotlib is not installed.
        """
        self._prepare(ax, (1, 1), (9.5, 7.0))
        ax, data = self.ax_, self._data
        x = data.axis()
        upper, lower = data.best_upper(), data.best_lower()
        ax.fill_between(x, np.exp(lower), np.exp(upper), where=upper > lower, color=drawing.LIGHT, label="open")
        for bounds, best, dashes in ((data.upper, upper, "-"), (data.lower, lower, "--")):
            for bound in bounds:
                curve = data.curve(bound)
                shown = np.where(np.isclose(curve, best, atol=1e-9), np.exp(np.minimum(curve, 700)), np.nan)
                label = (
                    f"{bound.name.removesuffix(' upper').removesuffix(' lower')}, {bound.direction}: {bound.formula}"
                )
                ax.plot(x, shown, dashes, color=_COLOURS[bound.name], linewidth=2.2, label=label)
        self._draw_measured(ax)
        self._label(ax)
        drawing.legend_below(ax)
        return self

    def _draw_measured(self, ax: Axes) -> None:
        for name in dict.fromkeys(point.algorithm for point in self._data.measured):
            points = [point for point in self._data.measured if point.algorithm == name]
            marker, colour = _MARKS[name]
            what = "a predictor: it releases labels" if points[0].releases == "labels" else "a learner"
            runs = f"mean and spread of {points[0].runs} runs" if points[0].runs > 1 else "one run"
            ax.errorbar(
                [min(point.log_inverse_delta, self._data.zero) for point in points],
                [point.mean for point in points],
                yerr=[min(point.spread, 0.9 * point.mean) for point in points],  # 0 has no place on this axis
                fmt=marker,
                color=colour,
                markersize=7,
                capsize=3,
                label=f"{name} ({what}), measured: {runs}",
            )

    def _label(self, ax: Axes) -> None:
        from matplotlib.ticker import NullLocator

        data = self._data
        ax.set_xscale("log")
        ax.set_yscale("log")
        ax.set_xlim(1.3 * data.zero, 0.8 * data.regimes[-1].log_inverse_delta)
        places = [data.zero, *(regime.log_inverse_delta for regime in data.regimes)]
        ax.set_xticks(places, ["0", *(regime.formula for regime in data.regimes)], fontsize=10)
        for k, label in enumerate(ax.get_xticklabels()):
            label.set_horizontalalignment(_SIDES.get(k, "center"))
        ax.xaxis.set_minor_locator(NullLocator())
        for place in places:
            ax.axvline(place, color=drawing.LIGHT, linewidth=0.8, zorder=0)
        drawing.thousands(ax.yaxis)
        ax.set(xlabel="delta", ylabel="expected mistakes")
        ax.set_title(
            f"Three points, epsilon = {data.epsilon:g}, ln T = {data.log_horizon:,g}",
            loc="left",
            fontsize=11,
            fontweight="bold",
        )
        ax.set_title("open constants taken as 1", loc="right", fontsize=9)
        ax.spines[["top", "right"]].set_visible(False)
