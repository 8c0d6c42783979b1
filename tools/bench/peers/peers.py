#!/usr/bin/env -S python3 -B
"""Times tuned networks beside ONNX Runtime and PyTorch, in turns.

  bazel run -c opt //tools/bench/peers -- --dir=r50
  bazel run -c opt //tools/bench/peers -- --dir=seed1 --dir=seed2 --model=resnet50,resnet18
  bazel run -c opt //tools/bench/peers -- --dir=ansor --dir=pruner --peers=none --beside=ansor
"""

import argparse
import array
import json
import math
import os
import pathlib
import sys
import tempfile

import exported_network
from children import Children
from report import Comparison, Result, as_json, comparison_text
from rounds import measure, timing
from shared import (BadInput, Failure, VirtualEnvironment, check_folder_of, check_range,
                    run_program, say, user_path, write_file)

SUFFIX = ".tuned"
PEERS = ("onnxruntime", "pytorch", "pytorch-eager")
NO_PEERS = "none"
# What outputs may differ from exact ones, of the largest.
TOLERANCE = 1e-4
HERE = pathlib.Path(__file__).resolve().parent
ENVIRONMENT = VirtualEnvironment(name="peers", content="the peers", download="3 GB", size="6 GB",
                                 requirements=HERE / "requirements.txt")


def parse_flags(arguments):
    parser = argparse.ArgumentParser(description=__doc__, prog="peers", allow_abbrev=False,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    flag = parser.add_argument
    flag("--dir", action="append", default=[],
         help="folder that tune wrote; may be given several times")
    flag("--model", default="", help="networks, with commas; all that are there if empty")
    flag("--models", default="",
         help="folder of the models NAME.onnx that were tuned, if they are no longer where they "
         "were, and of NAME.pt2, as export_networks writes them")
    flag("--peers", default="onnxruntime,pytorch",
         help=f"of {', '.join(PEERS)}; {NO_PEERS}: tuned networks alone, which need no download")
    flag("--beside", action="append", default=[],
         help="one of the folders, to compare the others with as well; may be given several times")
    flag("--rounds", type=int, default=20)
    flag("--seconds", type=float, default=0.5, help="of each system in each round")
    flag("--seed", type=int, default=1, help="of the random input")
    flag("--output", default="", help="file for the figures as JSON")
    flag("--run", default="", help="the program `run` that times tuned networks, if another")
    return check_flags(parser.parse_args(arguments))


def check_flags(flags):
    if not flags.dir:
        raise BadInput("which networks? Say --dir=FOLDER, where tune wrote to")
    for name, value, low, high in (("rounds", flags.rounds, 1, 10000),
                                   ("seconds", flags.seconds, 0.01, 3600),
                                   ("seed", flags.seed, 0, 2**63)):
        check_range(name, value, low, high)
    flags.peers = [] if flags.peers == NO_PEERS else flags.peers.split(",")
    for peer in flags.peers:
        if peer not in PEERS:
            raise BadInput(f"--peers: there is no {peer!r}, but {', '.join(PEERS)}, or {NO_PEERS}")
    for folder in flags.beside:
        if folder not in flags.dir:
            raise BadInput(f"--beside={folder}: that is none of the folders {', '.join(flags.dir)}")
    if flags.models and not user_path(flags.models).is_dir():
        raise BadInput(f"--models={flags.models}: there is no such folder")
    if flags.output:
        check_folder_of("output", flags.output)
    return flags


def find_networks(folders, models):
    """The folders that hold each network, by its name."""
    found = {}
    for folder in folders:
        path = user_path(folder)
        if not path.is_dir():
            raise BadInput(f"--dir={folder}: there is no folder {path}")
        names = sorted(file.name[:-len(SUFFIX)] for file in path.glob("?*" + SUFFIX))
        if not names:
            raise BadInput(f"--dir={folder}: there is no tuned network in {path}")
        for name in names:
            found.setdefault(name, []).append(folder)
    if not models:
        return found
    for name in models.split(","):
        if name not in found:
            raise BadInput(f"--model: there is no tuned {name!r}, but {', '.join(found)}")
    return {name: found[name] for name in models.split(",")}


IMPORTED = ".onnx"
# What each peer runs of an imported network.
MODEL_SUFFIX = {"onnxruntime": IMPORTED, "pytorch": ".pt2", "pytorch-eager": ".pt2"}


def find_model(folder, model):
    """The path, without its suffix, of the file that `model`, as it was given to tune, is; none if
    it is no file that peers read. `folder`: where it is now, if said."""
    if not model.endswith(IMPORTED):
        return None
    path = user_path(model)
    if folder:
        path = user_path(folder) / path.name
    return path.with_suffix("")


def find_peers(peers, path):
    """Those of the peers whose model is there; some, unless none are asked for."""
    found = []
    for peer in peers:
        file = path.with_name(path.name + MODEL_SUFFIX[peer])
        if file.is_file():
            found.append(peer)
        else:
            say(f"{peer} is left out: there is no {file}")
    if peers and not found:
        raise BadInput(f"peers would run {path.name}{IMPORTED}, which is not where it was when it "
                       "was tuned; say where it is with --models=FOLDER")
    return found


def find_run(given):
    """The program, from the flag or beside us in Bazel's runfiles."""
    if given:
        return user_path(given)
    for root in (pathlib.Path(os.path.abspath(sys.argv[0]) + ".runfiles", "pruner"), pathlib.Path()):
        program = root / "tools" / "run" / "run"
        if program.exists():
            return program.absolute()
    raise BadInput("the program run is not there: start this with bazel run, or say --run=")


def values(path, kind):
    content = array.array(kind)
    content.frombytes(pathlib.Path(path).read_bytes())
    return content


def output_error(output, expected, sizes):
    """The largest difference of each output by its largest value; the worst of them."""
    if len(output) != len(expected):
        return math.inf
    worst, begin = 0.0, 0
    for size in sizes:
        differences = [abs(output[i] - expected[i]) for i in range(begin, begin + size)]
        if not all(math.isfinite(difference) for difference in differences):
            return math.inf
        largest = max(abs(value) for value in expected[begin:begin + size])
        difference = max(differences)
        if difference > 0:
            worst = max(worst, difference / largest if largest > 0 else math.inf)
        begin += size
    return worst


def our_name(folder, folders):
    """What the network of one of the folders is called."""
    return "ours" if len(folders) == 1 else f"ours, {folder}"


class NetworkComparison:
    """Our network in some folders beside peers: all are started, checked and timed."""

    def __init__(self, flags, python, children, temporary):
        self.flags = flags
        self.python = python
        self.children = children
        self.temporary = pathlib.Path(temporary)
        self.exported = self.temporary / "network"
        self.started = []  # child, file with its output

    def compare(self, model, folders):
        for folder in folders:
            self.start_ours(model, folder, our_name(folder, folders))
        ours = [child for child, _ in self.started]
        first = ours[0].description
        for child, folder in zip(ours, folders):
            for what in ("graph_hash", "threads"):
                if child.description[what] != first[what]:
                    raise BadInput(f"--dir={folder}: {model} is not the same there as in "
                                   f"{folders[0]}: {what.replace('_', ' ')} differs")
        path = find_model(self.flags.models, first["model"])
        for peer in self.flags.peers if path is None else find_peers(self.flags.peers, path):
            self.start_peer(peer, path, first["threads"])
        errors = [self.error(child, output) for child, output in self.started]
        everyone = [child for child, _ in self.started]
        samples = measure(everyone, self.flags.rounds, self.flags.seconds, self.tell_progress)
        results = [
            Result(name=child.description.get("name", child.name),
                   details=child.description.get("details", "NHWC, constants packed"), timing=timing(rounds),
                   error=error, executed_gflop=child.description.get("executed_gflop"))
            for child, rounds, error in zip(everyone, samples, errors)
        ]
        beside = [our_name(folder, folders) for folder in self.flags.beside if folder in folders]
        return Comparison(model=model, batch=int(first["batch"]), threads=first["threads"],
                          gflop=first["gflop"], results=results, beside=beside)

    def start(self, name, command, output, environment=None):
        say(f"starting {name}")
        log = self.temporary / f"log{len(self.started)}"
        self.started.append((self.children.start(name, command, log, environment), output))

    def new_output(self):
        return self.temporary / f"output{len(self.started)}"

    def start_ours(self, model, folder, name):
        output = self.new_output()
        command = [
            find_run(self.flags.run), "--serve", f"--dir={user_path(folder)}", f"--model={model}",
            f"--seed={self.flags.seed}", f"--output={output}"
        ]
        # The same in all folders; it takes the interpreter a while.
        if not self.started:
            command.append(f"--export={self.exported}")
        self.start(name, command, output)

    def start_peer(self, peer, model, threads):
        """`model`: as of find_model."""
        output = self.new_output()
        # Nothing that one comparison leaves behind serves another.
        caches = {name: str(self.temporary / "cache")
                  for name in ("XDG_CACHE_HOME", "TORCHINDUCTOR_CACHE_DIR")}
        command = [
            self.python, "-B", HERE / "peer_main.py", peer, self.exported, str(threads), output
        ]
        if model is not None:
            command.append(model)
        self.start(peer, command, output, dict(os.environ, **caches))

    def error(self, child, output):
        network = exported_network.load(self.exported)
        sizes = [math.prod(network.shapes[name]) for name in network.outputs]
        error = output_error(values(output, "f"), values(self.exported / "expected.f64", "d"),
                             sizes)
        if not error <= TOLERANCE:
            raise Failure(f"{child.name} computes something else: its output differs by {error:.1e} "
                          "of the largest value from the one in double precision")
        return error

    def tell_progress(self, done):
        if sys.stderr.isatty():
            end = "\n" if done == self.flags.rounds else "\r"
            print(f"round {done} of {self.flags.rounds}", end=end, file=sys.stderr, flush=True)


def machine_name():
    for line in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return "unknown"


def run(arguments):
    flags = parse_flags(arguments)
    networks = find_networks(flags.dir, flags.model)
    python = ENVIRONMENT.prepare(say) if flags.peers else None
    machine = machine_name()
    print(f"{machine}; {flags.rounds} rounds of {flags.seconds:g} s of each system, in turns")
    comparisons = []
    for model, folders in networks.items():
        with tempfile.TemporaryDirectory(prefix="peers") as temporary, Children() as children:
            comparison = NetworkComparison(flags, python, children, temporary)
            comparisons.append(comparison.compare(model, folders))
        print("\n" + comparison_text(comparisons[-1]), end="", flush=True)
    if flags.output:
        figures = as_json(machine, flags.rounds, flags.seconds, comparisons)
        write_file("output", flags.output, (json.dumps(figures, indent=1) + "\n").encode())


def main(arguments):
    return run_program("peers", run, arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
