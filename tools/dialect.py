"""Checks that the sources speak one dialect: see "Code" in CONTRIBUTING.md."""

import collections
import pathlib
import re

# `pattern` must not be found in files that end so; `message` says what to do.
Rule = collections.namedtuple("Rule", "suffixes pattern message")

# What is in third_party speaks as its authors do.
TREES = ("docs", "examples", "halide_ext", "models", "pruner", "testdata", "tools")

CPP = (".h", ".cc")


def rule(suffixes, pattern, message):
    return Rule(suffixes, re.compile(pattern, re.MULTILINE), message)


RULES = [
    rule(CPP, r"\bstd::string_view\b|^#include <string_view>",
         "write absl::string_view, of absl/strings/string_view.h"),
    rule(CPP, r"\bfriend\b[^;{}]*\boperator\s*(==|<=>)[^;{}]*=\s*default\b",
         "write a member: bool operator==(const X&) const = default;"),
    # \A(?!…): the file does not begin like this.
    rule((".h",), r"\A(?!// ?\S)",
         "begin the header with a comment that says what it holds"),
    rule(CPP + (".proto",), r"^// File: ",
         "leave this line out: the file knows its name"),
    rule((".proto",), r"\A(?![\s\S]*^package pruner\.proto;)",
         "write package pruner.proto; all messages are of that one package"),
    rule((".proto",), r"^[ \t]*message \w+Proto\b",
         "leave Proto out of the name: the namespace proto says it"),
    # The section may stand on the next line of the comment.
    rule(CPP + (".proto", ".md"),
         r"\b(ALGORITHMS|DESIGN|STYLE|FACTS)(\.md\b|[\s/#]+[A-E][0-9])",
         "no document here has this name; cite docs/algorithms.md and the section, "
         "or say what is meant"),
]


def check_text(source, text):
    """What is wrong with the file `source`, as "file:line: what to do"."""
    problems = []
    for suffixes, pattern, message in RULES:
        if not source.endswith(suffixes):
            continue
        for found in pattern.finditer(text):
            line = text.count("\n", 0, found.start()) + 1
            problems.append(f"{source}:{line}: {message}")
    return problems


def check_tree(root):
    """All problems of the sources below `root`."""
    root = pathlib.Path(root)
    paths = list(root.glob("*.md"))
    for tree in TREES:
        paths += (root / tree).rglob("*")
    suffixes = {suffix for each in RULES for suffix in each.suffixes}
    problems = []
    for path in sorted(paths):
        if path.suffix in suffixes:
            problems += check_text(path.relative_to(root).as_posix(),
                                   path.read_text(encoding="utf-8"))
    return problems
