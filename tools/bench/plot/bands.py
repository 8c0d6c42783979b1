"""What several runs have in common: median and range of their steps.

Steps are a list of (x, value), x rising: the value holds from there to the next, and the last
is where they end.
"""

import bisect
import math
import statistics


def _without_repetitions(steps):
    """Of those at one x, the last."""
    return list(dict(steps).items())


def _value_at(steps, x):
    """A run that has ended keeps its last value."""
    return steps[bisect.bisect_right(steps, x, key=lambda step: step[0]) - 1][1]


def combine(runs, functions):
    """For each of `functions` (of the runs' values) the steps of its results, from where all of
    the runs have a value to where the last of them ends."""
    runs = [_without_repetitions(steps) for steps in runs]
    begin = max(steps[0][0] for steps in runs)
    grid = sorted({x for steps in runs for x, _ in steps if x >= begin})
    values = [[_value_at(steps, x) for steps in runs] for x in grid]
    return [list(zip(grid, map(function, values))) for function in functions]


def low_median_high(runs):
    return combine(runs, (min, statistics.median, max))


def thinned(steps, tolerance, ceiling):
    """Without the steps by which no value changes by a factor beyond `tolerance`, but for the
    last change; values are `ceiling` at most."""
    steps = [(x, min(value, ceiling)) for x, value in steps]
    last_change = max((i for i in range(1, len(steps)) if steps[i][1] != steps[i - 1][1]),
                      default=0)
    kept = steps[:1]
    for i, (x, value) in enumerate(steps):
        change = abs(math.log(value / kept[-1][1]))
        if change > math.log(tolerance) or i == last_change > 0:
            kept.append((x, value))
    if steps[-1][0] > kept[-1][0]:
        kept.append(steps[-1])
    return kept


def staircase(steps):
    """The corners of the line through the steps."""
    corners = steps[:1]
    for x, value in steps[1:]:
        if value != corners[-1][1]:
            corners += [(x, corners[-1][1]), (x, value)]
    if steps[-1][0] > corners[-1][0]:
        corners.append(steps[-1])
    return corners
