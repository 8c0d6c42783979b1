#!/usr/bin/env -S python3 -B
"""Writes networks of torchvision and transformers, with random weights, as models to tune.

  bazel run //tools/bench/peers:export_networks -- --output_dir=models
  bazel run //tools:tune -- --model=$PWD/models/resnet50.onnx --output_dir=r50
  bazel run //tools/bench/peers -- --dir=r50

NAME.onnx is what exporters make of it; NAME.pt2 is the same program for PyTorch.
"""

import argparse
import subprocess
import sys

from peers import ENVIRONMENT, HERE
from shared import (EXIT_BAD_INPUT, BadInput, Failure, check_range, run_program, say,
                    user_path)


def parse_flags(arguments):
    parser = argparse.ArgumentParser(description=__doc__, prog="export_networks",
                                     allow_abbrev=False,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    flag = parser.add_argument
    flag("--output_dir", default="", help="folder for the models; made if it is not there")
    flag("--networks", default="", help="names, with commas; all if empty")
    flag("--batch", type=int, default=1)
    flags = parser.parse_args(arguments)
    if not flags.output_dir:
        raise BadInput("where to? Say --output_dir=FOLDER")
    check_range("batch", flags.batch, 1, 4096)
    return flags


def run(arguments):
    flags = parse_flags(arguments)
    folder = user_path(flags.output_dir)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"--output_dir={flags.output_dir}: {error.strerror}") from error
    python = ENVIRONMENT.prepare(say)
    # The packages are in that Python only.
    result = subprocess.run([python, "-B", HERE / "export_main.py", folder, str(flags.batch),
                             *filter(None, flags.networks.split(","))], check=False)
    if result.returncode == EXIT_BAD_INPUT:
        sys.exit(EXIT_BAD_INPUT)  # it has said why
    if result.returncode != 0:
        raise Failure("not all networks were exported")


if __name__ == "__main__":
    sys.exit(run_program("export_networks", run, sys.argv[1:]))
