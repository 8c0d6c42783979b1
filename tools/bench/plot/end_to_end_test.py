#!/usr/bin/env -S python3 -B
"""Draws for real. matplotlib is installed by plot.py when somebody calls it; nothing is tested
before that."""

import os
import pathlib
import random
import tempfile
import unittest
from unittest import mock
from xml.etree import ElementTree

import plot

# As a formula the second would be refused.
LABELS = ("pruner", r'"a, with $\frac$"', "_hidden")
SEEDS = 5
TRIALS = 2000


def write_curves(path):
    """As many improvements as there can be."""
    rng = random.Random(1)
    with open(path, "w", encoding="utf-8") as file:
        file.write("label,seed,trials,seconds,network_ms\n")
        for label in LABELS:
            for seed in range(SEEDS):
                seconds, ms = 0.0, 100.0
                for trials in range(TRIALS):
                    seconds += 0.1 * rng.random()
                    ms -= (ms - 10) * 0.01 * rng.random()
                    file.write(f"{label},{seed},{trials},{seconds},{ms}\n")


class EndToEndTest(unittest.TestCase):

    def setUp(self):
        if plot.ENVIRONMENT.installed_python() is None:
            self.skipTest("matplotlib is not installed; bazel run //tools/bench/plot does that")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.user = pathlib.Path(folder.name)
        write_curves(self.user / "c.csv")

    def draw(self, name, *flags):
        with mock.patch.dict(os.environ, BUILD_WORKING_DIRECTORY=str(self.user)):
            self.assertEqual(plot.main(["--csv=c.csv", f"--output={name}", *flags]), 0)
        return (self.user / name).read_bytes()

    def test_svg_is_small_and_always_the_same(self):
        for flags in ((), ("--top=20", "--title=$a title$")):
            drawn = self.draw("one.svg", *flags)
            self.assertLess(len(drawn), 100_000)
            self.assertEqual(self.draw("two.svg", *flags), drawn)
            self.assertEqual(ElementTree.fromstring(drawn).tag, "{http://www.w3.org/2000/svg}svg")
            # Text is drawn, and said in comments.
            for text in ("pruner (5 seeds)", r"a, with $\frac$ (5 seeds)", "_hidden (5 seeds)",
                         "best latency (ms)", "trials", "wall time (s)"):
                self.assertIn(f"<!-- {text} -->", drawn.decode())

    def test_png(self):
        drawn = self.draw("one.png")
        self.assertEqual(drawn[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual(self.draw("two.png"), drawn)


if __name__ == "__main__":
    unittest.main()
