"""What the models of all peers have in common."""

import numpy

from exported_network import TO_CHANNEL_FIRST
from shared import BadInput


class PeerBuilder:
    """Builds the model of a peer node by node; a subclass has a method op_KIND for each kind of
    operator, which makes the tensor node.name. Tensors of rank 4 are channel-first."""

    def __init__(self, network, constants):
        self.network = network
        self.constants = constants  # name to array, as they are stored

    def build_nodes(self):
        for node in self.network.nodes:
            build = getattr(self, "op_" + node.kind, None)
            if build is None:
                raise BadInput("peers can't be given this network: they have no "
                               f"{node.kind!r}; export it as ONNX and tune that")
            build(node)

    def constant(self, node, index):
        name = node.inputs[index]
        if name not in self.constants:
            raise BadInput(f"peers can't be given this network: '{name}', which '{node.name}' "
                           "reads, is no constant")
        return self.constants[name]

    def bias(self, node):
        """What fold_biases put into the node; none or one."""
        return [self.constant(node, 2)] if len(node.inputs) > 2 else []

    def kernel(self, node):
        """Of a convolution: {out, in, height, width}."""
        return self.constant(node, 1).transpose(3, 2, 0, 1)

    def activation(self, name):
        """A constant that is read like an activation."""
        value = self.constants[name]
        return value.transpose(TO_CHANNEL_FIRST) if value.ndim == 4 else value

    def per_channel(self, node, vector):
        """The vector in a shape that is broadcast along the channels of the node's output."""
        vector = vector.astype(numpy.float32)
        return vector.reshape(-1, 1, 1) if self.network.is_image(node.name) else vector

    def norm(self, node):
        """Factor and offset of a batch norm."""
        scale, shift, mean, variance = [
            self.constant(node, i).astype(numpy.float64) for i in range(1, 5)
        ]
        factor = scale / numpy.sqrt(variance + node.attributes.get("epsilon", 1e-5))
        return self.per_channel(node, factor), self.per_channel(node, shift - mean * factor)
