"""The network in PyTorch. Needs the packages of requirements.txt."""

import math
import os
import shutil
import sysconfig

import torch
import torch._inductor.config
import torch.nn.functional as F
from torch import fx

from exported_network import TO_CHANNEL_FIRST, TO_CHANNEL_LAST
from peer_builder import PeerBuilder
from shared import BadInput


class TorchBuilder(PeerBuilder):
    """Builds a module whose forward is straight code."""

    def __init__(self, network, constants):
        super().__init__(network, constants)
        self.module = torch.nn.Module()
        self.graph = fx.Graph()
        self.values = {}  # by name of the tensor
        self.parameters = 0

    def build(self):
        for name in self.network.inputs:
            self.values[name] = self.graph.placeholder(f"input{len(self.values)}")
        self.build_nodes()
        self.graph.output(tuple(self.read(name) for name in self.network.outputs))
        return fx.GraphModule(self.module, self.graph).eval()

    def parameter(self, value):
        name = f"p{self.parameters}"
        self.parameters += 1
        tensor = channels_last(torch.tensor(value))
        self.module.register_parameter(name, torch.nn.Parameter(tensor, requires_grad=False))
        return self.graph.get_attr(name)

    def read(self, name):
        if name not in self.values:
            self.values[name] = self.parameter(self.activation(name))
        return self.values[name]

    def emit(self, function, *arguments, **named):
        return self.graph.call_function(function, arguments, named)

    def write(self, node, function, *arguments, **named):
        self.values[node.name] = self.emit(function, *arguments, **named)

    def read_channel_last(self, name):
        value = self.read(name)
        return self.emit(torch.permute, value, TO_CHANNEL_LAST) if self.network.is_image(
            name) else value

    def write_channel_last(self, node, value):
        self.values[node.name] = self.emit(
            torch.permute, value, TO_CHANNEL_FIRST) if self.network.is_image(node.name) else value

    def padded(self, node, window, value=0.0):
        """The node's input, and the padding that is left for the operator itself: operators pad
        both sides alike, and pools by half a kernel at most."""
        limits = [extent // 2 for extent in window.kernel]
        if window.begin == window.end and all(
                pad <= limit for pad, limit in zip(window.begin, limits)):
            return self.read(node.inputs[0]), window.begin
        (top, left), (bottom, right) = window.begin, window.end
        return self.emit(F.pad, self.read(node.inputs[0]), (left, right, top, bottom),
                         value=value), (0, 0)

    def op_conv2d(self, node):
        window = node.window()
        kernel = self.kernel(node)
        # A convolution may pad by any number.
        window.kernel = [2 * pad for pad in window.begin]
        value, padding = self.padded(node, window)
        self.write(node, F.conv2d, value, self.parameter(kernel),
                   *[self.parameter(bias) for bias in self.bias(node)], stride=window.stride,
                   padding=padding, dilation=window.dilation, groups=node.integer("groups", 1))

    def op_dense(self, node):
        self.write_channel_last(
            node,
            self.emit(F.linear, self.read_channel_last(node.inputs[0]),
                      self.parameter(self.constant(node, 1).transpose()),
                      *[self.parameter(bias) for bias in self.bias(node)]))

    def op_batch_norm(self, node):
        factor, offset = [self.parameter(value) for value in self.norm(node)]
        self.write(node, torch.add, self.emit(torch.mul, self.read(node.inputs[0]), factor),
                   offset)

    def op_bias_add(self, node):
        bias = self.parameter(self.per_channel(node, self.constant(node, 1)))
        self.write(node, torch.add, self.read(node.inputs[0]), bias)

    def op_relu(self, node):
        self.write(node, F.relu, self.read(node.inputs[0]))

    def op_relu6(self, node):
        self.write(node, F.relu6, self.read(node.inputs[0]))

    def op_add(self, node):
        self.write(node, torch.add, *[self.read(name) for name in node.inputs])

    def op_max_pool2d(self, node):
        window = node.window()
        value, padding = self.padded(node, window, value=-math.inf)
        self.write(node, F.max_pool2d, value, window.kernel, stride=window.stride,
                   padding=padding)

    def op_avg_pool2d(self, node):
        window = node.window()
        value, padding = self.padded(node, window)
        pool = dict(kernel_size=window.kernel, stride=window.stride, padding=padding)
        if node.attributes.get("count_include_pad", False) or padding == window.begin:
            self.write(node, F.avg_pool2d, value, **pool,
                       count_include_pad=node.attributes.get("count_include_pad", False))
            return
        # The share of each window that is no padding.
        ones = torch.ones(self.network.shape_first(node.inputs[0]))
        (top, left), (bottom, right) = window.begin, window.end
        share = F.avg_pool2d(F.pad(ones, (left, right, top, bottom)), **pool)
        self.write(node, torch.div, self.emit(F.avg_pool2d, value, **pool),
                   self.parameter(share.numpy()))

    def op_global_avg_pool(self, node):
        self.write(node, F.adaptive_avg_pool2d, self.read(node.inputs[0]), 1)

    def op_reshape(self, node):
        if self.network.is_flat(node.inputs[0]) and self.network.is_flat(node.name):
            self.write(node, torch.reshape, self.read(node.inputs[0]),
                       self.network.shape_first(node.name))
        else:
            last = self.read_channel_last(node.inputs[0])
            self.write_channel_last(node,
                                    self.emit(torch.reshape, last, self.network.shapes[node.name]))

    def op_softmax(self, node):
        self.write(node, F.softmax, self.read(node.inputs[0]),
                   dim=self.network.axis_first(node.name, node.integer("axis")))

    def op_identity(self, node):
        self.values[node.name] = self.read(node.inputs[0])


def check_compiler():
    """Inductor writes C++ that includes Python's headers."""
    compiler = os.environ.get("CXX", "g++")
    if shutil.which(compiler) is None:
        raise BadInput(f"PyTorch compiles with {compiler}, which is not there "
                       "(Debian: apt-get install g++), or leave it out with --peers=onnxruntime")
    if not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")):
        raise BadInput("PyTorch compiles with Python's headers, which are not there "
                       "(Debian: apt-get install python3-dev), or leave it out with "
                       "--peers=onnxruntime")


CHANNELS_LAST = {4: torch.channels_last, 5: torch.channels_last_3d}  # by rank


def channels_last(tensor):
    """In the layout that PyTorch is fastest with; the same tensor if it is no image."""
    if tensor.dim() not in CHANNELS_LAST:
        return tensor
    return tensor.contiguous(memory_format=CHANNELS_LAST[tensor.dim()])


def load_program(path):
    """The module that torch.export saved."""
    module = torch.export.load(path).module()
    for parameter in module.parameters():
        parameter.data = channels_last(parameter.data)
    return module


class TorchPeer:

    def __init__(self, module, inputs, threads, is_compiled, details=""):
        torch.set_num_threads(threads)
        self.name = "PyTorch compiled" if is_compiled else "PyTorch eager"
        self.details = f"{torch.__version__}{details}, channels_last"
        self.module = module
        if is_compiled:
            check_compiler()
            # What is fastest: weights become constants, which are packed; convolutions and
            # matrix products are chosen by timing; kernels are called from C++.
            torch._inductor.config.freezing = True
            torch._inductor.config.cpp_wrapper = True
            self.module = torch.compile(self.module, mode="max-autotune")
            self.details += ", max-autotune, freezing, cpp_wrapper"
        self.inputs = [channels_last(torch.from_numpy(value)) for value in inputs]
        self.results = None

    def run(self):
        with torch.inference_mode():
            self.results = self.module(*self.inputs)

    def outputs(self):
        return [result.numpy() for result in self.results]
