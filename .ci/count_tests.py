#!/usr/bin/env python3
"""Counts the test targets that passed and failed, from Bazel's build events.

Usage: count_tests.py EVENTS STATUS, the --build_event_json_file and exit status of
`bazel test`. Prints "N passed, N failed" and exits with 0 if and only if all is well.
"""

import json
import sys


def read_events(path):
    with open(path, encoding="utf-8") as file:
        for line in file:
            try:
                yield json.loads(line)
            except json.JSONDecodeError:
                return  # Bazel was killed while it wrote.


def count(events):
    """How many test targets passed and failed; one that was never run failed."""
    tests, passed = set(), set()
    for event in events:
        key = event["id"]
        if "targetConfigured" in key:
            if event.get("configured", {}).get("testSize"):
                tests.add(key["targetConfigured"]["label"])
        elif "testSummary" in key:
            if event.get("testSummary", {}).get("overallStatus") in ("PASSED", "FLAKY"):
                passed.add(key["testSummary"]["label"])
    return len(passed), len(tests - passed)


def main():
    passed, failed = count(read_events(sys.argv[1]))
    if int(sys.argv[2]) != 0:
        failed = max(failed, 1)  # Something else than a test failed to build.
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()
