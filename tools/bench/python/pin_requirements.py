#!/usr/bin/env -S python3 -B
"""Prints a requirements.txt that pins packages and all they ask for.

  python3.11 pin_requirements.py onnx==1.23.2 > requirements.txt
"""

import json
import re
import subprocess
import sys

HEADING = """\
# Wheels for CPython 3.11 on x86-64 Linux, written by pin_requirements.py of:
#   {}
"""

PACKAGE = re.compile(r"[A-Za-z0-9_.-]+==[0-9.]+ \\")
SUM = re.compile(r"    --hash=sha256:[0-9a-f]{64}")


def requirements(report, packages):
    """`report` is what pip tells of an installation."""
    pinned = {}
    for package in report["install"]:
        kind, digest = package["download_info"]["archive_info"]["hash"].split("=")
        metadata = package["metadata"]
        pinned[metadata["name"].lower()] = (f"{metadata['name']}=={metadata['version']} \\\n"
                                            f"    --hash={kind}:{digest}\n")
    return HEADING.format(" ".join(packages)) + "".join(pinned[name] for name in sorted(pinned))


def unpinned(text):
    """The lines of a requirements.txt that don't pin a package by version and sha256."""
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    patterns = [PACKAGE, SUM] * len(lines)
    wrong = [line for line, pattern in zip(lines, patterns) if not pattern.fullmatch(line)]
    has_all_sums = len(lines) % 2 == 0
    return wrong if has_all_sums else wrong + lines[-1:]


def main(packages):
    told = subprocess.run([sys.executable, "-m", "pip", "install", "--dry-run",
                           "--ignore-installed", "--break-system-packages", "--quiet",
                           "--only-binary=:all:", "--report=-", *packages],
                          stdout=subprocess.PIPE, check=True)
    print(requirements(json.loads(told.stdout), packages), end="")


if __name__ == "__main__":
    main(sys.argv[1:])
