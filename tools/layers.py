"""Checks every #include against the layers of the tree, tools/layers.txt."""

import collections
import pathlib
import re

Layers = collections.namedtuple("Layers", "packages only")
Package = collections.namedtuple("Package", "name layer position")

INCLUDE = re.compile(r'\s*#\s*include\s*["<]([^">]+)[">]')
# Bazel's own; the one path outside this tree that begins like one of ours.
RUNFILES = "tools/cpp/runfiles/"


def parse_layers(text):
    """Reads the table; see the comments in tools/layers.txt."""
    packages, only = [], []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        if words[0] == "only" and len(words) > 2:
            only.append((words[1], words[2:]))
        elif len(words) == 2 and words[0].isdigit():
            packages.append(Package(words[1], int(words[0]), len(packages)))
        else:
            raise ValueError(f"tools/layers.txt:{number}: not 'LAYER PACKAGE' nor "
                             f"'only PREFIX PACKAGE...': {line}")
    return Layers(packages, only)


def is_within(path, folder):
    return path.startswith(folder + "/")


def package_of(layers, path):
    """The longest listed package that `path` is in, or None."""
    owners = [p for p in layers.packages if is_within(path, p.name)]
    return max(owners, key=lambda p: len(p.name), default=None)


def check_include(layers, root, source, header):
    """What is wrong with `source` including `header`: a sentence, or None."""
    beside = pathlib.PurePosixPath(source).parent / header
    if ".." in beside.parts or "." in header.split("/") or (root / beside).exists():
        return (f'"{header}" is a relative path; '
                "write the path from the root of the workspace")
    for prefix, allowed in layers.only:
        if header.startswith(prefix) and not any(is_within(source, a) for a in allowed):
            return (f'"{header}" may be included only in {", ".join(allowed)}; '
                    "put what needs it there, behind an interface")
    trees = {p.name.split("/")[0] for p in layers.packages}
    if header.split("/")[0] not in trees or header.startswith(RUNFILES):
        return None
    user, used = package_of(layers, source), package_of(layers, header)
    if used is None:
        return f'"{header}" is in no package of tools/layers.txt; add the package there'
    if used == user or (used.layer < user.layer and used.position < user.position):
        return None
    return (f'"{header}" is in {used.name} (layer {used.layer}), which {user.name} '
            f"(layer {user.layer}) may not use; move what both need to a lower layer, "
            "or see tools/layers.txt")


def check_file(layers, root, source):
    if package_of(layers, source) is None:
        return [f"{source}:1: this folder is no package of tools/layers.txt; "
                "add it there with its layer"]
    problems = []
    lines = (root / source).read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, 1):
        include = INCLUDE.match(line)
        problem = include and check_include(layers, root, source, include[1])
        if problem:
            problems.append(f"{source}:{number}: {problem}")
    return problems


def check_tree(root):
    """All problems of the sources below `root`, as "file:line: what; what to do"."""
    root = pathlib.Path(root)
    layers = parse_layers((root / "tools/layers.txt").read_text(encoding="utf-8"))
    problems = []
    for tree in sorted({p.name.split("/")[0] for p in layers.packages}):
        for path in sorted((root / tree).rglob("*")):
            if path.suffix in (".h", ".cc"):
                problems += check_file(layers, root, path.relative_to(root).as_posix())
    return problems
