"""The network in ONNX Runtime. Needs the packages of requirements.txt."""

import numpy
import onnx
import onnxruntime
from onnx import helper, numpy_helper

from exported_network import TO_CHANNEL_FIRST, TO_CHANNEL_LAST
from peer_builder import PeerBuilder

OPSET = 20
IR_VERSION = 10


class OnnxBuilder(PeerBuilder):
    """Builds an ONNX model."""

    def __init__(self, network, constants):
        super().__init__(network, constants)
        self.nodes = []
        self.initializers = {}

    def build(self):
        self.build_nodes()

        def info(name):
            return helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT,
                                                 self.network.shape_first(name))

        graph = helper.make_graph(
            self.nodes, self.network.name, [info(name) for name in self.network.inputs],
            [info(name) for name in self.network.outputs],
            [numpy_helper.from_array(value, name) for name, value in self.initializers.items()])
        model = helper.make_model(graph, ir_version=IR_VERSION,
                                  opset_imports=[helper.make_opsetid("", OPSET)])
        onnx.checker.check_model(model)
        return model

    def emit(self, kind, inputs, output, **attributes):
        self.nodes.append(helper.make_node(kind, inputs, [output], **attributes))
        return output

    def initializer(self, name, value):
        self.initializers[name] = numpy.ascontiguousarray(value)
        return name

    def read(self, name):
        """The name of a tensor that is read as an activation."""
        if name not in self.constants:
            return name
        return self.initializer(name + "/first", self.activation(name))

    def shape(self, extents):
        name = "shape/" + "x".join(map(str, extents))
        return self.initializer(name, numpy.array(extents, dtype=numpy.int64))

    def read_channel_last(self, name, node):
        if not self.network.is_image(name):
            return self.read(name)
        return self.emit("Transpose", [self.read(name)], node.name + "/input_last",
                         perm=TO_CHANNEL_LAST)

    def write_channel_last(self, node, kind, inputs, **attributes):
        if not self.network.is_image(node.name):
            self.emit(kind, inputs, node.name, **attributes)
        else:
            last = self.emit(kind, inputs, node.name + "/last", **attributes)
            self.emit("Transpose", [last], node.name, perm=TO_CHANNEL_FIRST)

    def op_conv2d(self, node):
        window = node.window()
        kernel = self.kernel(node)
        parts = [kernel] + self.bias(node)
        self.emit("Conv", [self.read(node.inputs[0])] + self.parameters(node, parts), node.name,
                  kernel_shape=kernel.shape[2:], strides=window.stride,
                  dilations=window.dilation, pads=window.begin + window.end,
                  group=node.integer("groups", 1))

    def parameters(self, node, values):
        return [self.initializer(f"{node.name}/{i}", value) for i, value in enumerate(values)]

    def op_dense(self, node):
        bias = self.bias(node)
        if self.network.rank(node.name) == 2:
            self.emit("Gemm", [self.read(node.inputs[0])] +
                      self.parameters(node, [self.constant(node, 1)] + bias), node.name)
            return
        weights, *bias = self.parameters(node, [self.constant(node, 1)] + bias)
        factors = [self.read_channel_last(node.inputs[0], node), weights]
        if not bias:
            self.write_channel_last(node, "MatMul", factors)
        else:
            product = self.emit("MatMul", factors, node.name + "/product")
            self.write_channel_last(node, "Add", [product] + bias)

    def op_batch_norm(self, node):
        factor, offset = self.parameters(node, self.norm(node))
        product = self.emit("Mul", [self.read(node.inputs[0]), factor], node.name + "/product")
        self.emit("Add", [product, offset], node.name)

    def op_bias_add(self, node):
        bias = self.parameters(node, [self.per_channel(node, self.constant(node, 1))])
        self.emit("Add", [self.read(node.inputs[0])] + bias, node.name)

    def op_relu(self, node):
        self.emit("Relu", [self.read(node.inputs[0])], node.name)

    def op_relu6(self, node):
        bounds = self.parameters(node, [numpy.float32(0), numpy.float32(6)])
        self.emit("Clip", [self.read(node.inputs[0])] + bounds, node.name)

    def op_add(self, node):
        self.emit("Add", [self.read(name) for name in node.inputs], node.name)

    def pool(self, kind, node, **attributes):
        window = node.window()
        self.emit(kind, [self.read(node.inputs[0])], node.name, kernel_shape=window.kernel,
                  strides=window.stride, pads=window.begin + window.end, **attributes)

    def op_max_pool2d(self, node):
        self.pool("MaxPool", node)

    def op_avg_pool2d(self, node):
        count_padding = node.attributes.get("count_include_pad", False)
        self.pool("AveragePool", node, count_include_pad=int(count_padding))

    def op_global_avg_pool(self, node):
        self.emit("GlobalAveragePool", [self.read(node.inputs[0])], node.name)

    def op_reshape(self, node):
        if self.network.is_flat(node.inputs[0]) and self.network.is_flat(node.name):
            shape = self.shape(self.network.shape_first(node.name))
            self.emit("Reshape", [self.read(node.inputs[0]), shape], node.name)
        else:
            shape = self.shape(self.network.shapes[node.name])
            self.write_channel_last(node, "Reshape",
                                    [self.read_channel_last(node.inputs[0], node), shape])

    def op_softmax(self, node):
        axis = self.network.axis_first(node.name, node.integer("axis"))
        self.emit("Softmax", [self.read(node.inputs[0])], node.name, axis=axis)

    def op_identity(self, node):
        self.emit("Identity", [self.read(node.inputs[0])], node.name)


class OnnxPeer:
    """Inputs and outputs are bound, so that no run copies them."""

    def __init__(self, model, inputs, threads, details=""):
        """`model` is a file's path or its bytes; `inputs` are in the model's order."""
        # Nobody is to be told of what is measured.
        onnxruntime.disable_telemetry_events()
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(model, options,
                                                    providers=["CPUExecutionProvider"])
        self.binding = self.session.io_binding()
        self.inputs = [onnxruntime.OrtValue.ortvalue_from_numpy(value) for value in inputs]
        for entry, value in zip(self.session.get_inputs(), self.inputs):
            self.binding.bind_ortvalue_input(entry.name, value)
        for entry in self.session.get_outputs():
            self.binding.bind_output(entry.name)
        self.name = "ONNX Runtime"
        self.details = f"{onnxruntime.__version__}{details}, NCHW, which it blocks inside"

    def run(self):
        self.session.run_with_iobinding(self.binding)

    def outputs(self):
        return self.binding.copy_outputs_to_cpu()
