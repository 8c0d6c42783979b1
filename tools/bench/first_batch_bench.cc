// How much of a first batch of candidates is valid; see kUsage.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/time.h"
#include "halide_ext/runner/task_oracles.h"
#include "halide_ext/runner/worker.h"
#include "halide_ext/runner/worker_measurer.h"
#include "pruner/base/clock.h"
#include "pruner/base/os/environment.h"
#include "pruner/base/os/files.h"
#include "pruner/base/rng.h"
#include "pruner/base/status_macros.h"
#include "pruner/base/text/flag_range.h"
#include "pruner/base/text/table.h"
#include "pruner/measure/measure_policy.h"
#include "pruner/sample/presample.h"
#include "pruner/sample/sampling.h"
#include "pruner/sample/schedule_space.h"
#include "pruner/sample/select_diverse.h"
#include "pruner/sample/validity_oracle.h"
#include "pruner/search/evolution.h"
#include "pruner/search/search_policy.h"
#include "pruner/target/load_target_spec.h"
#include "pruner/target/target_spec.h"
#include "tools/bench/cuda_tasks.h"
#include "tools/common/tool_flags.h"

ABSL_FLAG(std::string, target, "a100",
          "a CUDA device, by name or spec file, of which ptxas is asked, or "
          "what this machine has, such as host, for which they are compiled");
ABSL_FLAG(std::string, model, "",
          "instead of operators the tasks of this network");
ABSL_FLAG(std::string, sampling, "ansor",
          "how random candidates are drawn: hardware or ansor");
ABSL_FLAG(int, first_batch, 10, "candidates of a task's first batch");
ABSL_FLAG(int, presample, 100, "candidates that are looked at before");
ABSL_FLAG(int, seed, 1, "of the candidates");
ABSL_FLAG(std::string, cache, "",
          "a file that keeps what was said, for the next time");
ABSL_FLAG(absl::Duration, compile_timeout, absl::Seconds(15),
          "a candidate that computes for longer to be compiled is not valid");

namespace pruner {
namespace {

constexpr char kUsage[] =
    "How much of a first batch of candidates is valid, at random and with "
    "hardware-aware\n"
    "initialization, as Halide and ptxas say, who need no device, or the "
    "compiler alone.\n\n"
    "  first_batch --op=GMM --batch=1 --target=orin\n"
    "  first_batch --op=T2D --batch=1 --target=host --compile_timeout=500ms "
    "--presample=15\n"
    "  first_batch --model=resnet50 --cache=answers\n\n"
    "Each row is a task: how many of a random first batch are valid, of one "
    "that was chosen, and of\n"
    "the candidates that were looked at for that; the seconds this took, and "
    "those that compiling one\n"
    "of them takes.";

constexpr char kSources[] = "tools/bench/";

// What rows have and say together.
struct Counts {
  int random_valid = 0, chosen_valid = 0, batches = 0;
  int64_t looked_at = 0, looked_at_valid = 0;
  absl::Duration looking = absl::ZeroDuration();

  void Add(const Counts& other) {
    random_valid += other.random_valid;
    chosen_valid += other.chosen_valid;
    batches += other.batches;
    looked_at += other.looked_at;
    looked_at_valid += other.looked_at_valid;
    looking += other.looking;
  }
};

absl::StatusOr<Counts> CountValid(ScheduleSpace& space, ValidityOracle& oracle,
                                  Rng rng) {
  const int count = absl::GetFlag(FLAGS_first_batch);
  Counts counts = {.batches = 1};
  RejectionCounts rejections;
  ASSIGN_OR_RETURN(
      const std::vector<Candidate> random,
      SampleDistinct(space, static_cast<size_t>(count), /*attempts=*/1000, rng,
                     rejections,
                     [](const Candidate&) { return absl::OkStatus(); }));
  ASSIGN_OR_RETURN(const std::vector<bool> random_valid,
                   oracle.AreValid(random));
  counts.random_valid = static_cast<int>(
      std::count(random_valid.begin(), random_valid.end(), true));
  const absl::Duration start = RealClock().Elapsed();
  ASSIGN_OR_RETURN(
      const Presample found,
      PresampleSpace(space, oracle,
                     {.batch = PresampleBatch(absl::GetFlag(FLAGS_presample)),
                      .candidates = absl::GetFlag(FLAGS_presample)},
                     rng));
  const std::vector<Candidate> chosen =
      SelectDiverse(space, found, count, kValidShare, rng);
  counts.looking = RealClock().Elapsed() - start;
  counts.looked_at = static_cast<int64_t>(found.size());
  counts.looked_at_valid = static_cast<int64_t>(found.valid.size());
  const absl::flat_hash_set<Candidate> valid(found.valid.begin(),
                                             found.valid.end());
  counts.chosen_valid = static_cast<int>(std::count_if(
      chosen.begin(), chosen.end(),
      [&](const Candidate& candidate) { return valid.contains(candidate); }));
  return counts;
}

class Report {
 public:
  void Add(const std::string& name, const Counts& counts) {
    all_.Add(counts);
    table_.AddRow(Row(name, counts));
    std::cerr << name << "\n";
  }
  void Print() {
    table_.AddRow(Row("all", all_));
    std::cout << table_.ToString();
  }

 private:
  static std::vector<std::string> Row(const std::string& name,
                                      const Counts& counts) {
    const int of = counts.batches * absl::GetFlag(FLAGS_first_batch);
    const double seconds = absl::ToDoubleSeconds(counts.looking);
    return {name,
            absl::StrCat(counts.random_valid, " of ", of),
            absl::StrCat(counts.chosen_valid, " of ", of),
            absl::StrCat(counts.looked_at_valid, " of ", counts.looked_at),
            absl::StrFormat("%.1f", seconds),
            absl::StrFormat(
                "%.2f", seconds / std::max<double>(1, static_cast<double>(
                                                          counts.looked_at)))};
  }

  Table table_ = Table({{"task", Table::Align::kLeft},
                        {"valid at random"},
                        {"chosen"},
                        {"looked at"},
                        {"seconds"},
                        {"for each"}});
  Counts all_;
};

absl::Status Run(const char* argv0) {
  for (const auto& [name, value] :
       {std::pair("first_batch", absl::GetFlag(FLAGS_first_batch)),
        std::pair("presample", absl::GetFlag(FLAGS_presample))}) {
    RETURN_IF_ERROR(CheckFlagRange(name, value, 1, 1e6));
  }
  ASSIGN_OR_RETURN(const Sampling sampling,
                   ParseSampling(absl::GetFlag(FLAGS_sampling)));
  ASSIGN_OR_RETURN(const TargetSpec target,
                   LoadTargetSpec(absl::GetFlag(FLAGS_target)));
  ASSIGN_OR_RETURN(const TempDirectory scratch, TempDirectory::Create());
  TaskOracles::Options options = {
      .cache = ResolveUserPath(absl::GetFlag(FLAGS_cache))};
  std::unique_ptr<WorkerMeasurer> measurer;
  if (target.backend == Backend::kCuda) {
    ASSIGN_OR_RETURN(options.ptxas, PtxasPath(argv0));
  } else {
    ASSIGN_OR_RETURN(
        measurer, WorkerMeasurer::Create({.target = target,
                                          .workers = CpuCount(),
                                          .scratch_directory = scratch.path(),
                                          .compile_timeout = absl::GetFlag(
                                              FLAGS_compile_timeout)}));
  }
  TaskOracles oracles = measurer == nullptr
                            ? TaskOracles(target, std::move(options))
                            : TaskOracles(*measurer, std::move(options));
  const std::string model = absl::GetFlag(FLAGS_model);
  ASSIGN_OR_RETURN(
      const std::vector<Workload> workloads,
      model.empty() ? OperatorWorkloads() : NetworkWorkloads(model, target));
  Report report;
  for (const Workload& workload : workloads) {
    ASSIGN_OR_RETURN(
        const std::unique_ptr<ScheduleSpace> space,
        ScheduleSpace::Create({.dag = workload.dag, .target = target},
                              {.sampling = sampling}));
    ASSIGN_OR_RETURN(const std::unique_ptr<ValidityOracle> oracle,
                     oracles.For(workload, MeasurePolicy::kWarm, *space));
    ASSIGN_OR_RETURN(
        const Counts counts,
        CountValid(*space, *oracle,
                   Rng(absl::GetFlag(FLAGS_seed)).Fork(workload.key.value)));
    report.Add(workload.name, counts);
  }
  report.Print();
  return absl::OkStatus();
}

}  // namespace
}  // namespace pruner

int main(int argc, char** argv) {
  using namespace pruner;  // NOLINT: this is the program
  if (const std::optional<int> code = RunIfWorker()) return *code;
  if (const std::optional<int> code = InitTool(argc, argv, kUsage, kSources))
    return *code;
  const absl::Status status = Run(argv[0]);
  return status.ok() ? kExitOk : ReportError("first_batch", status);
}
