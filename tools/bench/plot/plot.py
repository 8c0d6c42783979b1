#!/usr/bin/env -S python3 -B
"""Draws tuning curves: the best known latency against trials and against time.

  bazel run //tools/bench/plot -- --csv=curves.csv --output=curves.svg

For each label of the CSV a line for the median of its seeds, and a band from the best to the
worst of them.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys

from curves import COLUMNS, read_runs
from figure import make_figure
from shared import (BadInput, Failure, VirtualEnvironment, check_folder_of, check_range,
                    run_program, say, user_path, write_file)
from svg_paths import shorten_paths

FORMATS = ("svg", "png")
HERE = pathlib.Path(__file__).resolve().parent
ENVIRONMENT = VirtualEnvironment(name="plot", content="matplotlib", download="40 MB",
                                 size="200 MB", requirements=HERE / "requirements.txt")


def parse_flags(arguments):
    parser = argparse.ArgumentParser(description=__doc__, prog="plot", allow_abbrev=False,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    flag = parser.add_argument
    flag("--csv", default="", help="file with the columns " + ", ".join(COLUMNS))
    flag("--output", default="", help="picture to write, " + " or ".join(
        "." + name for name in FORMATS))
    flag("--title", default="", help="above the picture")
    flag("--top", type=float, default=2.0,
         help="where the picture ends, as a multiple of the best latency")
    return check_flags(parser.parse_args(arguments))


def check_flags(flags):
    if not flags.csv:
        raise BadInput("which curves? Say --csv=FILE")
    if not flags.output:
        raise BadInput("where to? Say --output=FILE.svg or FILE.png")
    flags.format = pathlib.PurePath(flags.output).suffix.lower().removeprefix(".")
    if flags.format not in FORMATS:
        raise BadInput(f"--output={flags.output}: it ends in none of "
                       f"{', '.join('.' + name for name in FORMATS)}")
    check_folder_of("output", flags.output)
    check_range("top", flags.top, 1.01, 1000)
    return flags


def draw(python, figure, file_format):
    """The picture's bytes."""
    # Of the user's settings and caches none is used.
    environment = dict(os.environ, MPLCONFIGDIR=str(python.parent.parent / "matplotlib"))
    result = subprocess.run([python, "-B", HERE / "draw.py", file_format], env=environment,
                            input=json.dumps(figure).encode(), capture_output=True, check=False)
    if result.returncode != 0:
        said = result.stderr.decode(errors="replace").strip().splitlines()
        raise Failure("matplotlib can't draw this: "
                      + (said[-1] if said else f"it ended with {result.returncode}"))
    if file_format == "svg":
        return shorten_paths(result.stdout.decode()).encode()
    return result.stdout


def run(arguments):
    flags = parse_flags(arguments)
    runs = read_runs(user_path(flags.csv), f"--csv={flags.csv}")
    figure = make_figure(runs, flags.title, flags.top)
    python = ENVIRONMENT.prepare(say)
    write_file("output", flags.output, draw(python, figure, flags.format))


def main(arguments):
    return run_program("plot", run, arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
