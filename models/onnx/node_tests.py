"""Writes the tests that ONNX has of its operators as one pruner.proto.OnnxNodeTests.

    node_tests.py DESCRIPTORS OUTPUT

DESCRIPTORS is what protoc --descriptor_set_out makes of node_tests.proto. Left out are tests of
what operators expand to, of anything but tensors, and of element types that no test of ours is
about.
"""

import os
import sys
import warnings

# The same bits whatever the processor: no instructions that some have not, no sums by threads.
os.environ.update(
    NPY_DISABLE_CPU_FEATURES="X86_V3 X86_V4 AVX512_ICL AVX512_SPR",
    OPENBLAS_CORETYPE="Prescott",
    OPENBLAS_NUM_THREADS="1",
)
# numpy tells of instructions that this processor has not anyway.
warnings.simplefilter("ignore", ImportWarning)

import numpy
import onnx
from google.protobuf import descriptor_pb2, message_factory
from onnx.backend.test.case.node import collect_testcases

ELEMENT_TYPES = {
    onnx.TensorProto.BOOL,
    onnx.TensorProto.FLOAT,
    onnx.TensorProto.INT32,
    onnx.TensorProto.INT64,
}


def is_supported(case):
    """Whether all that the test's model reads and writes are tensors of our element types."""
    graph = case.model.graph
    values = [*graph.input, *graph.output]
    return (
        "_expanded" not in case.name
        and all(value.type.HasField("tensor_type") for value in values)
        and ELEMENT_TYPES.issuperset(value.type.tensor_type.elem_type for value in values)
        and ELEMENT_TYPES.issuperset(tensor.data_type for tensor in graph.initializer)
        and not graph.sparse_initializer
    )


def tensors(arrays, values):
    """The arrays as the bytes of tensors, named as the values they are."""
    if len(arrays) != len(values):
        raise ValueError(f"{len(arrays)} arrays for {len(values)} values")
    for array, value in zip(arrays, values):
        if not isinstance(array, onnx.TensorProto):
            array = onnx.numpy_helper.from_array(numpy.asarray(array), value.name)
        if array.data_type != value.type.tensor_type.elem_type:
            raise ValueError(f"{value.name} is not of the model's type")
        yield array.SerializeToString(deterministic=True)


def add_test(tests, case):
    inputs, outputs = case.data_sets[0]
    test = tests.add(
        name=case.name,
        model=case.model.SerializeToString(deterministic=True),
        relative_tolerance=case.rtol,
        absolute_tolerance=case.atol,
    )
    test.inputs.extend(tensors(inputs, case.model.graph.input))
    test.outputs.extend(tensors(outputs, case.model.graph.output))


def main(descriptors, output):
    with open(descriptors, "rb") as file:
        files = descriptor_pb2.FileDescriptorSet.FromString(file.read()).file
    node_tests = message_factory.GetMessages(files)["pruner.proto.OnnxNodeTests"]
    # Infinities are among what is tested.
    warnings.simplefilter("ignore", RuntimeWarning)
    result = node_tests(newest_opset=onnx.defs.onnx_opset_version())
    for case in sorted(collect_testcases(None), key=lambda case: case.name):
        if is_supported(case):
            add_test(result.tests, case)
    with open(output, "wb") as file:
        file.write(result.SerializeToString(deterministic=True))


main(*sys.argv[1:])
