#!/usr/bin/env -S python3 -B
import json
import unittest

import figure
from curves import Point
from shared import BadInput


class FigureTest(unittest.TestCase):

    def test_two_panels(self):
        runs = {
            "a": {
                1: [Point(1, 0.5, 30.0), Point(4, 2.0, 10.0), Point(8, 5.0, 10.0)],
                7: [Point(2, 1.0, 20.0), Point(8, 6.0, 20.0)],
            },
            "b\n c": {1: [Point(0, 0.0, 12.0), Point(10, 4.0, 12.0)]},
        }
        made = figure.make_figure(runs, "a title", 2)
        self.assertEqual(made["title"], "a title")
        self.assertEqual(made["y_limits"], (9.7, 20.0))
        self.assertFalse(made["is_logarithmic"])
        self.assertEqual([entry["label"] for entry in made["legend"]],
                         ["a (2 seeds)", "b c (1 seed)"])
        self.assertEqual(made["panels"], [
            {
                "x_label": "trials",
                "x_limits": (0, 10),
                "curves": [
                    {
                        # 22 is what 25 and more are out of sight.
                        "line": [(2, 22.0), (4, 22.0), (4, 15.0), (8, 15.0)],
                        "area": [(2, 20.0), (4, 20.0), (4, 10.0), (8, 10.0),
                                 (8, 20.0), (4, 20.0), (4, 22.0), (2, 22.0)],
                    },
                    {"line": [(0, 12.0), (10, 12.0)], "area": []},
                ],
            },
            {
                "x_label": "wall time (s)",
                "x_limits": (0, 6.0),
                "curves": [
                    {
                        "line": [(1.0, 22.0), (2.0, 22.0), (2.0, 15.0), (6.0, 15.0)],
                        "area": [(1.0, 20.0), (2.0, 20.0), (2.0, 10.0), (6.0, 10.0),
                                 (6.0, 20.0), (2.0, 20.0), (2.0, 22.0), (1.0, 22.0)],
                    },
                    {"line": [(0.0, 12.0), (4.0, 12.0)], "area": []},
                ],
            },
        ])
        json.dumps(made)

    def test_a_high_top_is_logarithmic(self):
        made = figure.make_figure({"a": {1: [Point(0, 0.0, 5.0)]}}, "", 20)
        self.assertTrue(made["is_logarithmic"])
        self.assertEqual(made["y_limits"], (4.85, 100.0))
        # It has an extent, although the run has none.
        self.assertEqual(made["panels"][0]["x_limits"], (0, 1))

    def test_more_labels_than_colours(self):
        runs = {str(i): {1: [Point(0, 0.0, 5.0)]} for i in range(8)}
        with self.assertRaises(BadInput) as raised:
            figure.make_figure(runs, "", 2)
        self.assertEqual(str(raised.exception), "there are 8 labels; colours tell 7 apart")


if __name__ == "__main__":
    unittest.main()
