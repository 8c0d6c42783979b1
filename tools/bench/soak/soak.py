#!/usr/bin/env -S python3 -B
"""Runs a long search of small tasks and looks at what the tuner holds on to.

  bazel run -c opt //tools/bench/soak
  bazel run -c opt //tools/bench/soak -- --trials=2000 --model=tiny --policy=pruner

Prints, as the trials go by, the tuner's resident memory, its open files, threads and child
processes, and the memory and addresses of the largest of these; then how much that grew from
the second quarter of the time to the last.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile
import time

# Beside this folder in the source tree and in Bazel's runfiles.
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "python"))

from command_line import check_range, run_program, user_path
from errors import BadInput, Failure

ROWS = 20


def parse_flags(arguments):
    parser = argparse.ArgumentParser(description=__doc__, prog="soak", allow_abbrev=False,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    flag = parser.add_argument
    flag("--model", default="tiny")
    flag("--policy", default="pruner")
    flag("--trials", type=int, default=20000)
    flag("--seconds", type=float, default=2, help="from one look to the next")
    flag("--tune", default="tools/tune/tune", help="the program `tune`, if another")
    flags = parser.parse_args(arguments)
    check_range("trials", flags.trials, 1, 10000000)
    check_range("seconds", flags.seconds, 0.1, 3600)
    flags.tune = (pathlib.Path(flags.tune) if flags.tune == "tools/tune/tune"
                  else user_path(flags.tune)).resolve()
    if not flags.tune.is_file():
        raise BadInput(f"--tune={flags.tune}: there is no such program")
    return flags


def children_of(pid):
    return [child for task in pathlib.Path(f"/proc/{pid}/task").iterdir()
            for child in (task / "children").read_text().split()]


def status_of(pid, field):
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1])
    raise Failure(f"/proc/{pid}/status has no {field}")


def megabytes_of(pid, field):
    return status_of(pid, field) / 1024


def look_at(pid):
    """A process: its memory, open files, threads and children, and the largest child's
    memory and addresses, which are limited. None if it, or a child, has just ended."""
    try:
        children = children_of(pid)
        return (megabytes_of(pid, "VmRSS"), len(list(pathlib.Path(f"/proc/{pid}/fd").iterdir())),
                status_of(pid, "Threads"), len(children),
                max((megabytes_of(child, "VmRSS") for child in children), default=0),
                max((megabytes_of(child, "VmSize") for child in children), default=0))
    except (OSError, Failure):
        return None  # A process that ends has files that can't be read.


def watch(flags, folder):
    """What was seen: seconds, bytes of the log, and look_at, one after the other."""
    output = folder / "stdout"
    command = [flags.tune, f"--model={flags.model}", f"--policy={flags.policy}",
               f"--trials={flags.trials}", "--race=0", "--time_limit=100h",
               f"--output_dir={folder / 'out'}"]
    looks, start = [], time.monotonic()
    with output.open("w") as out, (folder / "stderr").open("w") as errors:
        tune = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=errors)
        try:
            while tune.poll() is None:
                time.sleep(flags.seconds)
                seen, log = look_at(tune.pid), folder / "out/records.log"
                if seen is not None and log.exists():
                    looks.append((time.monotonic() - start, log.stat().st_size, *seen))
        finally:
            tune.kill()
            tune.wait()
    if tune.returncode != 0:
        raise Failure(f"tune ended with {tune.returncode}: {(folder / 'stderr').read_text()}")
    print(output.read_text()[output.read_text().rfind("\ntrials: "):].strip())
    return looks


def mean(values):
    return sum(values) / len(values)


def report(looks):
    names = ("seconds", "log, bytes", "resident, MB", "files", "threads", "children",
             "child's, MB", "addresses, MB")
    print("".join(f"{name:>14}" for name in names))
    for look in looks[::max(1, len(looks) // ROWS)]:
        print("".join(f"{value:14.0f}" for value in look))
    quarter = max(1, len(looks) // 4)
    # The first looks are at a program that starts.
    first, last = looks[quarter:2 * quarter] or looks, looks[-quarter:]
    for column in range(2, len(names)):
        before, after = (mean([look[column] for look in part]) for part in (first, last))
        print(f"{names[column]}: {before:.1f} in the second quarter, {after:.1f} in the last")


def run(arguments):
    flags = parse_flags(arguments)
    with tempfile.TemporaryDirectory() as folder:
        looks = watch(flags, pathlib.Path(folder))
    if not looks:
        raise Failure("the search was over before it was looked at: ask for more --trials")
    report(looks)


if __name__ == "__main__":
    sys.exit(run_program("soak", run, sys.argv[1:]))
