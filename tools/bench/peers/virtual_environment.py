"""The Python in which the peers are installed: a virtual environment of the user's cache."""

import contextlib
import fcntl
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys

from errors import BadInput

REQUIREMENTS = pathlib.Path(__file__).resolve().parent / "requirements.txt"
# Of which requirements.txt has wheels.
PYTHON = (3, 11)
MARK = "installed"


def cache_folder(environment):
    cache = environment.get("XDG_CACHE_HOME", "")
    # The specification has relative paths ignored.
    base = pathlib.Path(cache) if os.path.isabs(cache) else pathlib.Path.home() / ".cache"
    return base / "pruner" / "peers"


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


def _install(folder, requirements, say):
    python = find_python()
    say(f"installing the peers in {folder}; some 3 GB are fetched, once")
    shutil.rmtree(folder, ignore_errors=True)
    _run([python, "-m", "venv", folder],
         f"{python} can't make a virtual environment (Debian: apt-get install python3-venv)")
    _run([folder / "bin" / "python", "-m", "pip", "install", "--quiet", "--no-input",
          "--disable-pip-version-check", "--require-hashes", "--requirement", requirements],
         "the peers can't be installed; that needs the network, and room for 6 GB. pip says")


def _is_current(folder, requirements):
    mark = folder / MARK
    return mark.exists() and mark.read_text(encoding="utf-8") == _wanted(requirements)


def _wanted(requirements):
    return hashlib.sha256(requirements.read_bytes()).hexdigest()


def _python_in(folder):
    return folder / "bin" / "python"


def installed_python():
    """The Python that has the peers, if they are installed."""
    folder = cache_folder(os.environ)
    return _python_in(folder) if _is_current(folder, REQUIREMENTS) else None


def prepare(say, folder=None, requirements=REQUIREMENTS):
    """The Python that has the peers, which are installed unless they are there."""
    folder = cache_folder(os.environ) if folder is None else folder
    try:
        with _locked(folder):
            if not _is_current(folder, requirements):
                _install(folder, requirements, say)
                (folder / MARK).write_text(_wanted(requirements), encoding="utf-8")
    except OSError as error:
        raise BadInput(f"the peers can't be installed: {error}") from error
    return _python_in(folder)
