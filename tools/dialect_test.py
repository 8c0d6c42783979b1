#!/usr/bin/env -S python3 -B
import pathlib
import tempfile
import unittest

import dialect


class MadeUpTreeTest(unittest.TestCase):

    def check(self, files):
        """The problems of a tree made of `files`: path to text."""
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                path = pathlib.Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            return dialect.check_tree(folder)

    def assert_refused(self, file, text, line, word):
        problems = self.check({file: text})
        self.assertEqual(len(problems), 1, (text, problems))
        self.assertTrue(problems[0].startswith(f"{file}:{line}: "), problems[0])
        self.assertIn(word, problems[0])

    def test_accepts_the_dialect(self):
        self.assertEqual(self.check({
            "pruner/dag/dag.h": "// The DAG (docs/algorithms.md A2).\n"
                                "#ifndef PRUNER_DAG_DAG_H_\n"
                                "absl::string_view name;\n"
                                "bool operator==(const Dag&) const = default;\n"
                                # What its author wrote out may be a friend.
                                "friend bool operator==(const A& a, const B& b) {\n",
            "pruner/dag/dag.cc": '#include "pruner/dag/dag.h"\n// Design by STYLE.\n',
            "pruner/dag/dag.proto": '// A DAG.\nsyntax = "proto3";\n\n'
                                    "package pruner.proto;\n\nmessage Protocol {\n",
            "README.md": "See docs/algorithms.md A2.\n",
            "testdata/data.txt": "ALGORITHMS A2\n",
        }), [])

    def test_leaves_third_party_alone(self):
        self.assertEqual(self.check({
            "third_party/tests/shape.proto": "package pruner.third_party;\n",
            "third_party/tests/toy.h": "std::string_view name;\n",
        }), [])

    def test_refuses_another_string_view(self):
        for text in ["\nstd::string_view name;\n", "\n#include <string_view>\n"]:
            self.assert_refused("models/graph/a.cc", text, 2, "absl::string_view")

    def test_refuses_defaulted_friends(self):
        for text in [
                "\n  friend bool operator==(const A&, const A&) = default;\n",
                "\n  friend auto operator<=>(const A&, const A&) = default;\n",
                "\n  friend bool operator==(const A&,\n"
                "                         const A&) = default;\n"
        ]:
            self.assert_refused("pruner/dag/a.cc", text, 2, "a member")

    def test_refuses_headers_without_a_comment(self):
        for text in ["#ifndef A_H_\n", "\n// Late.\n", "//\n// Empty.\n", ""]:
            self.assert_refused("pruner/dag/a.h", text, 1, "what it holds")

    def test_refuses_names_of_files(self):
        self.assert_refused("pruner/dag/a.h", "// File: a.h\n//\n// A.\n", 1,
                            "knows its name")
        self.assert_refused("pruner/dag/a.cc", "\n// File: a.cc\n", 2,
                            "knows its name")

    def test_refuses_other_packages_of_protos(self):
        for text in ["", "package pruner;\n", "// package pruner.proto;\n"]:
            self.assert_refused("tools/tune/a.proto", text, 1, "pruner.proto")

    def test_refuses_messages_that_end_in_proto(self):
        for message in ["message DagProto {", "  message DagProto {}"]:
            self.assert_refused("pruner/dag/a.proto",
                                f"package pruner.proto;\n\n{message}\n", 3,
                                "leave Proto out")

    def test_refuses_documents_that_are_not_here(self):
        for text in ["// See A.\n// (ALGORITHMS A2)\n", "\n# As DESIGN.md says.\n",
                     "\n// Of STYLE\n// B1.\n", "\nFACTS E2a\n"]:
            for file in ["pruner/dag/a.cc", "docs/a.md"]:
                self.assert_refused(file, text, 2, "docs/algorithms.md")


class WorkspaceTest(unittest.TestCase):

    def test_this_workspace(self):
        # Under Bazel this file is a link into the workspace, where all sources are.
        root = pathlib.Path(__file__).resolve().parent.parent
        self.assertTrue((root / "WORKSPACE").is_file(), root)
        problems = dialect.check_tree(root)
        if problems:
            self.fail("\n" + "\n".join(problems))


if __name__ == "__main__":
    unittest.main()
