"""A network as `run --export` writes it; see models/job/exported_network.proto.

Activations of the network are channel-last. Peers get it channel-first: what is said of axes
here is how the one becomes the other.
"""

import dataclasses
import json
import pathlib

# As arguments of transpose, for tensors of rank 4; others stay as they are.
TO_CHANNEL_FIRST = (0, 3, 1, 2)
TO_CHANNEL_LAST = (0, 2, 3, 1)


@dataclasses.dataclass
class Window:
    """Of a convolution or a pool; (height, width) each."""
    stride: tuple
    dilation: tuple
    begin: tuple  # padding above and on the left
    end: tuple  # padding below and on the right
    kernel: tuple = None  # a convolution's is its weights' shape


@dataclasses.dataclass
class Node:
    name: str  # also of the tensor that it computes
    kind: str  # of operator_graph.proto: "conv2d"
    inputs: list
    attributes: dict

    def window(self):
        pads = self.attributes.get("padding", {})
        return Window(stride=self._extent("stride"),
                      dilation=self._extent("dilation"),
                      begin=(_integer(pads, "top"), _integer(pads, "left")),
                      end=(_integer(pads, "bottom"), _integer(pads, "right")),
                      kernel=self._extent("kernel"))

    def integer(self, name, default=0):
        return _integer(self.attributes, name, default)

    def _extent(self, name):
        extent = self.attributes.get(name)
        return (1, 1) if extent is None else (_integer(extent, "h"), _integer(extent, "w"))


@dataclasses.dataclass
class Network:
    name: str
    inputs: list  # names of tensors, as are the next two
    outputs: list
    constants: list  # in the order in which their values are stored
    shapes: dict  # of all tensors, by name
    nodes: list
    types: dict = dataclasses.field(default_factory=dict)  # of those that aren't "FLOAT32"

    def rank(self, tensor):
        return len(self.shapes[tensor])

    def is_image(self, tensor):
        """Whether the tensor is turned when the network becomes channel-first."""
        return self.rank(tensor) == 4

    def shape_first(self, tensor):
        """The shape of a channel-first tensor."""
        shape = self.shapes[tensor]
        return [shape[axis] for axis in TO_CHANNEL_FIRST] if len(shape) == 4 else shape

    def axis_first(self, tensor, axis):
        """The number that the axis has channel-first."""
        return TO_CHANNEL_FIRST.index(axis) if self.is_image(tensor) else axis

    def is_flat(self, tensor):
        """Whether the elements are in the same order channel-first."""
        shape = self.shapes[tensor]
        return len(shape) != 4 or shape[1] * shape[2] == 1 or shape[3] == 1


def _integer(message, name, default=0):
    # JSON of protocol buffers writes 64-bit integers as text and leaves zeros out.
    return int(message.get(name, default))


def _node(message):
    kinds = [key for key in message if key not in ("name", "inputs")]
    assert len(kinds) == 1, message
    return Node(message["name"], kinds[0], message.get("inputs", []), message[kinds[0]])


def parse(text):
    """The Network of the text of a graph.json."""
    exported = json.loads(text)
    graph = exported["graph"]
    names = lambda tensors: [tensor["name"] for tensor in tensors]
    return Network(
        name=graph["name"],
        inputs=names(graph.get("inputs", [])),
        outputs=graph["outputs"],
        constants=names(graph.get("constants", [])),
        shapes={
            tensor["name"]: [int(extent) for extent in tensor.get("shape", [])]
            for tensor in exported["tensors"]
        },
        nodes=[_node(node) for node in graph.get("nodes", [])],
        types={
            tensor["name"]: tensor["type"]
            for tensor in exported["tensors"] if "type" in tensor
        })


def load(folder):
    return parse(pathlib.Path(folder, "graph.json").read_text(encoding="utf-8"))


def fold_biases(network):
    """The network with each bias where exporters put it: into the convolution or matrix product
    before it, as a third input."""
    readers = {}
    for node in network.nodes:
        for name in node.inputs:
            readers[name] = readers.get(name, 0) + 1
    for name in network.outputs:
        readers[name] = readers.get(name, 0) + 1
    folded = {}  # by the name of the tensor
    for node in network.nodes:
        before = folded.get(node.inputs[0])
        if (node.kind == "bias_add" and before is not None and
                before.kind in ("conv2d", "dense") and len(before.inputs) == 2 and
                readers[before.name] == 1 and node.inputs[1] in network.constants):
            del folded[before.name]
            node = Node(node.name, before.kind, before.inputs + [node.inputs[1]],
                        before.attributes)
        folded[node.name] = node
    return dataclasses.replace(network, nodes=list(folded.values()))
