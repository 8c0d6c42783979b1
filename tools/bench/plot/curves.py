"""Tuning runs as a CSV tells them: what the best known latency was, and since when."""

import collections
import csv
import math

from shared import BadInput

COLUMNS = ("label", "seed", "trials", "seconds", "network_ms")

# Since so many trials, or seconds, it was so many ms; a run ends at its last point.
Point = collections.namedtuple("Point", "trials seconds network_ms")


def read_runs(path, name):
    """The points of each run by label and seed, in the order of the file, which errors call
    `name`."""
    try:
        with open(path, newline="", encoding="utf-8-sig") as file:
            return _parse(csv.reader(file, strict=True), name)
    except OSError as error:
        raise BadInput(f"{name}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise BadInput(f"{name}: this is no text in UTF-8") from error


def _parse(reader, name):
    runs = {}
    try:
        header = next(reader, None)
        if header is None:
            raise BadInput(f"{name}: the file is empty; it begins with {','.join(COLUMNS)}")
        for column in COLUMNS:
            if column not in header:
                raise BadInput(f"{name}, line 1: there is no column {column!r}, but "
                               f"{', '.join(header)}")
        for row in filter(None, reader):
            _add(runs, header, row, f"{name}, line {reader.line_num}")
    except csv.Error as error:
        raise BadInput(f"{name}, line {reader.line_num}: {error}") from error
    if not runs:
        raise BadInput(f"{name}: there is nothing below the header")
    return runs


def _add(runs, header, row, where):
    if len(row) != len(header):
        raise BadInput(f"{where}: the header has {len(header)} columns, this line {len(row)}; "
                       "commas within a label need quotes")
    cells = dict(zip(header, row))
    if not cells["label"].strip():
        raise BadInput(f"{where}: there is no label")
    seed = _number(cells, "seed", int, where)
    point = Point(trials=_number(cells, "trials", int, where),
                  seconds=_number(cells, "seconds", float, where),
                  network_ms=_number(cells, "network_ms", float, where))
    if point.network_ms == 0:
        raise BadInput(f"{where}: network_ms is 0")
    points = runs.setdefault(cells["label"], {}).setdefault(seed, [])
    for column in ("trials", "seconds"):
        if points and getattr(point, column) < getattr(points[-1], column):
            raise BadInput(f"{where}: {column} {cells[column]} is less than before, in the same "
                           "label and seed")
    points.append(point)


def _number(cells, column, kind, where):
    try:
        value = kind(cells[column])
        if value >= 0 and math.isfinite(value):
            return value
    except (ValueError, OverflowError):
        pass
    what = "whole number" if kind is int else "number"
    raise BadInput(f"{where}: {column} {cells[column]!r} is no {what} from 0")
