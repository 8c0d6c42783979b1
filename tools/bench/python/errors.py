"""Errors that end a program with a sentence, and its exit code; see tools/README.md."""

EXIT_FAILURE = 1
EXIT_BAD_INPUT = 2


class BadInput(Exception):
    """What the user can mend."""


class Failure(Exception):
    """Something broke."""
