// What claiming memory before it is written gives: for lines that two cores
// have read, and for tuned networks; and what one piece of scratch memory gives
// these.
//   bazel run -c opt //tools/bench:claims -- --dirs=DIR,DIR
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/log/check.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "halide_ext/build/kernel_memory.h"
#include "halide_ext/build/kernel_threads.h"
#include "halide_ext/runtime/claim_lines.h"
#include "models/job/find_network.h"
#include "models/runtime/latency.h"
#include "models/runtime/network.h"
#include "models/runtime/network_tensors.h"
#include "pruner/base/median.h"
#include "pruner/base/os/environment.h"
#include "tools/bench/shared_memory.h"

ABSL_FLAG(
    std::vector<std::string>, dirs, {},
    "folders that tune wrote, of networks to run with claims and without");
ABSL_FLAG(bool, scratch, false,
          "run them with large blocks of scratch memory of their own and cut "
          "from one piece instead");
ABSL_FLAG(int, rounds, 50, "of everything, in turns");
ABSL_FLAG(bool, kernels, false, "print a row for each kernel of the networks");

namespace pruner {
namespace {

void Claim(char* begin, char* end) { PrunerClaimLines(begin, end - begin); }

void CompareLines(size_t bytes) {
  SharedMemory memory(bytes);
  std::vector<double> own, others, shared, claimed, after;
  for (int round = 0; round < absl::GetFlag(FLAGS_rounds); ++round) {
    memory.Run(SharedMemory::Write);
    own.push_back(memory.Speed(SharedMemory::Write));
    memory.Run(SharedMemory::Write, /*is_own=*/false);
    others.push_back(memory.Speed(SharedMemory::Write));
    memory.Share();
    shared.push_back(memory.Speed(SharedMemory::Write));
    memory.Share();
    claimed.push_back(memory.Speed(Claim));
    after.push_back(memory.Speed(SharedMemory::Write));
  }
  std::printf("| %zu | %.0f | %.0f | %.0f | %.0f | %.0f |\n", bytes >> 10,
              Median(own), Median(others), Median(shared), Median(claimed),
              Median(after));
  std::fflush(stdout);
}

// What is compared: the same schedules, run in two ways.
struct Way {
  Network network;
  bool shares_scratch = true;

  absl::Status Run(NetworkTensors& tensors) {
    KernelMemory::Get().set_shares(shares_scratch);
    return network.Run(tensors.input_pointers(), tensors.output_pointers());
  }
  absl::StatusOr<std::vector<double>> RunTimed(NetworkTensors& tensors) {
    KernelMemory::Get().set_shares(shares_scratch);
    return network.RunTimed(tensors.input_pointers(),
                            tensors.output_pointers());
  }
};

std::vector<Way> WaysOf(const RebuiltNetwork& rebuilt) {
  const NetworkJob& job = rebuilt.job;
  const int threads = static_cast<int>(job.target.units.cores);
  const bool scratch = absl::GetFlag(FLAGS_scratch);
  std::vector<Way> ways;
  for (const bool is_second : {false, true}) {
    NetworkOptions options = {.threads = threads, .compile_threads = threads};
    if (!scratch) options.claim_memory = is_second;
    absl::StatusOr<Network> network =
        Network::Build(job.graph, job.partition, rebuilt.tasks,
                       rebuilt.schedules, job.target, options);
    QCHECK_OK(network.status());
    ways.push_back({.network = *std::move(network),
                    .shares_scratch = !scratch || is_second});
  }
  return ways;
}

// Microseconds of each kernel, where it stands in the network.
void CompareKernels(std::vector<Way>& ways, NetworkTensors& tensors) {
  const std::vector<std::string>& names = ways[0].network.kernel_names();
  std::vector<std::vector<double>> seconds[2];
  for (auto& of_network : seconds) of_network.resize(names.size());
  for (int round = 0; round < absl::GetFlag(FLAGS_rounds); ++round) {
    for (int i = 0; i < 2; ++i) {
      // The first run finds what the other network left.
      for (const bool counts : {false, true}) {
        const absl::StatusOr<std::vector<double>> times =
            ways[i].RunTimed(tensors);
        QCHECK_OK(times.status());
        for (size_t k = 0; counts && k < names.size(); ++k)
          seconds[i][k].push_back((*times)[k]);
      }
    }
  }
  for (size_t k = 0; k < names.size(); ++k) {
    std::printf("| %s | %.1f | %.1f |\n", names[k].c_str(),
                Median(seconds[0][k]) * 1e6, Median(seconds[1][k]) * 1e6);
  }
}

void CompareNetworks(const std::string& directory) {
  const absl::StatusOr<TunedNetwork> tuned =
      FindTunedNetwork(ResolveUserPath(directory), "", "");
  QCHECK_OK(tuned.status());
  const absl::StatusOr<RebuiltNetwork> rebuilt = RebuildNetwork(*tuned);
  QCHECK_OK(rebuilt.status());
  std::vector<Way> ways = WaysOf(*rebuilt);
  std::vector<double> medians[2];
  NetworkTensors tensors(ways[0].network);
  tensors.Randomize(1);
  for (int round = 0; round < absl::GetFlag(FLAGS_rounds); ++round) {
    for (int i = 0; i < 2; ++i) {
      const absl::StatusOr<Latency> latency = MeasureLatency(
          [&] { return ways[i].Run(tensors); },
          {.warm_up_runs = 1, .min_samples = 5, .min_seconds = 0});
      QCHECK_OK(latency.status());
      medians[i].push_back(latency->Median());
    }
  }
  if (absl::GetFlag(FLAGS_kernels)) CompareKernels(ways, tensors);
  std::vector<double> ratios;
  for (size_t i = 0; i < medians[0].size(); ++i)
    ratios.push_back(medians[1][i] / medians[0][i]);
  std::printf("| %s | %.2f | %.2f | %.3f |\n", rebuilt->job.model.c_str(),
              Median(medians[0]) * 1e3, Median(medians[1]) * 1e3,
              Median(ratios));
  std::fflush(stdout);
}

void CompareMemory() {
  std::printf(
      "GB/s of two threads that write a part each: lines of their own, of the "
      "other, that both have read; then claims of such, and writing after "
      "these\n"
      "| KiB | own | the other's | shared | claiming shared | then |\n"
      "|---|---|---|---|---|---|\n");
  SetKernelThreads(2);
  for (const size_t kilobytes : {512, 2048, 8192})
    CompareLines(kilobytes << 10);
}

int Main() {
  const bool scratch = absl::GetFlag(FLAGS_scratch);
  if (!scratch) CompareMemory();
  const std::vector<std::string> directories = absl::GetFlag(FLAGS_dirs);
  if (directories.empty()) return 0;
  std::printf(
      "\nms of networks, medians in turns\n"
      "| network | %s | ratio |\n"
      "|---|---|---|---|\n",
      scratch ? "blocks of their own | of one piece" : "without claims | with");
  for (const std::string& directory : directories) CompareNetworks(directory);
  return 0;
}

}  // namespace
}  // namespace pruner

int main(int argc, char** argv) {
  absl::ParseCommandLine(argc, argv);
  return pruner::Main();
}
