"""Pictures of shattered trees."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reticent.report import drawing, labels

if TYPE_CHECKING:
    from reticent.classes import ShatteredTree

__all__ = ["TreeDisplay"]

#: Inches of a leaf's row, and of a level.
_ROW, _LEVEL = 0.27, 1.5

#: Characters of a name.
_WIDEST = 24


class TreeDisplay(drawing.Display):
    """A shattered tree: its root on the left, instances in boxes, and at each leaf a hypothesis that gets there.

    Parameters
    ----------
    tree : ShatteredTree
        Every leaf is drawn: from a depth of nine on nobody could read them.
    name : str
        What the class is called.

    Attributes
    ----------
    figure_ : matplotlib.figure.Figure
    axes_ : array of matplotlib.axes.Axes
    ax_ : matplotlib.axes.Axes

    Examples
    --------
    >>> from reticent.classes import Thresholds, shattered_tree
    >>> display = TreeDisplay(shattered_tree(Thresholds(3)), "thresholds:3").plot()
    >>> sorted(text.get_text() for text in display.ax_.texts)[:3]
    ['0', '1', '2']
    """

    def __init__(self, tree: ShatteredTree, name: str) -> None:
        self._tree = tree
        self._name = labels.shorten(name, _WIDEST)

    def plot(self, ax: Any = None) -> TreeDisplay:
        """Draw it.

        Parameters
        ----------
        ax : Axes, optional
            A new figure, as large as the tree needs, unless given.

        Returns
        -------
        TreeDisplay
            Itself, with `figure_` and `axes_`.

        Raises
        ------
        MissingExtraError
            When matplotlib is not installed.
        """
        depth = self._tree.depth
        self._prepare(ax, (1, 1), (max(7.0, _LEVEL * depth + 3.2), max(2.0, _ROW * 2**depth + 1.3)))
        drawing.title(self.ax_, f"{self._name}: a shattered tree of depth {depth}", "", drawing.GREY)
        self._draw(self._tree, 0, 2**depth)
        self.ax_.set_xlim(-0.5, depth + 1.6)
        self.ax_.set_ylim(2**depth - 0.2, -0.8)
        self.ax_.set_axis_off()
        if depth:
            self.ax_.plot([], [], color=drawing.BLUE, label="label 0")
            self.ax_.plot([], [], color=drawing.VERMILION, linestyle="--", label="label 1")
            drawing.legend_below(self.ax_, columns=2)
        return self

    def _draw(self, tree: ShatteredTree, first: int, last: int) -> tuple[float, float]:
        """Draw the tree over the rows first..last-1 of its leaves; where its root is."""
        x, y = self._tree.depth - tree.depth, (first + last - 1) / 2
        if tree.depth == 0:
            self._write(x + 0.04, y, tree.hypothesis, ha="left")
            return x, y
        middle = (first + last) // 2
        for child, rows, colour, dashes in (
            (tree.zero, (first, middle), drawing.BLUE, "-"),
            (tree.one, (middle, last), drawing.VERMILION, "--"),
        ):
            there = self._draw(child, *rows)
            self.ax_.plot([x, there[0]], [y, there[1]], color=colour, linestyle=dashes, linewidth=1.3, zorder=1)
        box = {"boxstyle": "round,pad=0.25", "facecolor": "white", "edgecolor": drawing.GREY}
        self._write(x, y, tree.instance, ha="center", bbox=box)
        return x, y

    def _write(self, x: float, y: float, value: object, **style: Any) -> None:
        text = self.ax_.text(x, y, labels.shorten(str(value), _WIDEST), va="center", fontsize=9, zorder=2, **style)
        drawing.as_written([text])
