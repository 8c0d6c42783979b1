#!/usr/bin/env python3
"""Writes the models in fuzz/onnx; needs `pip install onnx==1.23.2`.

    onnx_seeds.py FOLDER
"""

import pathlib
import sys

from onnx import TensorProto, helper

MAX = 2**63 - 1


def info(name, dims=None, element_type=TensorProto.FLOAT):
    return helper.make_tensor_value_info(name, element_type, dims)


def tensor(name, element_type, dims, values=(), raw=None, external=None):
    """A tensor, also one that no checker lets through."""
    result = TensorProto(name=name, data_type=element_type, dims=dims, raw_data=raw)
    fields = {TensorProto.FLOAT: result.float_data, TensorProto.DOUBLE: result.double_data,
              TensorProto.INT64: result.int64_data, TensorProto.UINT64: result.uint64_data}
    fields.get(element_type, result.int32_data).extend(values)
    if external:
        result.data_location = TensorProto.EXTERNAL
        for key, value in external.items():
            result.external_data.add(key=key, value=str(value))
    return result


def model(nodes, inputs, outputs, initializers=(), opset=17):
    graph = helper.make_graph(nodes, "g", inputs, outputs, initializers)
    return helper.make_model(graph, ir_version=8, producer_name="",
                             opset_imports=[helper.make_opsetid("", opset)])


def convolution():
    return model(
        [helper.make_node("Conv", ["x", "w", "b"], ["c"], "conv", pads=[1, 1, 1, 1],
                          strides=[2, 2], auto_pad="NOTSET"),
         helper.make_node("LeakyRelu", ["c"], ["y"], alpha=0.1)],
        [info("x", ["batch", 1, None, "size"])], [info("y")],
        [tensor("w", TensorProto.FLOAT, [1, 1, 1, 2], [1, -0.5]),
         tensor("b", TensorProto.FLOAT16, [1], raw=b"\x00\x3c")])


def constants():
    nodes = [
        helper.make_node("Constant", [], ["a"], value_float=0.5),
        helper.make_node("Constant", [], ["b"], value_floats=[1.0, 2.0]),
        helper.make_node("Constant", [], ["c"], value_int=-1),
        helper.make_node("Constant", [], ["d"], value_ints=[1, MAX]),
        helper.make_node("Constant", [], ["e"],
                         value=tensor("", TensorProto.BOOL, [2, 0])),
        helper.make_node("Concat", ["a", "", "b"], ["", "y"], axis=0),
    ]
    return model(nodes, [], [info("y"), info("d", [2], TensorProto.INT64)])


def external():
    part = {"location": "w.bin", "offset": 8, "length": 8}
    return model(
        [helper.make_node("Add", ["v", "w"], ["y"])], [], [info("y")],
        [tensor("v", TensorProto.FLOAT, [2], external=part),
         tensor("w", TensorProto.INT8, [], external={"location": "w.bin", "offset": 63})])


def outside():
    part = {"location": "../w.bin", "offset": MAX, "length": MAX}
    return model([helper.make_node("Relu", ["w"], ["y"])], [], [info("y")],
                 [tensor("w", TensorProto.FLOAT, [1], external=part)])


def extreme_dims():
    dims = [[MAX, MAX], [0, MAX], [-1], [2**29 - 1], [2**16, 2**16], [1] * 65, [2**63 - 1, 2]]
    return model([], [info("x", [MAX, 2**31])], [info("x")],
                 [tensor(f"w{i}", TensorProto.FLOAT, d, raw=b"") for i, d in enumerate(dims)])


def element_types():
    return model([], [info("x", [1], TensorProto.INT32)], [info("x", [1], TensorProto.INT32)],
                 [tensor("d", TensorProto.DOUBLE, [1], [1e308]),
                  tensor("u", TensorProto.UINT64, [1], [2**63 - 1]),
                  tensor("i", TensorProto.INT16, [2], [-32768, 32767]),
                  tensor("l", TensorProto.INT64, [1], raw=b"\xff" * 8),
                  tensor("h", TensorProto.BFLOAT16, [1], [0x7f80])])


def unsorted():
    nodes = [helper.make_node("Add", ["a", "b"], ["y"]),
             helper.make_node("Relu", ["b"], ["a"]),
             helper.make_node("Relu", ["x"], ["b"])]
    return model(nodes, [info("x", ["n", "n"])], [info("y")], opset=7)


def cycle():
    nodes = [helper.make_node("Relu", ["b"], ["a"]), helper.make_node("Relu", ["a"], ["b"])]
    return model(nodes, [], [info("a")], opset=28)


def branches():
    then = helper.make_graph([helper.make_node("Relu", ["x"], ["t"])], "t", [], [info("t")])
    nodes = [helper.make_node("If", ["x"], ["y"], "if", then_branch=then, else_branch=then)]
    return model(nodes, [info("x")], [info("y")])


def main(folder):
    for make in [convolution, constants, external, outside, extreme_dims, element_types,
                 unsorted, cycle, branches]:
        path = pathlib.Path(folder, make.__name__)
        path.write_bytes(make().SerializeToString(deterministic=True))


main(*sys.argv[1:])
