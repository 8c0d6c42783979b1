#include "halide_ext/lower/written_stage.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "pruner/base/factors.h"

namespace pruner {
namespace {

// Fewer iterations than this take less time than it takes to wake other cores.
constexpr int64_t kMinParallelIterations = 16384;
// Where a single loop is cut into a parallel and a vector one: chunks of it.
constexpr int64_t kParallelChunks = 16;

// Appends the directives of one definition.
class Writer {
 public:
  Writer(const FuncBinding& binding, int update,
         std::vector<Directive>& directives)
      : binding_(binding),
        update_(update),
        names_(binding.variables.begin(), binding.variables.end()),
        directives_(directives) {}

  void LeaveAsItIs() { Append(DirectiveKind::kUnscheduled, {}); }

  void Vectorize(const std::string& variable, int64_t lanes) {
    const std::string outer = NewName(variable, "_u");
    const std::string inner = NewName(variable, "_v");
    Split(variable, outer, inner, lanes);
    Append(DirectiveKind::kVectorize, {inner});
  }

  void Parallel(const std::string& variable) {
    Append(DirectiveKind::kParallel, {variable});
  }

  // Innermost first.
  void Reorder(const std::vector<std::string>& variables) {
    Append(DirectiveKind::kReorder, variables);
  }

  // The loop over chunks parallel; returns the one inside of it.
  std::string ParallelChunks(const std::string& variable, int64_t chunk) {
    const std::string outer = NewName(variable, "_p");
    const std::string inner = NewName(variable, "_c");
    Split(variable, outer, inner, chunk);
    Parallel(outer);
    return inner;
  }

 private:
  std::string NewName(const std::string& variable, const char* suffix) {
    const std::string base = absl::StrReplaceAll(variable, {{"$", "_"}});
    std::string name = absl::StrCat(base, suffix);
    for (int i = 2; !names_.insert(name).second; ++i)
      name = absl::StrCat(base, suffix, i);
    return name;
  }

  void Split(const std::string& old, const std::string& outer,
             const std::string& inner, int64_t factor) {
    Append(DirectiveKind::kSplit, {old, outer, inner});
    directives_.back().factor = factor;
    directives_.back().tail = Tail::kGuard;
  }

  void Append(DirectiveKind kind, const std::vector<std::string>& loops) {
    Directive& d = directives_.emplace_back();
    d.kind = kind;
    d.func = binding_.func;
    d.update = update_;
    for (const std::string& name : loops)
      d.loops.push_back({.name = name, .is_rvar = false});
  }

  const FuncBinding& binding_;
  const int update_;
  std::set<std::string> names_;
  std::vector<Directive>& directives_;
};

std::vector<int> IndependentAxes(const Stage& stage,
                                 const WrittenDefinition& definition) {
  std::vector<int> axes;
  for (int axis = 0; axis < stage.SpatialRank(); ++axis) {
    if (definition.independent[axis] && stage.shape[axis] > 1)
      axes.push_back(axis);
  }
  return axes;
}

// The outermost independent axis that is long enough for all cores, or the
// longest, to run in parallel; none if that does not pay.
std::optional<int> ParallelAxis(const Stage& stage,
                                const WrittenDefinition& definition) {
  if (definition.iterations < kMinParallelIterations) return std::nullopt;
  std::optional<int> longest;
  for (const int axis : IndependentAxes(stage, definition)) {
    if (stage.shape[axis] >= kParallelChunks) return axis;
    if (!longest || stage.shape[axis] > stage.shape[*longest]) longest = axis;
  }
  return longest;
}

// Lanes along the innermost dimension; 1: no vectors. In vectors a predicate
// keeps Halide from storing, and from loading vectors, but not from loading
// scalars, whose bounds it takes the predicate for.
int64_t Lanes(const Stage& stage, const WrittenDefinition& definition,
              int vector_lanes) {
  int64_t lanes = 1;
  if (stage.shape.empty() || !definition.independent.back() ||
      definition.has_predicate) {
    return lanes;
  }
  while (lanes * 2 <= std::min<int64_t>(stage.shape.back(), vector_lanes))
    lanes *= 2;
  return lanes;
}

}  // namespace

std::vector<Directive> WrittenStageDirectives(const Stage& stage,
                                              const FuncBinding& binding,
                                              bool at_root, int vector_lanes) {
  std::vector<Directive> directives;
  const int innermost = stage.SpatialRank() - 1;
  for (const WrittenDefinition& definition : binding.as_written) {
    Writer writer(binding, definition.update, directives);
    const int64_t lanes = Lanes(stage, definition, vector_lanes);
    const std::optional<int> parallel =
        at_root ? ParallelAxis(stage, definition) : std::nullopt;
    std::string vector_loop =
        innermost >= 0 ? binding.variables[innermost] : "";
    if (parallel && *parallel == innermost) {
      const int64_t chunk = CeilDiv(stage.shape[innermost], kParallelChunks);
      vector_loop =
          writer.ParallelChunks(vector_loop, CeilDiv(chunk, lanes) * lanes);
    } else if (parallel) {
      // Outermost, so that cores are called once.
      std::vector<std::string> order = {binding.variables[*parallel]};
      for (const int axis : IndependentAxes(stage, definition)) {
        if (axis < *parallel)
          order.insert(order.begin(), binding.variables[axis]);
      }
      if (order.size() > 1) writer.Reorder(order);
      writer.Parallel(binding.variables[*parallel]);
    }
    if (lanes > 1) writer.Vectorize(vector_loop, lanes);
    if (lanes == 1 && !parallel) writer.LeaveAsItIs();
  }
  return directives;
}

}  // namespace pruner
