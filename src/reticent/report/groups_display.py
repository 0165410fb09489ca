"""Pictures of one step of Algorithm 2: a batch of mistakes, groups that keep samples of it, and what is selected."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from reticent.errors import ParameterError
from reticent.prediction.candidate_sequence import CandidateGroup, Example
from reticent.report import drawing
from reticent.report.labels import CURATOR_ONLY, shorten

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["GroupsDisplay"]

#: Where the columns stand, in units of which the picture is 100 wide and 60 high.
_BATCH, _GROUPS, _LISTS, _SELECT = 8.0, 36.0, 68.0, 93.0
#: The heights of the three groups that are drawn, and of the dots between them.
_ROWS, _DOTS = (42.5, 28.5, 9.5), 19.0
#: Half the height of a group.
_HALF = 5.8
#: So many examples of a sample, samples of a group, and hypotheses of a list are drawn.
_MOST = 3


class GroupsDisplay(drawing.Display):
    """How a mistake batch becomes the next candidate (Sanyal, Figure 4). FOR THE CURATOR ONLY.

    Parameters
    ----------
    number : int
        j: the batch is that of the mistakes of h_{j-1}.
    batch : sequence of (instance, label)
    groups : sequence of CandidateGroup
        After the batch was assigned to them, as in `CandidateSequence.groups`; the first two and the last are drawn.
    chosen : hypothesis or None
        H_j, what was selected.
    title : str, optional
        Such as the name of the class.

    Attributes
    ----------
    figure_ : matplotlib.figure.Figure
    axes_ : array of matplotlib.axes.Axes
    ax_ : matplotlib.axes.Axes

    Notes
    -----
    Each oval is what a group keeps of one batch, blue for the new one. The list of a group holds the essential
    hypotheses of those that make few errors on each of its ovals.
    """

    def __init__(
        self,
        number: int,
        batch: Sequence[Example],
        groups: Sequence[CandidateGroup],
        chosen: object,
        title: str | None = None,
    ) -> None:
        if not groups:
            raise ParameterError("groups is empty; give those of a CandidateSequence.")
        self._number = number
        self._batch = batch
        self._groups = groups
        self._chosen = chosen
        self._title = title

    def plot(self, ax: Axes | None = None) -> GroupsDisplay:
        """Draw the step from left to right.

        Parameters
        ----------
        ax : Axes, optional
            A new figure unless given.

        Returns
        -------
        GroupsDisplay
            Itself, with `figure_` and `ax_`.

        Raises
        ------
        MissingExtraError
            When matplotlib is not installed.
        """
        self._prepare(ax, (1, 1), (11.5, 6.2))
        ax = self.ax_
        name = f"{shorten(self._title, 50)}: " if self._title else ""
        drawing.title(ax, f"{name}how candidate {self._number} is found", CURATOR_ONLY, drawing.VERMILION)
        drawing.as_written([ax.title, ax._left_title])  # type: ignore[attr-defined]
        ax.set_xlim(0, 100)
        ax.set_ylim(-4, 60)
        ax.axis("off")
        _text(ax, _BATCH + 8, 41, "uniform\nassignment", va="bottom", fontsize=8)
        self._draw_batch(ax)
        drawn = dict(zip(_ROWS, self._shown(), strict=False))
        for y, index in drawn.items():
            self._draw_group(ax, y, index)
            _arrow(ax, (_BATCH + 8, 26 + (y - 26) / 3), (_GROUPS - 12.5, y))
            _arrow(ax, (_GROUPS + 12.5, y), (_LISTS - 11, y))
            _arrow(ax, (_LISTS + 11, y), (_SELECT - 6.5, 26 + (y - 26) / 8))
        if len(self._groups) > len(drawn):
            _text(ax, _GROUPS, _DOTS, "⋮", fontsize=16)
            _text(ax, _LISTS, _DOTS, "⋮", fontsize=16)
        for x, heading in (
            (_BATCH, f"Mistake batch\n$B_{{{self._number}}}$: mistakes of $h_{{{self._number - 1}}}$"),
            (_GROUPS, f"{len(self._groups)} groups\nkeep samples of each batch"),
            (_LISTS, "Essential hypotheses\nof those that agree with the samples"),
            (_SELECT, "Private\nselection"),
        ):
            _text(ax, x, 52, heading, va="bottom", fontsize=10)
        self._draw_selection(ax)
        self._draw_legend(ax)
        return self

    def _shown(self) -> list[int]:
        last = len(self._groups) - 1
        return sorted({0, min(1, last), last})

    def _draw_batch(self, ax: Axes) -> None:
        _box(ax, _BATCH, 26, 15, 26, drawing.BLUE)
        counts = Counter(map(_example, self._batch)).most_common()
        lines = [f"{count} × {name}" for name, count in counts[:6]] + ["…"] * (len(counts) > 6)
        _text(ax, _BATCH, 26, "\n".join([f"{len(self._batch)} examples", "", *lines]), fontsize=9, math=False)

    def _draw_group(self, ax: Axes, y: float, index: int) -> None:
        from matplotlib.patches import Ellipse

        group = self._groups[index]
        _box(ax, _GROUPS, y, 24, 2 * _HALF, drawing.GREY)
        _text(ax, _GROUPS - 9.8, y, f"$S_{{{index + 1}}}$", fontsize=10)
        samples = group.samples[-_MOST:]
        for place, sample in enumerate(samples):
            new = sample.batch == self._number
            x = _GROUPS + 1.8 + (place - (len(samples) - 1) / 2) * 6.6
            colour = drawing.BLUE if new else drawing.ORANGE
            ax.add_patch(Ellipse((x, y), 6.3, 2 * _HALF - 1, facecolor="none", edgecolor=colour, linewidth=1.8))
            names = [_example(example) for example in sample.examples[:_MOST]]
            names += ["…"] * (len(sample.examples) > _MOST)
            _text(ax, x, y, "\n".join(names), fontsize=8, math=False)
        _box(ax, _LISTS, y, 21, 2 * _HALF, drawing.GREY)
        _text(ax, _LISTS - 6.8, y, f"$C_p(G_{{{index + 1}}})$", fontsize=9)
        self._draw_list(ax, y, group)

    def _draw_list(self, ax: Axes, y: float, group: CandidateGroup) -> None:
        hypotheses = sorted(group.essential, key=lambda h: (h != self._chosen, str(h)))
        shown = sorted(hypotheses[:_MOST], key=str)
        step = 3.4
        top = y + step * (min(len(hypotheses), _MOST) - 1) / 2
        for place, hypothesis in enumerate(shown):
            self._chip(ax, _LISTS + 1.5, top - step * place, hypothesis)
        if len(hypotheses) > _MOST:
            _text(ax, _LISTS + 7.8, y, f"+{len(hypotheses) - _MOST}", fontsize=8)
        if not hypotheses:
            _text(ax, _LISTS + 1.5, y, "none", fontsize=8)

    def _chip(self, ax: Axes, x: float, y: float, hypothesis: object) -> None:
        chosen = hypothesis == self._chosen
        ax.text(
            x,
            y,
            shorten(str(hypothesis), 12),
            fontsize=8,
            family="monospace",
            fontweight="bold" if chosen else "normal",
            color="white" if chosen else "black",
            ha="center",
            va="center",
            bbox={
                "boxstyle": "round,pad=0.2",
                "facecolor": drawing.VERMILION if chosen else "white",
                "edgecolor": drawing.VERMILION if chosen else drawing.LIGHT,
            },
            parse_math=False,
        )

    def _draw_selection(self, ax: Axes) -> None:
        _box(ax, _SELECT, 26, 12, 9, drawing.GREY)
        _text(ax, _SELECT, 26, "Select\n(Fact 3)", fontsize=9)
        if self._chosen is None:
            _arrow(ax, (_SELECT, 21), (_SELECT, 15))
            _text(ax, _SELECT, 11, "nothing", fontsize=9)
            return
        _arrow(ax, (_SELECT, 21), (_SELECT, 16.5))
        self._chip(ax, _SELECT, 14, self._chosen)
        _text(ax, _SELECT, 9.6, f"$h_{{{self._number}}}$", fontsize=11)
        ax.plot([_SELECT, _SELECT, _BATCH], [7.5, 0.5, 0.5], color=drawing.GREY, linewidth=1.2)
        _arrow(ax, (_BATCH, 0.5), (_BATCH, 12.5))
        following = f"next batch $B_{{{self._number + 1}}}$: mistakes of $h_{{{self._number}}}$"
        _text(ax, 50, -0.5, following, va="top", fontsize=9)

    def _draw_legend(self, ax: Axes) -> None:
        from matplotlib.lines import Line2D

        marks = [
            Line2D([], [], marker="o", linestyle="", markersize=10, markerfacecolor="none", color=colour, label=label)
            for colour, label in (
                (drawing.ORANGE, "sample of an earlier batch"),
                (drawing.BLUE, "sample of this batch"),
            )
        ]
        marks.append(
            Line2D([], [], marker="s", linestyle="", markersize=9, color=drawing.VERMILION, label="what was selected")
        )
        ax.legend(handles=marks, loc="upper center", bbox_to_anchor=(0.5, 0.0), ncols=3, frameon=False, fontsize=9)


def _example(example: Example) -> str:
    x, y = example
    return f"({shorten(str(x), 5)}, {int(y)})"


def _text(ax: Axes, x: float, y: float, text: str, *, va: str = "center", fontsize: float, math: bool = True) -> None:
    ax.text(x, y, text, ha="center", va=va, fontsize=fontsize, linespacing=1.25, parse_math=math)


def _box(ax: Axes, x: float, y: float, width: float, height: float, colour: str) -> None:
    from matplotlib.patches import FancyBboxPatch

    corner = (x - width / 2 + 0.8, y - height / 2 + 0.8)
    ax.add_patch(
        FancyBboxPatch(
            corner,
            width - 1.6,
            height - 1.6,
            boxstyle="round,pad=0.8",
            facecolor="none",
            edgecolor=colour,
            linewidth=1.4,
        )
    )


def _arrow(ax: Axes, start: tuple[float, float], end: tuple[float, float]) -> None:
    ax.annotate("", end, start, arrowprops={"arrowstyle": "-|>", "color": drawing.GREY, "linewidth": 1.2})
