#!/usr/bin/env -S python3 -B
import json
import unittest

import exported_network
from exported_network import Network, Node


def exported(nodes, shapes, outputs, constants=()):
    return exported_network.parse(
        json.dumps({
            "graph": {
                "name": "net",
                "inputs": [{"name": "x", "shape": [str(e) for e in shapes["x"]]}],
                "constants": [{"name": name} for name in constants],
                "nodes": nodes,
                "outputs": outputs,
            },
            "tensors": [{"name": name, "shape": [str(extent) for extent in shape]}
                        for name, shape in shapes.items()],
        }))


class ParseTest(unittest.TestCase):

    def test_integers_are_text_and_zeros_are_missing(self):
        network = exported(
            nodes=[{
                "name": "y",
                "inputs": ["x", "w"],
                "conv2d": {
                    "stride": {"h": "2", "w": "1"},
                    "padding": {"left": "3", "bottom": "1"},
                    "groups": "4"
                }
            }, {"name": "z", "inputs": ["y"], "softmax": {}}],
            shapes={"x": [1, 5, 6, 8], "w": [3, 3, 2, 4], "y": [1, 2, 7, 4], "z": [1, 2, 7, 4]},
            outputs=["z"], constants=["w"])
        self.assertEqual((network.name, network.inputs, network.outputs, network.constants),
                         ("net", ["x"], ["z"], ["w"]))
        self.assertEqual(network.shapes["w"], [3, 3, 2, 4])
        conv, softmax = network.nodes
        self.assertEqual((conv.kind, conv.inputs, conv.integer("groups", 1)),
                         ("conv2d", ["x", "w"], 4))
        window = conv.window()
        self.assertEqual((window.stride, window.dilation), ((2, 1), (1, 1)))
        self.assertEqual((window.begin, window.end), ((0, 3), (1, 0)))
        self.assertEqual((softmax.kind, softmax.integer("axis")), ("softmax", 0))

    def test_types_that_are_not_said_are_floats(self):
        network = exported_network.parse(json.dumps({
            "graph": {"name": "net", "inputs": [{"name": "ids"}], "outputs": ["ids"]},
            "tensors": [{"name": "ids", "shape": ["3"], "type": "INT64"}, {"name": "y"}],
        }))
        self.assertEqual(network.types, {"ids": "INT64"})

    def test_images_become_channel_first(self):
        network = Network("net", [], [], [], {
            "image": [2, 5, 6, 8], "pixel": [2, 1, 1, 8], "gray": [2, 5, 6, 1], "row": [3, 4],
            "scalar": []
        }, [])
        self.assertEqual(network.shape_first("image"), [2, 8, 5, 6])
        self.assertEqual([network.axis_first("image", axis) for axis in range(4)], [0, 2, 3, 1])
        self.assertEqual(network.shape_first("row"), [3, 4])
        self.assertEqual(network.axis_first("row", 1), 1)
        self.assertEqual(network.shape_first("scalar"), [])
        flat = [name for name in network.shapes if network.is_flat(name)]
        self.assertEqual(flat, ["pixel", "gray", "row", "scalar"])


class FoldBiasesTest(unittest.TestCase):

    def fold(self, nodes, outputs, constants=("w", "b")):
        network = Network("net", ["x"], outputs, list(constants), {}, nodes)
        return [(node.name, node.kind, node.inputs)
                for node in exported_network.fold_biases(network).nodes]

    def test_a_bias_goes_into_what_is_before_it(self):
        for kind in ("conv2d", "dense"):
            self.assertEqual(
                self.fold([
                    Node("product", kind, ["x", "w"], {}),
                    Node("sum", "bias_add", ["product", "b"], {}),
                    Node("y", "relu", ["sum"], {})
                ], ["y"]), [("sum", kind, ["x", "w", "b"]), ("y", "relu", ["sum"])])

    def test_attributes_stay(self):
        network = Network("net", ["x"], ["sum"], ["w", "b"], {}, [
            Node("product", "conv2d", ["x", "w"], {"groups": "2"}),
            Node("sum", "bias_add", ["product", "b"], {})
        ])
        self.assertEqual(exported_network.fold_biases(network).nodes[0].integer("groups"), 2)

    def test_only_where_nobody_else_reads_it(self):
        product = Node("product", "dense", ["x", "w"], {})
        bias = Node("sum", "bias_add", ["product", "b"], {})
        for nodes, outputs, constants in (
            ([product, bias], ["sum", "product"], ("w", "b")),
            ([product, bias, Node("y", "add", ["product", "sum"], {})], ["y"], ("w", "b")),
            ([product, bias], ["sum"], ("w",)),
            ([Node("product", "relu", ["x"], {}), bias], ["sum"], ("b",)),
        ):
            self.assertEqual(self.fold(nodes, outputs, constants),
                             [(node.name, node.kind, node.inputs) for node in nodes])

    def test_a_second_bias_stays(self):
        self.assertEqual(
            self.fold([
                Node("product", "dense", ["x", "w"], {}),
                Node("first", "bias_add", ["product", "b"], {}),
                Node("second", "bias_add", ["first", "b"], {})
            ], ["second"]), [("first", "dense", ["x", "w", "b"]),
                             ("second", "bias_add", ["first", "b"])])


if __name__ == "__main__":
    unittest.main()
