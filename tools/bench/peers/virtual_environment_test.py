#!/usr/bin/env -S python3 -B
import pathlib
import stat
import tempfile
import unittest
from unittest import mock

import virtual_environment
from errors import BadInput

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
        self.folder = self.root / "peers"
        self.requirements = self.root / "requirements.txt"
        self.requirements.write_text("one==1\n")
        self.said = []

    def prepare(self, venv="", pip=""):
        python = self.root / "python"
        python.write_text(PYTHON.format(venv=venv, pip=pip))
        python.chmod(python.stat().st_mode | stat.S_IXUSR)
        with mock.patch.object(virtual_environment, "find_python", lambda: python):
            return virtual_environment.prepare(self.said.append, self.folder, self.requirements)

    def pip_calls(self):
        return (self.root / "pip_calls").read_text().splitlines()

    def test_installs_once(self):
        self.assertEqual(self.prepare(), self.folder / "bin" / "python")
        self.prepare()
        call, = self.pip_calls()
        self.assertIn("-m pip install", call)
        self.assertIn(f"--require-hashes --requirement {self.requirements}", call)
        self.assertEqual(len(self.said), 1)

    def test_installs_again_what_has_changed(self):
        self.prepare()
        (self.folder / "old").write_text("")
        self.requirements.write_text("one==2\n")
        self.prepare()
        self.assertEqual(len(self.pip_calls()), 2)
        self.assertFalse((self.folder / "old").exists())

    def test_says_what_is_missing(self):
        for broken, message in (
            (dict(venv="echo no ensurepip; exit 1"), "apt-get install python3-venv"),
            (dict(pip="echo trying; echo no route to host; exit 1"),
             "that needs the network, and room for 6 GB. pip says: no route to host"),
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
        self.folder = self.requirements / "peers"
        with self.assertRaises(BadInput) as raised:
            self.prepare()
        self.assertIn("requirements.txt", str(raised.exception))

    def test_the_cache_is_the_users(self):
        folder = virtual_environment.cache_folder
        self.assertEqual(folder({"XDG_CACHE_HOME": "/c"}), pathlib.Path("/c/pruner/peers"))
        for ignored in ({}, {"XDG_CACHE_HOME": ""}, {"XDG_CACHE_HOME": "relative"}):
            self.assertEqual(folder(ignored), pathlib.Path.home() / ".cache/pruner/peers")

    def test_everything_is_pinned(self):
        lines = [line for line in virtual_environment.REQUIREMENTS.read_text().splitlines()
                 if line and not line.startswith("#")]
        self.assertEqual(len(lines) % 2, 0)
        for package, sum_line in zip(lines[::2], lines[1::2]):
            self.assertRegex(package, r"^[A-Za-z0-9_.-]+==[0-9.]+ \\$")
            self.assertRegex(sum_line, r"^    --hash=sha256:[0-9a-f]{64}$")


if __name__ == "__main__":
    unittest.main()
