#include "halide_ext/lower/edge_copies.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "absl/types/span.h"
#include "pruner/base/factors.h"
#include "pruner/program/folded_reads.h"

namespace pruner {
namespace {

// Of these the first and the last may have clamped reads in all their copies.
constexpr int64_t kFewIterations = 8;

struct AxisPart {
  std::string axis;  // empty: of several
  int64_t extent = 1;
};

// By loop, all those that a definition has at any time.
using AxisPartByLoop = std::map<std::string, AxisPart>;

void Apply(const Directive& d, AxisPartByLoop& parts) {
  if (d.kind == DirectiveKind::kSplit) {
    const AxisPart old = parts[d.loops[0].name];
    parts[d.loops[1].name] = {old.axis, CeilDiv(old.extent, d.factor)};
    parts[d.loops[2].name] = {old.axis, d.factor};
  } else if (d.kind == DirectiveKind::kFuse) {
    parts[d.loops[2].name] = {};
  }
}

class EdgeCopies {
 public:
  EdgeCopies(const Program& program, const std::vector<FuncBinding>& bindings)
      : program_(program),
        bindings_(bindings),
        reads_(FoldReads(*program.dag, [&](int stage) {
          return program.stages[stage].is_absent &&
                 program.dag->stage(stage).kind == StageKind::kCompute;
        })) {}

  // The loops of the pure stage's only definition that must not be unrolled.
  std::set<std::string> Of(int stage, absl::Span<const Directive> said) const {
    AxisPartByLoop parts;
    const ProgramStage& s = program_.stages[stage];
    const std::vector<std::string>& variables = bindings_[stage].variables;
    for (size_t axis = 0; axis < variables.size(); ++axis) {
      parts[variables[axis]] = {variables[axis],
                                program_.axis_extents[s.first_axis + axis]};
    }
    std::string axis;
    int64_t copied = 1;  // elements of the axis
    for (const Directive& d : said) {
      Apply(d, parts);
      if (d.kind != DirectiveKind::kVectorize) continue;
      axis = parts[d.loops[0].name].axis;
      copied = parts[d.loops[0].name].extent;
    }
    if (axis.empty() || !IsClamped(stage, axis)) return {};
    std::set<std::string> unrolled;
    for (const Directive& d : said) {
      if (d.kind != DirectiveKind::kUnroll) continue;
      const AxisPart& part = parts[d.loops[0].name];
      if (part.axis != axis) continue;
      copied *= part.extent;
      unrolled.insert(d.loops[0].name);
    }
    const bool are_few = parts[axis].extent < kFewIterations * copied;
    return are_few ? unrolled : std::set<std::string>();
  }

 private:
  // Some read of the stage, along the axis.
  bool IsClamped(int stage, const std::string& variable) const {
    const std::vector<std::string>& variables = bindings_[stage].variables;
    const auto axis = static_cast<int>(
        std::find(variables.begin(), variables.end(), variable) -
        variables.begin());
    const std::vector<FoldedRead>& reads = reads_[stage].reads;
    return std::any_of(reads.begin(), reads.end(), [&](const FoldedRead& read) {
      return std::any_of(read.indices.begin(), read.indices.end(),
                         [&](const IndexExpr& index) {
                           return index.clamped && index.VariesWith(axis);
                         });
    });
  }

  const Program& program_;
  const std::vector<FuncBinding>& bindings_;
  const std::vector<FoldedReads> reads_;
};

}  // namespace

std::vector<Directive> WithoutEdgeCopies(
    std::vector<Directive> directives, size_t inserted, const Program& program,
    const std::vector<FuncBinding>& bindings) {
  const bool has_kernels =
      std::any_of(directives.begin(), directives.end(),
                  [](const Directive& d) { return IsOfKernels(d.kind); });
  if (has_kernels) return directives;
  const EdgeCopies copies(program, bindings);
  for (int i = 0; i < program.dag->size(); ++i) {
    const Stage& stage = program.dag->stage(i);
    if (program.stages[i].is_absent || bindings[i].is_scheduled ||
        stage.opaque || stage.IsInitialized()) {
      continue;
    }
    std::vector<Directive> said;
    for (size_t k = inserted; k < directives.size(); ++k) {
      if (IsOfLoops(directives[k]) && directives[k].func == bindings[i].func)
        said.push_back(directives[k]);
    }
    const std::set<std::string> left_out = copies.Of(i, said);
    directives.erase(
        std::remove_if(directives.begin() + inserted, directives.end(),
                       [&](const Directive& d) {
                         return d.kind == DirectiveKind::kUnroll &&
                                d.func == bindings[i].func &&
                                left_out.contains(d.loops[0].name);
                       }),
        directives.end());
  }
  return directives;
}

}  // namespace pruner
