#include "halide_ext/tests/program_check.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "Halide.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "halide_ext/lower/directive.h"
#include "halide_ext/lower/inserted_stages.h"
#include "halide_ext/lower/lower.h"
#include "halide_ext/tests/halide_loops.h"
#include "pruner/base/status_macros.h"
#include "pruner/program/resolve.h"

namespace pruner {
namespace {

using Halide::Internal::ForType;

// One loop as either side sees it.
struct SeenLoop {
  std::string kind;
  int64_t extent = 1;
  bool varies = false;
  // Halide has iterations before the first one for stages that slide over the
  // loop, no more than these.
  int64_t early = 0;

  std::string ToString() const {
    return absl::StrCat(kind, varies ? "<=" : " ", extent);
  }
};

std::string ToText(const std::vector<SeenLoop>& loops) {
  return absl::StrJoin(loops, ", ", [](std::string* out, const SeenLoop& loop) {
    out->append(loop.ToString());
  });
}

const char* KindName(ForType kind) {
  switch (kind) {
    case ForType::Serial:
      return "for";
    case ForType::Parallel:
      return "parallel";
    case ForType::Vectorized:
      return "vector";
    case ForType::Unrolled:
      return "unrolled";
    case ForType::GPUBlock:
      return "block";
    case ForType::GPUThread:
      return "thread";
    default:
      return "other";
  }
}

const char* KindName(LoopKind kind) {
  return kind == LoopKind::kVThread ? "unrolled" : LoopKindName(kind);
}

int64_t EarlyIterations(const Program& program, int loop) {
  int64_t early = 0;
  for (const ProgramStage& stage : program.stages) {
    if (!stage.is_absent && stage.loop == loop)
      early = std::max(early, stage.early_iterations);
  }
  return early;
}

std::vector<SeenLoop> LoopsOf(const Program& program, int loop) {
  std::vector<SeenLoop> loops;
  for (; loop >= 0; loop = program.loops[loop].parent) {
    const ProgramLoop& l = program.loops[loop];
    loops.push_back({.kind = KindName(l.kind),
                     .extent = l.extent,
                     .varies = l.varies,
                     .early = EarlyIterations(program, loop)});
  }
  std::reverse(loops.begin(), loops.end());
  return loops;
}

std::vector<SeenLoop> LoopsOf(const HalideProgram& program, int loop) {
  std::vector<SeenLoop> loops;
  for (; loop >= 0; loop = program.loops[loop].parent) {
    const HalideLoop& l = program.loops[loop];
    const bool is_bound =
        l.kind == ForType::GPUBlock || l.kind == ForType::GPUThread;
    // One that Halide does not know to be of a single iteration.
    if (!is_bound && l.trips.largest <= 1) continue;
    loops.push_back({.kind = KindName(l.kind),
                     .extent = l.constant_extent.value_or(l.trips.largest),
                     .varies = !l.constant_extent.has_value()});
  }
  std::reverse(loops.begin(), loops.end());
  return loops;
}

bool AreSame(const std::vector<SeenLoop>& ours,
             const std::vector<SeenLoop>& halide) {
  return ours.size() == halide.size() &&
         std::equal(ours.begin(), ours.end(), halide.begin(),
                    [](const SeenLoop& a, const SeenLoop& b) {
                      // What we do not know to be constant may be so.
                      return a.kind == b.kind && a.extent <= b.extent &&
                             b.extent <= a.extent + a.early &&
                             (a.varies || a.early > 0 || !b.varies);
                    });
}

class Checker {
 public:
  Checker(const Program& program, const HalideProgram& halide,
          const std::vector<std::string>& names)
      : program_(program), halide_(halide), names_(names) {}

  ProgramCheck Check() && {
    for (int i = 0; i < program_.dag->size(); ++i) {
      const bool is_stored = std::any_of(
          halide_.stores.begin(), halide_.stores.end(),
          [&](const HalideStore& s) { return s.func == names_[i]; });
      check_.has_dead_stage |= !is_stored && !program_.stages[i].is_absent &&
                               program_.dag->stage(i).extern_function.empty();
    }
    if (check_.has_dead_stage) return std::move(check_);
    for (const std::string& bound : halide_.exceeded_bounds)
      Differ("of ", bound, " more is needed than is bound");
    for (int i = 0; i < program_.dag->size(); ++i) {
      if (program_.stages[i].is_absent) continue;
      ++check_.stages;
      check_.attached += program_.stages[i].at_stage >= 0;
      check_.slid += program_.stages[i].slide_dimension >= 0;
      if (!program_.dag->stage(i).extern_function.empty()) continue;
      CheckPlace(i);
    }
    for (const Statement& statement : program_.statements) {
      if (program_.dag->stage(statement.stage).extern_function.empty() &&
          statement.stream < 0)
        CheckStatement(statement);
    }
    return std::move(check_);
  }

 private:
  template <typename... Parts>
  void Differ(const Parts&... parts) {
    check_.differences.push_back(absl::StrCat(parts...));
  }

  void CheckStatement(const Statement& statement) {
    const HalideStore* store = nullptr;
    for (const HalideStore& s : halide_.stores) {
      if (s.func == names_[statement.stage] && s.component == 0 &&
          s.definition == statement.definition) {
        store = &s;
      }
    }
    const std::string what =
        absl::StrCat(names_[statement.stage], ".s", statement.definition);
    ++check_.statements;
    if (store == nullptr) {
      Differ(what, " is nowhere in Halide");
      return;
    }
    const std::vector<SeenLoop> ours = LoopsOf(program_, statement.loop);
    const std::vector<SeenLoop> theirs = LoopsOf(halide_, store->loop);
    check_.loops += static_cast<int>(ours.size());
    if (!AreSame(ours, theirs)) {
      Differ(what, ": ", ToText(ours), " but in Halide ", ToText(theirs));
      return;
    }
    int64_t lanes = 1;
    for (const SeenLoop& loop : ours) {
      if (loop.kind == "vector") lanes *= loop.extent;
    }
    if (store->copies != statement.copies)
      Differ(what, ": ", statement.copies, " copies, in Halide ",
             store->copies);
    const bool has_lanes = std::find(store->lanes.begin(), store->lanes.end(),
                                     lanes) != store->lanes.end();
    if (!has_lanes)
      Differ(what, ": vectors of ", lanes, ", in Halide ",
             absl::StrJoin(store->lanes, " or "));
  }

  void CheckPlace(int i) {
    const Buffer& buffer = program_.buffers[program_.stages[i].buffer];
    if (buffer.is_external) return;
    for (const HalideAllocation& allocation : halide_.allocations) {
      if (allocation.func != names_[i] || allocation.component != 0) continue;
      const std::vector<SeenLoop> ours = LoopsOf(program_, buffer.loop);
      const std::vector<SeenLoop> theirs = LoopsOf(halide_, allocation.loop);
      if (!AreSame(ours, theirs)) {
        Differ(names_[i], " is allocated in ", ToText(ours), ", in Halide in ",
               ToText(theirs));
      }
      return;
    }
    Differ(names_[i], " is allocated nowhere in Halide");
  }

  const Program& program_;
  const HalideProgram& halide_;
  const std::vector<std::string>& names_;  // of Halide's Funcs, by stage
  ProgramCheck check_;
};

}  // namespace

absl::StatusOr<ProgramCheck> CheckProgram(const WorkloadPipeline& pipeline,
                                          const Schedule& schedule,
                                          const TargetSpec& target) {
  const AnalyzedPipeline& analyzed = pipeline.analyzed();
  ASSIGN_OR_RETURN(const Program program,
                   Resolve(analyzed.dag, schedule, target));
  const std::vector<Directive> directives =
      LowerProgram(program, schedule, analyzed);
  std::map<std::string, Halide::Func> funcs;
  ASSIGN_OR_RETURN(
      const Halide::Pipeline scheduled,
      pipeline.Scheduled([&](Halide::Pipeline& copy) -> absl::Status {
        ASSIGN_OR_RETURN(funcs, ScheduledFuncs(directives, copy));
        return absl::OkStatus();
      }));
  // Strict, Halide does not see that x * 0 is 0 or that x - x is, which says
  // something about what is computed, and nothing about its loops.
  ASSIGN_OR_RETURN(
      const HalideProgram halide,
      LowerWithHalide(scheduled, pipeline.HalideTarget(target).with_feature(
                                     Halide::Target::StrictFloat)));
  std::vector<std::string> names;
  for (const FuncBinding& binding : InsertStages(schedule, analyzed).bindings) {
    const auto func = funcs.find(binding.func);
    names.push_back(func == funcs.end() ? binding.func : func->second.name());
  }
  ProgramCheck check = Checker(program, halide, names).Check();
  check.program = program.ToString();
  check.halide = halide.ToString();
  return check;
}

}  // namespace pruner
