"""Pictures of hard streams along a path of a shattered tree: where each block comes from, and what it cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reticent.classes import ShatteredTree
from reticent.errors import ParameterError
from reticent.report import drawing
from reticent.report.labels import CURATOR_ONLY, shorten
from reticent.report.tree_display import EDGES, draw_edge, draw_node

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["PathBlock", "PathDisplay"]

_DEEPEST = 4
#: Room for the texts of the blocks, beside the leaves.
_ROOM = 5.0
_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


@dataclass(frozen=True)
class PathBlock:
    """One block of rounds, at a node of the path.

    Parameters
    ----------
    label : bool
        B, that of the informative example; the path goes on along this edge.
    informative : int
        In how many rounds (x_i, B) came.
    dummies : int
        In how many rounds the dummy (x_0, 0) came.
    mistakes : float
        On the informative examples, in a run or on average over runs.
    """

    label: bool
    informative: int
    dummies: int
    mistakes: float


class PathDisplay(drawing.Display):
    """A shattered tree, the zero edge at its root, and blocks along one path below (Sanyal, Figure 3). CURATOR ONLY.

    Parameters
    ----------
    tree : ShatteredTree
        Of depth 2 to 4.
    blocks : sequence of PathBlock
        One fewer than the tree is deep, from the top.
    player : str
        Whose mistakes they are.
    title : str, optional
        Such as the name of the class.

    Attributes
    ----------
    figure_ : matplotlib.figure.Figure
    axes_ : array of matplotlib.axes.Axes
    ax_ : matplotlib.axes.Axes
    """

    def __init__(
        self, tree: ShatteredTree, blocks: Sequence[PathBlock], player: str, title: str | None = None
    ) -> None:
        if not 2 <= tree.depth <= _DEEPEST or len(blocks) != tree.depth - 1:
            raise ParameterError(
                f"the tree has depth {tree.depth}, and there are {len(blocks)} blocks; give a tree of depth 2 to "
                f"{_DEEPEST}, and a block for each level below its root."
            )
        self._tree = tree
        self._blocks = blocks
        self._player = player
        self._title = title

    def plot(self, ax: Axes | None = None) -> PathDisplay:
        """Draw the tree on the left and what happened in each block on the right.

        Parameters
        ----------
        ax : Axes, optional
            A new figure unless given.

        Returns
        -------
        PathDisplay
            Itself, with `figure_` and `ax_`.

        Raises
        ------
        MissingExtraError
            When matplotlib is not installed.
        """
        depth = self._tree.depth
        leaves = 2 ** (depth - 1)
        self._prepare(ax, (1, 1), (max(8.5, 3.2 + 0.85 * leaves), 2.2 + 0.95 * depth))
        ax = self.ax_
        name = f"{shorten(self._title, 30)}: " if self._title else ""
        drawing.title(ax, f"{name}{depth - 1} hard blocks on one path", CURATOR_ONLY, drawing.VERMILION)
        drawing.as_written([ax.title, ax._left_title])  # type: ignore[attr-defined]
        ax.axis("off")
        ax.set_xlim(-0.6, leaves + _ROOM)
        ax.set_ylim(-depth - 0.9, 0.5)
        middle = (leaves - 1) / 2
        top = middle + leaves / 4
        self._draw_unused(ax, top, middle + leaves / 2)
        draw_edge(ax, (top, 0), (middle, -1), False, width=3.0)
        self._draw(ax, self._tree.zero, 0, leaves, 1, on_path=True)
        draw_node(ax, top, 0, f"x₀ = {_name(self._tree)}", drawing.BLUE)
        self._draw_legend(ax)
        return self

    def _draw(self, ax: Axes, tree: ShatteredTree, left: int, right: int, level: int, *, on_path: bool) -> None:
        x, middle = (left + right - 1) / 2, (left + right) // 2
        if tree.depth == 0:
            ax.plot(
                [x], [-level], marker="o", markersize=7 if on_path else 4, color="black" if on_path else drawing.LIGHT
            )
            if on_path:
                hypothesis = shorten(str(tree.hypothesis), 24)
                ax.text(x, -level - 0.25, f"h* = {hypothesis}", ha="center", va="top", fontsize=9, parse_math=False)
            return
        block = self._blocks[level - 1]
        for label, (begin, end) in ((False, (left, middle)), (True, (middle, right))):
            taken = on_path and label == block.label
            below = ((begin + end - 1) / 2, -level - 1)
            draw_edge(ax, (x, -level), below, label, width=3.0 if taken else 1.2, faint=not taken)
            if taken:
                self._draw_block(ax, block, tree, level, ((x + below[0]) / 2, -level - 0.5))
            self._draw(ax, tree.child(label), begin, end, level + 1, on_path=taken)
        if on_path:
            name = f"x{level} = ".translate(_SUBSCRIPTS)
            draw_node(ax, x, -level, f"{name}{_name(tree)}", drawing.GREY)
        else:
            draw_node(ax, x, -level, _name(tree), drawing.LIGHT, drawing.GREY)

    def _draw_block(
        self, ax: Axes, block: PathBlock, tree: ShatteredTree, level: int, edge: tuple[float, float]
    ) -> None:
        x = 2 ** (self._tree.depth - 1) + 0.2
        colour = EDGES[block.label][0]
        ax.plot([edge[0] + 0.25, x - 0.15], [edge[1], edge[1]], color=colour, linestyle=":", linewidth=1.0, zorder=0)
        examples = f"({_name(tree)}, {int(block.label)}) × {block.informative:,}"
        dummies = f"({_name(self._tree)}, 0) × {block.dummies:,}"
        ax.text(
            x,
            edge[1],
            f"block {level}:  {examples},  {dummies}\n{block.mistakes:,.6g} mistakes of {self._player}",
            ha="left",
            va="center",
            fontsize=9,
            linespacing=1.4,
            bbox={"boxstyle": "round,pad=0.4", "facecolor": "white", "edgecolor": colour},
            parse_math=False,
        )

    def _draw_unused(self, ax: Axes, top: float, x: float) -> None:
        draw_edge(ax, (top, 0), (x, -1), True, width=1.2, faint=True)
        ax.fill(
            [x, x - 0.45, x + 0.45], [-0.95, -1.45, -1.45], facecolor="white", edgecolor=drawing.GREY, linestyle="--"
        )
        ax.text(x + 0.25, -0.95, "unused subtree", ha="left", va="center", fontsize=9, color=drawing.GREY)

    def _draw_legend(self, ax: Axes) -> None:
        from matplotlib.lines import Line2D

        marks = [
            Line2D([0], [0], color=EDGES[label][0], linestyle=EDGES[label][1], linewidth=2.4, label=f"label {label}")
            for label in (0, 1)
        ]
        ax.legend(handles=marks, loc="upper left", bbox_to_anchor=(0.0, 0.0), ncols=2, frameon=False, fontsize=9)


def _name(tree: ShatteredTree) -> str:
    return shorten(str(tree.instance), 7)
