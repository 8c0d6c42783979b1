"""Writes small.onnx, an input for it and what ONNX Runtime makes of that.

A convolutional stem and an attention over its pixels: the operators of both kinds of
networks, a batch that is left open, a batch norm, transposes of images. Run in this folder
with the packages onnx 1.23.2, onnxruntime 1.32.0 and numpy 2.4.6.
"""

import numpy
import onnx
import onnxruntime
from onnx import helper, numpy_helper

random = numpy.random.default_rng(0)


def weights(name, *shape):
    scale = 1 / numpy.sqrt(numpy.prod(shape[1:]))
    values = random.standard_normal(shape) * scale
    return numpy_helper.from_array(values.astype("float32"), name)


def per_channel(name, values):
    return numpy_helper.from_array(values.astype("float32"), name)


node = helper.make_node
nodes = [
    node("Conv", ["x", "w1", "b1"], ["c1"], pads=[1, 1, 1, 1]),
    node("Relu", ["c1"], ["r1"]),
    node("MaxPool", ["r1"], ["p1"], kernel_shape=[2, 2], strides=[2, 2]),
    node("Conv", ["p1", "w2"], ["c2"], pads=[1, 1, 1, 1]),
    node("BatchNormalization", ["c2", "scale", "shift", "mean", "variance"], ["n2"]),
    node("Sigmoid", ["n2"], ["gate"]),
    node("Mul", ["n2", "gate"], ["r2"]),
    node("Conv", ["r2", "w3"], ["c3"]),
    node("Add", ["c3", "r2"], ["sum"]),
    node("Transpose", ["sum"], ["last"], perm=[0, 2, 3, 1]),
    node("Reshape", ["last", "shape"], ["pixels"]),
    node("MatMul", ["pixels", "wq"], ["queries"]),
    node("Transpose", ["pixels"], ["keys"], perm=[0, 2, 1]),
    node("MatMul", ["queries", "keys"], ["scores"]),
    node("Softmax", ["scores"], ["attention"]),
    node("MatMul", ["attention", "pixels"], ["mixed"]),
    node("ReduceMean", ["mixed"], ["mean_pixel"], axes=[1], keepdims=0),
    node("Gemm", ["mean_pixel", "wf", "bf"], ["y"], transB=1),
]
constants = [
    weights("w1", 8, 3, 3, 3), weights("b1", 8), weights("w2", 16, 8, 3, 3),
    weights("w3", 16, 16, 1, 1), weights("wq", 16, 16), weights("wf", 10, 16),
    weights("bf", 10),
    numpy_helper.from_array(numpy.array([0, -1, 16], "int64"), "shape"),
    per_channel("scale", random.uniform(0.8, 1.2, 16)),
    per_channel("shift", random.uniform(-0.2, 0.2, 16)),
    per_channel("mean", random.uniform(-0.2, 0.2, 16)),
    per_channel("variance", random.uniform(0.7, 1.4, 16)),
]
value = helper.make_tensor_value_info
graph = helper.make_graph(
    nodes, "small",
    [value("x", onnx.TensorProto.FLOAT, ["batch", 3, 16, 16])],
    [value("y", onnx.TensorProto.FLOAT, ["batch", 10])], constants)
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])
model.ir_version = 8
onnx.checker.check_model(model)
onnx.save(model, "small.onnx")

x = random.uniform(-1, 1, (1, 3, 16, 16)).astype("float32")
x.tofile("small.input.f32")
session = onnxruntime.InferenceSession("small.onnx")
session.run(None, {"x": x})[0].tofile("small.output.f32")
