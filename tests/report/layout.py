"""What a reader of a figure trips over, measured on the drawn figure."""

from itertools import combinations

from matplotlib.backends.backend_agg import FigureCanvasAgg


def texts_of(figure):
    """Every text in the figure, empty ones left out."""
    from matplotlib.text import Text

    return [text.get_text() for text in figure.findobj(Text) if text.get_text() and text.get_visible()]


def faults(figure):
    """Overlapping labels, legends on data, and texts beyond the figure's edge: one sentence for each."""
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    renderer = canvas.get_renderer()
    found = []
    visible = [ax for ax in figure.axes if ax.axison]
    for ax in figure.axes:
        if not ax.axison:  # a drawing without axes: texts and legend are all there is
            titles = [title for title in (ax.title, ax._left_title, ax._right_title) if title.get_text()]
            legend = ax.get_legend()
            texts = [*ax.texts, *titles, *([] if legend is None else legend.get_texts())]
            found += _overlaps([text for text in texts if text.get_text()], renderer)
            found += _beyond(texts, figure, renderer)
    for ax in visible:
        for axis in (ax.xaxis, ax.yaxis):
            # Ticks beyond the limits keep their labels, but are not drawn.
            low, high = sorted(axis.get_view_interval())
            drawn = [
                tick.label1
                for tick in axis.get_major_ticks()
                if tick.label1.get_visible() and tick.label1.get_text() and low <= tick.get_loc() <= high
            ]
            found += _overlaps(drawn, renderer)
        titles = [ax.title, ax._left_title, ax._right_title]
        found += _overlaps([title for title in titles if title.get_text()], renderer)
        legend = ax.get_legend()
        if legend is not None:
            box = legend.get_window_extent(renderer)
            for other in visible:
                if box.overlaps(other.get_window_extent(renderer)):
                    found.append(f"the legend of {ax.get_title(loc='left')!r} lies on the data")
            found += _overlaps(legend.get_texts(), renderer)
            label = ax.xaxis.label.get_window_extent(renderer)
            if box.overlaps(label):
                found.append(f"the legend of {ax.get_title(loc='left')!r} lies on the axis label")
        found += _overlaps(ax.texts, renderer)
    for first, second in combinations(visible, 2):
        if first.get_tightbbox(renderer).overlaps(second.get_tightbbox(renderer)):
            found.append(f"{first.get_title(loc='left')!r} and {second.get_title(loc='left')!r} overlap")
    page = figure.bbox
    for ax in visible:
        box = ax.get_tightbbox(renderer)
        if box.x0 < page.x0 - 1 or box.x1 > page.x1 + 1 or box.y0 < page.y0 - 1 or box.y1 > page.y1 + 1:
            found.append(f"{ax.get_title(loc='left')!r} reaches beyond the figure: {box} in {page}")
    return found


def _beyond(texts, figure, renderer):
    page = figure.bbox
    boxes = [(text.get_text(), text.get_window_extent(renderer)) for text in texts]
    return [
        f"{name!r} reaches beyond the figure"
        for name, box in boxes
        if name and (box.x0 < page.x0 or box.x1 > page.x1 or box.y0 < page.y0 or box.y1 > page.y1)
    ]


def _overlaps(texts, renderer):
    boxes = [(text.get_text(), text.get_window_extent(renderer)) for text in texts]
    return [f"{a!r} and {b!r} overlap" for (a, box), (b, other) in combinations(boxes, 2) if _overlap(box, other)]


def _overlap(a, b):
    # Boxes include a little air; touching is not overlapping.
    return a.x0 + 1 < b.x1 and b.x0 + 1 < a.x1 and a.y0 + 1 < b.y1 and b.y0 + 1 < a.y1
