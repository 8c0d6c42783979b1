"""Checks that what comments and documents refer to is there.

That is the sections of docs/algorithms.md, and paths of this tree. What may be meant
otherwise is passed over: generated files, patterns, placeholders.
"""

import pathlib
import re

ALGORITHMS = "docs/algorithms.md"
TREES = ("docs", "examples", "halide_ext", "models", "pruner", "testdata", "third_party",
         "tools")

SECTION = r"[A-E][1-9]\d?(?:[a-z]|\.[1-9]\d?)?"
# "## A5. Random schedules", "### A5.1 Tile sizes", and rows of a table: "| E1.4 | …".
DEFINED = re.compile(rf"^(?:#+ ({SECTION})[. ]|\| ([A-E]\d+\.\d+) \|)", re.MULTILINE)
# A space, which may be where a line of a comment ends.
GAP = r"(?: | ?\n ?)"
# "docs/algorithms.md A2", "… A8, B4", "… A2 and A7", "… A5.3 to A5.5".
MENTION = re.compile(rf"\bdocs/algorithms\.md{GAP}"
                     rf"({SECTION}(?:(?:,|,?{GAP}(?:and|or|to)){GAP}{SECTION})*)(?!\w)")

# Also "//tools/bench:operators"; not what follows on a longer path or an address.
PATH = re.compile(r"(?<![\w@:./~-])(//)?((?:" + "|".join(TREES) + r")/[^\s\"'`()\[\],;|]*)")
PLAIN = re.compile(r"[\w./+-]*\Z", re.ASCII)
# What is read, and what else is of the tree and not made by a program.
READ = (".BUILD", ".bzl", ".cc", ".h", ".md", ".proto")
SUFFIXES = READ + (".py", ".sh", ".txt", ".txtpb")

# A string, which is no comment, or a comment: the only group that takes part.
QUOTED = r'"(?:\\.|[^"\\\n])*"'
SLASHES = re.compile(r'R"(?P<end>\w*)\(.*?\)(?P=end)"|' + QUOTED + r"|'(?:\\.|[^\\\n])'"
                     r"|//(?P<line>[^\n]*)|/\*(?P<block>.*?)\*/", re.DOTALL)
HASHES = re.compile(r'""".*?"""|' + QUOTED + r"|'(?:\\.|[^'\\\n])*'|#(?P<line>[^\n]*)",
                    re.DOTALL)


def comments(source, text):
    """The text of the comments, each on the line of the file that it is on."""
    if source.endswith(".md"):
        return text
    tokens = SLASHES if source.endswith((".cc", ".h", ".proto")) else HASHES
    lines = [""] * (text.count("\n") + 1)
    for token in tokens.finditer(text):
        groups = token.groupdict()
        comment = groups.get("line") or groups.get("block") or ""
        first = text.count("\n", 0, token.start())
        for i, line in enumerate(comment.split("\n")):
            lines[first + i] += line
    return "\n".join(line.strip() for line in lines)


def is_read(path):
    return path.name == "BUILD" or path.suffix in READ


def is_placeholder(path):
    """A name that stands for others, or one that the build makes."""
    name = path.split("/")[-1]
    stem = name.split(".")[0]
    return (not PLAIN.match(path) or name.endswith((".pb.h", ".pb.cc")) or len(stem) == 1
            or stem.isupper() and name != "BUILD" and not name.endswith(".md"))


def is_missing(root, path, is_label):
    """Whether `path` surely means something in this tree, and is not there."""
    if is_placeholder(path) or (root / path).exists():
        return False
    if path.endswith(("/", "/BUILD") + SUFFIXES) or is_label:
        return True
    # "pruner/base/rng" is rng.h and rng.cc. Other endings are of files that programs write.
    whole = root / path
    return "." not in whole.name and not any(whole.parent.glob(whole.name + ".*"))


def check_text(root, sections, text):
    """Yields offset in `text` and what is wrong there."""
    for mention in MENTION.finditer(text):
        for section in re.findall(SECTION, mention[1]):
            if section not in sections:
                yield mention.start(), (f"{ALGORITHMS} has no section {section}; "
                                        "name one that it has, or write it")
    for reference in PATH.finditer(text):
        # A line number, a target of Bazel's or the end of a sentence is not the path's.
        path = reference[2].split(":")[0].rstrip(".!?")
        if is_missing(root, path, bool(reference[1])):
            yield reference.start(), f"{path} is not there; name what is"


def check_file(root, sections, source):
    text = comments(source, (root / source).read_text(encoding="utf-8"))
    problems = sorted(check_text(root, sections, text))
    return [f"{source}:{1 + text.count(chr(10), 0, offset)}: {problem}"
            for offset, problem in problems]


def sections_of(text):
    return {heading or row for heading, row in DEFINED.findall(text)}


def check_tree(root):
    """All problems of the files below `root`, as "file:line: what; what to do"."""
    root = pathlib.Path(root)
    algorithms = root / ALGORITHMS
    sections = set()
    if algorithms.exists():
        sections = sections_of(algorithms.read_text(encoding="utf-8"))
    paths = list(root.glob("*"))
    for tree in TREES:
        paths += (root / tree).rglob("*")
    problems = []
    for path in sorted(paths):
        if path.is_file() and is_read(path):
            problems += check_file(root, sections, path.relative_to(root).as_posix())
    return problems
