#!/usr/bin/env -S python3 -B
import pathlib
import tempfile
import unittest

import layers

TABLE = """
# a comment
0 pruner/base
1 pruner/dag
1 pruner/target
5 pruner/pacm
2 halide_ext/analyze
8 tools
only Halide halide_ext tools
only torch/ pruner/pacm
"""


class MadeUpTreeTest(unittest.TestCase):

    def check(self, files):
        """The problems of a tree made of `files`: path to text."""
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {"tools/layers.txt": TABLE, **files}.items():
                path = pathlib.Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            return layers.check_tree(folder)

    def assert_refused(self, files, where, *words):
        problems = self.check(files)
        self.assertEqual(len(problems), 1, problems)
        self.assertTrue(problems[0].startswith(where + ": "), problems[0])
        for word in words:
            self.assertIn(word, problems[0])

    def test_accepts_what_the_layers_allow(self):
        self.assertEqual(self.check({
            "pruner/base/rng.h": '#include <vector>\n#include "absl/types/span.h"\n',
            "pruner/base/text/json.h": '#include "pruner/base/rng.h"\n',
            "pruner/dag/dag.cc": '#include "pruner/dag/dag.pb.h"\n'
                                 '#include "pruner/base/text/json.h"\n',
            "pruner/pacm/net.cc": '#include "torch/torch.h"\n',
            "halide_ext/analyze/dag.cc": '#include "Halide.h"\n'
                                         '#include "pruner/dag/dag.h"\n',
            "tools/main.cc": '#include "tools/cpp/runfiles/runfiles.h"\n'
                             '#include "halide_ext/analyze/dag.h"\n',
        }), [])

    def test_refuses_a_higher_layer(self):
        self.assert_refused(
            {"pruner/base/rng.h": '\n#include "pruner/dag/dag.h"\n'},
            "pruner/base/rng.h:2", "pruner/dag (layer 1)", "pruner/base (layer 0)")

    def test_refuses_another_package_of_the_same_layer(self):
        self.assert_refused(
            {"pruner/target/a_test.cc": '#include "pruner/dag/dag.h"\n'},
            "pruner/target/a_test.cc:1", "pruner/dag (layer 1)")

    def test_refuses_a_later_tree_even_of_a_smaller_layer(self):
        self.assert_refused(
            {"pruner/pacm/net.cc": '#include "halide_ext/analyze/dag.h"\n'},
            "pruner/pacm/net.cc:1", "halide_ext/analyze (layer 2)")

    def test_refuses_halide_in_pruner(self):
        for header in ['"Halide.h"', "<HalideBuffer.h>"]:
            self.assert_refused({"pruner/dag/dag.cc": f"  #  include {header}\n"},
                                "pruner/dag/dag.cc:1", "halide_ext, tools")

    def test_refuses_torch_outside_pacm(self):
        self.assert_refused({"tools/main.cc": '#include "torch/torch.h"\n'},
                            "tools/main.cc:1", "only in pruner/pacm")

    def test_refuses_relative_paths(self):
        for header in ["rng.h", "../base/rng.h", "./rng.h"]:
            self.assert_refused({"pruner/base/rng.h": "",
                                 "pruner/base/rng.cc": f'#include "{header}"\n'},
                                "pruner/base/rng.cc:1", "from the root")

    def test_refuses_unlisted_packages(self):
        self.assert_refused({"pruner/new/a.h": ""}, "pruner/new/a.h:1",
                            "add it there")
        self.assert_refused({"tools/main.cc": '#include "pruner/new/a.h"\n'},
                            "tools/main.cc:1", "add the package there")

    def test_refuses_a_malformed_table(self):
        with self.assertRaisesRegex(ValueError, "tools/layers.txt:2"):
            layers.parse_layers("0 pruner/base\nbase pruner/base\n")


class WorkspaceTest(unittest.TestCase):

    def test_this_workspace(self):
        # Under Bazel this file is a link into the workspace, where all sources are.
        root = pathlib.Path(__file__).resolve().parent.parent
        self.assertTrue((root / "WORKSPACE").is_file(), root)
        problems = layers.check_tree(root)
        if problems:
            self.fail("\n" + "\n".join(problems))


if __name__ == "__main__":
    unittest.main()
