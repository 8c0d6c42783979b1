#!/usr/bin/env -S python3 -B
import contextlib
import io
import os
import pathlib
import tempfile
import unittest
from unittest import mock

import command_line
from errors import BadInput, Failure


class CommandLineTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.user = pathlib.Path(folder.name)
        (self.user / "file").write_text("")
        patch = mock.patch.dict(os.environ, BUILD_WORKING_DIRECTORY=str(self.user))
        patch.start()
        self.addCleanup(patch.stop)

    def assert_refused(self, message, function, *arguments):
        with self.assertRaises(BadInput) as raised:
            function(*arguments)
        self.assertEqual(str(raised.exception), message)

    def test_paths_are_relative_to_where_the_user_is(self):
        self.assertEqual(command_line.user_path("a/b"), self.user / "a/b")
        self.assertEqual(command_line.user_path("/a/b"), pathlib.Path("/a/b"))
        with mock.patch.dict(os.environ):
            del os.environ["BUILD_WORKING_DIRECTORY"]
            self.assertEqual(command_line.user_path("a/b"), pathlib.Path("a/b"))

    def test_ranges_include_their_ends(self):
        for good in (1, 2, 3):
            command_line.check_range("n", good, 1, 3)
        for bad in (0, 4, float("nan")):
            self.assert_refused(f"--n={bad} is not between 1 and 3", command_line.check_range,
                                "n", bad, 1, 3)

    def test_a_folder_to_write_to(self):
        command_line.check_folder_of("output", "new")
        self.assert_refused("--output=no/new: there is no such folder",
                            command_line.check_folder_of, "output", "no/new")
        # To root all folders can be written.
        with mock.patch.object(os, "access", lambda path, mode: path != self.user):
            self.assert_refused("--output=new: its folder can't be written to",
                                command_line.check_folder_of, "output", "new")

    def test_writes(self):
        command_line.write_file("output", "new", b"content")
        self.assertEqual((self.user / "new").read_bytes(), b"content")
        self.assert_refused("--output=.: Is a directory", command_line.write_file, "output", ".",
                            b"")

    def test_exit_codes(self):
        for error, code, said in ((None, 0, ""), (BadInput("no"), 2, "it: no\n"),
                                  (Failure("broke"), 1, "it: broke\n"),
                                  (KeyboardInterrupt(), 130, "")):
            run = mock.Mock(side_effect=error)
            errors = io.StringIO()
            with contextlib.redirect_stderr(errors):
                self.assertEqual(command_line.run_program("it", run, ["--flag"]), code)
            self.assertEqual(errors.getvalue(), said)
            run.assert_called_once_with(["--flag"])


if __name__ == "__main__":
    unittest.main()
