"""Writes testdata/fuzz/onnx_import: a small model of each operator, from ONNX's node tests, with
operands of integers as constants.

Run in this folder with the package onnx 1.23.2.
"""

import pathlib

import numpy
import onnx
from onnx import numpy_helper
from onnx.backend.test.case.node import collect_testcases

MAX_BYTES = 1500
TYPES = {onnx.TensorProto.BOOL, onnx.TensorProto.FLOAT, onnx.TensorProto.INT64}


def seed(case):
    """The test's model, or nothing if it is of other types."""
    model = onnx.ModelProto()
    model.CopyFrom(case.model)
    graph = model.graph
    inputs = list(graph.input)
    for value in inputs + list(graph.output):
        if value.type.tensor_type.elem_type not in TYPES:
            return None
    del graph.input[:]
    for value, array in zip(inputs, case.data_sets[0][0]):
        if value.type.tensor_type.elem_type != onnx.TensorProto.INT64:
            graph.input.append(value)
        else:
            graph.initializer.append(numpy_helper.from_array(numpy.asarray(array), value.name))
    return model.SerializeToString(deterministic=True)


folder = pathlib.Path("../fuzz/onnx_import")
folder.mkdir(exist_ok=True)
smallest = {}  # by operator
for test in collect_testcases(None):
    if "_expanded" in test.name or len(test.model.graph.node) != 1:
        continue
    content = seed(test)
    if content is None or len(content) > MAX_BYTES:
        continue
    operator = test.model.graph.node[0].op_type
    if len(content) < len(smallest.get(operator, content + b".")):
        smallest[operator] = content
for operator, content in smallest.items():
    (folder / operator.lower()).write_bytes(content)
