#include "tools/run/run_network.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "models/runtime/default_schedules.h"
#include "models/runtime/latency.h"
#include "models/runtime/network.h"
#include "pruner/base/os/files.h"
#include "pruner/base/rng.h"
#include "pruner/base/status_macros.h"
#include "pruner/base/text/table.h"
#include "pruner/base/text/units.h"
#include "pruner/record/best_records.h"
#include "pruner/record/record_log.h"
#include "tools/common/network_job.h"
#include "tools/common/network_tensors.h"
#include "tools/common/tool_flags.h"

namespace pruner {
namespace {

using Say = std::function<void(const std::string&)>;

// The job that a log is of, on this machine.
absl::StatusOr<NetworkJob> JobOf(const LogHeader& header,
                                 const RunNetworkOptions& options) {
  const std::string& model = options.model;
  ASSIGN_OR_RETURN(const FormulationOptions formulations,
                   ParseFormulations(options.formulations, options.max_error));
  ASSIGN_OR_RETURN(TargetSpec host, LoadTarget("host", 0));
  for (int threads = static_cast<int>(host.units.cores); threads >= 1;
       --threads) {
    ASSIGN_OR_RETURN(const TargetSpec target, LoadTarget("host", threads));
    if (TargetFingerprint(target) != header.target_fingerprint) continue;
    return LoadNetworkJob(model.empty() ? header.model : model,
                          static_cast<int>(header.batch), target, formulations);
  }
  return absl::FailedPreconditionError(
      absl::StrCat("the records are for ", header.target, ", this machine is ",
                   host.name, ": tune the network here"));
}

// The formulations that the records say are the fastest.
std::vector<NetworkTask> FastestTasks(const NetworkJob& job,
                                      const BestRecords& best) {
  std::map<uint64_t, double> seconds;
  for (const NetworkTask& task : job.tasks) {
    const uint64_t hash = task.workload.dag.Hash();
    if (const auto& record = best.Of(hash).best)
      seconds[hash] = Cost(record->result);
  }
  return pruner::FastestTasks(job.tasks, seconds, job.target);
}

absl::StatusOr<SchedulesByWorkload> BestSchedules(
    const NetworkJob& job, absl::Span<const NetworkTask> tasks,
    const BestRecords& best, const Say& say) {
  ASSIGN_OR_RETURN(SchedulesByWorkload schedules,
                   DefaultSchedules(tasks, job.target));
  for (const NetworkTask& task : tasks) {
    const uint64_t hash = task.workload.dag.Hash();
    if (const auto& record = best.Of(hash).best) {
      schedules[hash] = record->schedule;
    } else {
      say(absl::StrCat("no record of ", task.workload.name,
                       ": it runs with its default schedule"));
    }
  }
  return schedules;
}

// The bytes of --input; nothing if there is no such file asked for.
absl::StatusOr<std::string> ReadInput(const RunNetworkOptions& options,
                                      const OperatorGraph& graph) {
  if (options.input_file.empty()) return "";
  absl::StatusOr<std::string> bytes = ReadFile(options.input_file);
  if (!bytes.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("--input: ", bytes.status().message()));
  }
  size_t wanted = 0;
  for (const TensorId input : graph.inputs)
    wanted += NumElements(graph.ShapeOf(input)) * sizeof(float);
  if (bytes->size() != wanted) {
    return absl::InvalidArgumentError(
        absl::StrCat("--input=", options.input_file, " has ", bytes->size(),
                     " bytes, the network's input has ", wanted));
  }
  return bytes;
}

absl::Status CheckOutput(const RunNetworkOptions& options) {
  if (options.output_file.empty()) return absl::OkStatus();
  const absl::Status status =
      CheckWritableDirectory(DirectoryOf(options.output_file));
  if (status.ok()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("--output=", options.output_file, ": ", status.message()));
}

// `bytes` are those of ReadInput.
void FillInputs(const RunNetworkOptions& options, const std::string& bytes,
                NetworkTensors& tensors) {
  if (options.input_file.empty()) return tensors.Randomize(options.seed);
  size_t offset = 0;
  for (const AlignedFloats& input : tensors.inputs()) {
    std::memcpy(input.data(), bytes.data() + offset,
                input.size() * sizeof(float));
    offset += input.size() * sizeof(float);
  }
}

// Medians of each kernel over some runs, summed over equal kernels.
absl::StatusOr<std::string> KernelTable(Network& network,
                                        const NetworkTensors& tensors,
                                        int top) {
  constexpr int kRuns = 15;
  std::vector<std::vector<double>> samples(network.kernel_names().size());
  for (int run = 0; run < kRuns; ++run) {
    ASSIGN_OR_RETURN(
        const std::vector<double> seconds,
        network.RunTimed(tensors.input_pointers(), tensors.output_pointers()));
    for (size_t i = 0; i < seconds.size(); ++i)
      samples[i].push_back(seconds[i]);
  }
  std::map<std::string, std::pair<int, double>> kernels;  // count, seconds
  double total = 0;
  for (size_t i = 0; i < samples.size(); ++i) {
    std::nth_element(samples[i].begin(), samples[i].begin() + kRuns / 2,
                     samples[i].end());
    auto& [count, seconds] = kernels[network.kernel_names()[i]];
    ++count;
    seconds += samples[i][kRuns / 2];
    total += samples[i][kRuns / 2];
  }
  std::vector<std::pair<std::string, std::pair<int, double>>> sorted(
      kernels.begin(), kernels.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) {
                     return a.second.second > b.second.second;
                   });
  std::vector<double> milliseconds;
  milliseconds.reserve(sorted.size());
  for (const auto& [name, kernel] : sorted)
    milliseconds.push_back(kernel.second * 1e3);
  const int decimals = ColumnDecimals(milliseconds);
  Table table({{"kernel", Table::Align::kLeft}, {"count"}, {"ms"}, {"share"}});
  for (size_t i = 0; i < sorted.size() && static_cast<int>(i) < top; ++i) {
    const auto& [name, kernel] = sorted[i];
    table.AddRow({name, absl::StrCat(kernel.first),
                  absl::StrFormat("%.*f", decimals, milliseconds[i]),
                  absl::StrFormat("%.1f %%", 100 * kernel.second / total)});
  }
  return table.ToString();
}

std::string LargestValues(const AlignedFloats& output) {
  constexpr size_t kShown = 5;
  std::vector<size_t> order(output.size());
  std::iota(order.begin(), order.end(), 0);
  const size_t shown = std::min(kShown, order.size());
  std::partial_sort(
      order.begin(), order.begin() + static_cast<int64_t>(shown), order.end(),
      [&](size_t a, size_t b) { return output.data()[a] > output.data()[b]; });
  std::string text = "largest output values:";
  for (size_t i = 0; i < shown; ++i) {
    absl::StrAppendFormat(&text, " [%d] %.4f", order[i],
                          output.data()[order[i]]);
  }
  return text;
}

absl::Status WriteOutput(const std::string& path,
                         absl::Span<const AlignedFloats> outputs) {
  std::string bytes;
  for (const AlignedFloats& output : outputs) {
    bytes.append(reinterpret_cast<const char*>(output.data()),
                 output.size() * sizeof(float));
  }
  return WriteFileAtomically(path, bytes);
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
      const LogContents log,
      ReadRecordLog(absl::StrCat(options.directory, "/records.log")));
  for (const std::string& note : log.notes) say(note);
  ASSIGN_OR_RETURN(const NetworkJob job, JobOf(log.header, options));
  // Compiling takes a while; what is wrong with the files is said before.
  ASSIGN_OR_RETURN(const std::string input, ReadInput(options, job.graph));
  RETURN_IF_ERROR(CheckOutput(options));
  const BestRecords best(log.records);
  const std::vector<NetworkTask> tasks = FastestTasks(job, best);
  ASSIGN_OR_RETURN(const SchedulesByWorkload schedules,
                   BestSchedules(job, tasks, best, say));
  const int threads = static_cast<int>(job.target.units.cores);
  ASSIGN_OR_RETURN(
      Network network,
      Network::Build(
          job.graph, job.partition, tasks, schedules, job.target,
          {.threads = threads, .compile_threads = threads, .progress = {}}));
  NetworkTensors tensors(network);
  FillInputs(options, input, tensors);
  ASSIGN_OR_RETURN(const Latency latency,
                   MeasureLatency(
                       [&] {
                         return network.Run(tensors.input_pointers(),
                                            tensors.output_pointers());
                       },
                       {.min_seconds = options.seconds}));
  ASSIGN_OR_RETURN(const std::string kernels,
                   KernelTable(network, tensors, options.top));
  say(kernels);
  say(absl::StrFormat("%s, batch %d, %d threads: median %s, best %s of %d runs",
                      log.header.model, log.header.batch, threads,
                      FormatTime(absl::Seconds(latency.Median())),
                      FormatTime(absl::Seconds(latency.Min())),
                      latency.seconds.size()));
  say(LargestValues(tensors.outputs()[0]));
  if (options.output_file.empty()) return absl::OkStatus();
  return WriteOutput(options.output_file, tensors.outputs());
}

}  // namespace pruner
