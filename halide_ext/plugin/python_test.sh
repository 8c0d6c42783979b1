#!/usr/bin/env bash
# The plugin in Python's Halide, as its wheel on the package index has it.
#   python_test.sh PLUGIN PROGRAM
set -euo pipefail

# Debian's, which ./bazelw installs and the wheel is made for.
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="${PWD}/external/halide_python" exec /usr/bin/python3 "$2" "${PWD}/$1"
