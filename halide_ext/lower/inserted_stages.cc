#include "halide_ext/lower/inserted_stages.h"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "pruner/dag/compute_dag.h"
#include "pruner/schedule/replay.h"

namespace pruner {
namespace {

// Visits the steps that insert stages; the state is that before the step.
class Inserter {
 public:
  explicit Inserter(const std::vector<FuncBinding>& bindings)
      : out_{.bindings = bindings, .directives = {}} {}

  void operator()(const CacheWriteStep& step) {
    const Stage& stage = dag_->stage(step.stage);
    if (stage.is_output) {
      InsertSum(step.stage, stage.SpatialRank());
    } else {
      InsertCopy(step.stage, ReadersToName(step.stage), stage.SpatialRank());
    }
  }

  void operator()(const CacheReadStep& step) {
    std::vector<std::string> readers;
    for (int64_t reader : step.readers)
      readers.push_back(out_.bindings[reader].func);
    const int rank = dag_->stage(step.stage).SpatialRank();
    InsertCopy(step.stage, std::move(readers), rank);
  }

  void operator()(const RfactorStep& step) {
    const FuncBinding whole = out_.bindings[step.stage];
    const bool inner = step.part == RfactorPart::kInner;
    const LoopName axis = {.name = whole.variables[step.axis], .is_rvar = true};
    const std::string base = absl::StrReplaceAll(axis.name, {{"$", "_"}});
    const LoopName outer_part = {.name = base + "_fo", .is_rvar = true};
    const LoopName inner_part = {.name = base + "_fi", .is_rvar = true};
    const LoopName& kept = inner ? inner_part : outer_part;
    const LoopName partial = {.name = base + "_rf", .is_rvar = false};

    Directive split;
    split.kind = DirectiveKind::kSplit;
    split.func = whole.func;
    split.update = whole.update;
    split.loops = {axis, outer_part, inner_part};
    split.factor = step.factor;
    out_.directives.push_back(split);
    Directive rfactor;
    rfactor.kind = DirectiveKind::kRfactor;
    rfactor.func = whole.func;
    rfactor.update = whole.update;
    rfactor.loops = {kept, partial};
    rfactor.new_func = NewName(whole.func + ".rf");
    out_.directives.push_back(rfactor);

    const int rank = dag_->stage(step.stage).SpatialRank();
    FuncBinding partials = whole;
    partials.func = rfactor.new_func;
    partials.update = 0;
    partials.variables[step.axis] = inner ? outer_part.name : inner_part.name;
    const int at = inner ? rank : 0;
    partials.variables.insert(partials.variables.begin() + at, partial.name);
    partials.mins.insert(partials.mins.begin() + at, 0);
    if (inner) StoreInOrderOfAxes(partials, rank + 1);
    FuncBinding& rest = out_.bindings[step.stage];
    rest.variables.resize(rank);
    rest.variables.push_back(kept.name);
    out_.bindings.insert(out_.bindings.begin() + step.stage,
                         std::move(partials));
  }

  template <typename Step>
  void operator()(const Step&) {}

  void SetDag(const ComputeDag* dag) { dag_ = dag; }

  InsertedStages Finish() && { return std::move(out_); }

 private:
  std::string NewName(const std::string& wish) const {
    std::string name = wish;
    const auto is_taken = [&](const FuncBinding& binding) {
      return binding.func == name;
    };
    for (int i = 2;
         std::any_of(out_.bindings.begin(), out_.bindings.end(), is_taken);
         ++i) {
      name = absl::StrCat(wish, i);
    }
    return name;
  }

  // For a copy of `stage` that all of its readers read: none, which means all
  // to Halide, but for other copies of it. Where there are such, all by name.
  std::vector<std::string> ReadersToName(int stage) const {
    std::vector<std::string> readers;
    bool has_copy = false;
    for (int consumer : dag_->consumers(stage)) {
      readers.push_back(out_.bindings[consumer].func);
      has_copy |= dag_->stage(consumer).is_copy;
    }
    if (!has_copy) readers.clear();
    return readers;
  }

  // A copy of `stage` behind it, a wrapper in Halide's terms.
  void InsertCopy(int stage, std::vector<std::string> readers, int rank) {
    const FuncBinding& whole = out_.bindings[stage];
    Directive wrap;
    wrap.kind = DirectiveKind::kWrap;
    wrap.func = whole.func;
    wrap.new_func = NewName(wrap.func + ".copy");
    wrap.readers = std::move(readers);
    FuncBinding copy = whole;
    copy.func = wrap.new_func;
    copy.update = -1;
    copy.variables.resize(rank);
    out_.directives.push_back(std::move(wrap));
    out_.bindings.insert(out_.bindings.begin() + stage + 1, std::move(copy));
  }

  // The reduction `stage` in front of it, which adds it to itself. Halide wraps
  // no outputs, but takes a reduction apart into a single part.
  void InsertSum(int stage, int rank) {
    FuncBinding& rest = out_.bindings[stage];
    Directive rfactor;
    rfactor.kind = DirectiveKind::kRfactor;
    rfactor.func = rest.func;
    rfactor.update = rest.update;
    rfactor.new_func = NewName(rest.func + ".local");
    FuncBinding sum = rest;
    sum.func = rfactor.new_func;
    sum.update = 0;
    rest.variables.resize(rank);
    out_.directives.push_back(std::move(rfactor));
    out_.bindings.insert(out_.bindings.begin() + stage, std::move(sum));
  }

  // The first `rank` axes, outermost first, as the Func's dimensions.
  void StoreInOrderOfAxes(const FuncBinding& binding, int rank) {
    if (rank < 2) return;
    Directive order;
    order.kind = DirectiveKind::kReorderStorage;
    order.func = binding.func;
    for (int axis = rank - 1; axis >= 0; --axis)
      order.loops.push_back({.name = binding.variables[axis]});
    out_.directives.push_back(std::move(order));
  }

  InsertedStages out_;
  const ComputeDag* dag_ = nullptr;
};

}  // namespace

InsertedStages InsertStages(const Schedule& schedule,
                            const AnalyzedPipeline& pipeline) {
  Inserter inserter(pipeline.bindings);
  LoopState state = NaiveState(pipeline.dag);
  for (size_t i = 0; i < schedule.steps.size(); ++i) {
    if (InsertedStage(schedule.steps[i]) < 0) continue;
    inserter.SetDag(state.dag);
    std::visit(inserter, schedule.steps[i]);
    // Only what inserts stages changes the DAG.
    ApplyStep(schedule, static_cast<int>(i), state).IgnoreError();
  }
  return std::move(inserter).Finish();
}

}  // namespace pruner
