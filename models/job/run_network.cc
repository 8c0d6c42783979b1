#include "models/job/run_network.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "models/graph/graph_text.h"
#include "models/job/export_network.h"
#include "models/job/exported_network.pb.h"
#include "models/job/find_network.h"
#include "models/job/network_job.h"
#include "models/job/serve_network.h"
#include "models/job/verify_network.h"
#include "models/partition/activation_plan.h"
#include "models/partition/memory_plan.h"
#include "models/runtime/latency.h"
#include "models/runtime/network.h"
#include "models/runtime/network_tensors.h"
#include "models/runtime/tuned_network.h"
#include "pruner/base/hash.h"
#include "pruner/base/median.h"
#include "pruner/base/os/files.h"
#include "pruner/base/status_macros.h"
#include "pruner/base/text/flag_range.h"
#include "pruner/base/text/table.h"
#include "pruner/base/text/units.h"

namespace pruner {
namespace {

using Say = std::function<void(const std::string&)>;

// The bytes of --input; nothing if there is no such file asked for.
absl::StatusOr<std::string> ReadInput(const RunNetworkOptions& options,
                                      const OperatorGraph& graph) {
  if (options.input_file.empty()) return "";
  size_t wanted = 0;
  for (const TensorId input : graph.inputs) wanted += TensorBytes(graph, input);
  absl::StatusOr<std::string> bytes =
      ReadFile(options.input_file, static_cast<int64_t>(wanted));
  if (absl::IsOutOfRange(bytes.status())) {
    return absl::InvalidArgumentError(
        absl::StrCat("--input=", options.input_file, " has more than the ",
                     wanted, " bytes of the network's input"));
  }
  if (!bytes.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("--input: ", bytes.status().message()));
  }
  if (bytes->size() != wanted) {
    return absl::InvalidArgumentError(
        absl::StrCat("--input=", options.input_file, " has ", bytes->size(),
                     " bytes, the network's input has ", wanted));
  }
  return bytes;
}

// What is wrong, if anything is, with what was asked for with `flag`.
absl::Status Of(const std::string& flag, const absl::Status& status) {
  if (status.ok()) return status;
  return absl::InvalidArgumentError(absl::StrCat(flag, ": ", status.message()));
}

absl::Status CheckOutputs(const RunNetworkOptions& options) {
  const std::string& file = options.output_file;
  const std::string& folder = options.export_directory;
  if (!file.empty()) {
    RETURN_IF_ERROR(Of(absl::StrCat("--output=", file),
                       CheckWritableDirectory(DirectoryOf(file))));
  }
  if (folder.empty()) return absl::OkStatus();
  const std::string flag = absl::StrCat("--export=", folder);
  RETURN_IF_ERROR(Of(flag, MakeDirectories(folder)));
  RETURN_IF_ERROR(Of(flag, CheckWritableDirectory(folder)));
  return Of(flag, CheckExportFolder(folder));
}

// `bytes` are those of ReadInput.
void FillInputs(const RunNetworkOptions& options, const std::string& bytes,
                NetworkTensors& tensors) {
  if (options.input_file.empty()) return tensors.Randomize(options.seed);
  size_t offset = 0;
  for (const TensorBuffer& input : tensors.inputs()) {
    std::memcpy(input.data(), bytes.data() + offset, input.spec().bytes());
    offset += input.spec().bytes();
  }
}

// Equal kernels of the network.
struct KernelTotal {
  std::string name;
  int count = 0;
  double seconds = 0;  // of all of them
};

// Medians of each kernel over some runs, slowest first.
absl::StatusOr<std::vector<KernelTotal>> TimeKernels(
    Network& network, const NetworkTensors& tensors) {
  constexpr int kRuns = 15;
  std::vector<std::vector<double>> samples(network.kernel_names().size());
  for (int run = 0; run < kRuns; ++run) {
    ASSIGN_OR_RETURN(
        const std::vector<double> seconds,
        network.RunTimed(tensors.input_pointers(), tensors.output_pointers()));
    for (size_t i = 0; i < seconds.size(); ++i)
      samples[i].push_back(seconds[i]);
  }
  std::map<std::string, KernelTotal> kernels;
  for (size_t i = 0; i < samples.size(); ++i) {
    const std::string& name = network.kernel_names()[i];
    KernelTotal& kernel = kernels[name];
    kernel.name = name;
    ++kernel.count;
    kernel.seconds += Median(std::move(samples[i]));
  }
  std::vector<KernelTotal> sorted;
  for (auto& [name, kernel] : kernels) sorted.push_back(std::move(kernel));
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const KernelTotal& a, const KernelTotal& b) {
                     return a.seconds > b.seconds;
                   });
  return sorted;
}

// Beside what each took when it was tuned.
std::string KernelTable(absl::Span<const KernelTotal> kernels,
                        absl::Span<const TunedKernel> tuned, int top) {
  std::map<std::string, double> when_tuned;  // of one, seconds
  for (const TunedKernel& kernel : tuned)
    when_tuned[kernel.name] = kernel.seconds;
  std::vector<double> milliseconds, tuned_milliseconds;
  double total = 0, tuned_total = 0;
  for (const KernelTotal& kernel : kernels) {
    milliseconds.push_back(kernel.seconds * 1e3);
    tuned_milliseconds.push_back(when_tuned[kernel.name] * kernel.count * 1e3);
    total += milliseconds.back();
    tuned_total += tuned_milliseconds.back();
  }
  const int decimals = ColumnDecimals(milliseconds);
  Table table({{"kernel", Table::Align::kLeft},
               {"count"},
               {"ms"},
               {"when tuned"},
               {"share"}});
  const auto format = [&](double ms) {
    return ms > 0 ? absl::StrFormat("%.*f", decimals, ms) : "-";
  };
  for (size_t i = 0; i < kernels.size() && static_cast<int>(i) < top; ++i) {
    table.AddRow({kernels[i].name, absl::StrCat(kernels[i].count),
                  format(milliseconds[i]), format(tuned_milliseconds[i]),
                  absl::StrFormat("%.1f %%", 100 * milliseconds[i] / total)});
  }
  table.AddRow({"all", "", format(total), format(tuned_total), ""});
  return table.ToString();
}

std::string LargestValues(const TensorBuffer& output) {
  const std::vector<double> values = output.view().Values();
  constexpr size_t kShown = 5;
  std::vector<size_t> order(output.size());
  std::iota(order.begin(), order.end(), 0);
  const size_t shown = std::min(kShown, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<int64_t>(shown),
                    order.end(),
                    [&](size_t a, size_t b) { return values[a] > values[b]; });
  std::string text = "largest output values:";
  for (size_t i = 0; i < shown; ++i) {
    absl::StrAppendFormat(&text, " [%d] %.4f", order[i], values[order[i]]);
  }
  return text;
}

absl::Status WriteOutput(const std::string& path,
                         absl::Span<const TensorBuffer> outputs) {
  std::string bytes;
  for (const TensorBuffer& output : outputs) {
    bytes.append(static_cast<const char*>(output.data()),
                 output.spec().bytes());
  }
  return WriteFileAtomically(path, bytes);
}

proto::ServedNetwork Description(const RebuiltNetwork& rebuilt) {
  const NetworkJob& job = rebuilt.job;
  proto::ServedNetwork network;
  network.set_model(job.model);
  network.set_graph_hash(absl::StrCat(
      absl::Hex(Fingerprint(GraphToProto(job.original).SerializeAsString()))));
  network.set_batch(job.batch);
  network.set_threads(static_cast<int>(job.target.units.cores));
  for (const NetworkTask& task : rebuilt.tasks) {
    network.set_gflop(network.gflop() + 1e-9 * task.weight * task.flops);
    network.set_executed_gflop(
        network.executed_gflop() +
        1e-9 * task.weight * static_cast<double>(task.workload.dag.Flops()));
  }
  return network;
}

// What the network keeps, and what is alive at once where activations share
// their memory.
std::string MemoryText(const NetworkJob& job, const Network& network) {
  std::vector<BufferLifetime> lifetimes;
  int64_t unshared = 0;
  for (const auto& [tensor, lifetime] :
       ArenaLifetimes(job.graph, job.partition)) {
    lifetimes.push_back(lifetime);
    unshared += lifetime.bytes;
  }
  return absl::StrFormat(
      "memory: constants %s; activations %s, of which %s are alive at once (%s "
      "if none shared its memory)",
      FormatBytes(static_cast<int64_t>(network.constant_bytes())),
      FormatBytes(static_cast<int64_t>(network.arena_bytes())),
      FormatBytes(PeakLiveBytes(lifetimes)), FormatBytes(unshared));
}

// Times the network and tells of it.
absl::Status TellOf(const RunNetworkOptions& options, const TunedNetwork& tuned,
                    const NetworkJob& job, Network& network,
                    const NetworkTensors& tensors, const Say& say) {
  ASSIGN_OR_RETURN(const Latency latency,
                   MeasureLatency(
                       [&] {
                         return network.Run(tensors.input_pointers(),
                                            tensors.output_pointers());
                       },
                       {.min_seconds = options.seconds}));
  ASSIGN_OR_RETURN(const std::vector<KernelTotal> kernels,
                   TimeKernels(network, tensors));
  say(KernelTable(kernels, tuned.kernels, options.top));
  say(absl::StrFormat("%s, batch %d, %d threads: median %s, best %s of %d runs",
                      job.model, job.batch, job.target.units.cores,
                      FormatTime(absl::Seconds(latency.Median())),
                      FormatTime(absl::Seconds(latency.Min())),
                      latency.seconds.size()));
  say(MemoryText(job, network));
  say(LargestValues(tensors.outputs()[0]));
  return absl::OkStatus();
}

absl::Status Verify(const RunNetworkOptions& options,
                    const RebuiltNetwork& rebuilt, Network& network,
                    const Say& say) {
  if (!options.verify || options.requests != nullptr) return absl::OkStatus();
  ASSIGN_OR_RETURN(
      const NetworkErrors errors,
      VerifyNetwork(rebuilt.job, rebuilt.tasks, options.seed, network));
  if (!errors.problem.empty()) return absl::InternalError(errors.problem);
  say(absl::StrFormat(
      "verified: %d kernels, and the output within %.3g of its largest value, "
      "against double precision",
      network.kernel_names().size(), errors.max_relative));
  return absl::OkStatus();
}

void TellOfUntimed(const TunedNetwork& tuned, const Say& say) {
  int drafted = 0;
  for (const TunedKernel& kernel : tuned.kernels) {
    if (kernel.seconds > 0) continue;
    if (kernel.estimated_seconds > 0) {
      ++drafted;
    } else {
      say(absl::StrCat("no record of ", kernel.name,
                       ": it runs with its default schedule"));
    }
  }
  if (drafted > 0) {
    say(absl::StrCat("the schedules of ", drafted, " of ", tuned.kernels.size(),
                     " kernels are a model's choice; tune with trials to time "
                     "others"));
  }
}

}  // namespace

absl::Status RunNetwork(const RunNetworkOptions& options, const Say& say) {
  if (options.directory.empty()) {
    return absl::InvalidArgumentError(
        "which network? Say --dir=FOLDER, where tune wrote to");
  }
  RETURN_IF_ERROR(CheckFlagRange("seconds", options.seconds, 0.01, 3600));
  RETURN_IF_ERROR(CheckFlagRange("top", options.top, 0, 10000));
  ASSIGN_OR_RETURN(
      const TunedNetwork tuned,
      FindTunedNetwork(options.directory, options.model, options.weights));
  RETURN_IF_ERROR(CheckTarget(tuned, options.target));
  // Compiling takes a while; what is wrong with the files is said before.
  ASSIGN_OR_RETURN(const std::string input, ReadInput(options, tuned.graph));
  RETURN_IF_ERROR(CheckOutputs(options));
  ASSIGN_OR_RETURN(const RebuiltNetwork rebuilt, RebuildNetwork(tuned));
  const NetworkJob& job = rebuilt.job;
  // Answers to requests stand alone.
  if (options.requests == nullptr) TellOfUntimed(tuned, say);
  const int threads = static_cast<int>(job.target.units.cores);
  ASSIGN_OR_RETURN(
      Network network,
      Network::Build(
          job.graph, job.partition, rebuilt.tasks, rebuilt.schedules,
          job.target,
          {.threads = threads, .compile_threads = threads, .progress = {}}));
  RETURN_IF_ERROR(Verify(options, rebuilt, network, say));
  NetworkTensors tensors(network);
  FillInputs(options, input, tensors);
  if (!options.export_directory.empty()) {
    RETURN_IF_ERROR(ExportNetwork(job, tensors.inputs(), threads,
                                  options.export_directory));
  }
  const auto run = [&] {
    return network.Run(tensors.input_pointers(), tensors.output_pointers());
  };
  // Also for who reads the output before anything is timed.
  RETURN_IF_ERROR(run());
  if (!options.output_file.empty()) {
    RETURN_IF_ERROR(WriteOutput(options.output_file, tensors.outputs()));
  }
  if (options.requests != nullptr)
    return ServeNetwork(Description(rebuilt), run, *options.requests, say);
  return TellOf(options, tuned, job, network, tensors, say);
}

}  // namespace pruner
