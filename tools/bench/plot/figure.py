"""What is to be drawn, as draw.py takes it: numbers, colours and text."""

import math

import bands
from shared import BadInput

# Okabe and Ito's colours, which colour-blind people tell apart, less the yellow, which white
# paper swallows.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
# Of the best latency, where the picture ends below.
BOTTOM = 0.97
# What is out of sight is drawn this much above the picture.
OUT_OF_SIGHT = 1.1
# Higher steps than that part of the picture's height are drawn: about a line's width.
RESOLUTION = 1 / 130
# From this ratio of top to best on, the axis is logarithmic.
LOGARITHMIC = 4

# Columns of the CSV, and what the axis says.
PANELS = (("trials", "trials"), ("seconds", "wall time (s)"))


def make_figure(runs, title, top):
    """Of what read_runs returns; the picture ends at `top` times the best latency."""
    if len(runs) > len(COLOURS):
        raise BadInput(f"there are {len(runs)} labels; colours tell {len(COLOURS)} apart")
    best = min(point.network_ms for seeds in runs.values() for points in seeds.values()
               for point in points)
    return {
        "title": title,
        "y_label": "best latency (ms)",
        "y_limits": (BOTTOM * best, top * best),
        "is_logarithmic": top >= LOGARITHMIC,
        "panels": [_panel(runs, column, label, best, top) for column, label in PANELS],
        "legend": [{"label": _legend(label, len(seeds)), "colour": colour}
                   for (label, seeds), colour in zip(runs.items(), COLOURS)],
    }


def _legend(label, seeds):
    # What has several lines would have several in the legend.
    return f"{' '.join(label.split())} ({seeds} seed{'s' if seeds > 1 else ''})"


def _panel(runs, column, label, best, top):
    curves = [
        _curve([[(getattr(point, column), point.network_ms) for point in points]
                for points in seeds.values()], best, top) for seeds in runs.values()
    ]
    end = max(x for curve in curves for x, _ in curve["line"])
    # A run that took no time at all is seen, too.
    return {"x_label": label, "x_limits": (0, end or 1), "curves": curves}


def _curve(runs, best, top):
    tolerance = math.exp(RESOLUTION * math.log(top / BOTTOM))
    low, median, high = [
        bands.staircase(bands.thinned(steps, tolerance, OUT_OF_SIGHT * top * best))
        for steps in bands.low_median_high(runs)
    ]
    return {"line": median, "area": low + high[::-1] if len(runs) > 1 else []}
