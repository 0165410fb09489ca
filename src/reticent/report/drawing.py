"""How the pictures are drawn: colours that everybody can tell apart, marks, legends outside the data.

Figures are made without pyplot, so that drawing needs no screen and leaves no global state behind.
"""

from __future__ import annotations

import io
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from reticent.errors import MissingExtraError, ParameterError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = [
    "BLACK",
    "BLUE",
    "CYCLE",
    "GREEN",
    "GREY",
    "LIGHT",
    "ORANGE",
    "PURPLE",
    "VERMILION",
    "YARDSTICK",
    "Display",
    "as_written",
    "count_rounds",
    "legend_below",
    "number",
    "require_matplotlib",
    "thousands",
    "title",
]

# Okabe and Ito's palette, without its yellow, which is too pale for a line on white.
BLUE, ORANGE, GREEN, VERMILION = "#0072B2", "#E69F00", "#009E73", "#D55E00"
PURPLE, SKY, BLACK = "#CC79A7", "#56B4E9", "#000000"
GREY, LIGHT = "#595959", "#D9D9D9"

_DASHES: tuple[Any, ...] = ("-", "--", "-.", ":", (0, (6, 1, 1, 1, 1, 1)))

#: Colour, dashes and marker of the k-th line; the periods, 7, 5 and 8, tell them apart.
CYCLE = tuple(
    (colour, _DASHES[k % 5], "osD^v<>P"[k % 8])
    for k, colour in enumerate((BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY, BLACK) * 5)
)

#: What stands apart from the others: algorithms without privacy.
YARDSTICK = (GREY, (0, (2, 1)), "x")


def require_matplotlib() -> None:
    """Raise MissingExtraError when matplotlib is not installed."""
    try:
        import matplotlib.figure  # noqa: F401
    except ImportError:
        raise MissingExtraError("matplotlib", "plot", "plotting") from None


#: Points from the axis down to its legend: tick labels and one line of axis label lie in between.
_UNDER_LABEL = 40


class Display:
    """A set of views, computed once and drawn as often as one likes.

    Attributes
    ----------
    figure_ : matplotlib.figure.Figure
        What the last ``plot`` drew into.
    axes_ : array of matplotlib.axes.Axes
    ax_ : matplotlib.axes.Axes
        The first of them.
    """

    figure_: Figure
    axes_: npt.NDArray[Any]

    @property
    def ax_(self) -> Axes:
        """The first of `axes_`."""
        first: Axes = self.axes_.flat[0]
        return first

    def _prepare(self, ax: Any, shape: tuple[int, int], size: tuple[float, float]) -> bool:
        """Set `axes_` to an array of this shape, in a new figure where `ax` is None; whether it is a new one.

        As in scikit-learn, a single Axes gives up its place to a grid of them.
        """
        require_matplotlib()
        from matplotlib.axes import Axes
        from matplotlib.figure import Figure

        if ax is None:
            self.figure_ = Figure(figsize=size, layout="constrained")
            self.figure_.get_layout_engine().set(h_pad=0.1, w_pad=0.1)  # type: ignore[union-attr, call-arg]
            self.axes_ = self.figure_.subplots(*shape, squeeze=False)
            return True
        given = np.array(ax, dtype=object).reshape(-1)
        if isinstance(ax, Axes) and shape != (1, 1):
            place = ax.get_subplotspec()
            if place is None:
                raise ParameterError(
                    "ax has no place in a grid; make it with subplots, or give one Axes for each view."
                )
            ax.set_axis_off()
            given = place.subgridspec(*shape).subplots(squeeze=False).reshape(-1)
        if len(given) != shape[0] * shape[1] or not all(isinstance(one, Axes) for one in given):
            raise ParameterError(f"ax has {len(given)} entries; give one Axes, or {shape[0] * shape[1]} of them.")
        self.axes_ = given.reshape(shape)
        self.figure_ = self.ax_.get_figure(root=True)  # type: ignore[assignment]
        return False

    def _repr_png_(self) -> bytes | None:
        """The picture, for notebooks; nothing before it is drawn."""
        if not hasattr(self, "figure_"):
            return None
        buffer = io.BytesIO()
        self.figure_.savefig(buffer, format="png")
        return buffer.getvalue()


def title(ax: Axes, text: str, mark: str, colour: str) -> None:
    """A title on the left, and on the right, in colour, who may see the view."""
    ax.set_title(text, loc="left", fontsize=11, fontweight="bold", pad=10)
    ax.set_title(mark, loc="right", fontsize=9, fontweight="bold", color=colour, pad=10)
    ax.spines[["top", "right"]].set_visible(False)


def legend_below(ax: Axes, columns: int = 1) -> None:
    """A legend under the axis label, outside the data."""
    from matplotlib.transforms import ScaledTranslation

    under_label = ScaledTranslation(0, -_UNDER_LABEL / 72, ax.get_figure(root=True).dpi_scale_trans)  # type: ignore[union-attr]
    legend = ax.legend(
        loc="upper left",
        bbox_to_anchor=(0.0, 0.0),
        bbox_transform=ax.transAxes + under_label,
        ncols=columns,
        fontsize=9,
        frameon=False,
        borderaxespad=0.0,
        handlelength=3.2,
        columnspacing=1.5,
    )
    as_written(legend.get_texts())


def as_written(texts: Iterable[Any]) -> None:
    """Show names as they are: a dollar sign in one starts no formula."""
    for text in texts:
        text.set_parse_math(False)


def count_rounds(ax: Axes, rounds: int) -> None:
    """A horizontal axis of rounds: ticks at whole numbers."""
    from matplotlib.ticker import MaxNLocator

    ax.set_xlim(0, rounds * 1.02)
    ax.set_xlabel("round")
    ax.xaxis.set_major_locator(MaxNLocator(nbins=6, integer=True, min_n_ticks=1))
    thousands(ax.xaxis)


def thousands(axis: Any) -> None:
    """Tick labels with separators between thousands."""
    from matplotlib.ticker import StrMethodFormatter

    axis.set_major_formatter(StrMethodFormatter("{x:,.10g}"))


def number(value: float) -> str:
    """A loss or a regret as legends write it."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
