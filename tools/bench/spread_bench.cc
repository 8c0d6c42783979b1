// What makes some runs of a tuned network slower than others: between runs of
// it the machine does things whose time says what it is like at the moment.
//   bazel run -c opt //tools/bench:spread -- --dir=DIR
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "models/job/find_network.h"
#include "models/runtime/network.h"
#include "models/runtime/network_tensors.h"
#include "pruner/base/median.h"
#include "pruner/base/os/environment.h"
#include "pruner/base/status_macros.h"
#include "pruner/base/text/table.h"
#include "tools/bench/shared_memory.h"
#include "tools/common/tool_flags.h"

ABSL_FLAG(std::string, dir, "", "folder that tune wrote");
ABSL_FLAG(std::string, model, "", "which of its networks, if several");
ABSL_FLAG(int, runs, 3000, "of the network");
ABSL_FLAG(int, top, 10, "kernels to print, those whose times differ most");

namespace pruner {
namespace {

constexpr char kSources[] = "tools/bench";
constexpr size_t kLeftBytes = size_t{4} << 20;
constexpr size_t kSharedBytes = size_t{1} << 20;
// Runs whose median stands for what the machine was like.
constexpr size_t kBlock = 20;

// Microseconds, run by run.
struct Series {
  std::string name;
  std::vector<double> samples = {};
};

std::vector<double> BlockMedians(const std::vector<double>& samples) {
  std::vector<double> medians;
  for (size_t i = 0; i + kBlock <= samples.size(); i += kBlock) {
    const auto begin = samples.begin() + static_cast<ptrdiff_t>(i);
    medians.push_back(Median(std::vector<double>(begin, begin + kBlock)));
  }
  return medians;
}

std::vector<double> Ranks(const std::vector<double>& values) {
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (size_t rank = 0; rank < order.size(); ++rank)
    ranks[order[rank]] = static_cast<double>(rank);
  return ranks;
}

// Spearman's coefficient, which a few outliers do not make; of two or more.
double Correlation(const std::vector<double>& a, const std::vector<double>& b) {
  const std::vector<double> ranks_a = Ranks(a), ranks_b = Ranks(b);
  const auto n = static_cast<double>(a.size());
  double squares = 0;
  for (size_t i = 0; i < a.size(); ++i)
    squares += (ranks_a[i] - ranks_b[i]) * (ranks_a[i] - ranks_b[i]);
  return 1 - 6 * squares / (n * (n * n - 1));
}

// A chain of sums in a register.
void Compute(char*, char*) {
  double x = 1;
  for (int i = 0; i < 50'000; ++i) {
    x += 1e-9;
    asm volatile("" : "+x"(x));
  }
}

// What is timed between two runs, each with its name.
class Probes {
 public:
  std::vector<Series> Names() const {
    return {{.name = "arithmetic in registers"},
            {.name = "4 MB, used before the network ran"},
            {.name = "the same, once more"},
            {.name = "1 MB that the other core wrote"}};
  }
  void Run(absl::Span<Series> series) {
    const auto add = [&](size_t i, absl::Duration time) {
      series[i].samples.push_back(absl::ToDoubleMicroseconds(time));
    };
    add(1, left_.Run(SharedMemory::Read));
    add(2, left_.Run(SharedMemory::Read));
    add(0, left_.Run(Compute));
    shared_.Run(SharedMemory::Write);
    add(3, shared_.Run(SharedMemory::Read, /*is_own=*/false));
  }

 private:
  SharedMemory left_ = SharedMemory(kLeftBytes);
  SharedMemory shared_ = SharedMemory(kSharedBytes);
};

std::vector<std::string> RowOf(const Series& series) {
  std::vector<std::string> row = {series.name};
  for (const double share : {0.0, 0.1, 0.5, 0.9})
    row.push_back(absl::StrFormat("%.1f", Quantile(series.samples, share)));
  return row;
}

void Print(const Series& network, absl::Span<const Series> probes,
           std::vector<Series> kernels) {
  Table table({{"microseconds", Table::Align::kLeft},
               {"best"},
               {"10 %"},
               {"median"},
               {"90 %"},
               {"with the network's"}});
  std::vector<std::string> row = RowOf(network);
  row.emplace_back();
  table.AddRow(std::move(row));
  const std::vector<double> medians = BlockMedians(network.samples);
  for (const Series& probe : probes) {
    row = RowOf(probe);
    row.push_back(absl::StrFormat(
        "%.2f", Correlation(BlockMedians(probe.samples), medians)));
    table.AddRow(std::move(row));
  }
  const auto spread = [](const Series& kernel) {
    return Quantile(kernel.samples, 0.5) - Quantile(kernel.samples, 0);
  };
  std::stable_sort(
      kernels.begin(), kernels.end(),
      [&](const Series& a, const Series& b) { return spread(a) > spread(b); });
  for (size_t i = 0;
       i < kernels.size() && static_cast<int>(i) < absl::GetFlag(FLAGS_top);
       ++i) {
    row = RowOf(kernels[i]);
    row.emplace_back();
    table.AddRow(std::move(row));
  }
  std::printf(
      "%s\nThe last column: the rank correlation of medians of %zu runs\n",
      table.ToString().c_str(), kBlock);
}

absl::Status Run() {
  ASSIGN_OR_RETURN(const TunedNetwork tuned,
                   FindTunedNetwork(ResolveUserPath(absl::GetFlag(FLAGS_dir)),
                                    absl::GetFlag(FLAGS_model), ""));
  ASSIGN_OR_RETURN(const RebuiltNetwork rebuilt, RebuildNetwork(tuned));
  const NetworkJob& job = rebuilt.job;
  const auto threads = static_cast<int>(job.target.units.cores);
  if (threads != 2) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the network was tuned for ", threads, " threads; this is for two"));
  }
  ASSIGN_OR_RETURN(
      Network network,
      Network::Build(job.graph, job.partition, rebuilt.tasks, rebuilt.schedules,
                     job.target,
                     {.threads = threads, .compile_threads = threads}));
  NetworkTensors tensors(network);
  tensors.Randomize(1);
  Probes machine;
  Series whole = {.name = job.model};
  std::vector<Series> probes = machine.Names(), kernels;
  for (const std::string& name : network.kernel_names())
    kernels.push_back({.name = name});
  for (int run = 0; run < absl::GetFlag(FLAGS_runs); ++run) {
    ASSIGN_OR_RETURN(
        const std::vector<double> seconds,
        network.RunTimed(tensors.input_pointers(), tensors.output_pointers()));
    double sum = 0;
    for (size_t k = 0; k < seconds.size(); ++k) {
      kernels[k].samples.push_back(seconds[k] * 1e6);
      sum += seconds[k] * 1e6;
    }
    whole.samples.push_back(sum);
    machine.Run(absl::MakeSpan(probes));
  }
  Print(whole, probes, std::move(kernels));
  return absl::OkStatus();
}

int Main() {
  const absl::Status status =
      absl::GetFlag(FLAGS_runs) < static_cast<int>(2 * kBlock)
          ? absl::InvalidArgumentError(
                absl::StrCat("--runs is at least ", 2 * kBlock))
          : Run();
  return status.ok() ? kExitOk : ReportError("spread", status);
}

}  // namespace
}  // namespace pruner

// NOLINTNEXTLINE(bugprone-exception-escape): what is thrown here ends it.
int main(int argc, char** argv) {
  const std::optional<int> exit = pruner::InitTool(
      argc, argv,
      "Measures how a tuned network's times spread, kernel by kernel, and what "
      "of the machine goes with it.",
      pruner::kSources);
  return exit ? *exit : pruner::Main();
}
