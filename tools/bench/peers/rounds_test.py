#!/usr/bin/env -S python3 -B
import unittest

import rounds


class MeasureTest(unittest.TestCase):

    def test_each_round_begins_with_another_system(self):
        log = []

        class System:

            def __init__(self, name):
                self.name = name

            def time(self, seconds):
                log.append((self.name, seconds))
                return [len(log)]

        samples = rounds.measure([System("a"), System("b")], 3, 0.5,
                                 lambda done: log.append(done), pause=lambda seconds: None)
        self.assertEqual(log, [
            ("a", 0.2), ("b", 0.2),
            ("a", 0.5), ("b", 0.5), 1,
            ("b", 0.5), ("a", 0.5), 2,
            ("a", 0.5), ("b", 0.5), 3
        ])
        self.assertEqual(samples, [[[3], [7], [9]], [[4], [6], [10]]])


class TimingTest(unittest.TestCase):

    def test_medians_are_of_rounds(self):
        timing = rounds.timing([[3, 1, 2], [9, 5], [4]])
        self.assertEqual(timing.best, 1)
        self.assertEqual(timing.medians, [2, 7, 4])
        self.assertEqual(timing.median, 4)
        self.assertEqual(timing.range, (2, 7))

    def test_a_ratio_is_of_the_same_round(self):
        # The second round was twice as slow for both.
        ours = rounds.timing([[1], [2], [1]])
        theirs = rounds.timing([[2], [4], [4]])
        self.assertEqual(rounds.ratio(ours, theirs), 0.5)
        self.assertEqual(rounds.ratio(theirs, ours), 2)


if __name__ == "__main__":
    unittest.main()
