"""Pictures of shattered trees: of the class alone, which is public."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from reticent.classes import ShatteredTree
from reticent.report import drawing
from reticent.report.labels import shorten

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["EDGES", "TreeDisplay", "draw_edge", "draw_node"]

#: Deeper trees have more leaves than a page is wide.
_DEEPEST = 5

#: Colour and dashes of the edges with label 0 and label 1.
EDGES: tuple[tuple[str, Literal["-", "--"]], ...] = ((drawing.BLUE, "-"), (drawing.VERMILION, "--"))

#: How opaque an edge is, and one that stays in the background.
_FAINT = (1.0, 0.35)


class TreeDisplay(drawing.Display):
    """A shattered tree, the root on top; label 0 goes left and label 1 right.

    Parameters
    ----------
    tree : ShatteredTree
    title : str, optional
        Such as the name of the class.

    Attributes
    ----------
    figure_ : matplotlib.figure.Figure
    axes_ : array of matplotlib.axes.Axes
    ax_ : matplotlib.axes.Axes
    """

    def __init__(self, tree: ShatteredTree, title: str | None = None) -> None:
        self._tree = tree
        self._title = title
        self._levels = min(tree.depth, _DEEPEST)

    def plot(self, ax: Axes | None = None) -> TreeDisplay:
        """Draw the tree down to its leaves, or its first five levels.

        Parameters
        ----------
        ax : Axes, optional
            A new figure unless given.

        Returns
        -------
        TreeDisplay
            Itself, with `figure_` and `ax_`.

        Raises
        ------
        MissingExtraError
            When matplotlib is not installed.
        """
        leaves = 2**self._levels
        names = [_leaf(leaf) for leaf in _at_level(self._tree, self._levels)]
        room = 0.09 * max(map(len, names))  # for the names, which are written upwards
        self._prepare(ax, (1, 1), (max(5.0, 0.5 * leaves), 1.2 + 0.95 * (self._levels + room)))
        ax = self.ax_
        ax.set_title(self._headline(), loc="left", fontsize=11, fontweight="bold", parse_math=False)
        ax.axis("off")
        ax.set_xlim(-0.5, leaves - 0.5)
        ax.set_ylim(-self._levels - 0.3 - room, 0.5)
        self._draw(ax, self._tree, 0, leaves, 0)
        for place, name in enumerate(names):
            ax.text(
                place,
                -self._levels - 0.12,
                name,
                rotation=90,
                ha="center",
                va="top",
                fontsize=9,
                family="monospace",
                parse_math=False,
            )
        return self

    def _headline(self) -> str:
        cut = f", its first {self._levels} levels" if self._levels < self._tree.depth else ""
        name = f"{shorten(self._title, 50)}: " if self._title else ""
        return f"{name}shattered tree of depth {self._tree.depth}{cut}"

    def _draw(self, ax: Axes, tree: ShatteredTree, left: int, right: int, level: int) -> None:
        if level == self._levels:
            return
        x, middle = (left + right - 1) / 2, (left + right) // 2
        for label, (begin, end) in ((False, (left, middle)), (True, (middle, right))):
            draw_edge(ax, (x, -level), ((begin + end - 1) / 2, -level - 1), label)
            self._draw(ax, tree.child(label), begin, end, level + 1)
        draw_node(ax, x, -level, shorten(str(tree.instance), 12))


def draw_edge(
    ax: Axes,
    above: tuple[float, float],
    below: tuple[float, float],
    label: bool,
    *,
    width: float = 1.6,
    faint: bool = False,
) -> None:
    """An edge with its label in the middle."""
    colour, dashes = EDGES[label]
    (x, y), (x_below, y_below) = above, below
    ax.plot(
        [x, x_below], [y, y_below], color=colour, linestyle=dashes, linewidth=width, alpha=_FAINT[faint], zorder=1
    )
    ax.text(
        (x + x_below) / 2,
        (y + y_below) / 2,
        str(int(label)),
        color=colour,
        alpha=_FAINT[faint],
        fontsize=9,
        fontweight="bold",
        ha="center",
        va="center",
        bbox={"boxstyle": "circle,pad=0.15", "facecolor": "white", "edgecolor": "none"},
        zorder=2,
    )


def draw_node(ax: Axes, x: float, y: float, text: str, edge: str = drawing.GREY, colour: str = "black") -> None:
    """An instance in its box."""
    ax.text(
        x,
        y,
        text,
        fontsize=10,
        color=colour,
        ha="center",
        va="center",
        bbox={"boxstyle": "round,pad=0.35", "facecolor": "white", "edgecolor": edge},
        zorder=3,
        parse_math=False,
    )


def _at_level(tree: ShatteredTree, level: int) -> list[ShatteredTree]:
    if level == 0:
        return [tree]
    return [*_at_level(tree.zero, level - 1), *_at_level(tree.one, level - 1)]


def _leaf(tree: ShatteredTree) -> str:
    return shorten(str(tree.hypothesis), 24) if tree.depth == 0 else "…"
