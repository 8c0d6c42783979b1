#!/usr/bin/env -S python3 -B
import contextlib
import io
import json
import os
import pathlib
import tempfile
import unittest
from unittest import mock

import plot
from shared import unpinned

HEADER = "label,seed,trials,seconds,network_ms\n"
# Stands for the Python that has matplotlib.
PYTHON = """#!/bin/sh
cat > "$(dirname "$0")/figure"
echo "$@" "$MPLCONFIGDIR" > "$(dirname "$0")/call"
{}
"""


class PlotTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.user = pathlib.Path(folder.name)
        (self.user / "good.csv").write_text(HEADER + "a,1,0,0,5\na,1,9,3,4\n")
        (self.user / "bad.csv").write_text(HEADER + "a,1,0,0,fast\n")
        (self.user / "folder.svg").mkdir()
        patch = mock.patch.dict(os.environ, BUILD_WORKING_DIRECTORY=str(self.user))
        patch.start()
        self.addCleanup(patch.stop)

    def run_with(self, script, arguments):
        """Exit code and errors, with a Python that does what the script says."""
        python = self.user / "env" / "bin" / "python"
        python.parent.mkdir(parents=True, exist_ok=True)
        python.write_text(PYTHON.format(script))
        python.chmod(0o755)
        environment = mock.Mock(prepare=lambda say: python)
        errors = io.StringIO()
        with mock.patch.object(plot, "ENVIRONMENT", environment), \
             contextlib.redirect_stderr(errors):
            code = plot.main(arguments)
        return code, errors.getvalue()

    def assert_refused(self, arguments, text):
        self.assertEqual(self.run_with("exit 9", arguments), (2, f"plot: {text}\n"))

    def test_bad_input_is_one_sentence(self):
        csv, svg = "--csv=good.csv", "--output=new.svg"
        self.assert_refused([], "which curves? Say --csv=FILE")
        self.assert_refused([csv], "where to? Say --output=FILE.svg or FILE.png")
        for name in ("new.pdf", "new", ".svg"):
            self.assert_refused([csv, f"--output={name}"],
                                f"--output={name}: it ends in none of .svg, .png")
        self.assert_refused([csv, "--output=no/new.svg"],
                            "--output=no/new.svg: there is no such folder")
        for top in ("1", "1001", "-2", "nan"):
            self.assert_refused([csv, svg, f"--top={top}"],
                                f"--top={float(top)} is not between 1.01 and 1000")
        self.assert_refused(["--csv=none.csv", svg], "--csv=none.csv: No such file or directory")
        self.assert_refused(["--csv=bad.csv", svg],
                            "--csv=bad.csv, line 2: network_ms 'fast' is no number from 0")
        # Nothing is installed nor drawn before.
        self.assertFalse((self.user / "env" / "bin" / "call").exists())

    def test_unknown_flags(self):
        errors = io.StringIO()
        with self.assertRaises(SystemExit) as raised, contextlib.redirect_stderr(errors):
            plot.main(["--tops=3"])
        self.assertEqual(raised.exception.code, 2)
        self.assertIn("--tops=3", errors.getvalue())

    def test_writes_what_is_drawn(self):
        arguments = ["--csv=good.csv", "--title=it", "--top=3"]
        for name, drawn, written in (
            ("new.SVG", '<path d="M 1.001 2 "/>', b'<path d="M1 2"/>'),
            ("new.png", "PNG", b"PNG"),
        ):
            code = self.run_with(f"printf '%s' '{drawn}'", arguments + [f"--output={name}"])
            self.assertEqual(code, (0, ""))
            self.assertEqual((self.user / name).read_bytes(), written)
        bin_folder = self.user / "env" / "bin"
        self.assertEqual((bin_folder / "call").read_text(),
                         f"-B {plot.HERE / 'draw.py'} png {self.user / 'env' / 'matplotlib'}\n")
        figure = json.loads((bin_folder / "figure").read_text())
        self.assertEqual((figure["title"], figure["y_limits"][1]), ("it", 12))

    def test_what_breaks_while_it_draws(self):
        arguments = ["--csv=good.csv", "--output=new.svg"]
        for script, reason in (("echo one >&2; echo two >&2; exit 1", "two"),
                               ("exit 3", "it ended with 3")):
            self.assertEqual(self.run_with(script, arguments),
                             (1, f"plot: matplotlib can't draw this: {reason}\n"))
        self.assertFalse((self.user / "new.svg").exists())

    def test_a_file_that_cannot_be_written(self):
        self.assertEqual(self.run_with("", ["--csv=good.csv", "--output=folder.svg"]),
                         (2, "plot: --output=folder.svg: Is a directory\n"))

    def test_what_is_installed_is_pinned(self):
        self.assertEqual(unpinned(plot.ENVIRONMENT.requirements.read_text()), [])


if __name__ == "__main__":
    unittest.main()
