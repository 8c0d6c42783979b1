// Random schedules of Ansor's operators; see kUsage.
#include <algorithm>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "halide_ext/build/kernel.h"
#include "halide_ext/build/kernel_threads.h"
#include "models/job/network_job.h"
#include "pruner/base/status_macros.h"
#include "pruner/base/text/flag_range.h"
#include "pruner/base/text/json.h"
#include "tools/bench/operator_selection.h"
#include "tools/bench/operator_suite.h"
#include "tools/bench/operator_timing.h"
#include "tools/common/tool_flags.h"

ABSL_FLAG(int, samples, 20, "random schedules of each sketch");
ABSL_FLAG(int, seed, 1, "of the schedules and the input");
ABSL_FLAG(int, threads, 0, "cores to use; 0: all");
ABSL_FLAG(bool, check, true,
          "compare every output: with the unscheduled pipeline's, or above a "
          "GFLOP with the default schedule's");
ABSL_FLAG(bool, print, false,
          "say what is wrong with a schedule, and print the loops of each that "
          "is the fastest so far");
ABSL_FLAG(bool, json, false, "end with the results as one line of JSON");

namespace pruner {
namespace {

constexpr char kUsage[] =
    "How close random schedules of Ansor's operators and subgraphs come to "
    "the machine's peaks.\n\n"
    "  operators --op=GMM,C2D --batch=1 --samples=70\n"
    "  operators --samples=5 --json\n\n"
    "\"of peak\" is of the measured FMA peak; \"of DRAM\" of the measured "
    "bandwidth, reading and\nwriting each tensor once: over 100 % if they "
    "stay in the caches.";

constexpr char kSources[] = "tools/bench/";

absl::Status Run() {
  RETURN_IF_ERROR(
      CheckFlagRange("samples", absl::GetFlag(FLAGS_samples), 0, 1e6));
  RETURN_IF_ERROR(CheckFlagRange("seed", absl::GetFlag(FLAGS_seed), 0, 1e9));
  ASSIGN_OR_RETURN(const TargetSpec target,
                   LoadTarget("host", absl::GetFlag(FLAGS_threads)));
  ASSIGN_OR_RETURN(const std::vector<OperatorCase> cases,
                   SelectedCases(static_cast<int>(target.units.simd_lanes)));
  SetKernelThreads(static_cast<int>(target.units.cores));
  OperatorTimingOptions options{
      .samples = absl::GetFlag(FLAGS_samples),
      .seed = static_cast<uint64_t>(absl::GetFlag(FLAGS_seed)),
      .check = absl::GetFlag(FLAGS_check),
      .note = nullptr};
  if (absl::GetFlag(FLAGS_print))
    options.note = [](const std::string& text) {
      std::cout << text << std::endl;
    };
  proto::OperatorResults results;
  results.set_target(target.name);
  results.set_peak_gflops(target.peaks.fp32_gflops);
  results.set_dram_gb_per_s(target.peaks.dram_gb_per_s);
  results.set_samples(options.samples);
  for (const OperatorCase& c : cases) {
    ASSIGN_OR_RETURN(*results.add_operators(),
                     TimeOperator(c, target, options));
    const proto::OperatorResult& r = *results.operators().rbegin();
    std::cerr << c.Name() << ": " << r.best_ms() << " ms, " << r.gflops()
              << " GFLOP/s\n";
  }
  std::cout << OperatorTable(results);
  if (absl::GetFlag(FLAGS_json)) std::cout << ToJson(results) << "\n";
  return absl::OkStatus();
}

}  // namespace
}  // namespace pruner

int main(int argc, char** argv) {
  using namespace pruner;  // NOLINT: this is the program
  if (const std::optional<int> code = InitTool(argc, argv, kUsage, kSources))
    return *code;
  const absl::Status status = Run();
  return status.ok() ? kExitOk : ReportError("operators", status);
}
