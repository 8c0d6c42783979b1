#!/usr/bin/env -S python3 -B
import random
import unittest

import bands


class LowMedianHighTest(unittest.TestCase):

    def test_one_run_is_its_own_band(self):
        run = [(2, 9.0), (5, 4.0), (8, 4.0)]
        self.assertEqual(bands.low_median_high([run]), [run, run, run])

    def test_values_hold_until_the_next(self):
        low, median, high = bands.low_median_high([
            [(0, 10), (4, 6), (9, 6)],
            [(0, 8), (6, 3), (9, 3)],
            [(0, 9), (5, 7), (9, 2)],
        ])
        self.assertEqual(low, [(0, 8), (4, 6), (5, 6), (6, 3), (9, 2)])
        self.assertEqual(median, [(0, 9), (4, 8), (5, 7), (6, 6), (9, 3)])
        self.assertEqual(high, [(0, 10), (4, 9), (5, 8), (6, 7), (9, 6)])

    def test_of_two_the_median_is_between(self):
        _, median, _ = bands.low_median_high([[(0, 10), (2, 4)], [(0, 8), (2, 8)]])
        self.assertEqual(median, [(0, 9), (2, 6)])

    def test_begins_where_all_have_a_value(self):
        low, _, high = bands.low_median_high([[(0, 10), (1, 7), (5, 6)], [(3, 9), (5, 8)]])
        self.assertEqual(low, [(3, 7), (5, 6)])
        self.assertEqual(high, [(3, 9), (5, 8)])

    def test_one_that_ended_keeps_its_value(self):
        low, _, high = bands.low_median_high([[(0, 10), (2, 5)], [(0, 12), (7, 8)]])
        self.assertEqual(low, [(0, 10), (2, 5), (7, 5)])
        self.assertEqual(high, [(0, 12), (2, 12), (7, 8)])

    def test_one_that_ended_before_another_began(self):
        low, _, high = bands.low_median_high([[(0, 10), (2, 5)], [(4, 12), (7, 8)]])
        self.assertEqual(low, [(4, 5), (7, 5)])
        self.assertEqual(high, [(4, 12), (7, 8)])

    def test_of_several_at_one_place_the_last_counts(self):
        self.assertEqual(bands.low_median_high([[(1, 9), (1, 8), (3, 7), (3, 6)]])[1],
                         [(1, 8), (3, 6)])


class ThinnedTest(unittest.TestCase):

    def test_keeps_what_is_seen_and_the_last_change(self):
        steps = [(0, 100), (1, 99.5), (2, 98), (3, 97.5), (4, 90), (5, 89.9), (6, 89.8), (9, 89.8)]
        self.assertEqual(bands.thinned(steps, 1.01, 1000),
                         [(0, 100), (2, 98), (4, 90), (6, 89.8), (9, 89.8)])

    def test_ends_where_the_run_ends(self):
        self.assertEqual(bands.thinned([(0, 5), (3, 5)], 1.01, 9), [(0, 5), (3, 5)])
        self.assertEqual(bands.thinned([(0, 5), (3, 4.999)], 1.01, 9), [(0, 5), (3, 4.999)])
        self.assertEqual(bands.thinned([(3, 5)], 1.01, 9), [(3, 5)])

    def test_what_is_out_of_sight_is_one_step(self):
        steps = [(0, 900), (1, 700), (2, 500), (3, 300), (4, 10), (8, 10)]
        self.assertEqual(bands.thinned(steps, 1.01, 400),
                         [(0, 400), (3, 300), (4, 10), (8, 10)])

    def test_values_may_rise(self):
        self.assertEqual(bands.thinned([(0, 5), (1, 6), (2, 5), (3, 5)], 1.01, 9),
                         [(0, 5), (1, 6), (2, 5), (3, 5)])

    def test_is_never_further_off_than_the_tolerance(self):
        rng = random.Random(1)
        steps = [(0, 100.0)]
        for x in range(1, 2000):
            steps.append((x, steps[-1][1] * (1 - 0.002 * rng.random())))
        few = bands.thinned(steps, 1.01, 1000)
        self.assertLess(len(few), 250)
        # What the few say of each x is the median of a run that has no others beside it.
        said = dict(bands.combine([few, [(x, 1.0) for x, _ in steps]], (max,))[0])
        for x, value in steps:
            self.assertLess(said[x] / value, 1.0101)
        self.assertEqual(few[-1], steps[-1])


class StaircaseTest(unittest.TestCase):

    def test_corners(self):
        self.assertEqual(bands.staircase([(0, 5), (2, 5), (3, 4), (7, 4)]),
                         [(0, 5), (3, 5), (3, 4), (7, 4)])
        self.assertEqual(bands.staircase([(0, 5), (7, 4)]), [(0, 5), (7, 5), (7, 4)])
        self.assertEqual(bands.staircase([(3, 5)]), [(3, 5)])


if __name__ == "__main__":
    unittest.main()
