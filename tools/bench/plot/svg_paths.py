"""Shorter paths in an SVG: curves are stairs, of which matplotlib writes each corner as two
numbers of six decimals."""

import re

DECIMALS = 2  # of a point, of which 72 are an inch

_PATH = re.compile(r'(?<= d=")[^"]*')
_COMMAND = re.compile(r"([A-Za-z])([^A-Za-z]*)")


def shorten_paths(svg):
    return _PATH.sub(lambda path: _shorten(path[0]), svg)


def _shorten(path):
    written, at = [], None
    for command, arguments in _COMMAND.findall(path):
        numbers = [_number(text) for text in arguments.split()]
        # Lines along an axis have one number.
        if command == "L" and numbers[1] == at[1]:
            written.append(f"H{numbers[0]}")
        elif command == "L" and numbers[0] == at[0]:
            written.append(f"V{numbers[1]}")
        else:
            written.append(command + " ".join(numbers))
        at = numbers[-2:] if numbers else at
    return "".join(written)


def _number(text):
    short = f"{float(text):.{DECIMALS}f}".rstrip("0").rstrip(".")
    return "0" if short == "-0" else short
