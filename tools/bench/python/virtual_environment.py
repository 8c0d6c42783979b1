"""A Python with packages of its own: a virtual environment of the user's cache."""

import contextlib
import dataclasses
import fcntl
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys

from errors import BadInput

# Of which the requirements.txt have wheels.
PYTHON = (3, 11)
MARK = "installed"


def cache_folder(environment):
    cache = environment.get("XDG_CACHE_HOME", "")
    # The specification has relative paths ignored.
    base = pathlib.Path(cache) if os.path.isabs(cache) else pathlib.Path.home() / ".cache"
    return base / "pruner"


def find_python():
    """The path of a Python of the version that is pinned."""
    if sys.version_info[:2] == PYTHON:
        return sys.executable
    name = "python{}.{}".format(*PYTHON)
    path = shutil.which(name)
    if path is None:
        raise BadInput(f"the packages are pinned for {name}, which is not there: install it "
                       "(Debian 12 has it)")
    return path


def _last_line(text):
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else "it says nothing"


def _run(command, what):
    """Runs it to its end; what it says goes into the error."""
    result = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True, check=False)
    if result.returncode != 0:
        raise BadInput(f"{what}: {_last_line(result.stdout)}")


@contextlib.contextmanager
def _locked(folder):
    """While another program installs there, it is waited for."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with open(folder.parent / (folder.name + ".lock"), "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@dataclasses.dataclass(frozen=True)
class VirtualEnvironment:
    """What is installed, and what the user is told of it."""
    name: str  # of its folder in the cache
    content: str  # as a sentence says it: "the peers"
    download: str  # "3 GB"
    size: str  # "6 GB"
    requirements: pathlib.Path  # what pin_requirements.py wrote

    def folder(self):
        return cache_folder(os.environ) / self.name

    def installed_python(self):
        """The Python that has the packages, if they are installed."""
        return self._python() if self._is_current() else None

    def prepare(self, say):
        """The Python that has the packages, which are installed unless they are there."""
        try:
            with _locked(self.folder()):
                if not self._is_current():
                    self._install(say)
                    self._mark().write_text(self._wanted(), encoding="utf-8")
        except OSError as error:
            raise BadInput(f"{self.content} can't be installed: {error}") from error
        return self._python()

    def _install(self, say):
        folder, python = self.folder(), find_python()
        say(f"installing {self.content} in {folder}; some {self.download} are fetched, once")
        shutil.rmtree(folder, ignore_errors=True)
        _run([python, "-m", "venv", folder],
             f"{python} can't make a virtual environment (Debian: apt-get install python3-venv)")
        _run([self._python(), "-m", "pip", "install", "--quiet", "--no-input",
              "--disable-pip-version-check", "--require-hashes", "--requirement",
              self.requirements],
             f"{self.content} can't be installed; that needs the network, and room for "
             f"{self.size}. pip says")

    def _is_current(self):
        mark = self._mark()
        return mark.exists() and mark.read_text(encoding="utf-8") == self._wanted()

    def _wanted(self):
        return hashlib.sha256(self.requirements.read_bytes()).hexdigest()

    def _mark(self):
        return self.folder() / MARK

    def _python(self):
        return self.folder() / "bin" / "python"
