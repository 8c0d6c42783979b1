#!/usr/bin/env -S python3 -B
import unittest

from svg_paths import shorten_paths


class SvgPathsTest(unittest.TestCase):

    def test_paths(self):
        for path, short in (
            ("M 46.266646 222.797718 \nL 46.266646 3.00024 \n", "M46.27 222.8V3"),
            ("M 0 0 \nL 648.001 0.004 \nL 648.001 280.8 \nL 0 280.8 \nz\n",
             "M0 0H648V280.8H0z"),
            ("M 1 2 \nL 3.5 -4.25 \nM 5 6 \nL 5 7 \nL 5 7 \n", "M1 2L3.5 -4.25M5 6V7H5"),
            ("M 2034 4250 \nQ 1547 4250 1301 3770 \nL 1301 0 \nz\n",
             "M2034 4250Q1547 4250 1301 3770V0z"),
            ("M 1 2 \nC 1 2 3 4 -0.001 6 \nL 7 6 \n", "M1 2C1 2 3 4 0 6H7"),
            ("", ""),
        ):
            self.assertEqual(shorten_paths(f'<path id="L 1.2345 2" d="{path}" style="x: 0.123"/>'),
                             f'<path id="L 1.2345 2" d="{short}" style="x: 0.123"/>')

    def test_all_paths_and_nothing_else(self):
        self.assertEqual(
            shorten_paths('<g transform="scale(0.015625)"><path d="M 1.001 2 "/></g>\n'
                          '<path d="M 3 4 \nz"/>'),
            '<g transform="scale(0.015625)"><path d="M1 2"/></g>\n<path d="M3 4z"/>')


if __name__ == "__main__":
    unittest.main()
