// What random schedules, and drafts, need of a CUDA device, without one; see
// kUsage.
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "halide_ext/build/kernel.h"
#include "halide_ext/runner/cuda_assessor.h"
#include "halide_ext/runner/worker.h"
#include "pruner/base/status_macros.h"
#include "pruner/base/text/flag_range.h"
#include "pruner/base/text/table.h"
#include "pruner/draft/make_draft_model.h"
#include "pruner/sample/schedule_sampler.h"
#include "pruner/search/best_unmeasured.h"
#include "pruner/search/policy_inputs.h"
#include "pruner/target/load_target_spec.h"
#include "tools/bench/cuda_tasks.h"
#include "tools/common/tool_flags.h"

ABSL_FLAG(std::string, target, "a100", "a CUDA device, by name or spec file");
ABSL_FLAG(int, samples, 5, "random schedules of each sketch");
ABSL_FLAG(std::string, model, "",
          "instead of operators the tasks of this network, each with drafts");
ABSL_FLAG(int, drafts, 20, "of each task: the best that the draft model finds");
ABSL_FLAG(int, seed, 1, "of the schedules");

namespace pruner {
namespace {

constexpr char kUsage[] =
    "What random schedules of Ansor's operators need of a CUDA device, as "
    "ptxas says.\n\n"
    "  device_code --op=GMM,C2D --batch=1 --samples=20\n"
    "  device_code --model=resnet50 --drafts=20\n\n"
    "Each row is a sketch, or a network's task: how many of its schedules "
    "compile, how many keep "
    "all "
    "in registers\n(no stack, no spills), and the registers of those. The exit "
    "status is 1 if a row has no\nschedule that does.";

constexpr char kSources[] = "tools/bench/";

// Of a row.
struct Result {
  int drawn = 0;
  int compiled = 0;
  int in_registers = 0;
  int64_t fewest = 0, most = 0;  // registers of a thread
  std::string first_failure;
};

std::vector<Schedule> Draws(const SketchContext& context, const Sketch& sketch,
                            Rng& rng) {
  ScheduleSampler sampler = *ScheduleSampler::Create(context, {sketch});
  const auto wanted = static_cast<size_t>(absl::GetFlag(FLAGS_samples));
  std::vector<Schedule> schedules;
  for (size_t i = 0; i < 200 * wanted && schedules.size() < wanted; ++i) {
    const Draw draw = *sampler.Sample(rng);
    if (const auto* schedule = std::get_if<Schedule>(&draw))
      schedules.push_back(*schedule);
  }
  return schedules;
}

absl::StatusOr<Result> Assess(const Workload& workload,
                              const std::vector<Schedule>& schedules,
                              CudaAssessor& assessor) {
  Result result;
  result.drawn = static_cast<int>(schedules.size());
  ASSIGN_OR_RETURN(const std::vector<Assessment> assessments,
                   assessor.Assess(workload, schedules));
  for (const Assessment& assessment : assessments) {
    if (assessment.failure) {
      if (result.first_failure.empty())
        result.first_failure = assessment.failure->message;
      continue;
    }
    ++result.compiled;
    int64_t registers = 0;
    bool in_registers = true;
    for (const KernelResources& kernel : assessment.kernels) {
      registers = std::max(registers, kernel.registers);
      in_registers &= kernel.InRegisters();
    }
    if (!in_registers) continue;
    ++result.in_registers;
    result.most = std::max(result.most, registers);
    result.fewest =
        result.fewest == 0 ? registers : std::min(result.fewest, registers);
  }
  return result;
}

// Rows as they come, and what they say together.
class Report {
 public:
  void Add(const std::string& name, const std::string& part, const Result& r) {
    drawn_ += r.drawn;
    in_registers_ += r.in_registers;
    all_ &= r.in_registers > 0;
    table_.AddRow({name, part, absl::StrCat(r.drawn), absl::StrCat(r.compiled),
                   absl::StrCat(r.in_registers),
                   absl::StrCat(r.fewest, "-", r.most)});
    std::cerr << name << " " << part << ": " << r.in_registers << " of "
              << r.drawn << " in registers\n";
    if (!r.first_failure.empty())
      std::cerr << "  failed: " << r.first_failure << "\n";
  }
  void Print() const {
    std::cout << table_.ToString()
              << absl::StrFormat("\n%d of %d in registers: %.1f %%\n",
                                 in_registers_, drawn_,
                                 100.0 * in_registers_ / std::max(drawn_, 1));
  }
  // Whether every row has a schedule that stays in registers.
  bool all() const { return all_; }

 private:
  Table table_ = Table({{"operator", Table::Align::kLeft},
                        {"sketch", Table::Align::kLeft},
                        {"drawn"},
                        {"compiled"},
                        {"in registers"},
                        {"registers"}});
  int drawn_ = 0, in_registers_ = 0;
  bool all_ = true;
};

absl::Status AssessOperators(const TargetSpec& target, CudaAssessor& assessor,
                             Report& report) {
  ASSIGN_OR_RETURN(const std::vector<Workload> workloads, OperatorWorkloads());
  for (const Workload& workload : workloads) {
    const SketchContext context = {.dag = workload.dag, .target = target};
    ASSIGN_OR_RETURN(const std::vector<Sketch> sketches,
                     GenerateSketches(context));
    Rng rng(absl::GetFlag(FLAGS_seed));
    for (const Sketch& sketch : sketches) {
      ASSIGN_OR_RETURN(const Result result,
                       Assess(workload, Draws(context, sketch, rng), assessor));
      report.Add(workload.name, sketch.derivation, result);
    }
  }
  return absl::OkStatus();
}

absl::Status AssessDrafts(const TargetSpec& target, CudaAssessor& assessor,
                          Report& report) {
  ASSIGN_OR_RETURN(const std::vector<Workload> workloads,
                   NetworkWorkloads(absl::GetFlag(FLAGS_model), target));
  const std::unique_ptr<const DraftModel> draft = MakeDraftModel(target);
  for (const Workload& workload : workloads) {
    Rng rng = Rng(absl::GetFlag(FLAGS_seed)).Fork(workload.key.value);
    ASSIGN_OR_RETURN(
        const std::vector<ScoredProposal> best,
        BestUnmeasured({.context = {.dag = workload.dag, .target = target},
                        .draft = draft.get()},
                       absl::GetFlag(FLAGS_drafts), rng));
    std::vector<Schedule> schedules;
    for (const ScoredProposal& scored : best)
      schedules.push_back(scored.proposal.schedule);
    ASSIGN_OR_RETURN(const Result result,
                     Assess(workload, schedules, assessor));
    report.Add(workload.name, "draft", result);
  }
  return absl::OkStatus();
}

// Whether every row has a schedule that stays in registers.
absl::StatusOr<bool> Run(const char* argv0) {
  ASSIGN_OR_RETURN(const TargetSpec target,
                   LoadTargetSpec(absl::GetFlag(FLAGS_target)));
  for (const auto& [name, value] :
       {std::pair("samples", absl::GetFlag(FLAGS_samples)),
        std::pair("drafts", absl::GetFlag(FLAGS_drafts))}) {
    RETURN_IF_ERROR(CheckFlagRange(name, value, 1, 1e6));
  }
  ASSIGN_OR_RETURN(const std::string ptxas, PtxasPath(argv0));
  ASSIGN_OR_RETURN(const std::unique_ptr<CudaAssessor> assessor,
                   MakeAssessor(target, ptxas));
  Report report;
  RETURN_IF_ERROR(absl::GetFlag(FLAGS_model).empty()
                      ? AssessOperators(target, *assessor, report)
                      : AssessDrafts(target, *assessor, report));
  report.Print();
  return report.all();
}

}  // namespace
}  // namespace pruner

int main(int argc, char** argv) {
  using namespace pruner;  // NOLINT: this is the program
  if (const std::optional<int> code = RunIfWorker()) return *code;
  if (const std::optional<int> code = InitTool(argc, argv, kUsage, kSources))
    return *code;
  const absl::StatusOr<bool> all = Run(argv[0]);
  if (!all.ok()) return ReportError("device_code", all.status());
  return *all ? kExitOk : 1;
}
