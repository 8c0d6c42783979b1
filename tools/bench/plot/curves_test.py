#!/usr/bin/env -S python3 -B
import pathlib
import tempfile
import unittest

import curves
from shared import BadInput

HEADER = "label,seed,trials,seconds,network_ms\n"


class CurvesTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name, "c.csv")

    def read(self, content):
        self.path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return curves.read_runs(self.path, "c.csv")

    def test_runs_by_label_and_seed(self):
        self.assertEqual(
            self.read(HEADER + 'b,2,0,0,4\n"a, of ""x""",1,1,0.5,3\nb,1,2,1,5\n\nb,2,9,1e1,3.5\n'),
            {"b": {2: [(0, 0, 4), (9, 10, 3.5)], 1: [(2, 1, 5)]},
             'a, of "x"': {1: [(1, 0.5, 3)]}})

    def test_columns_in_any_order_and_others(self):
        self.assertEqual(
            self.read("\ufeffseconds,network_ms,note,label,trials,seed\r\n1,2,x,a,3,4\r\n"),
            {"a": {4: [(3, 1, 2)]}})

    def test_points_may_be_at_the_same_place(self):
        self.assertEqual(self.read(HEADER + "a,1,5,2,4\na,1,5,2,3\n"),
                         {"a": {1: [(5, 2, 4), (5, 2, 3)]}})

    def test_bad_input_says_where(self):
        for content, message in (
            ("", "c.csv: the file is empty; it begins with label,seed,trials,seconds,network_ms"),
            (HEADER, "c.csv: there is nothing below the header"),
            (b"\xff\xfe", "c.csv: this is no text in UTF-8"),
            ("label,seed,trials,seconds\n",
             "c.csv, line 1: there is no column 'network_ms', but label, seed, trials, seconds"),
            (HEADER + "a,1,1,1,1\n\na,1,2,x,1\n",
             "c.csv, line 4: seconds 'x' is no number from 0"),
            (HEADER + "a,1,1.5,1,1\n", "c.csv, line 2: trials '1.5' is no whole number from 0"),
            (HEADER + "a,-1,1,1,1\n", "c.csv, line 2: seed '-1' is no whole number from 0"),
            (HEADER + "a,1,1,1,inf\n", "c.csv, line 2: network_ms 'inf' is no number from 0"),
            (HEADER + "a,1,1,nan,1\n", "c.csv, line 2: seconds 'nan' is no number from 0"),
            (HEADER + "a,1,1,1,0\n", "c.csv, line 2: network_ms is 0"),
            (HEADER + " ,1,1,1,1\n", "c.csv, line 2: there is no label"),
            (HEADER + "a,b,1,1,1,1\n", "c.csv, line 2: the header has 5 columns, this line 6; "
             "commas within a label need quotes"),
            (HEADER + "a,1,2,1,1\nb,1,1,1,1\na,1,1,1,1\n",
             "c.csv, line 4: trials 1 is less than before, in the same label and seed"),
            (HEADER + "a,1,1,2.5,1\na,1,1,2.25,1\n",
             "c.csv, line 3: seconds 2.25 is less than before, in the same label and seed"),
            (HEADER + 'a,1,1,1,1\n"a', "c.csv, line 3: unexpected end of data"),
        ):
            with self.assertRaises(BadInput, msg=content) as raised:
                self.read(content)
            self.assertEqual(str(raised.exception), message)

    def test_a_file_that_is_not_there(self):
        with self.assertRaises(BadInput) as raised:
            curves.read_runs(self.path, "c.csv")
        self.assertEqual(str(raised.exception), "c.csv: No such file or directory")


if __name__ == "__main__":
    unittest.main()
