"""Exports networks; export_networks.py starts it with the Python of its virtual environment.

  export_main.py FOLDER BATCH [NAME ...]
"""

import logging
import os
import pathlib
import sys
import warnings

# Nothing is fetched: weights are random.
os.environ["HF_HUB_OFFLINE"] = "1"

import torch

import reference_networks
from shared import EXIT_BAD_INPUT, say

OPSET = 20


def export(name, batch, folder):
    module, sample = reference_networks.build(name, batch)
    with torch.no_grad():
        program = torch.export.export(module, (sample,))
    temporary = folder / f".{name}"
    torch.export.save(program, f"{temporary}.pt2")
    torch.onnx.export(program, f=f"{temporary}.onnx", opset_version=OPSET, dynamo=True,
                      external_data=False, verbose=False)
    # All of a file or nothing, also when this is interrupted.
    for suffix in (".pt2", ".onnx"):
        os.replace(f"{temporary}{suffix}", folder / f"{name}{suffix}")


def main(folder, batch, names):
    unknown = [name for name in names if name not in reference_networks.NETWORKS]
    if unknown:
        say(f"export_networks: --networks: there is no {unknown[0]!r}, but "
            f"{', '.join(reference_networks.NETWORKS)}")
        sys.exit(EXIT_BAD_INPUT)
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    for name in names or reference_networks.NETWORKS:
        say(f"exporting {name}")
        export(name, batch, folder)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
