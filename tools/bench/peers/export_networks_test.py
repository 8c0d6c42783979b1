#!/usr/bin/env -S python3 -B
import contextlib
import io
import unittest

import export_networks
from shared import run_program


class ExportNetworksTest(unittest.TestCase):

    def assert_refused(self, arguments, says):
        errors = io.StringIO()
        with contextlib.redirect_stderr(errors):
            self.assertEqual(run_program("export_networks", export_networks.run, arguments), 2)
        self.assertIn(says, errors.getvalue())
        self.assertEqual(errors.getvalue().count("\n"), 1)

    def test_bad_input_is_one_sentence_before_anything_is_installed(self):
        self.assert_refused([], "--output_dir=")
        self.assert_refused(["--output_dir=out", "--batch=0"], "--batch=0")
        self.assert_refused(["--output_dir=/dev/null/out"], "--output_dir=/dev/null/out")


if __name__ == "__main__":
    unittest.main()
