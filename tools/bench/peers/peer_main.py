"""Serves one peer like `run --serve` serves a tuned network; peers.py starts it with the Python
of its virtual environment.

  peer_main.py PEER FOLDER THREADS OUTPUT

Reads what `run --export` wrote to FOLDER, and writes the output's values to OUTPUT.
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


def arrays(path, shapes):
    """The raw values of the file as arrays of these shapes, one after another."""
    values = numpy.fromfile(path, dtype="<f4")
    ends = numpy.cumsum([math.prod(shape) for shape in shapes])
    return [part.reshape(shape) for part, shape in zip(numpy.split(values, ends[:-1]), shapes)]


def make_peer(name, network, constants, inputs, threads):
    # What one peer imports, the others do without.
    if name == "onnxruntime":
        from onnx_peer import OnnxPeer
        return OnnxPeer(network, constants, inputs, threads)
    from torch_peer import TorchPeer
    return TorchPeer(network, constants, inputs, threads, is_compiled=name == "pytorch")


def load_peer(name, folder, threads):
    network = exported_network.fold_biases(exported_network.load(folder))
    shapes = lambda names: [network.shapes[name] for name in names]
    constants = dict(zip(network.constants,
                         arrays(pathlib.Path(folder, "constants.f32"),
                                shapes(network.constants))))
    inputs = [
        numpy.ascontiguousarray(value.transpose(exported_network.TO_CHANNEL_FIRST))
        if value.ndim == 4 else value
        for value in arrays(pathlib.Path(folder, "input.f32"), shapes(network.inputs))
    ]
    return make_peer(name, network, constants, inputs, threads)


def write_outputs(outputs, path):
    with open(path, "wb") as file:
        for value in outputs:
            if value.ndim == 4:
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


def main(name, folder, threads, output):
    # What libraries print is no answer.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", buffering=1, encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    try:
        peer = load_peer(name, folder, int(threads))
        peer.run()
    except BadInput as reason:
        print(reason, file=sys.stderr)
        sys.exit(EXIT_BAD_INPUT)
    write_outputs(peer.outputs(), output)
    gc.disable()
    print(json.dumps({"name": peer.name, "details": peer.details}), file=answers)
    for line in sys.stdin:
        _, seconds = line.split()
        print(json.dumps({"seconds": time_runs(peer.run, float(seconds))}), file=answers)


if __name__ == "__main__":
    main(*sys.argv[1:])
