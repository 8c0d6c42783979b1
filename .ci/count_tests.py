#!/usr/bin/env python3
"""Counts the test targets that passed and failed, from Bazel's build events.

Usage: count_tests.py EVENTS STATUS, the --build_event_json_file and exit status of
`bazel test`. Prints which cases were skipped, then "N passed, N failed", and exits with 0 if
and only if all is well. A target of which every case was skipped has not passed.
"""

import json
import sys
import urllib.parse
import urllib.request
import xml.etree.ElementTree


def read_events(path):
    with open(path, encoding="utf-8") as file:
        for line in file:
            try:
                yield json.loads(line)
            except json.JSONDecodeError:
                return  # Bazel was killed while it wrote.


def cases(uri):
    """The cases of a test.xml: of each, its name and whether it was skipped."""
    path = urllib.request.url2pathname(urllib.parse.urlparse(uri).path)
    try:
        root = xml.etree.ElementTree.parse(path).getroot()
    except (OSError, xml.etree.ElementTree.ParseError):
        return  # Not of GoogleTest, or its target was killed.
    for case in root.iter("testcase"):
        skipped = case.get("result") == "skipped" or case.find("skipped") is not None
        yield f"{case.get('classname')}.{case.get('name')}", skipped


class Targets:
    """What became of the test targets."""

    def __init__(self):
        self.tests, self.passed = set(), set()
        self.ran, self.skipped = {}, {}  # cases by target

    def add(self, event):
        key = event["id"]
        if "targetConfigured" in key:
            if event.get("configured", {}).get("testSize"):
                self.tests.add(key["targetConfigured"]["label"])
        elif "testResult" in key:
            for output in event.get("testResult", {}).get("testActionOutput", ()):
                if output.get("name") == "test.xml":
                    self.add_cases(key["testResult"]["label"], output.get("uri", ""))
        elif "testSummary" in key:
            if event.get("testSummary", {}).get("overallStatus") in ("PASSED", "FLAKY"):
                self.passed.add(key["testSummary"]["label"])

    def add_cases(self, label, uri):
        for name, skipped in cases(uri):
            (self.skipped if skipped else self.ran).setdefault(label, set()).add(name)

    def tested_nothing(self):
        return {label for label in self.passed
                if label in self.skipped and label not in self.ran}

    def failed(self):
        """One that was never run failed."""
        return self.tests - self.passed


def main():
    targets = Targets()
    for event in read_events(sys.argv[1]):
        targets.add(event)
    for label, names in sorted(targets.skipped.items()):
        print(f"skipped {len(names)} of {label}: {' '.join(sorted(names))}")
    failed = len(targets.failed())
    if int(sys.argv[2]) != 0:
        failed = max(failed, 1)  # Something else than a test failed to build.
    passed = len(targets.passed - targets.tested_nothing())
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()
