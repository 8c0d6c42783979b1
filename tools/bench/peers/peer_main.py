"""Serves one peer like `run --serve` serves a tuned network; peers.py starts it with the Python
of its virtual environment.

  peer_main.py PEER FOLDER THREADS OUTPUT [MODEL]

Reads what `run --export` wrote to FOLDER, and writes the output's values to OUTPUT. The peer's
network is made of FOLDER's, or is MODEL.onnx or MODEL.pt2, which FOLDER's came from.
"""

import gc
import json
import math
import os
import pathlib
import sys
import time

import numpy

import exported_network
from shared import EXIT_BAD_INPUT, BadInput

MIN_RUNS = 3  # of each request


TYPES = {"FLOAT32": "<f4", "INT64": "<i8", "BOOL": "?"}


def arrays(path, network, names):
    """The raw values of the file as the network's tensors of these names, one after another."""
    content = pathlib.Path(path).read_bytes()
    values, begin = [], 0
    for name in names:
        shape = network.shapes[name]
        value = numpy.frombuffer(content, TYPES[network.types.get(name, "FLOAT32")],
                                 math.prod(shape), begin)
        begin += value.nbytes
        values.append(value.reshape(shape).copy())
    return values


def built_peer(name, network, folder, inputs, threads):
    """The peer of a network of ours."""
    network = exported_network.fold_biases(network)
    constants = dict(zip(network.constants,
                         arrays(pathlib.Path(folder, "constants.f32"), network,
                                network.constants)))
    inputs = [
        numpy.ascontiguousarray(value.transpose(exported_network.TO_CHANNEL_FIRST))
        if value.ndim == 4 else value for value in inputs
    ]
    # What one peer imports, the others do without.
    if name == "onnxruntime":
        from onnx_peer import OnnxBuilder, OnnxPeer
        model = OnnxBuilder(network, constants).build()
        return OnnxPeer(model.SerializeToString(), inputs, threads)
    from torch_peer import TorchBuilder, TorchPeer
    return TorchPeer(TorchBuilder(network, constants).build(), inputs, threads,
                     is_compiled=name == "pytorch")


def loaded_peer(name, model, inputs, threads):
    """The peer of the network that ours was imported from."""
    if name == "onnxruntime":
        from onnx_peer import OnnxPeer
        return OnnxPeer(model + ".onnx", inputs, threads, ", as exported")
    from torch_peer import TorchPeer, load_program
    return TorchPeer(load_program(model + ".pt2"), inputs, threads,
                     is_compiled=name == "pytorch", details=", as exported")


def load_peer(name, folder, threads, model):
    network = exported_network.load(folder)
    inputs = arrays(pathlib.Path(folder, "input.f32"), network, network.inputs)
    if model is None:
        return built_peer(name, network, folder, inputs, threads)
    return loaded_peer(name, model, inputs, threads)


def write_outputs(outputs, path, is_turned):
    with open(path, "wb") as file:
        for value in outputs:
            if is_turned and value.ndim == 4:
                value = value.transpose(exported_network.TO_CHANNEL_LAST)
            numpy.ascontiguousarray(value, dtype="<f4").tofile(file)


def time_runs(run, seconds):
    run()
    taken = []
    while len(taken) < MIN_RUNS or sum(taken) < seconds:
        before = time.perf_counter()
        run()
        taken.append(time.perf_counter() - before)
    return taken


def main(name, folder, threads, output, model=None):
    # What libraries print is no answer.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", buffering=1, encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    try:
        peer = load_peer(name, folder, int(threads), model)
        peer.run()
    except BadInput as reason:
        print(reason, file=sys.stderr)
        sys.exit(EXIT_BAD_INPUT)
    write_outputs(peer.outputs(), output, is_turned=model is None)
    gc.disable()
    print(json.dumps({"name": peer.name, "details": peer.details}), file=answers)
    for line in sys.stdin:
        _, seconds = line.split()
        print(json.dumps({"seconds": time_runs(peer.run, float(seconds))}), file=answers)


if __name__ == "__main__":
    main(*sys.argv[1:])
