#!/usr/bin/env -S python3 -B
import os
import pathlib
import stat
import tempfile
import unittest
from unittest import mock

import virtual_environment
from errors import BadInput
from virtual_environment import VirtualEnvironment

# Takes `-m venv FOLDER`; what it makes counts how often it is asked to install.
PYTHON = """#!/bin/sh
mkdir -p "$3/bin"
cat > "$3/bin/python" <<'END'
#!/bin/sh
echo "$@" >> "$(dirname "$0")/../../pip_calls"
{pip}
END
chmod +x "$3/bin/python"
{venv}
"""


class VirtualEnvironmentTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.requirements = self.root / "requirements.txt"
        self.requirements.write_text("one==1\n")
        self.environment = VirtualEnvironment(name="them", content="the packages",
                                              download="3 GB", size="6 GB",
                                              requirements=self.requirements)
        self.set_cache(self.root)
        self.folder = self.root / "pruner" / "them"
        self.said = []

    def set_cache(self, path):
        patch = mock.patch.dict(os.environ, XDG_CACHE_HOME=str(path))
        patch.start()
        self.addCleanup(patch.stop)

    def prepare(self, venv="", pip=""):
        python = self.root / "python"
        python.write_text(PYTHON.format(venv=venv, pip=pip))
        python.chmod(python.stat().st_mode | stat.S_IXUSR)
        with mock.patch.object(virtual_environment, "find_python", lambda: python):
            return self.environment.prepare(self.said.append)

    def pip_calls(self):
        return (self.root / "pruner" / "pip_calls").read_text().splitlines()

    def test_installs_once(self):
        self.assertIsNone(self.environment.installed_python())
        self.assertEqual(self.prepare(), self.folder / "bin" / "python")
        self.assertEqual(self.environment.installed_python(), self.folder / "bin" / "python")
        self.prepare()
        call, = self.pip_calls()
        self.assertIn("-m pip install", call)
        self.assertIn(f"--require-hashes --requirement {self.requirements}", call)
        self.assertEqual(self.said, [f"installing the packages in {self.folder}; "
                                     "some 3 GB are fetched, once"])

    def test_installs_again_what_has_changed(self):
        self.prepare()
        (self.folder / "old").write_text("")
        self.requirements.write_text("one==2\n")
        self.assertIsNone(self.environment.installed_python())
        self.prepare()
        self.assertEqual(len(self.pip_calls()), 2)
        self.assertFalse((self.folder / "old").exists())

    def test_says_what_is_missing(self):
        for broken, message in (
            (dict(venv="echo no ensurepip; exit 1"), "apt-get install python3-venv"),
            (dict(pip="echo trying; echo no route to host; exit 1"),
             "the packages can't be installed; that needs the network, and room for 6 GB. "
             "pip says: no route to host"),
            (dict(pip="exit 1"), "pip says: it says nothing"),
        ):
            with self.assertRaises(BadInput) as raised:
                self.prepare(**broken)
            self.assertIn(message, str(raised.exception))
        # What was begun does not count.
        before = len(self.pip_calls())
        self.prepare()
        self.assertEqual(len(self.pip_calls()), before + 1)

    def test_a_folder_that_cannot_be_made(self):
        self.set_cache(self.requirements)
        with self.assertRaises(BadInput) as raised:
            self.prepare()
        self.assertIn("the packages can't be installed: ", str(raised.exception))
        self.assertIn("requirements.txt", str(raised.exception))

    def test_the_cache_is_the_users(self):
        folder = virtual_environment.cache_folder
        self.assertEqual(folder({"XDG_CACHE_HOME": "/c"}), pathlib.Path("/c/pruner"))
        for ignored in ({}, {"XDG_CACHE_HOME": ""}, {"XDG_CACHE_HOME": "relative"}):
            self.assertEqual(folder(ignored), pathlib.Path.home() / ".cache/pruner")


if __name__ == "__main__":
    unittest.main()
