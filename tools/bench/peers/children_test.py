#!/usr/bin/env -S python3 -B
import pathlib
import sys
import tempfile
import unittest

from children import Children
from shared import BadInput, Failure

SERVER = """
import sys
print('{"name": "a server"}', flush=True)
for line in sys.stdin:
    if line != "time 0.5\\n":
        sys.exit(f"not understood: {line}")
    print('{"seconds": [1, 2]}', flush=True)
open(sys.argv[1], "w").close()
"""


class ChildrenTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.ended = self.folder / "ended"

    def start(self, children, script):
        return children.start("it", [sys.executable, "-c", script, self.ended],
                              self.folder / "log")

    def test_answers_until_it_is_closed(self):
        with Children() as children:
            child = self.start(children, SERVER)
            self.assertEqual(child.description, {"name": "a server"})
            self.assertEqual(child.time(0.5), [1, 2])
            self.assertEqual(child.time(0.5), [1, 2])
            self.assertFalse(self.ended.exists())
        self.assertTrue(self.ended.exists())

    def test_says_why_it_ended(self):
        for script, error, message in (
            ("import sys; print('one\\ntwo', file=sys.stderr); sys.exit(2)", BadInput, "it: two"),
            ("import sys; sys.exit('it broke')", Failure, "it: it broke"),
            ("", Failure, "it: it ended with 0 and said nothing"),
            ("import os; os.abort()", Failure, "it: it ended with -6 and said nothing"),
        ):
            with self.assertRaises(error) as raised, Children() as children:
                self.start(children, script)
            self.assertEqual(str(raised.exception), message)

    def test_a_program_that_is_not_there(self):
        with self.assertRaises(BadInput) as raised, Children() as children:
            children.start("it", [str(self.folder / "none")], self.folder / "log")
        self.assertEqual(str(raised.exception),
                         f"it: {self.folder}/none: No such file or directory")

    def test_ends_in_the_middle(self):
        with self.assertRaises(Failure) as raised, Children() as children:
            self.start(children, SERVER).time(7)
        self.assertEqual(str(raised.exception), "it: not understood: time 7")

    def test_nothing_is_left_behind_by_an_error(self):
        with self.assertRaises(KeyError), Children() as children:
            child = self.start(children, "print('{}', flush=True)\nimport time; time.sleep(1000)")
            raise KeyError
        self.assertFalse(child.is_running())


if __name__ == "__main__":
    unittest.main()
