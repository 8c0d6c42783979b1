#!/usr/bin/env -S python3 -B
import pathlib
import tempfile
import unittest

import references

ALGORITHMS = """# Algorithms

## A1. Programs

## A5. Random schedules

### A5.1 Tile sizes

### A5a. Locations

## A10. Rounds

| A2 | is no section |
| E1.4 | is one |
"""


class MadeUpTreeTest(unittest.TestCase):

    def check(self, files):
        """The problems of a tree made of `files`: path to text."""
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {"docs/algorithms.md": ALGORITHMS, **files}.items():
                path = pathlib.Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            return references.check_tree(folder)

    def assert_refused(self, files, where, *words):
        problems = self.check(files)
        self.assertEqual(len(problems), 1, problems)
        self.assertTrue(problems[0].startswith(where + ": "), problems[0])
        for word in words:
            self.assertIn(word, problems[0])

    def test_accepts_sections_that_are_there(self):
        self.assertEqual(self.check({
            "pruner/dag/dag.h": "// See docs/algorithms.md A1, A5.1 and A5a, and\n"
                                "// docs/algorithms.md\n"
                                "// A5 to A10; docs/algorithms.md E1.4.\n",
            "README.md": "`docs/algorithms.md A10`, but for docs/algorithms.md A100\n",
        }), [])

    def test_refuses_sections_that_are_not(self):
        for mention in ["A3", "A2", "A5.2", "A5b", "E1.5"]:
            self.assert_refused(
                {"pruner/a.cc": f"int i;\n// docs/algorithms.md {mention}: so.\n"},
                "pruner/a.cc:2", f"no section {mention};")

    def test_refuses_the_second_of_two_sections(self):
        for mention in ["A1, B4", "A1 and B4", "A1\n// to B4", "A1, and B4"]:
            self.assert_refused({"pruner/a.h": f"// docs/algorithms.md {mention}\n"},
                                "pruner/a.h:1", "no section B4;")

    def test_refuses_a_section_on_the_next_line(self):
        self.assert_refused(
            {"models/a.proto": "\n  // Numbers of docs/algorithms.md\n  // B4.\n"},
            "models/a.proto:2", "no section B4;")

    def test_accepts_paths_that_are_there(self):
        self.assertEqual(self.check({
            "pruner/base/rng.h": "",
            "pruner/base/BUILD": "# As pruner/base/rng.h:1 says.\n",
            "tools/bench/BUILD": "",
            "README.md": "`pruner/base`, `pruner/base/`, `pruner/base/rng`,\n"
                         "`//tools/bench:operators`, `bazel test //pruner/base/...`.\n",
        }), [])

    def test_refuses_paths_that_are_not(self):
        for path in ["pruner/base/rng.h", "pruner/base/", "docs/design.md", "tools/BUILD",
                     "testdata/ab.txtpb", "third_party/ab.BUILD", "pruner/base/rng"]:
            self.assert_refused({"README.md": f"\n\nSee `{path}`.\n"}, "README.md:3",
                                path + " is not there")

    def test_refuses_packages_of_targets_that_are_not(self):
        self.assert_refused({"README.md": "bazel run //tools/bench:sample\n"},
                            "README.md:1", "tools/bench is not there")

    def test_reads_comments_of_all_kinds(self):
        for name, comment in [("pruner/a.cc", "int i;  // pruner/no.h"),
                              ("pruner/a.h", "/* pruner/no.h */"),
                              ("pruner/a.proto", "// pruner/no.h"),
                              ("pruner/BUILD", 'a = "b"  # pruner/no.h'),
                              ("pruner/a.bzl", "# It's pruner/no.h"),
                              ("third_party/a.BUILD", "# pruner/no.h")]:
            self.assert_refused({name: "\n" + comment + "\n"}, name + ":2",
                                "pruner/no.h")

    def test_reads_no_strings(self):
        self.assertEqual(self.check({
            "pruner/a.cc": '#include "pruner/no.h"\n'
                           'auto a = "\\"// pruner/no.h", b = R"x(\n// pruner/no.h)x";\n',
            "pruner/BUILD": 'a = "# pruner/no.h"\n',
        }), [])

    def test_passes_over_what_may_be_meant_otherwise(self):
        for text in ["pruner/no.pb.h", "pruner/no_*.cc", "pruner/<name>.cc",
                     "pruner/{a,b}.cc", "testdata/NAME.txtpb", "models/x.cc",
                     "~/.cache/pruner/no.h", "https://tools/no.md", "a/docs/no.md",
                     "@other//tools/no.bzl", "tools/no.json", "pruner/…/no.h"]:
            self.assertEqual(self.check({"README.md": text + "\n"}), [], text)

    def test_finds_nothing_where_there_is_no_reference(self):
        self.assertEqual(self.check({"pruner/a.cc": "// The A2 and B4 of pruner.\n"}), [])


class WorkspaceTest(unittest.TestCase):

    def test_this_workspace(self):
        # Under Bazel this file is a link into the workspace, where all sources are.
        root = pathlib.Path(__file__).resolve().parent.parent
        self.assertTrue((root / "WORKSPACE").is_file(), root)
        problems = references.check_tree(root)
        if problems:
            self.fail("\n" + "\n".join(problems))


if __name__ == "__main__":
    unittest.main()
