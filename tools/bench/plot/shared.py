"""What this program shares with others: modules of tools/bench/python."""

import pathlib
import sys

# Beside this folder in the source tree and in Bazel's runfiles.
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "python"))

from command_line import (check_folder_of, check_range, run_program, say, user_path,
                          write_file)
from errors import BadInput, Failure
from pin_requirements import unpinned
from virtual_environment import VirtualEnvironment
