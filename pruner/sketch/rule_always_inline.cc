#include <algorithm>
#include <vector>

#include "pruner/base/status_macros.h"
#include "pruner/dag/node_analysis.h"
#include "pruner/sketch/derivation_steps.h"
#include "pruner/sketch/recomputation.h"
#include "pruner/sketch/rules.h"

namespace pruner {
namespace {

bool CanInline(const Stage& stage) {
  return stage.kind == StageKind::kCompute && !stage.is_output &&
         !stage.opaque && !stage.HasReduction();
}

// Computes a cheap stage as part of its readers. Not a stencil or a long
// formula that is read at several places: each would compute it anew, and that
// is left open.
class AlwaysInline : public SketchRule {
 public:
  using Pays = bool (*)(const SketchContext& context, const Derivation& from);

  explicit AlwaysInline(Pays pays) : pays_(pays) {}

  absl::string_view Name() const override { return "always_inline"; }

  RuleMatch Match(const SketchContext& context,
                  const Derivation& from) const override {
    return CanInline(from.dag().stage(from.stage)) && pays_(context, from)
               ? RuleMatch::kApplyAndSkipRest
               : RuleMatch::kNo;
  }

  absl::StatusOr<std::vector<Derivation>> Apply(
      const SketchContext&, const Derivation& from) const override {
    Derivation next = from;
    RETURN_IF_ERROR(Append(ComputeInlineStep{.stage = from.stage}, next));
    --next.stage;
    return std::vector<Derivation>{next};
  }

 private:
  const Pays pays_;
};

// Operations for an element of a reader that are done at several places.
constexpr int64_t kMaxRepeatedWork = 12;

// In additions, of one element.
int64_t Work(const OpCounts& ops) {
  constexpr int64_t kOfDivision = 4;
  int64_t work = (kOfDivision - 1) * ops.float_div;
  OpCounts::VisitFields(ops,
                        [&](const char*, int64_t count) { work += count; });
  return work;
}

// Whether what is computed as written, a histogram for one, would do without
// vectors what they can do: more than to load the stage's elements.
bool IsDearToScalars(const ComputeDag& dag, int stage) {
  constexpr int64_t kMaxScalarWork = 2;
  const std::vector<int>& readers = dag.consumers(stage);
  return Work(dag.stage(stage).ops) > kMaxScalarWork &&
         std::any_of(readers.begin(), readers.end(),
                     [&](int reader) { return dag.stage(reader).opaque; });
}

bool IsCheap(const SketchContext&, const Derivation& from) {
  const Stage& stage = from.dag().stage(from.stage);
  if (IsDearToScalars(from.dag(), from.stage)) return false;
  const int64_t times = InlinedReads(from.state).PerElement(from.stage);
  // What has tiles of its own, or could not be inlined later.
  const bool is_apart =
      ReadsNeighbours(stage) || HasDataReuse(from.dag(), from.stage);
  if (is_apart && IsReducedOnce(from.dag(), from.stage)) return true;
  const bool is_dear =
      ReadsNeighbours(stage) || times * Work(stage.ops) > kMaxRepeatedWork;
  return (times <= 1 || !is_dear) &&
         IsStrictlyInlinable(from.dag(), from.stage);
}

// Whether threads had better compute the stage once, in a kernel of its own:
// what they would do again takes longer than to start that kernel, to write the
// stage and to read it. A chain of stencils would be read in products of sizes,
// too, which no compiler comes to an end with.
bool IsRepeatedInThreads(const SketchContext& context, const Derivation& from) {
  constexpr int64_t kMaxReads = 64;
  constexpr double kStart = 4e-6;  // seconds
  const Stage& stage = from.dag().stage(from.stage);
  InlinedReads inlined(from.state);
  const auto reads = static_cast<int64_t>(stage.reads.size());
  const int64_t times = inlined.PerElement(from.stage);
  if (times > 1 && ReadsNeighbours(stage) && times * reads > kMaxReads)
    return true;
  const auto elements = static_cast<double>(stage.SpatialSize());
  const double again =
      static_cast<double>(inlined.Evaluated(from.stage)) - elements;
  // The peak is of two operations at once.
  const double work = again * static_cast<double>(Work(stage.ops) + reads);
  const Peaks& peaks = context.target.peaks;
  return work / (peaks.fp32_gflops / 2 * 1e9) >
         kStart +
             2 * stage.ElementBytes() * elements / (peaks.dram_gb_per_s * 1e9);
}

// Threads recompute what is not much for less than what they would wait for it,
// but for what a reduction would evaluate for each summand.
bool IsCheapInThreads(const SketchContext& context, const Derivation& from) {
  return !IsRepeatedInThreads(context, from) &&
         !IsDearInReduction(from.dag(), from.stage, [&](int reader) {
           return from.state.stages[reader].location ==
                  ComputeLocation::kInlined;
         });
}

}  // namespace

const SketchRule& AlwaysInlineRule() {
  static const AlwaysInline kRule(IsCheap);
  return kRule;
}

const SketchRule& InlineInThreadsRule() {
  static const AlwaysInline kRule(IsCheapInThreads);
  return kRule;
}

}  // namespace pruner
