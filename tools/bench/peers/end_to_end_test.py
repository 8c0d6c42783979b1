#!/usr/bin/env -S python3 -B
"""Every kind of operator in ours and in the peers. What the peers need is installed by peers.py
when somebody calls it; nothing is tested before that."""

import os
import pathlib
import subprocess
import tempfile
import unittest
from unittest import mock

import peers

# Paddings that differ, images that are rows and back, norms and biases that nothing takes in.
NETWORK = """
name: "operators"
inputs { name: "image" shape: [2, 9, 8, 6] }
constants { name: "w1" shape: [3, 2, 3, 8] random { seed: 1 low: -1 high: 1 } }
constants { name: "b8" shape: [8] random { seed: 2 low: -1 high: 3 } }
constants { name: "w2" shape: [3, 3, 1, 8] random { seed: 3 low: -1 high: 1 } }
constants { name: "scale" shape: [8] random { seed: 4 low: 0.5 high: 2 } }
constants { name: "variance" shape: [8] random { seed: 5 low: 0.5 high: 2 } }
constants { name: "addend" shape: [2, 4, 4, 8] random { seed: 6 low: -1 high: 1 } }
constants { name: "w3" shape: [8, 6] random { seed: 7 low: -1 high: 1 } }
constants { name: "b6" shape: [6] random { seed: 8 low: -1 high: 1 } }
constants { name: "w4" shape: [96, 5] random { seed: 9 low: -1 high: 1 } }
constants { name: "w5" shape: [8, 4] random { seed: 10 low: -1 high: 1 } }
nodes {
  name: "grouped" inputs: ["image", "w1"]
  conv2d {
    stride { h: 2 w: 1 } padding { top: 2 left: 1 bottom: 1 right: 2 }
    dilation { h: 2 w: 3 } groups: 2
  }
}
nodes { name: "biased" inputs: ["grouped", "b8"] bias_add {} }
nodes { name: "relu6" inputs: "biased" relu6 {} }
nodes {
  name: "depthwise" inputs: ["relu6", "w2"]
  conv2d { padding { top: 1 left: 1 bottom: 1 right: 1 } groups: 8 }
}
nodes { name: "relu" inputs: "depthwise" relu {} }
nodes { name: "norm" inputs: ["relu", "scale", "b8", "b8", "variance"] batch_norm {} }
nodes {
  name: "maxima" inputs: "norm"
  max_pool2d { kernel { h: 2 w: 3 } padding { left: 2 bottom: 1 } }
}
nodes {
  name: "means" inputs: "maxima"
  avg_pool2d { kernel { h: 3 w: 3 } stride { h: 1 w: 2 } padding { top: 2 left: 1 right: 2 } }
}
nodes {
  name: "counted" inputs: "means"
  avg_pool2d {
    kernel { h: 2 w: 2 } padding { top: 1 left: 1 } count_include_pad: true
  }
}
nodes { name: "small" inputs: "counted" max_pool2d { kernel { h: 1 w: 2 } } }
nodes { name: "sum" inputs: ["small", "addend"] add {} }
nodes { name: "shifted" inputs: ["sum", "b8"] bias_add {} }
nodes { name: "pixels" inputs: ["shifted", "w3"] dense {} }
nodes { name: "pixels_biased" inputs: ["pixels", "b6"] bias_add {} }
nodes { name: "columns" inputs: "pixels_biased" softmax { axis: 2 } }
nodes { name: "same" inputs: "columns" identity {} }
nodes { name: "rows" inputs: "same" reshape { shape: [2, 96] } }
nodes { name: "answers" inputs: ["rows", "w4"] dense {} }
nodes { name: "odds" inputs: "answers" softmax { axis: 1 } }
nodes { name: "narrow" inputs: "rows" reshape { shape: [2, 4, 6, 4] } }
nodes { name: "mean" inputs: "narrow" global_avg_pool {} }
nodes { name: "vector" inputs: "mean" reshape { shape: [2, 4] } }
nodes { name: "sequence" inputs: "shifted" reshape { shape: [2, 16, 8] } }
nodes { name: "projected" inputs: ["sequence", "w5"] dense {} }
outputs: ["odds", "vector", "narrow", "projected"]
"""


class EndToEndTest(unittest.TestCase):

    def test_all_compute_the_same(self):
        installed = peers.ENVIRONMENT.installed_python()
        if installed is None:
            self.skipTest("the peers are not installed; bazel run //tools/bench/peers does that")
        with tempfile.TemporaryDirectory() as folder:
            environment = dict(os.environ, BUILD_WORKING_DIRECTORY=folder, XDG_CACHE_HOME=folder)
            pathlib.Path(folder, "operators.txtpb").write_text(NETWORK)
            subprocess.run(["tools/tune/tune", "--model=operators.txtpb", "--output_dir=out",
                            "--trials=12"], env=environment, check=True)
            with mock.patch.dict(os.environ, environment):
                self.compare(installed, pathlib.Path(folder, "out"))

    def compare(self, python, folder):
        flags = peers.parse_flags(["--dir=out", "--rounds=2", "--seconds=0.02",
                                   "--peers=" + ",".join(peers.PEERS)])
        with tempfile.TemporaryDirectory() as temporary, peers.Children() as children:
            comparison = peers.NetworkComparison(flags, python, children, temporary)
            results = comparison.compare("operators", [folder]).results
        self.assertEqual([result.name for result in results],
                         ["ours", "ONNX Runtime", "PyTorch compiled", "PyTorch eager"])
        for result in results:
            self.assertLess(result.error, 1e-5, result.name)
            self.assertGreater(result.timing.best, 0)


if __name__ == "__main__":
    unittest.main()
