"""Pictures of runs: what may be released and what is for the curator only are marked in every view."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from reticent.report import drawing, labels
from reticent.report.comparison_display import ComparisonDisplay

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from reticent.runner import Run

__all__ = ["ComparisonDisplay", "RunDisplay"]

#: Experts that get a row of their own in the view of choices; the others share the last one.
_ROWS = 20

#: Columns of that view: each is a few dots wide on a screen.
_COLUMNS = 250

#: A bound that is this many times the largest regret would flatten the picture; its value is written instead.
_BOUND_IN_SIGHT = 10

#: Curves with so few points show them.
_FEW_POINTS = 40


class RunDisplay(drawing.Display):
    """Four views of a run: regret, loss, the choices over time, and the shares of epsilon.

    The first two are computed from the private losses and say so; the last two show only what the privacy
    statement covers. `plot_released` draws these two alone, for a picture that may be published.

    Parameters
    ----------
    run : Run

    Attributes
    ----------
    figure_ : matplotlib.figure.Figure
    axes_ : array of matplotlib.axes.Axes
    ax_ : matplotlib.axes.Axes
        The first of them.

    Examples
    --------
    >>> import numpy as np
    >>> import reticent as rt
    >>> run = rt.run(rt.experts.Dartboard(3, 1.0, 1e-6), np.tile([0.0, 1.0, 1.0], (100, 1)))
    >>> display = RunDisplay.from_run(run).plot_released()
    >>> [ax.get_title(loc="right") for ax in display.axes_.flat]
    ['may be released', 'may be released']
    """

    def __init__(self, run: Run) -> None:
        self._run = run
        self._warning = labels.not_private(run)

    @classmethod
    def from_run(cls, run: Run) -> RunDisplay:
        """The display of a finished run."""
        return cls(run)

    def plot(self, ax: Any = None) -> RunDisplay:
        """Draw all four views. FOR THE CURATOR ONLY.

        Parameters
        ----------
        ax : Axes or array of four Axes, optional
            A new figure unless given; a single Axes gives up its place to the four.

        Returns
        -------
        RunDisplay
            Itself, with `figure_` and `axes_`.

        Raises
        ------
        MissingExtraError
            When matplotlib is not installed.
        """
        if self._prepare(ax, (2, 2), (13.0, 9.5)):
            self._headline()
        self._draw_regret(self.axes_[0, 0])
        self._draw_loss(self.axes_[0, 1])
        self._draw_choices(self.axes_[1, 0])
        self._draw_epsilon(self.axes_[1, 1])
        return self

    def plot_released(self, ax: Any = None) -> RunDisplay:
        """Draw the two views that the privacy statement covers: choices and shares of epsilon.

        Parameters and result as in `plot`, with two Axes.
        """
        if self._prepare(ax, (1, 2), (13.0, 5.2)):
            self._headline()
        self._draw_choices(self.axes_[0, 0])
        self._draw_epsilon(self.axes_[0, 1])
        return self

    def plot_regret(self, ax: Axes | None = None) -> RunDisplay:
        """Draw the cumulative regret beside its bound. FOR THE CURATOR ONLY; `ax` is one Axes."""
        self._prepare(ax, (1, 1), (6.5, 4.8))
        self._draw_regret(self.ax_)
        return self

    def plot_loss(self, ax: Axes | None = None) -> RunDisplay:
        """Draw the loss beside the best and the uniform expert's. FOR THE CURATOR ONLY; `ax` is one Axes."""
        self._prepare(ax, (1, 1), (6.5, 4.8))
        self._draw_loss(self.ax_)
        return self

    def plot_choices(self, ax: Axes | None = None) -> RunDisplay:
        """Draw which expert was played when, which may be released; `ax` is one Axes."""
        self._prepare(ax, (1, 1), (6.5, 4.8))
        self._draw_choices(self.ax_)
        return self

    def plot_epsilon(self, ax: Axes | None = None) -> RunDisplay:
        """Draw where the shares of epsilon go, which may be released; `ax` is one Axes."""
        self._prepare(ax, (1, 1), (6.5, 4.8))
        self._draw_epsilon(self.ax_)
        return self

    def _headline(self) -> None:
        run = self._run
        text = f"{run.algorithm.name}: {len(run.choices):,} rounds, {run.algorithm.n_experts:,} experts"
        if self._warning is not None:
            text += f"\n{self._warning}: for simulation only, release nothing"
        self.figure_.suptitle(text, fontsize=13, color="black" if self._warning is None else drawing.VERMILION)

    def _curator_title(self, ax: Axes, text: str) -> None:
        mark = labels.CURATOR_ONLY if self._warning is None else f"{labels.CURATOR_ONLY}\n{self._warning}"
        drawing.title(ax, text, mark, drawing.VERMILION)

    def _released_title(self, ax: Axes, text: str) -> None:
        if self._warning is None:
            drawing.title(ax, text, labels.MAY_BE_RELEASED, drawing.GREEN)
        else:
            drawing.title(ax, text, self._warning, drawing.VERMILION)

    def _draw_regret(self, ax: Axes) -> None:
        run, curve = self._run, self._run.curator.curve
        rounds = np.concatenate(([0], curve.rounds))
        regret = np.concatenate(([0.0], curve.regret))
        marker = "o" if len(rounds) <= _FEW_POINTS else ""
        self._curator_title(ax, "Cumulative regret")
        ax.axhline(0, color=drawing.LIGHT, linewidth=1, zorder=0)
        label = f"regret: {drawing.number(regret[-1])}"
        ax.plot(rounds, regret, color=drawing.BLUE, marker=marker, markersize=3.5, label=label)
        self._draw_bound(ax, float(np.abs(regret).max()))
        ax.set_ylabel("loss minus the best expert's loss so far")
        drawing.thousands(ax.yaxis)
        drawing.count_rounds(ax, run.curator.rounds)
        drawing.legend_below(ax)

    def _draw_bound(self, ax: Axes, largest: float) -> None:
        """The bound on the expected regret where it fits the picture; otherwise its value, in the legend."""
        run = self._run
        last = run.algorithm.regret_bound(run.curator.rounds, run.best_loss)
        if last is None:
            ax.plot([], [], " ", label="no bound is stated")
        elif last > _BOUND_IN_SIGHT * max(largest, 1.0):
            ax.plot([], [], " ", label=f"bound on its mean: {drawing.number(last)}, above the picture")
        else:
            curve = run.curator.curve
            at = [
                (t, bound)
                for t, best in zip(curve.rounds.tolist(), curve.best_loss.tolist(), strict=True)
                if (bound := run.algorithm.regret_bound(t, best)) is not None
            ]
            ax.plot(
                *zip(*at, strict=True),
                color=drawing.ORANGE,
                linestyle="--",
                label=f"bound on its mean: {drawing.number(last)}",
            )

    def _draw_loss(self, ax: Axes) -> None:
        run, curve = self._run, self._run.curator.curve
        (best,) = labels.shorten_all(run.names, [run.best_expert], 34)
        marker = "o" if len(curve.rounds) <= _FEW_POINTS else ""
        self._curator_title(ax, "Loss a round so far")
        for total, losses, name, colour, dashes in (
            (run.curator.uniform_loss, curve.uniform_loss, "mean of all experts", drawing.GREY, ":"),
            (run.loss, curve.loss, "choices", drawing.BLUE, "-"),
            (run.best_loss, curve.best_loss, f"best expert, {best}", drawing.GREEN, "--"),
        ):
            label = f"{name}: {drawing.number(total)} in all"
            mean = losses / curve.rounds
            ax.plot(curve.rounds, mean, color=colour, linestyle=dashes, marker=marker, markersize=3.5, label=label)
        ax.set_ylabel("loss / rounds")
        drawing.count_rounds(ax, run.curator.rounds)
        drawing.legend_below(ax)

    def _draw_choices(self, ax: Axes) -> None:
        run = self._run
        rows, named = _rows_of(run.choices)
        shade = _shares(rows[run.choices], int(rows.max()) + 1)
        # A visit of one round among hundreds still shows.
        visible = np.where(shade > 0, 0.45 + 0.55 * shade, 0.0)
        self._released_title(ax, "Choices")
        height = len(shade)
        ax.imshow(
            visible,
            aspect="auto",
            interpolation="nearest",
            cmap="Blues",
            vmin=0.0,
            vmax=1.15,
            extent=(0.5, len(run.choices) + 0.5, height - 0.5, -0.5),
        )
        for edge in range(1, height):
            ax.axhline(edge - 0.5, color=drawing.LIGHT, linewidth=0.6)
        names = labels.shorten_all(run.names, named, 32)
        if height > len(names):
            names.append(f"{int((rows >= 0).sum()) - len(names)} others")
        ax.set_yticks(range(height), names, fontsize=8 if height <= 12 else 7)
        drawing.as_written(ax.get_yticklabels())
        darker = "" if ((shade == 0) | (shade == 1)).all() else "; darker: played more often"
        drawing.count_rounds(ax, len(run.choices))
        left = 0.5 - len(run.choices) / 100  # the axis line hides no first round
        ax.set(xlabel=f"round ({run.switches:,} switches{darker})", xlim=(left, len(run.choices) + 0.5))

    def _draw_epsilon(self, ax: Axes) -> None:
        statement = self._run.privacy
        self._released_title(ax, "Shares of epsilon")
        if not statement.components:
            ax.set_axis_off()
            ax.text(0.5, 0.5, "no privacy is promised", ha="center", va="center", transform=ax.transAxes)
            return
        shares = [component.epsilon for component in statement.components]
        places = list(range(len(shares)))
        ax.barh(places, shares, height=0.38, color=drawing.BLUE)
        for place, component in zip(places, statement.components, strict=True):
            ax.text(component.epsilon, place, f"  {component.epsilon:.4g}", va="center", fontsize=9)
            ax.annotate(
                labels.shorten(component.explanation, 72),
                (0, place - 0.25),
                xytext=(4, 0),
                textcoords="offset points",
                va="bottom",
                fontsize=8,
                color=drawing.GREY,
            )
        ax.set_yticks(places, [component.name for component in statement.components])
        ax.set(ylim=(max(len(shares), 3) - 0.5, -0.65), xlim=(0, 1.2 * max(shares)))
        ax.set_xlabel(
            f"epsilon (sum {sum(shares):.4g}, promised {statement.epsilon:g})\n"
            f"delta = {statement.delta:g}, relation {statement.to_dict()['relation']}"
        )


def _rows_of(choices: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], list[int]]:
    """For each expert its row in the picture (-1: never played), and the experts that have one of their own.

    Rows are in the order of first play. When there are too many, the least played share the last row.
    """
    played, first, times = np.unique(choices, return_index=True, return_counts=True)
    own = _ROWS - 1 if len(played) > _ROWS else _ROWS
    most_played = np.argsort(-times, kind="stable")[:own]
    named = choices[np.sort(first[most_played])].tolist()
    rows = np.full(int(played[-1]) + 1, -1, dtype=np.int64)
    rows[played] = len(named)
    rows[named] = np.arange(len(named))
    return rows, named


def _shares(rows: npt.NDArray[np.int64], height: int) -> npt.NDArray[np.float64]:
    """The share of each column's rounds that was played in each row, shape (height, columns)."""
    rounds = len(rows)
    columns = min(rounds, _COLUMNS)
    column = np.arange(rounds) * columns // rounds
    counts = np.bincount(rows * columns + column, minlength=height * columns).reshape(height, columns)
    return np.asarray(counts / counts.sum(axis=0), dtype=np.float64)
