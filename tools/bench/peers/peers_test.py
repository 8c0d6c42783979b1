#!/usr/bin/env -S python3 -B
import contextlib
import io
import math
import os
import pathlib
import tempfile
import unittest
from unittest import mock

import peers
from shared import BadInput, unpinned


class PeersTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.user = pathlib.Path(folder.name)
        for name in ("one/tiny.tuned", "one/resnet50.tuned", "two/tiny.tuned", "empty/.tuned",
                     "file"):
            (self.user / name).parent.mkdir(exist_ok=True)
            (self.user / name).write_text("")
        patch = mock.patch.dict(os.environ, BUILD_WORKING_DIRECTORY=str(self.user))
        patch.start()
        self.addCleanup(patch.stop)

    def assert_refused(self, arguments, *says):
        errors = io.StringIO()
        with contextlib.redirect_stderr(errors):
            self.assertEqual(peers.main(arguments), 2)
        text = errors.getvalue()
        self.assertTrue(text.startswith("peers: "), text)
        self.assertEqual(text.count("\n"), 1, text)
        for part in says:
            self.assertIn(part.format(self.user), text)

    def test_bad_input_is_one_sentence(self):
        self.assert_refused([], "--dir=")
        self.assert_refused(["--dir=none"], "--dir=none", "{}/none")
        self.assert_refused(["--dir=file"], "--dir=file")
        self.assert_refused(["--dir=empty"], "no tuned network in {}/empty")
        self.assert_refused(["--dir=one", "--model=vgg"], "'vgg'", "resnet50, tiny")
        self.assert_refused(["--dir=one", "--peers=tvm"], "'tvm'", "onnxruntime, pytorch")
        self.assert_refused(["--dir=one", "--peers="], "--peers")
        self.assert_refused(["--dir=one", "--peers=none,pytorch"], "'none'")
        self.assert_refused(["--dir=one", "--beside=two"], "--beside=two", "none of the folders one")
        self.assert_refused(["--dir=one", "--rounds=0"], "--rounds=0", "between 1 and")
        self.assert_refused(["--dir=one", "--seconds=nan"], "--seconds=nan")
        self.assert_refused(["--dir=one", "--output=none/out"], "--output=none/out")
        self.assert_refused(["--dir=one", "--models=none"], "--models=none")

    def test_unknown_flags(self):
        errors = io.StringIO()
        with self.assertRaises(SystemExit) as raised, contextlib.redirect_stderr(errors):
            peers.main(["--round=3"])
        self.assertEqual(raised.exception.code, 2)
        self.assertIn("--round=3", errors.getvalue())

    def test_networks_of_several_folders(self):
        self.assertEqual(peers.find_networks(["one", "two"], ""),
                         {"resnet50": ["one"], "tiny": ["one", "two"]})
        self.assertEqual(peers.find_networks(["one", "two"], "tiny"), {"tiny": ["one", "two"]})
        self.assertEqual(list(peers.find_networks(["one"], "tiny,resnet50")),
                         ["tiny", "resnet50"])

    def test_models_that_peers_run(self):
        self.assertIsNone(peers.find_model("one", "resnet50"))
        self.assertEqual(peers.find_model("", "/models/net.v2.onnx"),
                         pathlib.Path("/models/net.v2"))
        path = peers.find_model("one", "/models/tiny.onnx")
        self.assertEqual(path, self.user / "one" / "tiny")
        with self.assertRaisesRegex(BadInput, "tiny.onnx, which is not where .*--models=FOLDER"):
            self.found_peers(path)
        self.assertEqual(peers.find_peers([], path), [])
        (self.user / "one" / "tiny.onnx").write_text("")
        self.assertEqual(self.found_peers(path), ["onnxruntime"])
        (self.user / "one" / "tiny.pt2").write_text("")
        self.assertEqual(self.found_peers(path), ["onnxruntime", "pytorch"])

    def found_peers(self, path):
        with contextlib.redirect_stderr(io.StringIO()):
            return peers.find_peers(["onnxruntime", "pytorch"], path)

    def test_what_is_installed_is_pinned(self):
        self.assertEqual(unpinned(peers.ENVIRONMENT.requirements.read_text()), [])


class OutputErrorTest(unittest.TestCase):

    def test_is_of_the_largest_value_of_each_output(self):
        self.assertEqual(peers.output_error([1, 2, 100], [1, 2, 100], [2, 1]), 0)
        self.assertEqual(peers.output_error([1, 3, 100], [1, 2, 100], [2, 1]), 0.5)
        self.assertEqual(peers.output_error([1, 2, 90], [1, 2, 100], [2, 1]), 0.1)
        self.assertEqual(peers.output_error([0, 0], [0, 0], [2]), 0)

    def test_what_is_no_output(self):
        self.assertEqual(peers.output_error([1], [1, 2], [2]), math.inf)
        self.assertEqual(peers.output_error([1, math.nan], [1, 2], [2]), math.inf)
        self.assertEqual(peers.output_error([math.inf, 2], [1, 2], [2]), math.inf)
        self.assertEqual(peers.output_error([1], [0], [1]), math.inf)


if __name__ == "__main__":
    unittest.main()
