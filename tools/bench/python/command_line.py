"""What the programs of tools/bench do as the other tools do it; see tools/README.md."""

import os
import pathlib
import sys

from errors import EXIT_BAD_INPUT, EXIT_FAILURE, BadInput, Failure


def say(text):
    print(text, file=sys.stderr, flush=True)


def user_path(path):
    """As ResolveUserPath: where the user typed `bazel run`, which starts us elsewhere."""
    return pathlib.Path(os.environ.get("BUILD_WORKING_DIRECTORY", ""), path)


def check_range(flag, value, low, high):
    if not low <= value <= high:
        raise BadInput(f"--{flag}={value} is not between {low} and {high}")


def check_folder_of(flag, path):
    """That a file can be written there."""
    folder = user_path(path).parent
    if not folder.is_dir():
        raise BadInput(f"--{flag}={path}: there is no such folder")
    if not os.access(folder, os.W_OK):
        raise BadInput(f"--{flag}={path}: its folder can't be written to")


def write_file(flag, path, content):
    try:
        user_path(path).write_bytes(content)
    except OSError as error:
        raise BadInput(f"--{flag}={path}: {error.strerror}") from error


def run_program(name, run, arguments):
    """The exit code of `run`, whose errors become a sentence."""
    try:
        run(arguments)
    except BadInput as error:
        say(f"{name}: {error}")
        return EXIT_BAD_INPUT
    except Failure as error:
        say(f"{name}: {error}")
        return EXIT_FAILURE
    except KeyboardInterrupt:
        return 130
    return 0
