"""Processes that time a network when they are asked to: `run --serve` and peer_main.py."""

import contextlib
import json
import os
import pathlib
import signal
import subprocess

from shared import EXIT_BAD_INPUT, BadInput, Failure

PATIENCE = 60  # seconds for a process to end


class Child:
    """One of them."""

    def __init__(self, name, command, log, environment=None):
        self.name = name
        self._log = pathlib.Path(log)
        with open(log, "wb") as errors:
            try:
                self._process = subprocess.Popen(command, stdin=subprocess.PIPE,
                                                 stdout=subprocess.PIPE, stderr=errors, text=True,
                                                 env=environment, start_new_session=True)
            except OSError as error:
                raise BadInput(f"{name}: {error.filename}: {error.strerror}") from error
        self.description = None

    def wait_until_ready(self):
        """Reads its first line, of which `description` is made."""
        self.description = self._answer()

    def time(self, seconds):
        """The seconds of each run, of as many as fit."""
        # If it has ended, the missing answer tells why.
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.write(f"time {seconds}\n")
            self._process.stdin.flush()
        return self._answer()["seconds"]

    def close(self):
        """Tells it to end, and waits for that."""
        self._close_pipes()
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self):
        """Ends it and those that it started."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._close_pipes()

    def _close_pipes(self):
        for pipe in (self._process.stdin, self._process.stdout):
            # A request may be left that nobody reads any more.
            with contextlib.suppress(BrokenPipeError):
                pipe.close()

    def is_running(self):
        return self._process.poll() is None

    def _answer(self):
        line = self._process.stdout.readline()
        if line:
            return json.loads(line)
        code = self._process.wait()
        said = self._log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        reason = said[-1] if said else f"it ended with {code} and said nothing"
        kind = BadInput if code == EXIT_BAD_INPUT else Failure
        raise kind(f"{self.name}: {reason}")


class Children:
    """Those of a comparison; whatever happens, none is left behind."""

    def __init__(self):
        self._all = []

    def start(self, name, command, log, environment=None):
        child = Child(name, command, log, environment)
        self._all.append(child)
        child.wait_until_ready()
        return child

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        for child in self._all:
            if kind is None:
                child.close()
            else:
                child.kill()
