"""Draws what figure.py made; plot.py starts it with the Python of its virtual environment.

  draw.py FORMAT < figure.json > picture
"""

import json
import sys

import matplotlib
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter

SETTINGS = {
    "font.size": 10,
    "axes.labelsize": 10,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.axisbelow": True,
    "axes.grid": True,
    "grid.color": "#E0E0E0",
    "grid.linewidth": 0.6,
    "lines.linewidth": 1.6,
    "lines.solid_joinstyle": "miter",
    "figure.constrained_layout.wspace": 0.06,
    "legend.frameon": False,
    # Labels are text: a dollar begins no formula.
    "text.parse_math": False,
    # The same picture has the same bytes.
    "svg.hashsalt": "pruner",
}
INCHES = (9, 3.9)
DOTS_PER_INCH = 200
LEGEND_COLUMNS = 4
# Without date and version.
METADATA = {"svg": {"Date": None, "Creator": None}, "png": {"Software": None}}


def number(value, _position=None):
    """2,000 and 0.5."""
    return f"{value:,.10g}"


def draw_panel(axes, panel, colours):
    axes.set_xlabel(panel["x_label"])
    axes.set_xlim(*panel["x_limits"])
    axes.xaxis.set_major_locator(MaxNLocator(6))
    axes.xaxis.set_major_formatter(FuncFormatter(number))
    # The first label is above the others, and lines above bands.
    for i, (curve, colour) in enumerate(zip(panel["curves"], colours)):
        if curve["area"]:
            axes.fill(*zip(*curve["area"]), color=colour, alpha=0.18, linewidth=0,
                      zorder=2 - i / 100)
        axes.plot(*zip(*curve["line"]), color=colour, zorder=3 - i / 100)


def draw_latency_axis(axes, figure):
    axes.set_ylabel(figure["y_label"])
    if figure["is_logarithmic"]:
        axes.set_yscale("log")
        axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axes.yaxis.set_minor_formatter(NullFormatter())
    else:
        axes.yaxis.set_major_locator(MaxNLocator(6))
    axes.yaxis.set_major_formatter(FuncFormatter(number))
    axes.set_ylim(*figure["y_limits"])


def draw_legend(picture, entries):
    """In as many columns as there is room for."""
    handles = [Line2D([], [], color=entry["colour"], linewidth=3) for entry in entries]
    for columns in range(min(len(entries), LEGEND_COLUMNS), 0, -1):
        legend = picture.legend(handles, [entry["colour"] for entry in entries],
                                loc="outside lower center", ncols=columns)
        # Set afterwards, for labels that begin with _ would be left out.
        for text, entry in zip(legend.get_texts(), entries):
            text.set_text(entry["label"])
        if legend.get_window_extent().width < picture.bbox.width or columns == 1:
            return
        legend.remove()


def draw(figure):
    colours = [entry["colour"] for entry in figure["legend"]]
    picture = Figure(figsize=INCHES, dpi=DOTS_PER_INCH, layout="constrained")
    panels = picture.subplots(1, len(figure["panels"]), sharey=True)
    for axes, panel in zip(panels, figure["panels"]):
        draw_panel(axes, panel, colours)
    draw_latency_axis(panels[0], figure)
    if figure["title"]:
        picture.suptitle(figure["title"])
    draw_legend(picture, figure["legend"])
    return picture


def main(file_format):
    # Not those of a file where the user is.
    matplotlib.rcdefaults()
    matplotlib.rcParams.update(SETTINGS)
    draw(json.load(sys.stdin)).savefig(sys.stdout.buffer, format=file_format,
                                       metadata=METADATA[file_format])


if __name__ == "__main__":
    main(*sys.argv[1:])
