#!/usr/bin/env -S python3 -B
"""Times some of Ansor's operators in PyTorch (cuBLAS, cuDNN) on a CUDA device: fp32 without TF32.

  python3 torch_operators.py [NAME ...]

Needs a PyTorch that has CUDA. Names and shapes are those of tools/bench:write_pipelines; images
are given as NCHW and as NHWC, and the faster counts. Milliseconds of one run, the mean of many
in a row: started one by one, and replayed from a CUDA graph.
"""

import sys

import torch
import torch.nn.functional as F


def random(*shape):
    return torch.rand(*shape, device="cuda") - 0.5


def convolution(batch, size, channels, out, kernel, stride, padding, groups=1):
    functions = []
    for layout in (torch.contiguous_format, torch.channels_last):
        image = random(batch, channels, size, size).to(memory_format=layout)
        weights = random(out, channels // groups, kernel, kernel).to(memory_format=layout)
        functions.append(lambda image=image, weights=weights: F.conv2d(
            image, weights, stride=stride, padding=padding, groups=groups))
    return functions


def product(batch, rows, columns, depth):
    left, right = random(batch, rows, depth), random(batch, depth, columns)
    return [lambda: torch.bmm(left, right)]


def attention_scores(batch, length, heads, depth):
    queries, keys = random(batch, length, heads, depth), random(batch, length, heads, depth)
    return [lambda: torch.softmax(
        torch.matmul(queries.permute(0, 2, 1, 3), keys.permute(0, 2, 3, 1)), -1)]


OPERATORS = {
    "GMM_3_b16": lambda: product(16, 512, 512, 512),
    "GMM_4_b1": lambda: product(1, 1024, 1024, 1024),
    "C2D_2_b16": lambda: convolution(16, 56, 64, 64, 1, 1, 0),
    "C2D_3_b1": lambda: convolution(1, 14, 256, 256, 3, 1, 1),
    "C2D_3_b16": lambda: convolution(16, 14, 256, 256, 3, 1, 1),
    "DEP_1_b16": lambda: convolution(16, 112, 32, 32, 3, 1, 1, groups=32),
    "TBS_1_b16": lambda: attention_scores(16, 128, 12, 64),
    "conv2d_3x3_s1_56x56x64_64": lambda: convolution(1, 56, 64, 64, 3, 1, 1),
}


def milliseconds(function, least=200.0):
    """Of one call, of as many in a row as take `least` together."""
    for _ in range(3):
        function()
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    calls = 1
    while True:
        begin.record()
        for _ in range(calls):
            function()
        end.record()
        end.synchronize()
        taken = begin.elapsed_time(end)
        if taken >= least:
            return taken / calls
        calls *= 2


def graph(function, calls):
    """What replays so many calls at once."""
    recorded = torch.cuda.CUDAGraph()
    function()
    torch.cuda.synchronize()
    with torch.cuda.graph(recorded):
        for _ in range(calls):
            function()
    return recorded


def main(names):
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    torch.backends.cudnn.benchmark = True
    print(f"{torch.cuda.get_device_name(0)}, PyTorch {torch.__version__}")
    calls = 10
    for name in names or OPERATORS:
        functions = OPERATORS[name]()
        plain = min(milliseconds(function) for function in functions)
        replayed = min(milliseconds(graph(function, calls).replay) / calls
                       for function in functions)
        print(f"{name:26} {plain:8.4f} {replayed:8.4f}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
